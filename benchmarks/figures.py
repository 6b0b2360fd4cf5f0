"""How the benchmarks of this folder give their figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def publish(figures: Any, path: Path | None) -> None:
    """Print figures as JSON, and write them to a file if one is named."""
    text = json.dumps(figures, indent=1)
    print(text)
    if path is not None:
        path.write_text(text + "\n", encoding="utf-8")
