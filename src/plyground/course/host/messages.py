"""Messages as lines of JSON, read and written by the compiled half of Python's `json` alone.

The other half loads regular expressions, and all that is loaded makes the fork of a turn dearer.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Message = dict[str, Any]


class _PlainValues:
    """What the scanner asks how to read: everything as Python does."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


try:
    import _json

    quoted, _scan = _json.encode_basestring_ascii, _json.make_scanner(_PlainValues())  # type: ignore
except ImportError:  # another Python than the usual one
    import json

    quoted, _scan = json.encoder.encode_basestring_ascii, json.JSONDecoder().raw_decode  # type: ignore


def read_message(line: bytes) -> Message:
    """The object in a line, which begins with it."""
    message: Message = _scan(line.decode(), 0)[0]
    return message


def write_message(value: Any) -> str:
    """An object of texts, whole numbers and lists of texts."""
    if isinstance(value, dict):
        fields = (f"{quoted(name)}:{write_message(value[name])}" for name in value)
        return "{" + ",".join(fields) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(write_message, value)) + "]"
    return quoted(value) if isinstance(value, str) else str(value)
