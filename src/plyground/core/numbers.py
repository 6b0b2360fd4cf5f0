"""Numbers in texts that others wrote: digits of ASCII, and not more of them than make sense."""

from __future__ import annotations

MOST_DIGITS = 18


def whole_number(text: str, below: int = 10**MOST_DIGITS) -> int | None:
    """The number from 0 that a text is, None if it is none, or not below this bound."""
    if not (len(text) <= MOST_DIGITS and text.isascii() and text.isdigit()):
        return None
    number = int(text)
    return number if number < below else None
