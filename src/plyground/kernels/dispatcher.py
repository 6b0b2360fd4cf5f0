"""Numba's dispatcher for kernels: what Python calls becomes machine code, with all that it calls.

Numba by itself gives every function wrappers for Python and for C, and optimises it together with
everything that it calls, once more in each of its callers. A kernel that kernels call is only typed
and translated here; its callers take it as it is, and whoever is called from Python is optimised as
one piece. That saves two fifths of the time to compile what the demo needs. What is the same in two
packages, like the rules of a game in each search that plays it, is typed and translated once.

Imported by the generated packages alone, once Numba is loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core import compiler, event, sigutils
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.environment import Environment, lookup_environment
from numba.core.registry import CPUDispatcher

from plyground.kernels.compiler import load_compiler, without_collection
from plyground.kernels.likeness import likeness

_ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of the variables begin that hold what a function needs of Python."""


class _InnerLibrary(JITCodeLibrary):
    """The code of a kernel as kernels call it: never machine code by itself."""

    def finalize(self) -> None:
        self._finalized = True


class _EntryLibrary(JITCodeLibrary):
    """What Python calls of a kernel, with the code of that kernel and of all behind it."""

    def __init__(self, codegen: Any, kernel: Any) -> None:
        super().__init__(codegen, kernel.fndesc.qualname)
        self.enable_object_caching()
        self._kernel = kernel.fndesc.llvm_func_name
        self.add_linking_library(kernel.library)

    def finalize(self) -> None:
        self._linking_libraries = _linked(self)
        super().finalize()

    def _optimize_final_module(self) -> None:
        # What nobody else can call is inlined more boldly: up to a sixth faster than shared code.
        for function in self._final_module.functions:
            if function.linkage == llvm.Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = "external" if function.name == self._kernel else "internal"
        super()._optimize_final_module()

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self.codegen.set_env(variable.name, environment)


def _linked(library: JITCodeLibrary) -> list[JITCodeLibrary]:
    """All libraries that one needs, also through others that are not linked yet; each once."""
    found: dict[JITCodeLibrary, None] = {}
    waiting = list(library._linking_libraries)
    while waiting:
        needed = waiting.pop()
        if needed not in found:
            found[needed] = None
            if isinstance(needed, _InnerLibrary):
                waiting.extend(needed._linking_libraries)
    return list(found)


class _Flags(compiler.Flags):
    """How to compile a function, told apart at once.

    Numba's own have all the same hash, and comparing two lists every option: a sixth of the time.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        return hash((self.nrt, self.forceinline, self.boundscheck, self.no_compile))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Flags) and self._values == other._values:
            return True
        return bool(super().__eq__(other))


class _InnerCompiler(compiler.Compiler):
    """Numba's compiler with a library of our own, which stops before machine code."""

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        self.state.flags = _Flags(self.state.flags)
        self.state.flags.no_compile = True
        self.state.library = _InnerLibrary(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)

    def define_pipelines(self) -> list[Any]:
        from plyground.kernels import shortcuts

        return [shortcuts.LeanPasses.of(each) for each in super().define_pipelines()]


class _InnerKernel(CPUDispatcher):
    """A kernel as kernels call it."""

    def __init__(self, py_func: Callable[..., Any], targetoptions: dict[str, Any]) -> None:
        options = targetoptions | {"no_cpython_wrapper": True}
        super().__init__(py_func, None, options, pipeline_class=_InnerCompiler)

    def compile(self, sig: Any) -> Any:
        """The form that a kernel calls; whoever compiles that one holds Numba's lock."""
        if sig in self.overloads:
            return self.overloads[sig].entry_point
        details = {"dispatcher": self, "args": sig, "return_type": None}
        with event.trigger_event("numba:compile", data=details):
            return self.translated(sig).entry_point

    def translated(self, args: tuple[Any, ...]) -> Any:
        """The result for these types of arguments, from now on known."""
        if args not in self.overloads:
            with self._compiling_counter:
                self.add_overload(self._compiler.compile(args, None))
        return self.overloads[args]

    def add_overload(self, cres: Any) -> None:
        # Numba knows compiled functions by what Python would call: there is no such thing here.
        # What only readers of its code would ask for is not kept: it is looked through for garbage.
        cres = cres._replace(entry_point=cres.library, type_annotation="", metadata={})
        cres.fndesc.typemap = cres.fndesc.calltypes = None
        self.targetctx.insert_user_function(cres.library, cres.fndesc, [cres.library])
        self.overloads[tuple(cres.signature.args)] = cres


class _Cache(FunctionCache):
    """Machine code on disk. Numba would load its whole compiler before it looks for any."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


class _EntryResult(compiler.CompileResult):
    """What is kept of a kernel that Python calls: it may hold kernels of other packages."""

    def _find_referenced_environments(self) -> list[Environment]:
        return [_portable(each) for each in super()._find_referenced_environments()]


def _portable(environment: Environment) -> Environment:
    """The same for a process that has not loaded the kernel's own package."""
    portable = Environment(globals())
    portable.consts[:] = environment.consts
    portable.env_name = environment.env_name
    return portable


_NUMBERS = (types.Number, types.Boolean, types.NoneType)
_first: dict[str, _InnerKernel] = {}
"""By their likeness the kernels that the same ones of other packages need not be compiled for."""


def _is_common(numba_type: Any) -> bool:
    """Whether a type means the same in all packages; classes of a package do not."""
    if isinstance(numba_type, types.Array):
        return isinstance(numba_type.dtype, _NUMBERS)
    if isinstance(numba_type, (types.Tuple, types.UniTuple)):
        return all(_is_common(each) for each in numba_type)
    return isinstance(numba_type, _NUMBERS)


class Kernel(CPUDispatcher):
    """A kernel as Python calls it; compiled kernels that call it get its inner form."""

    def __init__(self, py_func: Callable[..., Any], targetoptions: dict[str, Any]) -> None:
        options = targetoptions | {"nopython": True, "no_cfunc_wrapper": True}
        super().__init__(py_func, None, options)
        self._compiler.compile = self._make_entry
        self._cache = _Cache(py_func)

    @cached_property
    def _inner(self) -> _InnerKernel:
        """What kernels call; not needed where all machine code comes from disk."""
        return _InnerKernel(self.py_func, self.targetoptions)

    def compile(self, sig: Any) -> Any:
        """Machine code for one signature, from disk or made now."""
        with without_collection():
            return super().compile(sig)

    def _make_entry(self, args: Any, _: Any) -> Any:
        """The inner form behind what Python calls: typed and translated once for both."""
        load_compiler()
        from plyground.kernels import shortcuts  # it needs a part of the compiler

        with shortcuts.taken():
            return self._translate(args)

    def _translate(self, args: Any) -> Any:
        inner = self._inner.translated(tuple(args))
        context = inner.target_context
        library = _EntryLibrary(context.codegen(), inner)
        context.create_cpython_wrapper(
            library, inner.fndesc, inner.environment, inner.call_helper, release_gil=True
        )
        call = context.get_executable(library, inner.fndesc, inner.environment)
        return _EntryResult(*inner)._replace(
            entry_point=call,
            library=library,
            type_annotation="",
            metadata={},
            reload_init=[*inner.reload_init, *library._reload_init],
        )

    @property
    def is_compiling(self) -> bool:
        """Whether a call that is found while it is compiled must be its own, recursive one."""
        return bool(super().is_compiling or self._inner.is_compiling)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        _, found = self._compiler.fold_argument_types(args, kws)
        return self._called(found).get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        args, _ = sigutils.normalize_signature(sig)
        return self._called(args).get_overload(sig)

    def _called(self, args: Any) -> _InnerKernel:
        """What kernels call: where types allow it, the first kernel that is the same."""
        if all(_is_common(each) for each in args):
            first = _first.setdefault(likeness(self), self._inner)
            if first is self._inner:
                return first
            first.compile(tuple(args))
            if _is_common(first.translated(tuple(args)).signature.return_type):
                return first
        return self._inner
