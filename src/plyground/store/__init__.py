"""Finished games on disk: one SQLite file with runs and their games."""

from plyground.store.database import RunInfo, Store, StoredGame, default_path
from plyground.store.exchange import export_csv, export_jsonl, export_moves_csv, import_jsonl
from plyground.store.failure import StoreError

__all__ = [
    "RunInfo",
    "Store",
    "StoreError",
    "StoredGame",
    "default_path",
    "export_csv",
    "export_jsonl",
    "export_moves_csv",
    "import_jsonl",
]
