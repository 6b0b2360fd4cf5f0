"""The checker of certificates: plain NumPy, and nothing of plyground.

It knows the rules of Mean Connect 4 by itself and takes nothing from the program that found the
strategy. Each entry of a certificate says: with the winner to move here, it wins within so many
plies, and this is the move. The checker plays the move and then *every* legal reply. After each
reply the winner must have won, or have a move that wins at once, or meet another entry that
promises a win at least two plies sooner. Promises shrink on every way, so by induction all of them
are kept. Entries are checked one by one, whether play reaches them or not. Under a second rule for
simultaneous fours only those are checked again where a move gave four to both.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Flags = NDArray[np.bool_]
CHUNK = 1 << 16
MOST_ENTRIES = 100_000_000
"""More are not unpacked."""


class CheckError(Exception):
    """The certificate does not prove its claim; the message shows where it fails."""


@dataclass
class Board:
    """Rules and geometry, from the header of a certificate."""

    width: int
    height: int
    mean: str
    simultaneous: str
    winner: int

    def __post_init__(self) -> None:
        self.step = self.height + 1
        self.column = (1 << self.height) - 1
        self.bottom = sum(1 << x * self.step for x in range(self.width))
        self.full = self.bottom * self.column
        pairs = [(a, b) for a in range(self.width) for b in range(self.width) if a != b]
        self.drops = list(range(self.width))
        self.mean_moves = [16 * (a + 1) + b for a, b in pairs]

    def moves_of(self, player: int) -> list[int]:
        """The codes of all moves that a player may ever have."""
        may = self.mean == "both" or self.mean == ("first", "second")[player]
        return self.drops + (self.mean_moves if may else [])

    def families(self, player: int) -> list[list[int]]:
        """Those moves in groups: each drop by itself, mean moves by the column they take from."""
        moves = self.moves_of(player)
        drops = [[code] for code in moves if code < 16]
        sources = sorted({code // 16 for code in moves if code >= 16})
        return drops + [[code for code in moves if code // 16 == source] for source in sources]

    def winner_of_both(self, mover: int) -> int | None:
        """Who wins when a mean move gives four to both."""
        return {"mover": mover, "first": 0, "draw": None}[self.simultaneous]

    def fours(self, discs: Words) -> Flags:
        """Where four discs stand in a line."""
        found = np.zeros(len(discs), np.uint64)
        for distance in (1, self.step, self.step - 1, self.step + 1):
            pairs = discs & (discs >> np.uint64(distance))
            found |= pairs & (pairs >> np.uint64(2 * distance))
        return found != 0

    def legal(self, code: int, own: Words, other: Words) -> Flags:
        """Where the player with the discs `own` may play a move."""
        target = code % 16
        top = np.uint64(1 << (target * self.step + self.height - 1))
        legal: Flags = (own | other) & top == 0
        if code >= 16:
            legal &= other & np.uint64(1 << (code // 16 - 1) * self.step) != 0
        return legal

    def play(self, code: int, own: Words, other: Words) -> tuple[Words, Words]:
        """The discs of the mover and of its opponent after a legal move."""
        if code >= 16:
            column = np.uint64(self.column << (code // 16 - 1) * self.step)
            own = (own & ~column) | ((own & column) >> np.uint64(1)) & column
            other = (other & ~column) | ((other & column) >> np.uint64(1)) & column
        column = np.uint64(self.column << code % 16 * self.step)
        low = np.uint64(1 << code % 16 * self.step)
        square = (((own | other) & column) + low) & column
        return (own, other | square) if code >= 16 else (own | square, other)

    def results(self, mover: int, mine: Words, theirs: Words) -> tuple[Flags, Flags, Flags]:
        """Where a move of `mover` has ended the game, where the winner of the claim won, and where
        both players got four.
        """
        mine_four, theirs_four = self.fours(mine), self.fours(theirs)
        both = mine_four & theirs_four
        mover_wins = self.winner == mover
        won = (mine_four if mover_wins else theirs_four) & ~both
        if self.winner_of_both(mover) == self.winner:
            won |= both
        over = mine_four | theirs_four | ((mine | theirs) == np.uint64(self.full))
        return over, won, both

    def wins_at_once(self, own: Words, other: Words) -> tuple[Flags, Flags]:
        """Where the certificate's winner, to move with the discs `own`, has a winning move, and
        where one of the moves that were tried gives four to both.
        """
        won, both = np.zeros(len(own), bool), np.zeros(len(own), bool)
        for codes in self.families(self.winner):
            # The discs of one's own after a mean move do not depend on where the other disc goes,
            # and without four of one's own there is nothing to win by a move of one's own.
            places = np.flatnonzero(~won)
            if codes[0] >= 16:
                low = np.uint64(1 << (codes[0] // 16 - 1) * self.step)
                places = places[other[places] & low != 0]
                mine, _ = self.play(codes[0], own[places], other[places])
                places = places[self.fours(mine)]
            for code in codes:
                tried = places[self.legal(code, own[places], other[places])]
                mine, theirs = self.play(code, own[tried], other[tried])
                _, good, double = self.results(self.winner, mine, theirs)
                won[tried] |= good
                both[tried] |= double
        return won, both

    def key(self, own: Words, other: Words) -> Words:
        """The number of a position with the certificate's winner (`own`) to move."""
        straight = own | ((own | other) + np.uint64(self.bottom))
        turned = np.zeros_like(straight)
        mask = np.uint64((1 << self.step) - 1)
        for x in range(self.width):
            code = (straight >> np.uint64(x * self.step)) & mask
            turned |= code << np.uint64((self.width - 1 - x) * self.step)
        return np.minimum(straight, turned)

    def discs(self, keys: Words) -> tuple[Words, Words]:
        """The discs of the certificate's winner and of its opponent."""
        own, other = np.zeros_like(keys), np.zeros_like(keys)
        for x in range(self.width):
            code = (keys >> np.uint64(x * self.step)) & np.uint64((1 << self.step) - 1)
            below = code.copy()
            for shift in (1, 2, 4, 8):
                below |= below >> np.uint64(shift)
            below >>= np.uint64(1)
            own |= (code & below) << np.uint64(x * self.step)
            other |= (~code & below) << np.uint64(x * self.step)
        return own, other


@dataclass
class Entries:
    """What a certificate holds, as its file has it."""

    header: dict[str, Any]
    keys: Words
    moves: NDArray[np.uint8]
    plies: NDArray[np.uint8]

    @classmethod
    def read(cls, path: Path) -> Entries:
        """The content of a file; CheckError if it cannot be read."""
        try:
            line, _, body = path.read_bytes().partition(b"\n")
            header = json.loads(line)
            count = header["entries"]
            if type(count) is not int or not 0 <= count <= MOST_ENTRIES:
                raise ValueError("the number of entries cannot be")
            return cls(header, *unpack_entries(body, count))
        except (OSError, ValueError, KeyError, EOFError, lzma.LZMAError) as error:
            raise CheckError(f"cannot read {path}: {error}") from error


def unpack_entries(body: bytes, count: int) -> tuple[Words, NDArray[np.uint8], NDArray[np.uint8]]:
    """Keys, moves and plies of a certificate; ValueError if they are not as many as it says."""
    decoder = lzma.LZMADecompressor()
    raw = np.frombuffer(decoder.decompress(body, 10 * count + 1), np.uint8)
    if not decoder.eof or len(raw) != 10 * count:
        raise ValueError("it has not as many entries as it says")
    planes = np.ascontiguousarray(raw[: 8 * count].reshape(8, count).T)
    keys = np.cumsum(planes.view("<u8").ravel(), dtype=np.uint64)
    return keys, raw[8 * count : 9 * count], raw[9 * count :]


class Checker:
    """Checks the entries of one certificate, and the root by them."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.positions = 0
        """Positions after a reply that were looked at."""
        self._touched = np.zeros(len(entries.keys) + 1, bool)
        """Entries (the last place is for the root) where some move gave four to both players."""

    @property
    def rules(self) -> list[str]:
        """The rules for simultaneous fours under which the certificate claims a win."""
        header = self.entries.header
        return [str(header["simultaneous"]), *map(str, header.get("also", ()))]

    def check(self, report: Callable[[int, int], None] | None = None) -> None:
        """CheckError unless the certificate proves its claim under each rule that it names.

        `report` is told the entries checked, of those to be checked under one rule.
        """
        keys = self.entries.keys
        if np.any(keys[1:] <= keys[:-1]):
            raise CheckError("the keys are not in order")
        waiting = np.arange(len(keys))
        for rule in self.rules:
            self.board = self._board(rule)
            self._touched = np.zeros(len(keys) + 1, bool)
            self._check_root()
            for start in range(0, len(waiting), CHUNK):
                self._check_entries(waiting[start : start + CHUNK])
                if report is not None:
                    report(min(start + CHUNK, len(waiting)), len(waiting))
            # Rules differ only where both players get four: all other entries are checked.
            waiting = np.flatnonzero(self._touched[:-1])

    def _board(self, rule: str) -> Board:
        header = self.entries.header
        if rule not in ("mover", "first", "draw"):
            raise CheckError(f"there is no rule {rule!r} for simultaneous fours")
        return Board(
            int(header["width"]),
            int(header["height"]),
            str(header["mean"]),
            rule,
            int(header["winner"]),
        )

    def _check_root(self) -> None:
        """The root is an entry, or every move of the opponent leads to one."""
        board, header = self.board, self.entries.header
        rows, side = str(header["root"]).split()[:2]
        discs = {"x": 0, "o": 0, ".": 0}
        for y, text in enumerate(reversed(rows.split("/"))):
            for x, disc in enumerate(text):
                discs[disc] |= 1 << (x * board.step + y)
        own = np.array([discs["xo"[board.winner]]], np.uint64)
        other = np.array([discs["xo"[1 - board.winner]]], np.uint64)
        limit = np.array([int(header["plies"])], np.int64)
        if side == "xo"[board.winner]:
            self._require(own, other, limit, np.full(1, -1))
        else:
            self._check_replies(own, other, limit, np.full(1, -1))

    def _check_entries(self, entries: NDArray[np.int64]) -> None:
        board = self.board
        keys, moves = self.entries.keys[entries], self.entries.moves[entries]
        left = self.entries.plies[entries].astype(np.int64)
        own, other = board.discs(keys)
        if np.any(board.key(own, other) != keys):
            raise CheckError("an entry is not the number of a position")
        if np.any(board.fours(own) | board.fours(other)):
            raise CheckError("an entry is a finished game")
        allowed = board.moves_of(board.winner)
        mine, theirs = np.zeros_like(own), np.zeros_like(other)
        for code in np.unique(moves).tolist():
            places = np.flatnonzero(moves == code)
            if code not in allowed or not board.legal(code, own[places], other[places]).all():
                raise CheckError(f"the move {code} of an entry is not legal")
            mine[places], theirs[places] = board.play(code, own[places], other[places])
        over, won, both = board.results(board.winner, mine, theirs)
        self._touched[entries[both]] = True
        self._fail(over & ~won, entries, "the move does not win but ends the game")
        rest = ~over
        self._check_replies(mine[rest], theirs[rest], left[rest] - 1, entries[rest])

    def _check_replies(
        self, own: Words, other: Words, left: NDArray[np.int64], entries: NDArray[np.int64]
    ) -> None:
        """All replies of the opponent, with the winner's discs `own`."""
        board = self.board
        opponent = 1 - board.winner
        for code in board.moves_of(opponent):
            places = np.flatnonzero(board.legal(code, other, own))
            theirs, mine = board.play(code, other[places], own[places])
            over, won, both = board.results(opponent, theirs, mine)
            self.positions += len(places)
            self._touched[entries[places[both]]] = True
            self._fail(over & ~won, entries[places], f"the reply {code} saves the opponent")
            rest = ~over
            self._require(mine[rest], theirs[rest], left[places][rest] - 1, entries[places][rest])

    def _require(
        self, own: Words, other: Words, left: NDArray[np.int64], entries: NDArray[np.int64]
    ) -> None:
        """Each position is an entry that promises a win within `left` plies, or is won at once."""
        keys = self.entries.keys
        wanted = self.board.key(own, other)
        places = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        kept = np.zeros(len(own), bool)
        if len(keys):
            kept = (keys[places] == wanted) & (self.entries.plies[places] <= left)
        open_ones = np.flatnonzero(~kept)
        at_once, both = self.board.wins_at_once(own[open_ones], other[open_ones])
        self._touched[entries[open_ones[both]]] = True
        bad = ~at_once | (left[open_ones] < 1)
        self._fail(bad, entries[open_ones], "a reply leads to a position without a promise")

    def _fail(self, bad: Flags, entries: NDArray[np.int64], why: str) -> None:
        if bad.any():
            entry = int(entries[int(np.argmax(bad))])
            where = "the root" if entry < 0 else f"the entry {int(self.entries.keys[entry]):#x}"
            raise CheckError(f"{where}: {why}")
