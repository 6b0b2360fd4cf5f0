"""`plyground cache`: the size of the compiled code, and its cleaning."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from plyground.cli.app import Json, console, print_json
from plyground.core.paths import cache_root
from plyground.kernels import store


def cache(
    *,
    clean: Annotated[bool, Parameter(help="Delete compiled code.", negative="")] = False,
    unused_days: Annotated[float, Parameter(help="Only what was not used for so long.")] = 0.0,
    json: Json = False,
) -> None:
    """Show the size of the compile cache, or clean it.

    Example: plyground cache --clean
    """
    gone = store.clean(unused_days) if clean else 0
    packages, size = store.size()
    if json:
        print_json(
            {
                "folder": str(cache_root()),
                "packages": packages,
                "bytes": size,
                "deleted": gone,
            }
        )
        return
    if clean:
        console.print(f"deleted {gone} packages")
    console.print(f"{cache_root()}: {packages} packages, {size / 2**20:.1f} MiB")
