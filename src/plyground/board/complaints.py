"""What a mistake in a board game's functions is called; `{}:{}` are file and line."""

from __future__ import annotations

import importlib

# Not an import statement: the compile layer would copy the class, and a copy is caught nowhere.
GameFileError = importlib.import_module("plyground.core.errors").GameFileError

BOUNDS_ELSEWHERE = "{}:{}: index out of range"
BOUNDS = "{}:{}: index out of range (negative numbers do not count from the end here)"
TOO_LARGE = "{}:{}: a number that does not fit: it must be from {} to {}"
TOO_MANY = "{}:{}: the list of moves overflows: set max_moves in the class to the most there can be"
BAD_MOVE = "{}:{}: a move has a part outside 0..{}: set move_sizes in the class"
ENDLESS = "{}:{}: this loop has run a million times: does it ever end?"
TOO_DEEP = "{}:{}: functions call each other without end"
LONG_LOOP = "{}:{}: the loops of this function would run more than a billion times"
MOST_LOOPS = 1_000_000
MOST_STEPS = 1_000_000_000
MOST_DEPTH = 1000
