"""Texts that nobody should send, made from texts that somebody would, and all who read them.

A reader may return or raise an error of ours. Any other exception, or a reader that takes seconds,
is a finding.
"""

from __future__ import annotations

import contextlib
import random
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from plyground.arena.config import read_config
from plyground.arena.openings import read_openings, read_suite
from plyground.cli.match import parse_sprt
from plyground.core.errors import PlygroundError
from plyground.core.game import CHANCE, Game, Position
from plyground.core.limits import Clock, Limit
from plyground.core.record import GameRecord, MoveRecord
from plyground.core.record_check import check_record
from plyground.core.registry import make_agent, make_game
from plyground.engines.conversation import Conversation
from plyground.engines.engine import EngineSettings, GameSetup, TurnBudget
from plyground.engines.failure import EngineError
from plyground.engines.json_conversation import JsonConversation
from plyground.engines.players import make_engine
from plyground.games.codecup_sudoku.bridge import ContestConversation
from plyground.sudoku.text import read_boards
from plyground.testing import random_game
from plyground.web import security
from plyground.web.requests import NewGame, NewTournament, open_game

GAMES: tuple[tuple[str, dict[str, object]], ...] = (
    ("connect4", {}),
    ("connect4", {"mean": "none", "width": 5, "height": 4}),
    ("competitive-sudoku", {"board": "random-2x2"}),
    ("competitive-sudoku", {"board": "random-2x3", "mode": "rows"}),
    ("codecup-sudoku", {}),
    ("blockudoku", {}),
)
SLOW_SECONDS = 5.0

NASTY = (
    "",
    " ",
    "\n",
    "\0",
    "\x1b[31m",
    "\u00b2",
    "\u0663",
    "\ufeff",
    "\u202e",
    "\U0001f600",
    "\udc80",
    "-1",
    "+1",
    "0x10",
    "1_000",
    "1e309",
    "-0.0",
    "nan",
    "inf",
    "99999999999999999999",
    "9" * 5000,
    "1" * 400,
    "((((((((",
    "[" * 2000,
    "a" * 300,
    "../../../etc/passwd",
    "/dev/zero",
    "~",
    "%s%n",
    "'; DROP TABLE games; --",
    "=1+1",
    "<script>",
    "null",
    "true",
    "{}",
    "x" * 100_000,
)


class Mutator:
    """Makes bad texts from good ones."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def bad(self, good: str) -> str:
        """One to four changes of a text; sometimes none at all, sometimes nothing is left of it."""
        chance = self.chance
        text = good if chance.random() < 0.95 else chance.choice(NASTY)
        for _ in range(chance.choice((0, 1, 1, 1, 2, 4))):
            text = self._change(text)
        return text

    def _change(self, text: str) -> str:
        chance = self.chance
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 1, 1, 2, 10, 1000)))
        kind = chance.randrange(6)
        if kind == 0:
            return text[:start] + self._nasty() + text[end:]
        if kind == 1:
            return text[:start] + text[end:]
        if kind == 2:
            return text[:end] + text[start:]
        if kind == 3:
            return text[:start] + chr(chance.randrange(32, 127)) + text[end:]
        if kind == 4:
            return text[:start] + str(chance.randrange(-3, 300)) + text[end:]
        return text[:start] + chr(chance.randrange(0x110000)) + text[end:]

    def _nasty(self) -> str:
        """Long ones seldom: they cost time and say little."""
        nasty = self.chance.choice(NASTY)
        return nasty if len(nasty) < 1000 or self.chance.random() < 0.1 else nasty[:40]


Reader = Callable[[str], object]


@dataclass(frozen=True)
class Target:
    """Somebody who reads, and what is usually read; `cost` is how much slower than a parser."""

    name: str
    read: Callable[[str], object]
    samples: tuple[str, ...]
    cost: int = 1


@dataclass(frozen=True)
class Finding:
    """A reader that failed."""

    target: str
    text: str
    error: str


def _reached(game: Game, seed: int, plies: int = 40) -> list[tuple[Position, str, int]]:
    return list(random_game(game, seed, plies))


def _game_targets(name: str, options: dict[str, object]) -> list[Target]:
    game = make_game(name, options)  # type: ignore[arg-type]
    line = _reached(game, 1)
    positions = tuple(position.text for position, _, _ in line)
    moves = tuple(move for _, move, player in line if move and player != CHANCE)
    events = tuple(move for _, move, player in line if move and player == CHANCE)
    middle = next(p for p, _, _ in reversed(line) if not p.is_over and p.turn != CHANCE)
    dealt = next((p for p, _, _ in line if p.turn == CHANCE), None)
    label = f"{name} {options}" if options else name
    entries = tuple(MoveRecord(move, player) for _, move, player in line if move)
    record = GameRecord(
        game=name,
        options=game.options,
        players=("a", "b")[: game.info.players],
        moves=entries,
        outcome=line[-1][0].outcome,
    )

    def judge(text: str) -> object:
        return game.judge(middle, text)

    def check(text: str) -> object:
        return check_record(GameRecord.from_json(text.encode(errors="surrogatepass")))

    found = [
        Target(f"position of {label}", game.parse_position, positions),
        Target(f"move of {label}", middle.parse_move, moves),
        Target(f"verdict in {label}", judge, moves, 3),
        Target(f"record of {label}", check, (record.to_json(),), 10),
    ]
    if events and dealt is not None:
        found.append(
            Target(f"event of {label}", lambda text: game.apply_chance(dealt, text), events)
        )
    return found


def _hear(make: Callable[[], Conversation], game: Game) -> Callable[[str], object]:
    position = game.start()
    setup = GameSetup(
        id="g",
        game=game,
        start="",
        opening=(),
        position=position,
        side=0,
        seed=1,
        limit=Limit(time=1.0),
    )

    def hear(text: str) -> object:
        talk = make()
        data = text.encode(errors="surrogatepass") + b"\n"
        talk.greet(0.0, 1.0)
        if len(data) % 3 == 0:
            talk.receive(data, 0.0)
        talk.receive(b'{"type":"hello"}\n', 0.1)
        talk.prepare(setup, 0.2, 1.0)
        talk.receive(b'{"type":"ready"}\n', 0.3)
        talk.go("g", position, Limit(time=1.0), TurnBudget(1.0, 1.1), 0.4)
        talk.tick(0.5)
        talk.receive(data, 0.6)
        talk.tick(99.0)
        while talk.next_event() is not None:
            pass
        return talk.phase

    return hear


def _from_file(
    folder: Path, ending: str, read: Callable[[Path], object]
) -> Callable[[str], object]:
    def reader(text: str) -> object:
        path = folder / f"fuzzed{ending}"
        path.write_bytes(text.encode(errors="surrogatepass"))
        return read(path)

    return reader


ANSWERS = (
    '{"type":"bestmove","id":"g","turn":1,"move":"4","score":{"points":1.5},"depth":3,"nodes":9}',
    '{"type":"bestmove","moves":["1","2"],"values":[{"move":"1","score":{"player":0}}]}',
    '{"type":"info","move":"3","score":0.5,"line":["1","2"],"note":"thinking","elapsed":0.1}',
    '{"type":"hello","name":"bot","version":"1","protocol":1,"games":["connect4"],"wants":[]}',
    '{"type":"ready","id":"g"}',
    '{"type":"error","message":"no"}',
    "Aa1",
    "Hh9!",
)
CONFIG = """game = "connect4"
players = ["random", {player = "mcts:c=1.4", name = "m", time = 0.5, clock = "3+0.1"}]
format = "round-robin"
games = 4
time = 0.1
time_by = "cpu"
seed = 3
margin = 0.1
memory_mb = 100
[options]
mean = "both"
"""
PLAYERS = (
    "mcts:c=1.4,seed=3",
    "champion",
    "mybot.py:Class:c=2",
    "exec:python3 -c pass",
    "codecup:./nobody",
    "course:folder,strict=yes",
    "bot@0123456789abcdef:x=1",
)
ORIGINS = ("http://localhost:8000", "https://[::1]:443", "http://[", "null", "http://a:b@c:99999")


def targets(folder: Path) -> list[Target]:
    """Everybody who reads. Files are written into `folder`."""
    found = [target for name, options in GAMES for target in _game_targets(name, options)]
    connect4, sudoku = make_game("connect4"), make_game("codecup-sudoku")
    board = make_game("competitive-sudoku", {"board": "random-2x2"})

    def options(text: str) -> object:
        key, _, value = text.partition("=")
        return make_game("competitive-sudoku", {key: value})

    def web_game(text: str) -> object:
        request = msgspec.json.decode(text.encode(errors="replace"), type=NewGame)
        return open_game(request.game, request.options)

    def web_tournament(text: str) -> object:
        return msgspec.json.decode(text.encode(errors="replace"), type=NewTournament)

    def player(text: str) -> object:
        return make_engine("connect4", text, EngineSettings(sandbox="off"))

    found += [
        Target("answers", _hear(JsonConversation, connect4), ANSWERS),
        Target("contest answers", _hear(ContestConversation, sudoku), ANSWERS),
        Target("clock", Clock.parse, ("30", "60+0.5", "1e3+1")),
        Target("sprt", lambda text: parse_sprt([text]), ("elo0=0", "elo1=20,alpha=0.05")),
        Target("agent", lambda text: make_agent("connect4", text), PLAYERS[:2], 100),
        Target("player", player, PLAYERS, 200),
        Target("option", options, ("board=random-2x3", "mode=rows", "seed=12", "points=1"), 200),
        Target("configuration", _from_file(folder, ".toml", read_config), (CONFIG,), 200),
        Target(
            "openings",
            _from_file(folder, ".txt", lambda path: read_openings(path, connect4)),
            ("4453\n1234567\n\n11\n",),
            50,
        ),
        Target(
            "suite",
            _from_file(folder, ".boards", lambda path: read_suite(board, str(path), folder)),
            ("random-2x2 seed=4 mode=rows\nrandom-2x2 seed=5\n", board.start().text + "\n"),
            200,
        ),
        Target("board files", lambda text: list(read_boards(text)), _board_files(board), 3),
        Target("origin", _origin, ORIGINS),
        Target("request for a game", web_game, ('{"game":"connect4","options":{"mean":"none"}}',)),
        Target(
            "request for a tournament",
            web_tournament,
            ('{"game":"connect4","agents":["random","mcts"],"rounds":2,"seconds":0.1}',),
        ),
    ]
    return found


def _board_files(game: Game) -> tuple[str, ...]:
    grid = "2 2\n" + "\n".join(" . . . ." for _ in range(4)) + "\n"
    return (grid, game.start().text, "." * 81, "1" + "0" * 80)


def _origin(text: str) -> object:
    return security.is_same_site(text, "localhost:8000")


ALLOWED = (PlygroundError, EngineError, msgspec.DecodeError)


def attack(target: Target, mutator: Mutator, count: int) -> list[Finding]:
    """Let one reader read so many bad texts."""
    findings = []
    for sample in target.samples:  # what has to be compiled first is no matter of the text
        with contextlib.suppress(*ALLOWED):
            target.read(sample)
    for _ in range(count):
        text = mutator.bad(mutator.chance.choice(target.samples))
        began = time.process_time()
        try:
            target.read(text)
        except ALLOWED:
            pass
        except Exception:
            findings.append(Finding(target.name, text, traceback.format_exc(limit=-3)))
        if time.process_time() - began > SLOW_SECONDS:
            findings.append(Finding(target.name, text, "took too long"))
    return findings
