"""Shortcuts through Numba's compiler, which change nothing in what the code does.

Most of the time to compile is spent in Python: finding out again what `a + b` of the same two types
is, and bookkeeping between passes that only generators need. Imported for the one version of Numba
whose inner parts are known (`KNOWN_NUMBA` in `build`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import errors, transforms
from numba.core.base import BaseContext
from numba.core.compiler_machinery import PassManager, _pass_registry
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.types.functions import BaseFunction
from numba.extending import overload
from numba.np import arrayobj

_find_function = BaseContext.get_function
_find_call_type = BaseFunction.get_call_type
_post_process = PostProcessor.run
_refuse_shapes = arrayobj.raise_with_shape_context
_missing: set[tuple[str, Any]] = set()
"""Operations of Numba's own that these types do not have."""


_lock = threading.Lock()
_compiling = 0
"""How many compilations take the shortcuts now: other people's take none."""


@contextmanager
def taken() -> Iterator[None]:
    """Take the shortcuts while kernels are compiled."""
    global _compiling
    with _lock:
        _compiling += 1
        _choose(_known_function, _known_call_type, _post_process_lazily, _refuse_size)
    try:
        yield
    finally:
        with _lock:
            _compiling -= 1
            if not _compiling:
                _choose(_find_function, _find_call_type, _post_process, _refuse_shapes)


def _choose(find_function: Any, find_call_type: Any, post_process: Any, refuse: Any) -> None:
    BaseContext.get_function = find_function
    BaseFunction.get_call_type = find_call_type  # type: ignore[method-assign]
    PostProcessor.run = post_process
    arrayobj.raise_with_shape_context = refuse


def _refuse_size(source: Any, target: Any) -> None:
    """Say that a slice and what is put into it differ in size, as Numba does, but not in which.

    Two numbers in a message bring in all of Numba's strings: a second for every `child[:] = state`.
    """


@overload(_refuse_size)
def _refuse(source: Any, target: Any) -> Any:
    def refuse(source: Any, target: Any) -> None:
        raise ValueError("cannot assign slice from input of different size")

    return refuse


def _known_function(self: Any, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
    """How to do something: what is not there is looked for once, for that takes longest."""
    operation = (fn, sig.args) if isinstance(fn, str) else None
    if operation in _missing:
        raise NotImplementedError(operation)
    try:
        return _find_function(self, fn, sig, _firstcall)
    except NotImplementedError:
        if operation is not None:
            _missing.add(operation)
        raise


def _known_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """What a built-in function returns for these types: found out once."""
    known = self.__dict__.setdefault("_known", {})
    key = (tuple(args), tuple(kws.items()) if kws else ())
    found = known.get(key)
    if found is None:
        found = known[key] = _find_call_type(self, context, args, kws)
    return found


def _post_process_lazily(
    self: Any, emit_dels: bool = False, extend_lifetimes: bool = False
) -> None:
    """Numba's own; the lives of variables are followed only if somebody asks for them."""
    code = self.func_ir
    if code.is_generator:
        _post_process(self, emit_dels, extend_lifetimes)
        return
    code.blocks = transforms.canonicalize_cfg(code.blocks)
    code.variable_lifetime = VariableLifetime(code.blocks)
    code.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


class LeanPasses(PassManager):
    """Numba's passes without checks of the passes themselves, times and notices."""

    @classmethod
    def of(cls, passes: PassManager) -> LeanPasses:
        """The same passes."""
        lean = cls(passes.pipeline_name)
        lean.passes = passes.passes
        lean.finalize()
        return lean

    def _runPass(self, index: int, step: Any, state: Any) -> None:  # noqa: N802
        step.analysis = self._analysis
        with errors.new_error_context("Pass {name}", name=step.name()):  # type: ignore[attr-defined]
            changed = step.run_initialization(state)
            changed |= step.run_pass(state)
            changed |= step.run_finalizer(state)
        if _pass_registry.get(step.__class__).mutates_CFG:
            if changed:
                PostProcessor(state.func_ir).run()
            else:
                state.func_ir.blocks = transforms.canonicalize_cfg(state.func_ir.blocks)
