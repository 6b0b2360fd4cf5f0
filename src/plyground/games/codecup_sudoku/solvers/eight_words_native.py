"""The functions of `eight_words` as vector code. Only compiled code imports this module.

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
    function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.ctpop.v8i64")
    return builder.call(function, [vector])


def _lane_mask(builder: Any, flags: Any) -> Any:
    return builder.zext(builder.bitcast(flags, BYTE), WORD)


def _data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    return context.make_array(array_type)(context, builder, array).data


@intrinsic  # type: ignore[untyped-decorator]
def _common_lanes(typing_context: Any, words: Any, at: Any, query: Any, wanted: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _data(context, builder, signature.args[0], arguments[0])
        common = builder.and_(_load(builder, data, arguments[1]), _splat(builder, arguments[2]))
        flags = builder.icmp_unsigned(
            "==", _popcount(builder, common), _splat(builder, arguments[3])
        )
        return _lane_mask(builder, flags)

    return types.uint64(words, types.uint64, types.uint64, types.uint64), build


@intrinsic  # type: ignore[untyped-decorator]
def _common_lanes_wide(
    typing_context: Any,
    words: Any,
    at: Any,
    stride: Any,
    query_at: Any,
    query_stride: Any,
    count: Any,
    wanted: Any,
) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _data(context, builder, signature.args[0], arguments[0])
        at_value, stride_value, query_value, query_stride_value, count_value = arguments[1:6]
        wanted_lanes = _splat(builder, arguments[6])
        start = builder.block
        loop = builder.append_basic_block("words")
        done = builder.append_basic_block("done")
        builder.branch(loop)

        builder.position_at_end(loop)
        row = builder.phi(WORD)
        place = builder.phi(WORD)
        query_place = builder.phi(WORD)
        total = builder.phi(VECTOR)
        query = builder.load(builder.gep(data, [query_place]))
        common = builder.and_(_load(builder, data, place), _splat(builder, query))
        new_total = builder.add(total, _popcount(builder, common))
        # Once every lane has too many common bits the rest does not matter.
        undecided = builder.icmp_unsigned("<=", new_total, wanted_lanes)
        new_row = builder.add(row, WORD(1))
        more = builder.and_(
            builder.icmp_unsigned("!=", builder.bitcast(undecided, BYTE), BYTE(0)),
            builder.icmp_unsigned("<", new_row, count_value),
        )
        new_place = builder.add(place, stride_value)
        new_query_place = builder.add(query_place, query_stride_value)
        builder.cbranch(more, loop, done)
        for phi, first, following in (
            (row, WORD(0), new_row),
            (place, at_value, new_place),
            (query_place, query_value, new_query_place),
            (total, _constant(0), new_total),
        ):
            phi.add_incoming(first, start)
            phi.add_incoming(following, loop)

        builder.position_at_end(done)
        return _lane_mask(builder, builder.icmp_unsigned("==", new_total, wanted_lanes))

    word = types.uint64
    return word(words, word, word, word, word, word, word), build


@intrinsic  # type: ignore[untyped-decorator]
def _equal_lanes(typing_context: Any, words: Any, at: Any, wanted: Any, significant: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _data(context, builder, signature.args[0], arguments[0])
        seen = builder.and_(_load(builder, data, arguments[1]), _splat(builder, arguments[3]))
        flags = builder.icmp_unsigned("==", seen, _splat(builder, arguments[2]))
        return _lane_mask(builder, flags)

    word = types.uint64
    return word(words, word, word, word), build


@intrinsic  # type: ignore[untyped-decorator]
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


@kernel(lean=True)
def common_lanes(words, at, query, wanted):  # type: ignore[no-untyped-def]
    return _common_lanes(words, at, query, wanted)


@kernel(lean=True)
def common_lanes_wide(  # type: ignore[no-untyped-def]
    words, at, stride, query_at, query_stride, count, wanted
):
    return _common_lanes_wide(words, at, stride, query_at, query_stride, count, wanted)


@kernel(lean=True)
def equal_lanes(words, at, wanted, significant):  # type: ignore[no-untyped-def]
    return _equal_lanes(words, at, wanted, significant)


@kernel(lean=True)
def xor_selected(words, at, mask):  # type: ignore[no-untyped-def]
    return _xor_selected(words, at, mask)
