"""Certificates: a winning strategy of Mean Connect 4 in a file, for one set of rules.

A certificate says that a player, the *winner*, wins from a root position within a number of plies,
and gives a move for every position of the winner that its strategy can meet. It holds for its
board, its mean moves and the rules for simultaneous fours that it names, and wherever at least that
many plies are left; for anything else it is refused.

The file: a line of JSON, then (LZMA) keys, moves and plies. A key is a position with the winner to
move: for each column, from the left at the low end, height + 1 bits with the winner's discs and a
mark above the highest disc; of two mirror images the smaller number. Keys are sorted and kept as
differences, their bytes in eight planes. `plies` counts the plies within which the winner wins.
A *complete* certificate holds all positions that are not won at once; an *upper* one leaves out
what is won within a number of plies, which the proof search finds again in a moment.
"""

from __future__ import annotations

import json
import lzma
import os
import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from plyground.core.errors import InputError
from plyground.core.game import Game, OptionValue, Position
from plyground.core.paths import data_root
from plyground.core.writing import check_target
from plyground.games.connect4.solvers.certificate_check import MOST_ENTRIES, unpack_entries
from plyground.search.proof import Strategy

MAGIC = "plyground connect4 certificate 1"
RULES = ("width", "height", "mean", "simultaneous")
MEAN_CODE = 16
SUFFIX = ".certificate"


@dataclass(frozen=True)
class Claim:
    """What a certificate says: who wins, from where, within how many plies, under which rules."""

    width: int
    height: int
    mean: str
    simultaneous: str
    winner: int
    plies: int
    root: str
    left_out: int = 1
    """Positions won within so many plies are left out; 1 for a complete certificate."""
    also: tuple[str, ...] = ()
    """Further rules for simultaneous fours under which the same strategy wins."""
    refuted: int = 0
    """Within so many plies there is no win, as a search has found; to see it, search again."""

    def is_exact(self, position: Position) -> bool:
        """Whether this is the root, from which nobody wins sooner than the claim says.

        A win comes with a move of the winner, so it takes no ply less but two. What was refuted
        under one rule for simultaneous fours may be had under another.
        """
        same = position.game.options["simultaneous"] == self.simultaneous
        return same and position.text == self.root and self.refuted >= self.plies - 2

    @property
    def name(self) -> str:
        """A short name; it is also that of the file. Proofs from other positions have a number."""
        rules = f"{self.width}x{self.height}-{self.mean}-{self.simultaneous}-{self.plies}"
        if self.root.strip("./") == " x 0":
            return rules
        return f"{rules}-{zlib.crc32(self.root.encode()):08x}"

    @property
    def options(self) -> dict[str, OptionValue]:
        """The rules as options of the game, with the first of those for simultaneous fours."""
        return {rule: getattr(self, rule) for rule in RULES}

    @property
    def rules(self) -> tuple[str, ...]:
        """All rules for simultaneous fours for which the claim is made."""
        return (self.simultaneous, *self.also)

    def holds_for(self, game: Game) -> bool:
        """Whether the rules are those of the claim. The plies left are the position's matter."""
        asked = dict(game.options)
        if game.info.name != "connect4" or asked.get("simultaneous") not in self.rules:
            return False
        return all(asked[rule] == getattr(self, rule) for rule in RULES if rule != "simultaneous")


@dataclass(frozen=True)
class Certificate:
    """A claim with its strategy, ready to be asked."""

    claim: Claim
    strategy: Strategy

    def find(self, position: Position) -> tuple[int, int] | None:
        """The winner's move and the plies within which it wins, if this position has an entry.

        None too if the winner is not to move, or if too few plies are left.
        """
        if position.turn != self.claim.winner or not self.claim.holds_for(position.game):
            return None
        key, turned = self._key(position)
        keys = self.strategy.keys
        place = int(np.searchsorted(keys, np.uint64(key)))
        if place >= len(keys) or int(keys[place]) != key:
            return None
        plies = int(self.strategy.plies[place])
        played = int(position.state[2]) >> 1 & 0x7FFF
        if played + plies > int(position.game.options["ply_limit"]):
            return None
        move = int(self.strategy.moves[place])
        return (self._turn(move) if turned else move), plies

    def _key(self, position: Position) -> tuple[int, bool]:
        """The key of a position, and whether it is that of the mirror image."""
        winner = self.claim.winner
        own, other = int(position.state[winner]), int(position.state[1 - winner])
        step, width = self.claim.height + 1, self.claim.width
        bottom = sum(1 << column * step for column in range(width))
        straight = own | ((own | other) + bottom)
        mask = (1 << step) - 1
        columns = [straight >> column * step & mask for column in range(width)]
        turned = sum(code << place * step for place, code in enumerate(reversed(columns)))
        return min(straight, turned), turned < straight

    def _turn(self, move: int) -> int:
        """The mirror image of a move."""
        last = self.claim.width - 1
        if move < MEAN_CODE:
            return last - move
        return MEAN_CODE * (last - (move // MEAN_CODE - 1) + 1) + last - move % MEAN_CODE

    def upper_part(self, left_out: int) -> Certificate:
        """The certificate without the positions that are won within so many plies."""
        stay = self.strategy.plies > left_out
        claim = Claim(**{**vars(self.claim), "left_out": left_out})
        return Certificate(claim, Strategy(*(part[stay] for part in self.strategy)))


def also_won(winner: int, simultaneous: str) -> tuple[str, ...]:
    """The other rules under which every strategy that wins under one rule wins as well.

    A rule that gives the winner no less when both get four changes nothing for the worse: a winning
    strategy meets fours for both only where its rule makes them a win.
    """
    kindest_last = ("draw", "mover", "first") if winner == 0 else ("first", "draw", "mover")
    return kindest_last[kindest_last.index(simultaneous) + 1 :]


def save(certificate: Certificate, path: Path) -> None:
    """Write a certificate, whole or not at all."""
    keys, moves, plies = certificate.strategy
    steps = np.diff(keys, prepend=np.uint64(0)).astype("<u8")
    planes = np.ascontiguousarray(steps.view(np.uint8).reshape(-1, 8).T)
    header = {"format": MAGIC, "entries": len(keys), **vars(certificate.claim)}
    body = lzma.compress(planes.tobytes() + moves.tobytes() + plies.tobytes(), preset=6)
    _write_whole(path, json.dumps(header).encode() + b"\n" + body)


def refuse_unwritable(path: Path) -> None:
    """InputError if no certificate can be written there, before the work of proving it."""
    if path.is_dir():
        raise InputError(f"cannot write the certificate {path}: it is a folder")
    check_target(path)
    _write_whole(path, None)


def _write_whole(path: Path, content: bytes | None) -> None:
    """Write a file whole or not at all; without content only try whether that is possible."""
    temporary = path.with_name(f".new-{os.getpid()}-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_bytes(content or b"")
            if content is not None:
                temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot write the certificate {path}: {error.strerror}") from error


File = Path | resources.abc.Traversable
BAD_FILE = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    EOFError,
    lzma.LZMAError,
)


def _claim_and_count(line: bytes) -> tuple[Claim, int]:
    """What the first line of a file says: the claim and the number of entries."""
    header: dict[str, Any] = json.loads(line)
    if header.pop("format") != MAGIC:
        raise ValueError("not a certificate of this version")
    count = int(header.pop("entries"))
    if not 0 <= count <= MOST_ENTRIES:
        raise ValueError(f"it cannot have {count} entries")
    return Claim(**{**header, "also": tuple(header.get("also", ()))}), count


def read_claim(path: File) -> Claim:
    """Only the claim of a certificate; InputError if the file is damaged or none."""
    try:
        with path.open("rb") as file:
            return _claim_and_count(file.readline())[0]
    except BAD_FILE as error:
        raise InputError(f"cannot read the certificate {path}: {error}") from error


def load(path: File) -> Certificate:
    """Read a certificate; InputError if it is damaged or none."""
    try:
        line, _, body = path.read_bytes().partition(b"\n")
        claim, count = _claim_and_count(line)
        strategy = Strategy(*unpack_entries(body, count))
    except BAD_FILE as error:
        raise InputError(f"cannot read the certificate {path}: {error}") from error
    return Certificate(claim, strategy)


def _shipped_folder() -> resources.abc.Traversable:
    return resources.files("plyground.games.connect4.solvers") / "certificates"


def _shipped_files() -> list[str]:
    return sorted(e.name for e in _shipped_folder().iterdir() if e.name.endswith(SUFFIX))


@cache
def _load_shipped(name: str) -> Certificate:
    return load(_shipped_folder() / name)


def shipped() -> tuple[Certificate, ...]:
    """The certificates that come along."""
    return tuple(_load_shipped(name) for name in _shipped_files())


def user_folder() -> Path:
    """Where the certificates lie that were made on this machine."""
    return data_root() / "certificates"


def _user_files() -> list[Path]:
    return sorted(user_folder().glob(f"*{SUFFIX}"))


def available() -> tuple[dict[str, Certificate], list[InputError]]:
    """All certificates by name, those that come along and those made here, and what is damaged."""
    known = {certificate.claim.name: certificate for certificate in shipped()}
    damaged = []
    for path in _user_files():
        try:
            made = load(path)
        except InputError as error:
            damaged.append(error)
        else:
            known[made.claim.name] = made
    return known, damaged


def for_game(game: Game) -> list[Certificate]:
    """The certificates whose rules are those of a game, the quickest win first.

    Of the others only the claims are read. A damaged file of the user is left out: whoever plays
    goes on without it, and `plyground verify` names it.
    """
    fitting = [
        _load_shipped(name)
        for name in _shipped_files()
        if read_claim(_shipped_folder() / name).holds_for(game)
    ]
    for path in _user_files():
        with suppress(InputError):
            if read_claim(path).holds_for(game):
                fitting.append(load(path))
    return sorted(fitting, key=lambda made: made.claim.plies)
