"""Typed errors. Each says what is wrong and where; the command line prints one line and exits."""

from __future__ import annotations

from collections.abc import Iterable


class PlygroundError(Exception):
    """Base of all errors that are meant for a user. `kind` is a stable name for programs."""

    kind = "failure"
    exit_code = 1


class InputError(PlygroundError):
    """What the user gave cannot be used: a file, a name, a move, an option."""

    kind = "bad-input"
    exit_code = 2


class UnknownNameError(InputError):
    """A game, agent or parameter that does not exist."""

    kind = "unknown-name"

    @classmethod
    def of(cls, what: str, name: str, known: Iterable[str]) -> UnknownNameError:
        """The usual message: what was not found, the nearest name, and all names."""
        import difflib  # here: only mistakes need it

        names = sorted(known)
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        listing = ", ".join(names) if names else "none"
        return cls(f"unknown {what} {name!r}{hint} (known: {listing})")


class GameFileError(InputError):
    """A game in a user's file is wrong; the message begins with the file and the line."""

    kind = "game-file"


class OptionError(InputError):
    """A game option or agent parameter has a value that it cannot have."""

    kind = "bad-option"


class MoveError(InputError):
    """A move cannot be played; see the subclasses for why."""

    kind = "bad-move"


class InvalidMoveError(MoveError):
    """The text is not a move in the game's notation."""

    kind = "invalid-move"


class IllegalMoveError(MoveError):
    """The text is a move, but the rules do not allow it here."""

    kind = "illegal-move"


class GameOverError(MoveError):
    """A move was played after the end of the game."""

    kind = "game-over"


class PositionError(InputError):
    """The text of a position cannot be read, or no such position can exist."""

    kind = "bad-position"


class RecordError(InputError):
    """A game record cannot be read or contradicts itself."""

    kind = "bad-record"


class LimitError(InputError):
    """A limit on thinking is missing, contradictory or out of range."""

    kind = "bad-limit"


class UnsupportedError(InputError):
    """An agent cannot play this game, or a part is not available on this machine."""

    kind = "unsupported"
