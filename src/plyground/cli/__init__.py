"""The command line: one module a command. Each registers itself on `app`; nobody keeps a list."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from typing import NoReturn

from plyground.cli.app import app
from plyground.core.errors import PlygroundError


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command and exit: 0 done, 1 failed, 2 bad input. Errors are one line, no traceback."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run a command; its exit code."""
    load_commands()
    try:
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    except PlygroundError as error:
        return _fail(arguments, error.kind, str(error), error.exit_code)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 0  # the reader of our output went away, as `head` does
    except Exception as error:
        return _fail(arguments, *_explain(error))
    return code if isinstance(code, int) else 0


def load_commands() -> None:
    """Import every command module."""
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        importlib.import_module(module.name)


def _explain(error: Exception) -> tuple[str, str, int]:
    """Kind, message and exit code of an error that is not our own."""
    import cyclopts

    if isinstance(error, cyclopts.CycloptsError):
        return "usage", " ".join(str(error).split()), 2
    if isinstance(error, OSError):
        where = f" ({error.filename})" if error.filename else ""
        return "system", f"{error.strerror or error}{where}", 1
    from plyground.cli.crash import note_crash

    return "internal", note_crash(error), 1


def _fail(arguments: list[str], kind: str, message: str, code: int) -> int:
    line = " ".join(message.split())
    if "--json" in arguments:
        print(json.dumps({"error": {"kind": kind, "message": line}}))
    print(f"plyground: {line}", file=sys.stderr)
    return code
