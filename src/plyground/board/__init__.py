"""Board games by description: a class with a board and a few short functions in plain Python.

from plyground.board import BoardGame

class Mine(BoardGame):
    shape = 3, 3
    def moves(self): ...
    def play(self, move): ...
    def result(self): ...
"""

from plyground.board.description import CHANCE, PASS, BoardGame, option

__all__ = ["CHANCE", "PASS", "BoardGame", "option"]
