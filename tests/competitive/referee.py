"""A second implementation of the rules, written naively from the rule book, as an oracle."""

from __future__ import annotations


class Referee:
    """Boards as dictionaries, sets of pairs, and a depth-first solver without any cleverness."""

    def __init__(self, rows, columns, cells, allowed=None):
        self.rows, self.columns = rows, columns
        self.size = rows * columns
        squares = [(r, c) for r in range(self.size) for c in range(self.size)]
        self.peers = {square: set().union(*self.regions(square)) for square in squares}
        self.values = frozenset(range(1, self.size + 1))
        self.board = {divmod(k, self.size): v for k, v in enumerate(cells) if v}
        self.taboo = set()
        self.scores = [0, 0]
        self.allowed = None
        if allowed is not None:
            self.allowed = [{divmod(k, self.size) for k in part} for part in allowed]
        self.occupied = [set(), set()]
        self.player = 0
        self.skip_stuck()

    def regions(self, square):
        row, column = square
        span = range(self.size)
        top, left = row // self.rows * self.rows, column // self.columns * self.columns
        yield [(row, c) for c in span]
        yield [(r, column) for r in span]
        yield [
            (r, c) for r in range(top, top + self.rows) for c in range(left, left + self.columns)
        ]

    def fits(self, square, value):
        return value not in map(self.board.get, self.peers[square])

    def solvable(self, board):
        board = dict(board)
        empty = [(r, c) for r in range(self.size) for c in range(self.size) if (r, c) not in board]

        def search():
            best = None
            for square in empty:
                if square in board:
                    continue
                options = self.values.difference(map(board.get, self.peers[square]))
                if best is None or len(options) < len(best[1]):
                    best = square, options
                if len(options) <= 1:
                    break
            if best is None:
                return True
            for value in best[1]:
                board[best[0]] = value
                if search():
                    return True
                del board[best[0]]
            return False

        return search()

    def squares(self, player):
        """Empty squares that the player may use."""
        free = {
            (r, c) for r in range(self.size) for c in range(self.size) if (r, c) not in self.board
        }
        if self.allowed is None:
            return free
        near = {
            (r + i, c + j) for r, c in self.occupied[player] for i in (-1, 0, 1) for j in (-1, 0, 1)
        }
        return free & (near | self.allowed[player])

    def skip_stuck(self):
        if not self.squares(self.player):
            self.player = 1 - self.player

    @property
    def over(self):
        return not self.squares(0) and not self.squares(1)

    def judge(self, row, column, value):
        """'taboo', 'illegal', 'pass' or 'placed'; the first two end the game."""
        square = (row, column)
        if (square, value) in self.taboo:
            return "taboo"
        if not (1 <= value <= self.size and 0 <= row < self.size and 0 <= column < self.size):
            return "illegal"
        if square in self.board or not self.fits(square, value):
            return "illegal"
        if square not in self.squares(self.player):
            return "illegal"
        if not self.solvable({**self.board, square: value}):
            self.taboo.add((square, value))
            verdict = "pass"
        else:
            self.board[square] = value
            full = sum(all(s in self.board for s in region) for region in self.regions(square))
            self.scores[self.player] += (0, 1, 3, 7)[full]
            if self.allowed is not None:
                self.occupied[self.player].add(square)
            verdict = "placed"
        self.player = 1 - self.player
        self.skip_stuck()
        return verdict

    def legal(self):
        """All placements and passes as (row, column, value, is_pass)."""
        out = []
        for square in sorted(self.squares(self.player)):
            for value in range(1, self.size + 1):
                if self.fits(square, value) and (square, value) not in self.taboo:
                    solvable = self.solvable({**self.board, square: value})
                    out.append((*square, value, not solvable))
        return out
