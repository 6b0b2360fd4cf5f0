"""What the course's modules have imported for themselves, for submissions that take it from them.

It is loaded when somebody asks for it: all that is there makes the fork of a turn dearer.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_HOMES = {
    "typing": ("Any", "Iterator", "List", "Optional", "Tuple", "Union"),
    "datetime": ("datetime",),
    "pathlib": ("Path",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

BASE_NAMES = ["math", "pickle", "datetime", "List"]
"""Those of the module with the base class of submissions."""


def late_names(module: str, names: list[str]) -> Callable[[str], Any]:
    """The function `__getattr__` of a module that has these names too."""

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home = _HOME_OF.get(name)
        return getattr(__import__(home), name) if home else __import__(name)

    return find
