"""`compiled` and `plain`: generate the package of a kernel module and import it."""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

import numpy as np

from plyground.kernels import store
from plyground.kernels.compiler import load_numba
from plyground.kernels.recall import recall, remember
from plyground.kernels.sources import Source, SourceError, collect, flat_name, substitute

_PLAIN_RUNTIME = '''"""The marker of the plain twin: functions stay as they are."""


def kernel(function=None, *, inline=False, lean=False):
    return function if function is not None else (lambda decorated: decorated)
'''

_COMPILED_RUNTIME = '''"""The marker of the compiled twin: Numba with a cache beside the source."""

import numba

if numba.__version__.startswith("{known}"):
    from plyground.kernels.dispatcher import Kernel
else:
    from plyground.kernels.compiler import load_compiler

    load_compiler()

    def Kernel(function, options):
        return numba.njit(cache=True, **options)(function)


OPTIONS = dict(nogil=True, error_model="numpy", boundscheck={boundscheck})


def kernel(function=None, *, inline=False, lean=False):
    # Said for every function: Numba would let one inherit them from its caller.
    options = OPTIONS | dict(forceinline=inline, _nrt=not lean)
    return Kernel(function, options) if function is not None else lambda f: Kernel(f, options)
'''

KNOWN_NUMBA = "0.68."
"""Versions whose inner parts `dispatcher` knows; others compile by their own means, and longer."""

COMPILER = ("dispatcher.py", "likeness.py", "shortcuts.py")
"""What makes machine code of kernels, beside Numba."""

_loaded: dict[tuple[str, tuple[tuple[str, str], ...], bool, bool], types.ModuleType] = {}
_guard = RLock()


class KernelBuildError(Exception):
    """A kernel module could not be generated or imported; the message names it and says why."""


def jit_disabled() -> bool:
    """Whether the user asked for plain Python everywhere (`NUMBA_DISABLE_JIT=1`)."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def boundschecked() -> bool:
    """Whether the user asked for bounds checks in compiled code (`NUMBA_BOUNDSCHECK=1`)."""
    return os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")


def compiled(module: str, hooks: Mapping[str, str] | None = None) -> types.ModuleType:
    """The machine-code twin of a kernel module, with each hook module replaced.

    Functions compile on their first call in the first process and come from disk afterwards. With
    `NUMBA_DISABLE_JIT=1` this is `plain`.
    """
    if jit_disabled():
        return plain(module, hooks)
    return _load(module, dict(hooks or {}), compile_it=True)


def plain(module: str, hooks: Mapping[str, str] | None = None) -> types.ModuleType:
    """The same module through the same path, but as plain Python."""
    return _load(module, dict(hooks or {}), compile_it=False)


def _load(module: str, hooks: dict[str, str], *, compile_it: bool) -> types.ModuleType:
    memo = (module, tuple(sorted(hooks.items())), compile_it, boundschecked())
    with _guard:
        if memo not in _loaded:
            if compile_it:
                load_numba()
            digest, folder = _find_package(module, hooks, compile_it)
            _loaded[memo] = _import_package(module, hooks, digest, folder, compile_it)
        return _loaded[memo]


def _find_package(module: str, hooks: Mapping[str, str], compile_it: bool) -> tuple[str, Path]:
    """Digest and folder of the generated package, which is written if it is not there."""
    runtime = _PLAIN_RUNTIME
    if compile_it:
        runtime = _COMPILED_RUNTIME.format(boundscheck=boundschecked(), known=KNOWN_NUMBA)
    circumstances = _circumstances(runtime, compile_it)
    key = _hash([module, repr(sorted(hooks.items())), circumstances])
    known = recall(key, native=compile_it)
    if known is not None:
        return known
    try:
        sources = collect(module, hooks, native=compile_it)
    except SourceError as error:
        raise KernelBuildError(str(error)) from error
    digest = _digest(sources, circumstances)
    package = _package_name(digest)
    files = {f"{flat_name(source.name)}.py": source.rewritten(package) for source in sources}
    files |= {"runtime.py": runtime, "__init__.py": ""}
    folder = store.place(digest, files)
    remember(key, digest, sources, files)
    return digest, folder


def _import_package(
    module: str, hooks: Mapping[str, str], digest: str, folder: Path, compile_it: bool
) -> types.ModuleType:
    package = _package_name(digest)
    _import_tree(package, folder)
    root = substitute(module, hooks, native=compile_it)
    try:
        imported = importlib.import_module(f"{package}.{flat_name(root)}")
    except Exception as error:
        raise KernelBuildError(
            f"kernel module {root!r} failed while it was loaded: {type(error).__name__}: {error}"
        ) from error
    if compile_it:
        from plyground.kernels import progress

        progress.watch(package, _label(module, hooks))
    return imported


def _package_name(digest: str) -> str:
    return f"plyground_kernels_{digest}"


def _label(module: str, hooks: Mapping[str, str]) -> str:
    """A short name for people, e.g. `search.alphabeta for games.connect4.rules`."""

    def shorten(name: str) -> str:
        made_from = getattr(sys.modules.get(name), "MADE_FROM", None)  # of a generated module
        return str(made_from or name.removeprefix("plyground."))

    parts = dict.fromkeys(shorten(name) for name in hooks.values())
    return shorten(module) + (f" for {', '.join(parts)}" if parts else "")


def _import_tree(package: str, folder: Path) -> None:
    if package in sys.modules:
        return
    parent = types.ModuleType(package)
    parent.__path__ = [str(folder)]
    parent.__file__ = str(folder / "__init__.py")
    sys.modules[package] = parent


def _digest(sources: list[Source], circumstances: str) -> str:
    """Everything that machine code depends on: sources, versions, processor, flags."""
    # The redirects carry the hooks: the same text with another game is another package.
    parts = [part for s in sources for part in (s.name, s.text, repr(s.redirects))]
    return _hash([*parts, circumstances])


def _hash(parts: Iterable[str]) -> str:
    state = hashlib.sha256()
    for part in parts:
        state.update(part.encode())
        state.update(b"\0")
    return state.hexdigest()[:20]


def _circumstances(runtime: str, compile_it: bool) -> str:
    """What a package depends on beside its sources."""
    facts = f"{runtime} {sys.version} {np.__version__}"
    return f"{facts} {_compiler_facts()}" if compile_it else facts


def _compiler_facts() -> str:
    import llvmlite
    import llvmlite.binding
    import numba

    flags = sorted((k, v) for k, v in os.environ.items() if k.startswith("NUMBA_"))
    return " ".join(
        [
            *(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in COMPILER),
            numba.__version__,
            llvmlite.__version__,
            llvmlite.binding.get_host_cpu_name(),
            llvmlite.binding.get_host_cpu_features().flatten(),
            repr(flags),
        ]
    )


@contextmanager
def compilation(module: types.ModuleType) -> Iterator[None]:
    """Hold the compile lock of a module while its functions are called for the first time.

    Several processes that warm up the same module at once then compile it once: the others wait,
    and find the machine code on disk. Damaged files are found by their checksums at the next load.
    """
    folder = Path(module.__file__ or ".").parent
    with store.locked(folder):
        yield
        store.seal(folder)
