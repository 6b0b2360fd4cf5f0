"""The functions of `band_vectors` as vector instructions. Only compiled code imports this module.

The operations are generic LLVM vector code: one 512-bit register where the processor has them,
two or four smaller ones elsewhere.
"""

# Numba's extension points have no types.
# mypy: disable-error-code="untyped-decorator, no-untyped-call"

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing import templates

from plyground.kernels import kernel

intrinsic: Any = extending.intrinsic
lower_builtin: Any = extending.lower_builtin
infer_global: Any = templates.infer_global
signature: Any = templates.signature

LANES = 32
WORD = ir.IntType(16)
VECTOR = ir.VectorType(WORD, LANES)
PIECES = ir.VectorType(ir.IntType(32), LANES // 2)
BYTES = ir.VectorType(ir.IntType(8), 64)


class LanesType(types.Type):
    """The Numba type of a value of 32 lanes."""

    def __init__(self) -> None:
        super().__init__(name="Lanes32x16")


LANES_TYPE = LanesType()


@extending.register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, VECTOR)


def _splat(builder: Any, value: Any) -> Any:
    first = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), value, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, ir.Constant(VECTOR, ir.Undefined), zeros)


def _register_between_lanes(symbol: Any, instruction: str) -> None:
    class Template(templates.ConcreteTemplate):
        cases = [signature(LANES_TYPE, LANES_TYPE, LANES_TYPE)]  # noqa: RUF012

    infer_global(symbol)(Template)

    @lower_builtin(symbol, LANES_TYPE, LANES_TYPE)
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, instruction)(*arguments)


def _register_shift(symbol: Any, instruction: str) -> None:
    class Template(templates.ConcreteTemplate):
        cases = [signature(LANES_TYPE, LANES_TYPE, types.uint16)]  # noqa: RUF012

    infer_global(symbol)(Template)

    @lower_builtin(symbol, LANES_TYPE, types.uint16)
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, instruction)(arguments[0], _splat(builder, arguments[1]))


_register_between_lanes(operator.and_, "and_")
_register_between_lanes(operator.or_, "or_")
_register_between_lanes(operator.xor, "xor")
_register_between_lanes(operator.add, "add")
_register_between_lanes(operator.sub, "sub")
_register_shift(operator.lshift, "shl")
_register_shift(operator.rshift, "lshr")


def _place(context: Any, builder: Any, array_type: Any, array: Any, offset: Any, to: Any) -> Any:
    view = context.make_array(array_type)(context, builder, array)
    return builder.bitcast(builder.gep(view.data, [offset]), to.as_pointer())


@intrinsic
def load(typing_context: Any, array: Any, offset: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], arguments[0], arguments[1], VECTOR)
        return builder.load(place, align=2)

    return LANES_TYPE(array, types.uint64), build


@intrinsic
def store(typing_context: Any, array: Any, offset: Any, lanes: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], arguments[0], arguments[1], VECTOR)
        builder.store(arguments[2], place, align=2)
        return context.get_dummy_value()

    return types.void(array, types.uint64, LANES_TYPE), build


@intrinsic
def splat(typing_context: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _splat(builder, arguments[0])

    return LANES_TYPE(types.uint16), build


def _is_zero(builder: Any, lanes: Any) -> Any:
    return builder.icmp_unsigned("==", lanes, ir.Constant(VECTOR, [0] * LANES))


@intrinsic
def if_zero(typing_context: Any, test: Any, then: Any, otherwise: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(_is_zero(builder, arguments[0]), arguments[1], arguments[2])

    return LANES_TYPE(LANES_TYPE, LANES_TYPE, LANES_TYPE), build


@intrinsic
def zero_lanes(typing_context: Any, lanes: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(_is_zero(builder, arguments[0]), ir.IntType(32))

    return types.uint32(LANES_TYPE), build


@intrinsic
def without(typing_context: Any, lanes: Any, mask: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.and_(arguments[0], builder.not_(arguments[1]))

    return LANES_TYPE(LANES_TYPE, LANES_TYPE), build


def _shuffle(sources: Sequence[int]) -> Any:
    """An operation on one value that moves 32-bit pieces: piece i is piece sources[i] of it."""

    @intrinsic
    def operation(typing_context: Any, lanes: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _move_pieces(builder, arguments[0], arguments[0], sources)

        return LANES_TYPE(LANES_TYPE), build

    return operation


def _merge(sources: Sequence[int]) -> Any:
    """The same for two values; sources from 16 on are pieces of the second."""

    @intrinsic
    def operation(typing_context: Any, first: Any, second: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _move_pieces(builder, arguments[0], arguments[1], sources)

        return LANES_TYPE(LANES_TYPE, LANES_TYPE), build

    return operation


def _move_pieces(builder: Any, first: Any, second: Any, sources: Sequence[int]) -> Any:
    order = ir.Constant(ir.VectorType(ir.IntType(32), 16), list(sources))
    pieces = [builder.bitcast(value, PIECES) for value in (first, second)]
    return builder.bitcast(builder.shuffle_vector(*pieces, order), VECTOR)


def _per_band(*pieces: int) -> list[int]:
    """The same move in every quarter; pieces 0-3 of the first value, 4-7 of the second."""
    return [p % 4 + 16 * (p // 4) + 4 * band for band in range(4) for p in pieces]


next_band = _shuffle([*range(4, 12), *range(4), 13, 14, 12, 15])
band_after_next = _shuffle([*range(8, 12), *range(8), 14, 12, 13, 15])
swap_halves = _shuffle(_per_band(2, 3, 0, 1))
low_halves = _merge(_per_band(0, 1, 4, 5))
high_halves = _merge(_per_band(2, 3, 6, 7))
even_pieces = _merge(_per_band(0, 2, 4, 6))
odd_pieces = _merge(_per_band(1, 3, 5, 7))
_ninths_of_two = _merge([p for band in range(4) for p in (12 + band, 28 + band, 15, 15)])
_ninth_beside = _merge(
    [p for band in range(4) for p in (4 * band, 4 * band + 1, 28 + band, 28 + band)]
)
spread_first, spread_second, spread_third = (
    _shuffle([*(4 * band + row for band in range(3) for _ in range(4)), row, row + 4, row + 8, 15])
    for row in range(3)
)


@intrinsic
def swap_neighbours(typing_context: Any, lanes: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        order = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [i ^ 1 for i in range(LANES)])
        return builder.shuffle_vector(arguments[0], arguments[0], order)

    return LANES_TYPE(LANES_TYPE), build


@intrinsic
def bit_counts(typing_context: Any, lanes: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        count = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(VECTOR, [VECTOR]), "llvm.ctpop.v32i16"
        )
        return builder.call(count, arguments)

    return LANES_TYPE(LANES_TYPE), build


@intrinsic
def filled_cells(typing_context: Any, grid: Any, offset: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], arguments[0], arguments[1], BYTES)
        cells = builder.load(place, align=1)
        filled = builder.icmp_unsigned("!=", cells, ir.Constant(BYTES, [0] * 64))
        return builder.bitcast(filled, ir.IntType(64))

    return types.uint64(grid, types.uint64), build


@kernel
def any_bit(lanes):  # type: ignore[no-untyped-def]
    return zero_lanes(lanes) != types.uint32(0xFFFFFFFF)


@kernel
def ninths(a, b, c):  # type: ignore[no-untyped-def]
    return _ninth_beside(_ninths_of_two(a, b), c)
