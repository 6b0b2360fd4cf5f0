"""The HTTP side: games, positions, records, runs. Everything live goes over the WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import quote

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from plyground.core.errors import InputError, PlygroundError
from plyground.core.files import short_name
from plyground.core.game import CHANCE, Position
from plyground.kernels.progress import now_compiling
from plyground.web.catalog import describe_games, page_file, palette_css, picture, rules_card
from plyground.web.comparison import compare
from plyground.web.crash import describe
from plyground.web.lab import describe_experiment, draw_plot, list_experiments
from plyground.web.requests import AskPosition, AskTree, Fork, NewGame, NewTournament, open_game
from plyground.web.security import error_response
from plyground.web.services import Services
from plyground.web.session_store import SessionSummary
from plyground.web.settings import BusyError, NotFoundError
from plyground.web.snapshot import take_sketch, take_snapshot
from plyground.web.trees import tree_of

POSITIONS_AT_ONCE = 64
PICTURE_AGE = "private, max-age=3600"

Body = TypeVar("Body", bound=msgspec.Struct)
Handler = Callable[[Request, Services], Awaitable[Response]]


def answer(value: object, status: int = 200, **headers: str) -> Response:
    """A value as JSON."""
    return Response(
        msgspec.json.encode(value),
        status,
        {name.replace("_", "-"): text for name, text in headers.items()},
        "application/json",
    )


async def read_body(request: Request, shape: type[Body]) -> Body:
    """The request's JSON body; InputError says what is wrong with it."""
    try:
        return msgspec.json.decode(await request.body(), type=shape)
    except ClientDisconnect:
        raise InputError("the request is too long or was cut off") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"this request cannot be read: {error}") from None


async def get_catalog(request: Request, services: Services) -> Response:
    """Games, options, agents."""
    return answer(await asyncio.to_thread(describe_games))


async def get_preparing(request: Request, services: Services) -> Response:
    """What is being compiled just now, for those who wait for it; null if nothing is."""
    return answer(await asyncio.to_thread(now_compiling), cache_control="no-store")


async def get_picture(request: Request, services: Services) -> Response:
    """A game worth watching, for the home screen."""
    name = request.path_params["game"]
    return answer(await asyncio.to_thread(picture, name), cache_control=PICTURE_AGE)


async def get_rules(request: Request, services: Services) -> Response:
    """The rules of a game in pictures."""
    name = request.path_params["game"]
    return answer(await asyncio.to_thread(rules_card, name), cache_control=PICTURE_AGE)


async def get_game_file(request: Request, services: Services) -> Response:
    """A module that a game brings for the page."""
    name, file = request.path_params["game"], request.path_params["file"]
    path = await asyncio.to_thread(page_file, name, file)
    return FileResponse(path, media_type="text/javascript")


async def get_palette(request: Request, services: Services) -> Response:
    """The board colours as a style sheet."""
    return Response(palette_css(), media_type="text/css")


async def list_games(request: Request, services: Services) -> Response:
    """The latest games on this server."""
    recent: list[SessionSummary] = await services.store.recent()
    return answer(recent)


async def create_game(request: Request, services: Services) -> Response:
    """Start a game."""
    game = await services.lobby.create(await read_body(request, NewGame))
    return answer({"id": game.id}, 201)


async def get_game(request: Request, services: Services) -> Response:
    """A game with all its moves and its latest position."""
    game = await services.lobby.find(request.path_params["id"])
    return answer(await asyncio.to_thread(game.update))


async def get_positions(request: Request, services: Services) -> Response:
    """Positions `from` to `to` (both counted in moves, at most 64)."""
    game = await services.lobby.find(request.path_params["id"])
    first = _number(request, "from", 0)
    last = min(_number(request, "to", first), len(game.history), first + POSITIONS_AT_ONCE - 1)
    if first > len(game.history):
        raise NotFoundError(f"the game has only {len(game.history)} moves")

    def collect() -> list[Any]:
        found = []
        for number in range(first, last + 1):
            ended = game.outcome if number == len(game.history) else None
            found.append(take_snapshot(game.history.position(number), ended))
        return found

    return answer({"from": first, "positions": await asyncio.to_thread(collect)})


async def get_comparison(request: Request, services: Services) -> Response:
    """A finished one-player game beside an agent's on the same deals."""
    table = await services.lobby.find(request.path_params["id"])
    with services.analysis_slot():
        return answer(await compare(services.pool, table))


async def get_record(request: Request, services: Services) -> Response:
    """The record of a game as a file."""
    game = await services.lobby.find(request.path_params["id"])
    name = quote(f"{short_name(game.setup.game)}-{game.id}.json")
    return answer(game.record(), content_disposition=f'attachment; filename="{name}"')


async def upload_record(request: Request, services: Services) -> Response:
    """Add a record as a game that can be replayed, analysed and forked."""
    try:
        data = await request.body()
    except ClientDisconnect:
        raise InputError("the record is too long or was cut off") from None
    game = await services.lobby.add_record(data, "uploaded")
    return answer({"id": game.id}, 201)


async def fork_game(request: Request, services: Services) -> Response:
    """Play on from a position of a game."""
    wanted = await read_body(request, Fork)
    game = await services.lobby.fork(request.path_params["id"], wanted)
    return answer({"id": game.id}, 201)


async def ask_position(request: Request, services: Services) -> Response:
    """A position from its text, after more moves if any."""
    wanted = await read_body(request, AskPosition)

    def read() -> object:
        game = open_game(wanted.game, wanted.options)
        if wanted.sketch:
            return take_sketch(game, wanted.position or game.format_position(game.initial_state()))
        position = game.parse_position(wanted.position) if wanted.position else game.start()
        position = _dealt(position, wanted.seed)
        for move in wanted.moves:
            position = _dealt(position.play(move), wanted.seed)
        return take_snapshot(position)

    return answer(await asyncio.to_thread(read))


async def list_runs(request: Request, services: Services) -> Response:
    """All stored matches and tournaments."""
    return answer(await services.runs.listing())


async def start_run(request: Request, services: Services) -> Response:
    """Start a tournament."""
    identity = await services.runs.start(await read_body(request, NewTournament))
    return answer({"id": identity}, 201)


async def get_run(request: Request, services: Services) -> Response:
    """A run with its table, graph and games."""
    return answer(await services.runs.view(request.path_params["id"]))


async def get_live_board(request: Request, services: Services) -> Response:
    """The game of a run that is being played; empty while none is."""
    return answer(await services.runs.live(request.path_params["id"]) or {})


async def stop_run(request: Request, services: Services) -> Response:
    """End a running tournament."""
    services.runs.stop(request.path_params["id"])
    return answer({})


async def get_report(request: Request, services: Services) -> Response:
    """The report of a run as a file; it has scripts of its own, so it is not shown in place."""
    identity = request.path_params["id"]
    name = quote(f"{identity}.html")
    return Response(
        await services.runs.report(identity),
        headers={"content-disposition": f'attachment; filename="{name}"'},
        media_type="text/html",
    )


async def open_run_game(request: Request, services: Services) -> Response:
    """Open a game of a run for replay; the page goes there."""
    identity, schedule = request.path_params["id"], request.query_params.get("game", "")
    record = await services.runs.record(identity, schedule)
    game = await services.lobby.add_record(record.to_json().encode(), f"{identity} {schedule}")
    return answer({"id": game.id}, 201)


async def list_lab(request: Request, services: Services) -> Response:
    """All experiments: what was claimed, what was measured here."""
    return answer(await asyncio.to_thread(list_experiments))


async def get_experiment(request: Request, services: Services) -> Response:
    """One experiment with its tables; its plots are pictures of their own."""
    return answer(await asyncio.to_thread(describe_experiment, request.path_params["name"]))


async def get_plot(request: Request, services: Services) -> Response:
    """A plot of an experiment."""
    name, number = request.path_params["name"], request.path_params["number"]
    svg = await asyncio.to_thread(draw_plot, name, number)
    return Response(svg, media_type="image/svg+xml")


async def grow_tree(request: Request, services: Services) -> Response:
    """The search tree of a position: what was visited most, or what alpha-beta walks."""
    wanted = await read_body(request, AskTree)

    def search() -> object:
        game = open_game(wanted.game, wanted.options)
        position = game.parse_position(wanted.position) if wanted.position else game.start()
        return tree_of(_dealt(position, wanted.seed), wanted.search)

    with services.analysis_slot():
        return answer(await asyncio.to_thread(search))


def _dealt(position: Position, seed: int) -> Position:
    """The position after the random events that it waits for."""
    while position.turn == CHANCE and not position.is_over:
        game, last = position.game, position.last_move
        position = game.apply_chance(position, game.chance_event(position, seed))
        position.last_move = last
    return position


def _number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise InputError(f"{name} must be a number from 0")
    return int(text)


STATUS: dict[type[PlygroundError], int] = {NotFoundError: 404, BusyError: 503, InputError: 400}


def routes(get_services: Callable[[], Services]) -> list[Route]:
    """All addresses of the API."""

    def route(path: str, handler: Handler, method: str = "GET") -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                return await handler(request, get_services())
            except HTTPException:
                raise
            except PlygroundError as error:
                status = next(
                    (code for kind, code in STATUS.items() if isinstance(error, kind)), 500
                )
                return error_response(status, error.kind, str(error)[:1000])
            except Exception as error:
                return error_response(500, "internal", describe(error))

        return Route(path, endpoint, methods=[method])

    return [
        route("/palette.css", get_palette),
        route("/api/catalog", get_catalog),
        route("/api/preparing", get_preparing),
        route("/api/pictures/{game}", get_picture),
        route("/api/rules/{game}", get_rules),
        route("/static/games/{game}/{file}", get_game_file),
        route("/api/games", list_games),
        route("/api/games", create_game, "POST"),
        route("/api/games/{id}", get_game),
        route("/api/games/{id}/positions", get_positions),
        route("/api/games/{id}/record", get_record),
        route("/api/games/{id}/comparison", get_comparison),
        route("/api/games/{id}/fork", fork_game, "POST"),
        route("/api/records", upload_record, "POST"),
        route("/api/position", ask_position, "POST"),
        route("/api/tree", grow_tree, "POST"),
        route("/api/lab", list_lab),
        route("/api/lab/{name}", get_experiment),
        route("/api/lab/{name}/plots/{number:int}", get_plot),
        route("/api/runs", list_runs),
        route("/api/runs", start_run, "POST"),
        route("/api/runs/{id}", get_run),
        route("/api/runs/{id}/report", get_report),
        route("/api/runs/{id}/live", get_live_board),
        route("/api/runs/{id}/stop", stop_run, "POST"),
        route("/api/runs/{id}/open", open_run_game, "POST"),
    ]
