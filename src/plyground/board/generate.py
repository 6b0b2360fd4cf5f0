"""The kernel module of a board game: the author's functions, and the contract's around them."""

from __future__ import annotations

import ast
import hashlib
import importlib.machinery
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plyground.board.description import BoardGame
from plyground.board.layout import PLAYER, PLIES, TURN, Layout
from plyground.board.plain import line_of
from plyground.board.recursion import count_depth
from plyground.board.source import GameSource
from plyground.board.symmetry import images
from plyground.board.translate import Translation
from plyground.core.paths import cache_root

HEADER = '''"""Generated from {file} by plyground.board; do not edit."""

import importlib
import numpy as np
from plyground.kernels import kernel
from plyground.kernels.random import random_below, split_mix
from plyground.kernels.words import ONGOING
from plyground.board.memory import address, load, load_bits, save, accesses
from plyground.board.memory import cells1, cells2, number as _pg_number, numbers1, numbers2

at1, at2, put1, put2, within, join, append, tick, _pg_add_steps, _pg_deeper = accesses({file!r})
GameFileError = importlib.import_module("plyground.core.errors").GameFileError


@kernel
def can_move(self, player, test):
    mine = load(self, {player})
    save(self, {player}, player)
    answer = test(self)
    save(self, {player}, mine)
    return answer


@kernel
def row_of(flat, starts, ends, index):
    return flat[starts[index] : ends[index]]

'''


@dataclass(frozen=True)
class Generated:
    """A generated module: its name, its text, and the author's line for each line of it."""

    name: str
    text: str
    lines: dict[int, int]
    has_evaluation: bool
    has_order: bool
    has_symmetries: bool


def generate(source: GameSource, cls: type[BoardGame], layout: Layout) -> Generated:
    """The kernel module of a class; GameFileError where it cannot be."""
    whole = Translation(source, layout)
    node = source.classes[cls.__name__]
    names = {
        "moves": whole.method("moves", node, emits="list"),
        "play": whole.method("play", node),
    }
    if cls.stuck in ("loses", "wins", "draws"):
        names["any"] = whole.has_moves(node)
    for optional in ("result", "evaluate", "order", "deal"):
        if source.method(optional):
            names[optional] = whole.method(optional, node)
    if source.method("chance"):
        names["chance"] = whole.method("chance", node, emits="events")
    contract = Contract(cls, layout, names, source.short).text()
    body, lines = _with_lines(whole)
    constants = "".join(f"{name} = {text}\n" for name, text in sorted(whole.constants.items()))
    imports = "".join(f"{text}\n" for _, text in sorted(whole.imports.items()))
    head = HEADER.format(file=source.short, player=PLAYER) + imports + constants + "\n"
    offset = head.count("\n")
    text = head + body + "\n\n" + contract
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Generated(
        name=f"plyground_game_{digest}",
        text=text,
        lines={line + offset: origin for line, origin in lines.items()},
        has_evaluation="evaluate" in names,
        has_order="order" in names,
        has_symmetries=bool(cls.symmetries),
    )


def _with_lines(whole: Translation) -> tuple[str, dict[int, int]]:
    """The text of the functions, callees first, and where its lines come from."""
    parts: list[str] = []
    lines: dict[int, int] = {}
    at = 1
    for function in count_depth(whole.functions):
        ast.fix_missing_locations(function)
        text = f"@kernel\n{ast.unparse(function)}\n\n"
        again = ast.parse(text).body[0]
        for old, new in zip(_statements(function), _statements(again), strict=True):
            lines.setdefault(at + new.lineno - 1, old.lineno)
        parts.append(text)
        at += text.count("\n")
    return "".join(parts), lines


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a tree in the order in which they are written."""
    if isinstance(node, ast.stmt):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _statements(child)


@dataclass(frozen=True)
class Contract:
    """The kernels of the search contract over the author's functions, as text."""

    cls: type[BoardGame]
    layout: Layout
    names: dict[str, str]
    file: str

    def text(self) -> str:
        """All of them."""
        parts = [self._legal_moves(), self._apply(), self._play(), self._outcome()]
        parts += [self._mover_and_key(), self._play_out()]
        if "evaluate" in self.names:
            parts.append(self._evaluate())
        if "order" in self.names:
            parts.append(self._promise())
        if "chance" in self.names:
            parts.append(self._chance())
        if self.cls.symmetries:
            parts.append(self._table_key())
        return "\n\n".join(parts)

    def _refusal(self, function: str, message: str) -> str:
        """A statement that ends the search with an error at a function of the author."""
        where = f"{self.file}:{line_of(self.cls, function)}"
        return f"raise GameFileError({f'{where}: {message}'!r})"

    def _no_moves(self) -> str:
        return self._refusal(
            "moves",
            "a position goes on but has no moves: set stuck in the class "
            "('loses', 'wins', 'draws' or 'passes'), or let result() end the game",
        )

    def _legal_moves(self) -> str:
        listing = f"    count = {self.names['moves']}(self, moves, np.int64(0))"
        if self.cls.stuck == "passes":
            empty = f"        moves[0] = {self.layout.pass_code}\n        return np.int64(1)"
        else:
            empty = f"        {self._no_moves()}"
        waiting = f"    if load(self, {TURN}) == 0:\n        return np.int64(0)\n"
        waiting = waiting if "chance" in self.names else ""
        return (
            "@kernel\ndef legal_moves(params, state, moves):\n"
            f"    self = address(state)\n{waiting}{listing}\n"
            f"    if count == 0:\n{empty}\n    return count\n"
        )

    def _decoded(self) -> str:
        sizes = self.layout.move_sizes
        if len(sizes) == 1:
            return "int(move)"
        parts: list[str] = []
        divisor = 1
        for size in reversed(sizes):
            above = f"int(move) // {divisor}" if divisor > 1 else "int(move)"
            parts.insert(0, f"{above} % {size}")
            divisor *= size
        return f"({', '.join(parts)})"

    def _apply(self) -> str:
        """Play a move on a row in place."""
        players, pass_code = self.cls.players, self.layout.pass_code
        wrong_player = f"the next player must be from 1 to {players}, or 0 for chance"
        usual = f"3 - load(self, {PLAYER})" if players == 2 else "1"
        passing = ", ".join(["-1"] * self.layout.arity)
        passing = passing if self.layout.arity == 1 else f"({passing})"
        call = f"follow(self, {self.names['play']}(self, decoded), {usual})"
        lines = [
            "@kernel\ndef follow(self, following, usual):",
            "    if following is None:",
            f"        save(self, {TURN}, usual)",
            f"        save(self, {PLAYER}, usual)",
            "    else:",
            "        player = next_player(following)",
            f"        save(self, {TURN}, player)",
            "        if player != 0:",
            f"            save(self, {PLAYER}, player)\n",
            "\n@kernel\ndef next_player(following):",
            "    player = np.int64(following + 0)",
            f"    if player < 0 or player > {players}:",
            f"        {self._refusal('play', wrong_player)}",
            "    return player\n",
            "\n@kernel\ndef apply(self, move):",
        ]
        if self.cls.counts_plies():
            lines += [f"    save(self, {PLIES}, load(self, {PLIES}) + 1)"]
        if self.cls.stuck == "passes":
            lines += [f"    if move == {pass_code}:", f"        follow(self, None, {usual})"]
            lines += ["        return"]
            lines += [f"    decoded = {self._decoded()}"]
        else:
            lines += [f"    decoded = {self._decoded()}"]
            lines += [f"    if move == {pass_code}:", f"        decoded = {passing}"]
        lines += [f"    {call}"]
        return "\n".join(lines) + "\n"

    def _play(self) -> str:
        return (
            "@kernel\ndef play(params, state, move, child):\n"
            f"    for word in range(np.uint64({self.layout.words})):\n"
            "        child[word] = state[word]\n"
            "    apply(address(child), move)\n"
        )

    def _outcome(self) -> str:
        wrong_result = "result() must return None, 0 (a draw), 1 or 2"
        lines = [
            "@kernel\ndef value_of(answer):",
            "    if answer is None:\n        return ONGOING",
            "    value = np.int64(answer + 0)",
        ]
        if self.cls.scoring == "points" or self.cls.players == 1:
            lines += ["    return value\n"]
        else:
            lines += [
                "    if value == 0:\n        return np.int64(0)",
                "    if value == 1:\n        return np.int64(1)",
                f"    if value != 2:\n        {self._refusal('result', wrong_result)}",
                "    return np.int64(-1)\n",
            ]
        lines += [
            "\n@kernel\ndef outcome_of(self):",
        ]
        if "chance" in self.names:
            lines += [f"    if load(self, {TURN}) == 0:", "        return ONGOING"]
        if "result" in self.names:
            lines += [
                f"    value = value_of({self.names['result']}(self))",
                "    if value != ONGOING:",
                "        return value",
            ]
        if self.cls.max_plies:
            lines += [f"    if load(self, {PLIES}) >= {self.cls.max_plies}:"]
            lines += ["        return np.int64(0)"]
        if "any" in self.names:
            lost = f"(np.int64(-1) if load(self, {PLAYER}) == 1 else np.int64(1))"
            value = {"loses": lost, "wins": f"-{lost}", "draws": "np.int64(0)"}[self.cls.stuck]
            lines += [f"    if load(self, {TURN}) != 0 and not {self.names['any']}(self):"]
            lines += [f"        return {value}"]
        lines += ["    return ONGOING\n"]
        lines += ["\n@kernel\ndef outcome(params, state):\n    return outcome_of(address(state))\n"]
        return "\n".join(lines)

    def _mover_and_key(self) -> str:
        first = f"np.uint64({PLIES if self.cls.max_plies else PLIES + 1})"
        return (
            "@kernel\ndef mover(params, state):\n"
            f"    return load(address(state), {TURN}) - 1\n\n\n"
            "@kernel\ndef key(params, state):\n"
            f"    mixed = state[{TURN}] + (state[{PLAYER}] << np.uint64(8))\n"
            f"    for word in range({first}, np.uint64({self.layout.words})):\n"
            "        mixed = split_mix(mixed ^ state[word])\n"
            "    return mixed\n"
        )

    def _table_key(self) -> str:
        """The least key of a position's images."""
        first = f"np.uint64({PLIES if self.cls.max_plies else PLIES + 1})"
        board = self.layout.board_start // 8
        return (
            f"IMAGES = np.array({images(self.cls, self.layout.shape)}, np.uint64)\n\n\n"
            "@kernel\ndef table_key(params, state):\n"
            "    least = key(params, state)\n"
            f"    beside = state[{TURN}] + (state[{PLAYER}] << np.uint64(8))\n"
            f"    for word in range({first}, np.uint64({board})):\n"
            "        beside = split_mix(beside ^ state[word])\n"
            "    for image in range(IMAGES.shape[0]):\n"
            "        mixed = beside\n"
            f"        for first in range(0, {self.layout.cells}, 8):\n"
            "            word = np.uint64(0)\n"
            f"            for cell in range(first, min(first + 8, {self.layout.cells})):\n"
            "                source = IMAGES[image, cell]\n"
            f"                taken = state[np.uint64({board}) + (source >> np.uint64(3))]\n"
            "                piece = (taken >> (np.uint64(8) * (source & np.uint64(7))))\n"
            "                piece &= np.uint64(255)\n"
            "                word |= piece << np.uint64(8 * (cell - first))\n"
            "            mixed = split_mix(mixed ^ word)\n"
            "        least = min(least, mixed)\n"
            "    return least\n"
        )

    def _play_out(self) -> str:
        chance = ""
        if "chance" in self.names:
            chance = (
                f"        if load(self, {TURN}) == 0:\n"
                f"            count = {self.names['chance']}(self, buffer, np.int64(0))\n"
                "            follow_deal(self, draw(random, buffer, count))\n"
                "            continue\n"
            )
        if self.cls.stuck == "passes":
            empty = f"            buffer[0] = {self.layout.pass_code}\n            count = 1\n"
        else:
            empty = f"            {self._no_moves()}\n"
        moves = (
            f"        count = {self.names['moves']}(self, buffer, np.int64(0))\n"
            f"        if count == 0:\n{empty}"
        )
        return (
            "@kernel\ndef play_out(params, most_plies, random, buffer, state, scratch):\n"
            "    self = address(state)\n"
            "    for _ in range(most_plies):\n"
            "        result = outcome_of(self)\n"
            "        if result != ONGOING:\n"
            "            return result\n"
            f"{chance}{moves}"
            "        apply(self, buffer[random_below(random, np.uint64(count))])\n"
            "    result = outcome_of(self)\n"
            "    return result if result != ONGOING else np.int64(0)\n"
        )

    def _evaluate(self) -> str:
        """The author's value; a proven win is beyond it where two players search."""
        most = 900_000 if self.cls.players == 2 else 10**15
        return (
            "@kernel\ndef evaluate(params, state):\n"
            f"    value = np.int64({self.names['evaluate']}(address(state)))\n"
            f"    return max(np.int64(-{most}), min(np.int64({most}), value))\n"
        )

    def _promise(self) -> str:
        passing = f"    if move == {self.layout.pass_code}:\n        return np.int64(0)\n"
        return (
            "@kernel\ndef promise(params, state, move):\n"
            f"{passing}"
            f"    value = np.int64({self.names['order']}(address(state), {self._decoded()}))\n"
            "    return max(np.int64(0), min(np.int64(1000), value))\n"
        )

    def _chance(self) -> str:
        usual = f"3 - load(self, {PLAYER})" if self.cls.players == 2 else "1"
        return (
            "@kernel\ndef draw(random, events, count):\n"
            "    total = np.int64(0)\n"
            "    for index in range(1, count, 2):\n"
            "        total += events[index]\n"
            "    pick = np.int64(random_below(random, np.uint64(total)))\n"
            "    for index in range(0, count, 2):\n"
            "        pick -= events[index + 1]\n"
            "        if pick < 0:\n"
            "            return events[index]\n"
            "    return events[0]\n\n\n"
            "@kernel\ndef follow_deal(self, event):\n"
            f"    follow(self, {self.names['deal']}(self, int(event)), {usual})\n\n\n"
            "HAS_CHANCE = True\n\n\n"
            "@kernel\ndef happen(params, state, random, buffer, child):\n"
            f"    for word in range(np.uint64({self.layout.words})):\n"
            "        child[word] = state[word]\n"
            "    self = address(child)\n"
            f"    count = {self.names['chance']}(self, buffer, np.int64(0))\n"
            "    follow_deal(self, draw(random, buffer, count))\n"
        )


def install(made: Generated, file: str) -> None:
    """Make a module that was generated from a file known to the compile layer under its name."""
    if made.name in sys.modules:
        return
    folder = cache_root() / "games"
    path = folder / f"{made.name}.py"
    try:
        if not path.exists() or path.read_text(encoding="utf-8") != made.text:
            folder.mkdir(parents=True, exist_ok=True)
            staged = path.with_suffix(f".{id(made)}.new")
            staged.write_text(made.text, encoding="utf-8")
            staged.replace(path)
    except OSError:
        path = _temporary(made)
    module = types.ModuleType(made.name)
    module.__file__ = str(path)
    module.__spec__ = importlib.machinery.ModuleSpec(made.name, None, origin=str(path))
    module.MADE_FROM = file  # type: ignore[attr-defined]
    sys.modules[made.name] = module


def _temporary(made: Generated) -> Path:
    """A place for one process when the cache cannot be written."""
    import atexit
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="plyground-game-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / f"{made.name}.py"
    path.write_text(made.text, encoding="utf-8")
    return path
