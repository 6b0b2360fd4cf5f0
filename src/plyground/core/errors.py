"""Typed errors. Each says what is wrong and where; the command line prints one line and exits."""

from __future__ import annotations

TYPE_CHECKING = False  # a course program's process loads this, and nothing that it does not need
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_NAME = 200
"""Characters of a name that is not known that are compared and shown."""


class PlygroundError(Exception):
    """Base of all errors that are meant for a user. `kind` is a stable name for programs."""

    kind = "failure"
    exit_code = 1

    def __init_subclass__(cls, kind: str = "") -> None:
        """An error without a kind of its own has that of its base."""
        cls.kind = kind or cls.kind


class InputError(PlygroundError, kind="bad-input"):
    """What the user gave cannot be used: a file, a name, a move, an option."""

    exit_code = 2


class UnknownNameError(InputError, kind="unknown-name"):
    """A game, agent or parameter that does not exist."""

    @classmethod
    def of(cls, what: str, name: str, known: Iterable[str]) -> UnknownNameError:
        """The usual message: what was not found, the nearest name, and all names."""
        import difflib  # here: only mistakes need it

        names = sorted(known)
        shown = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
        near = difflib.get_close_matches(shown, names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        listing = ", ".join(names) if names else "none"
        return cls(f"unknown {what} {shown!r}{hint} (known: {listing})")


class GameFileError(InputError, kind="game-file"):
    """A game in a user's file is wrong; the message begins with the file and the line."""


class OptionError(InputError, kind="bad-option"):
    """A game option or agent parameter has a value that it cannot have."""


class MoveError(InputError, kind="bad-move"):
    """A move cannot be played; see the subclasses for why."""


class InvalidMoveError(MoveError, kind="invalid-move"):
    """The text is not a move in the game's notation."""


class IllegalMoveError(MoveError, kind="illegal-move"):
    """The text is a move, but the rules do not allow it here."""


class GameOverError(MoveError, kind="game-over"):
    """A move was played after the end of the game."""


class PositionError(InputError, kind="bad-position"):
    """The text of a position cannot be read, or no such position can exist."""


class RecordError(InputError, kind="bad-record"):
    """A game record cannot be read or contradicts itself."""


class LimitError(InputError, kind="bad-limit"):
    """A limit on thinking is missing, contradictory or out of range."""


class UnsupportedError(InputError, kind="unsupported"):
    """An agent cannot play this game, or a part is not available on this machine."""
