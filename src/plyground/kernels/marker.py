"""The `@kernel` marker. In a plain import it changes nothing; `compiled` replaces it by Numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(*, inline: bool = False, lean: bool = False) -> Callable[[Function], Function]: ...


def kernel(function: Any = None, *, inline: bool = False, lean: bool = False) -> Any:
    """Mark a function for compilation. `inline=True` has it inlined at every call.

    `lean=True` leaves out the counting of array references, which costs up to half of the time
    where small functions take arrays; such a function can neither create nor return arrays,
    but it may call functions that do.
    """
    if function is None:
        return lambda decorated: decorated
    return function
