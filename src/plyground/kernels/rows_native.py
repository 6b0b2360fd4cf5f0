"""A row view without reference counting.

`array[index]` makes a view that shares ownership: two atomic operations each time, which is a
good part of a node's time in a search. This view owns nothing; it is valid while the array lives.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def row(typing_context: Any, array: Any, index: Any) -> Any:
    """A view of one row of a C-contiguous array, as in `rows`."""
    view_type = types.Array(array.dtype, 1, "C", readonly=not array.mutable)

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = context.make_array(signature.args[0])(context, builder, arguments[0])
        length = builder.extract_value(whole.shape, 1)
        item_size = whole.itemsize
        start = builder.mul(arguments[1], length)
        data = builder.gep(whole.data, [start])
        view = context.make_array(view_type)(context, builder)
        null = cgutils.get_null_value(view.meminfo.type)
        word = ir.IntType(64)
        view.meminfo = null
        view.parent = cgutils.get_null_value(view.parent.type)
        view.nitems = length
        view.itemsize = item_size
        view.data = data
        view.shape = cgutils.pack_array(builder, [length], ty=word)
        view.strides = cgutils.pack_array(builder, [item_size], ty=word)
        return view._getvalue()

    return view_type(array, types.int64), build
