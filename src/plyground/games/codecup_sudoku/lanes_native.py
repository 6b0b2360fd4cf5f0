"""The functions of `lanes` as vector code. Only compiled code imports this module.

The vectors are LLVM's own, so a processor without 512-bit registers gets narrower instructions
with the same results.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from plyground.kernels import kernel

WORD = ir.IntType(64)
BYTE = ir.IntType(8)
VECTOR = ir.VectorType(WORD, 8)
FLAGS = ir.VectorType(ir.IntType(1), 8)


def _splat(builder: Any, word: Any) -> Any:
    single = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), word, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)
    return builder.shuffle_vector(single, ir.Constant(VECTOR, ir.Undefined), zeros)


def _constant(value: int) -> Any:
    return ir.Constant(VECTOR, [value] * 8)


def _load(builder: Any, data: Any, index: Any) -> Any:
    pointer = builder.bitcast(builder.gep(data, [index]), VECTOR.as_pointer())
    return builder.load(pointer, align=8)


def _popcount(builder: Any, vector: Any) -> Any:
    function_type = ir.FunctionType(VECTOR, [VECTOR])
    function = cgutils.get_or_insert_function(
        builder.module, function_type, "llvm.ctpop.v8i64"
    )
    return builder.call(function, [vector])


def _lane_mask(builder: Any, flags: Any) -> Any:
    return builder.zext(builder.bitcast(flags, BYTE), WORD)


def _data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    return context.make_array(array_type)(context, builder, array).data


@intrinsic
def _singleton_lanes(typing_context: Any, words: Any, at: Any, query: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _data(context, builder, signature.args[0], arguments[0])
        common = builder.and_(
            _load(builder, data, arguments[1]), _splat(builder, arguments[2])
        )
        flags = builder.icmp_unsigned("==", _popcount(builder, common), _constant(1))
        return _lane_mask(builder, flags)

    return types.uint64(words, types.uint64, types.uint64), build


@intrinsic
def _singleton_lanes_wide(
    typing_context: Any, words: Any, at: Any, query_at: Any, stride: Any, count: Any
) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, at_value, query_value, stride_value, count_value = arguments
        data = _data(context, builder, signature.args[0], array)
        start = builder.block
        loop = builder.append_basic_block("words")
        done = builder.append_basic_block("done")
        builder.branch(loop)

        builder.position_at_end(loop)
        row = builder.phi(WORD)
        offset = builder.phi(WORD)
        total = builder.phi(VECTOR)
        query = builder.load(builder.gep(data, [builder.add(query_value, offset)]))
        others = _load(builder, data, builder.add(at_value, offset))
        common = builder.and_(others, _splat(builder, query))
        new_total = builder.add(total, _popcount(builder, common))
        # Once every lane has two common solutions no lane can be a singleton.
        undecided = builder.icmp_unsigned("<", new_total, _constant(2))
        new_row = builder.add(row, WORD(1))
        more = builder.and_(
            builder.icmp_unsigned("!=", builder.bitcast(undecided, BYTE), BYTE(0)),
            builder.icmp_unsigned("<", new_row, count_value),
        )
        new_offset = builder.add(offset, stride_value)
        builder.cbranch(more, loop, done)
        row.add_incoming(WORD(0), start)
        row.add_incoming(new_row, loop)
        offset.add_incoming(WORD(0), start)
        offset.add_incoming(new_offset, loop)
        total.add_incoming(_constant(0), start)
        total.add_incoming(new_total, loop)

        builder.position_at_end(done)
        flags = builder.icmp_unsigned("==", new_total, _constant(1))
        return _lane_mask(builder, flags)

    word = types.uint64
    return word(words, word, word, word, word), build


@intrinsic
def _equal_lanes(typing_context: Any, words: Any, at: Any, wanted: Any, significant: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _data(context, builder, signature.args[0], arguments[0])
        seen = builder.and_(_load(builder, data, arguments[1]), _splat(builder, arguments[3]))
        flags = builder.icmp_unsigned("==", seen, _splat(builder, arguments[2]))
        return _lane_mask(builder, flags)

    word = types.uint64
    return word(words, word, word, word), build


@intrinsic
def _xor_selected(typing_context: Any, words: Any, at: Any, mask: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _data(context, builder, signature.args[0], arguments[0])
        total = _constant(0)
        for group in range(8):
            bits = builder.trunc(builder.lshr(arguments[2], WORD(8 * group)), BYTE)
            index = builder.add(arguments[1], WORD(8 * group))
            chosen = builder.select(
                builder.bitcast(bits, FLAGS), _load(builder, data, index), _constant(0)
            )
            total = builder.xor(total, chosen)
        function_type = ir.FunctionType(WORD, [VECTOR])
        function = cgutils.get_or_insert_function(
            builder.module, function_type, "llvm.vector.reduce.xor.v8i64"
        )
        return builder.call(function, [total])

    return types.uint64(words, types.uint64, types.uint64), build


@kernel
def singleton_lanes(words, at, query):  # type: ignore[no-untyped-def]
    return _singleton_lanes(words, at, query)


@kernel
def singleton_lanes_wide(words, at, query_at, stride, count):  # type: ignore[no-untyped-def]
    return _singleton_lanes_wide(words, at, query_at, stride, count)


@kernel
def equal_lanes(words, at, wanted, significant):  # type: ignore[no-untyped-def]
    return _equal_lanes(words, at, wanted, significant)


@kernel
def xor_selected(words, at, mask):  # type: ignore[no-untyped-def]
    return _xor_selected(words, at, mask)
