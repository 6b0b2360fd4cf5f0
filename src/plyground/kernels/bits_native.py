"""The functions of `bits` as machine instructions. Only compiled code imports this module."""

from __future__ import annotations

from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from plyground.kernels.marker import kernel
from plyground.kernels.words import ONE, ZERO

HAS_BMI2 = bool(llvmlite.binding.get_host_cpu_features().get("bmi2", False))


@intrinsic
def _ctpop(typing_context: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


@intrinsic
def _cttz(typing_context: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build


@intrinsic
def _ctlz(typing_context: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build


def _bmi2(name: str) -> Any:
    @intrinsic
    def instruction(typing_context: Any, word: Any, mask: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word_type = ir.IntType(64)
            function_type = ir.FunctionType(word_type, [word_type, word_type])
            function = cgutils.get_or_insert_function(
                builder.module, function_type, f"llvm.x86.bmi.{name}.64"
            )
            return builder.call(function, arguments)

        return types.uint64(types.uint64, types.uint64), build

    return instruction


_pext = _bmi2("pext")
_pdep = _bmi2("pdep")


@intrinsic
def _high_product(typing_context: Any, a: Any, b: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), build


@intrinsic
def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(view.data, [arguments[1]])
        byte_pointer = builder.bitcast(pointer, ir.IntType(8).as_pointer())
        flag = ir.IntType(32)
        function_type = ir.FunctionType(
            ir.VoidType(), [ir.IntType(8).as_pointer(), flag, flag, flag]
        )
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0")
        builder.call(function, [byte_pointer, flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(array, types.uint64), build


@kernel
def popcount(word):  # type: ignore[no-untyped-def]
    return _ctpop(word)


@kernel
def trailing_zeros(word):  # type: ignore[no-untyped-def]
    return _cttz(word)


@kernel
def leading_zeros(word):  # type: ignore[no-untyped-def]
    return _ctlz(word)


if HAS_BMI2:

    @kernel
    def extract_bits(word, mask):  # type: ignore[no-untyped-def]
        return _pext(word, mask)

    @kernel
    def deposit_bits(word, mask):  # type: ignore[no-untyped-def]
        return _pdep(word, mask)

else:

    @kernel
    def extract_bits(word, mask):  # type: ignore[no-untyped-def]
        out, place = ZERO, ONE
        while mask != ZERO:
            low = mask & (~mask + ONE)
            if word & low != ZERO:
                out |= place
            place <<= ONE
            mask ^= low
        return out

    @kernel
    def deposit_bits(word, mask):  # type: ignore[no-untyped-def]
        out = ZERO
        while mask != ZERO:
            low = mask & (~mask + ONE)
            if word & ONE != ZERO:
                out |= low
            word >>= ONE
            mask ^= low
        return out


@kernel
def multiply_high(a, b):  # type: ignore[no-untyped-def]
    return _high_product(a, b)


@kernel(lean=True)
def prefetch(array, index):  # type: ignore[no-untyped-def]
    _prefetch(array, index)
