"""What the scripts here share."""

from __future__ import annotations

import argparse
from typing import Any


def read_options(about: str | None, **given: Any) -> argparse.Namespace:
    """Options by name, each given as its default or, where it has none, as its type."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, value in given.items():
        kind, default = (value, None) if isinstance(value, type) else (type(value), value)
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default)
    return parser.parse_args()
