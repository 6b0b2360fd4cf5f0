"""What there is to play: games, their options and agents, a picture of each."""

from __future__ import annotations

from functools import cache
from typing import Any

from plyground.core.game import CHANCE, Game, Option
from plyground.core.registry import agent_options, agents, games, make_game
from plyground.core.view import PALETTES
from plyground.web.analysis import analyst
from plyground.web.messages import Board

PICTURE_SEED = 7
PICTURE_MOVES = 14


@cache
def describe_games() -> list[dict[str, Any]]:
    """All games, for the page's menus."""
    found = []
    for name, game in games().items():
        info = game.info
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


def _describe(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "default": option.default,
        "fractions": isinstance(option.default, float),
        "help": option.help,
        "choices": list(option.choices),
        "low": option.low,
        "high": option.high,
    }


@cache
def picture(name: str) -> Board:
    """A board of this game after a few moves."""
    game = make_game(name)
    position = _some_position(game)
    view = position.view
    return Board(view.width, view.height, view.shapes, view.caption)


def _some_position(game: Game) -> Any:
    """A position in the middle of some game, the same at every start."""
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
    return position


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
