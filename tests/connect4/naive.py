"""A slow second implementation of Mean Connect 4, written from the rules with lists of letters."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Naive:
    """Columns from left to right, each a string from the bottom: `x` first, `o` second player."""

    width: int = 7
    height: int = 6
    mean: str = "both"
    simultaneous: str = "mover"
    ply_limit: int = 100
    columns: tuple[str, ...] = ()
    turn: int = 0
    plies: int = 0
    over: bool = False
    winner: int | None = None

    @classmethod
    def start(cls, **options: object) -> Naive:
        board = cls(**options)  # type: ignore[arg-type]
        return replace(board, columns=("",) * board.width)

    def moves(self) -> set[str]:
        if self.over:
            return set()
        open_columns = [c for c in range(self.width) if len(self.columns[c]) < self.height]
        found = {str(c + 1) for c in open_columns}
        if self.mean == "both" or self.mean == ("first", "second")[self.turn]:
            enemy = "ox"[self.turn]
            for source in range(self.width):
                if self.columns[source][:1] == enemy:
                    found |= {f"{source + 1}-{t + 1}" for t in open_columns if t != source}
        return found

    def play(self, move: str) -> Naive:
        columns = list(self.columns)
        if "-" in move:
            source, target = (int(part) - 1 for part in move.split("-"))
            disc = columns[source][0]
            columns[source] = columns[source][1:]
            columns[target] += disc
        else:
            columns[int(move) - 1] += "xo"[self.turn]
        board = replace(self, columns=tuple(columns), turn=1 - self.turn, plies=self.plies + 1)
        fours = [board.has_four("x"), board.has_four("o")]
        if all(fours):
            winner = {"mover": self.turn, "first": 0, "draw": None}[self.simultaneous]
            return replace(board, over=True, winner=winner)
        if any(fours):
            return replace(board, over=True, winner=fours.index(True))
        if board.plies >= self.ply_limit or not board.moves():
            return replace(board, over=True)
        return board

    def cell(self, column: int, row: int) -> str:
        if 0 <= column < self.width and 0 <= row < len(self.columns[column]):
            return self.columns[column][row]
        return "."

    def has_four(self, disc: str) -> bool:
        return any(
            all(self.cell(c + step * dc, r + step * dr) == disc for step in range(4))
            for c in range(self.width)
            for r in range(self.height)
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
        )

    def perft(self, depth: int) -> int:
        if depth < 2:
            return len(self.moves()) if depth else 1
        return sum(self.play(move).perft(depth - 1) for move in self.moves())
