"""Text of others on a terminal: what would steer it is shown, not obeyed."""

from __future__ import annotations

_SIGNS = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"}
_HIDDEN = dict.fromkeys((127, *range(128, 160), *range(8234, 8239)), "�")
_HIDDEN |= dict.fromkeys((*range(8294, 8298), *range(55296, 57344)), "�")
_TABLE = {**_SIGNS, **_HIDDEN}


def printable(text: str) -> str:
    """The text with signs in place of escape and control characters; lines stay lines."""
    return text.replace("\r\n", "\n").translate(_TABLE)
