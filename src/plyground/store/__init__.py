"""Finished games on disk: one SQLite file with runs and their games."""

from plyground.store.database import RunInfo, Store, StoredGame, StoreError, default_path
from plyground.store.exchange import export_csv, export_jsonl, export_moves_csv, import_jsonl

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
