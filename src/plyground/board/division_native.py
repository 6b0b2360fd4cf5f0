"""`division` as machine code. Only compiled code imports this module."""

from __future__ import annotations

import importlib
from typing import Any

from numba import types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

GameFileError = importlib.import_module("plyground.core.errors").GameFileError

BY_ZERO = "{}:{}: division by zero"


def dividing(file: str) -> Any:
    """See `division.dividing`."""

    @intrinsic(prefer_literal=True)
    def divisor(typing_context: Any, value: Any, line: Any) -> Any:
        kind = types.unliteral(value)
        message = BY_ZERO.format(file, line.literal_value)

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = arguments[0]
            if isinstance(kind, types.Integer | types.Float):
                whole = isinstance(kind, types.Integer)
                compare = builder.icmp_signed if whole else builder.fcmp_ordered
                with builder.if_then(compare("==", number, number.type(0)), likely=False):
                    context.call_conv.return_user_exc(builder, GameFileError, (message,))
            return impl_ret_borrowed(context, builder, signature.return_type, number)

        return kind(kind, line), build

    return divisor
