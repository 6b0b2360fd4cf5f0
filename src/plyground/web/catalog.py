"""What there is to play: games with their options, agents, levels, rules and pictures."""

from __future__ import annotations

import itertools
import sys
from functools import cache
from pathlib import Path
from typing import Any

from plyground.core.game import CHANCE, Game, Option
from plyground.core.levels import levels_of
from plyground.core.page import Level, page_folder
from plyground.core.registry import agent_options, agents, games, make_game
from plyground.core.view import PALETTES, View
from plyground.web.analysis import analyst
from plyground.web.messages import Board
from plyground.web.settings import NotFoundError

PICTURE_SEED = 7
PICTURE_MOVES = 14
SHOWCASE_FRAMES = 80


@cache
def describe_games() -> list[dict[str, Any]]:
    """All games, for the page's menus."""
    found = []
    for name, game in games().items():
        info, page = game.info, game.page
        found.append(
            {
                "name": name,
                "title": info.title,
                "summary": info.summary,
                "players": info.players,
                "chance": info.chance,
                "scoring": info.scoring.value,
                "playerNames": list(info.player_names),
                "analyst": analyst(name),
                "input": f"/static/games/{name}/{page.input}" if page.input else "",
                "seedOption": page.seed_option,
                "wonBy": page.won_by,
                "tally": [list(pair) for pair in page.tally],
                "moveName": page.move_name,
                "sameDeals": page.same_deals,
                "levels": [_describe_level(level) for level in levels_of(name)],
                "options": [_describe(option) for option in info.options],
                "agents": [
                    {
                        "name": agent,
                        "summary": made.summary,
                        "parameters": [_describe(one) for one in agent_options(made).values()],
                    }
                    for agent, made in agents(name).items()
                ],
            }
        )
    return found


def _describe_level(level: Level) -> dict[str, Any]:
    return {
        "name": level.name,
        "key": level.key,
        "agent": level.agent,
        "madeOf": level.made_of,
        "summary": level.summary,
    }


def _describe(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "default": option.default,
        "fractions": isinstance(option.default, float),
        "help": option.help,
        "choices": list(option.choices),
        "low": option.low,
        "high": option.high,
        "suggestions": list(option.suggestions),
    }


def find_game(name: str) -> type[Game]:
    """A game by its name; NotFoundError if there is none."""
    game = games().get(name)
    if game is None:
        raise NotFoundError(f"there is no game {name[:64]!r}")
    return game


def page_file(name: str, file: str) -> Path:
    """A file that a game gives to the page; NotFoundError for every other one."""
    game = find_game(name)
    if not file or file != game.page.input:
        raise NotFoundError(f"{name} has no file {file[:64]!r} for the page")
    return page_folder(game) / file


@cache
def rules_card(name: str) -> dict[str, Any]:
    """The rules of a game in pictures, the words and colours of its board, and its keys."""
    page = find_game(name).page
    game = games()[name]
    return {
        "steps": [
            {
                "text": step.text,
                "board": _board(game.sketch(step.position)) if step.position else None,
                "position": step.position,
                "moves": list(step.moves),
            }
            for step in page.rules
        ]
        or _steps_of_text(name),
        "words": [
            {"word": word.word, "meaning": word.meaning, "style": word.style} for word in page.words
        ],
        "keys": [list(pair) for pair in page.keys],
    }


def _steps_of_text(name: str) -> list[dict[str, Any]]:
    """The rules of a game that brings no steps: what its module says, beside a board."""
    game = games()[name]
    module = sys.modules.get(game.page_module or game.__module__)
    _, *paragraphs = ((module.__doc__ if module else None) or "").strip().split("\n\n")
    summary = game.info.summary
    texts = [f"{summary[:1].upper()}{summary[1:]}.", *(" ".join(one.split()) for one in paragraphs)]
    steps: list[dict[str, Any]] = [
        {"text": text, "board": None, "position": "", "moves": []} for text in texts
    ]
    return [{**steps[0], "board": picture(name)["board"]}, *steps[1:]]


@cache
def picture(name: str) -> dict[str, Any]:
    """A game worth watching: its first board, and what changes in every frame after it.

    A change is the number of a shape and the shape that takes its place; frames with another
    number of shapes are given whole. Games that bring no showcase get one still board.
    """
    boards = [_board(view) for view in _showcase(find_game(name))]
    frames: list[dict[str, Any]] = []
    for before, after in itertools.pairwise(boards):
        if len(before.shapes) == len(after.shapes):
            pairs = enumerate(zip(before.shapes, after.shapes, strict=True))
            frames.append({"changes": [[at, new] for at, (old, new) in pairs if old != new]})
        else:
            frames.append({"shapes": after.shapes})
    return {"board": boards[0], "frames": frames}


def _showcase(game: type[Game]) -> list[View]:
    if not game.page.showcase:
        return [_some_view(make_game(game.info.name))]
    text = (page_folder(game) / game.page.showcase).read_text(encoding="utf-8")
    return [game.sketch(line) for line in text.splitlines() if line][:SHOWCASE_FRAMES]


def _board(view: View) -> Board:
    return Board(view.width, view.height, view.shapes, view.caption)


def _some_view(game: Game) -> View:
    """The view of a position in the middle of some game, the same at every start."""
    position = game.start()
    step = PICTURE_SEED
    for _ in range(PICTURE_MOVES):
        if position.turn == CHANCE:
            position = game.apply_chance(position, game.chance_event(position, PICTURE_SEED))
            continue
        if position.is_over or not position.legal_moves:
            break
        step = (step * 1103515245 + 12345) % 2**31
        following = position.play(position.legal_moves[(step >> 8) % len(position.legal_moves)])
        if following.is_over:
            break
        position = following
    if position.turn == CHANCE:
        position = game.apply_chance(position, game.chance_event(position, PICTURE_SEED))
    return position.view


@cache
def palette_css() -> str:
    """The colours of the boards as custom properties, light and dark."""

    def rules(theme: str) -> str:
        return "".join(f"--s-{name}:{colour};" for name, colour in PALETTES[theme].items())

    names = PALETTES["light"]
    classes = "".join(
        f".s-{name}{{fill:var(--s-{name})}}.k-{name}{{fill:none;stroke:var(--s-{name})}}"
        for name in names
    )
    return (
        f":root{{{rules('light')}}}"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{rules('dark')}}}}}"
        f":root[data-theme=dark]{{{rules('dark')}}}{classes}"
    )
