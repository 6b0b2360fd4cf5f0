"""The functions of `memory` as machine code. Only compiled code imports this module."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing import signature as typing_signature
from numba.cpython.listobj import ListInstance
from numba.extending import intrinsic

from plyground.board import complaints

WORD = ir.IntType(64)
BYTE = ir.IntType(8)


@intrinsic
def address(typing_context: Any, row: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.bitcast(array.data, BYTE.as_pointer())

    return types.voidptr(row), build


def _word(builder: Any, self: Any, word: Any) -> Any:
    return builder.gep(builder.bitcast(self, WORD.as_pointer()), [word])


@intrinsic
def load(typing_context: Any, self: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_word(builder, *arguments))

    return types.int64(types.voidptr, types.int64), build


@intrinsic
def load_bits(typing_context: Any, self: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_word(builder, *arguments))

    return types.uint64(types.voidptr, types.int64), build


@intrinsic
def number(typing_context: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return impl_ret_borrowed(context, builder, signature.return_type, arguments[0])

    return value(value), build


@intrinsic
def save(typing_context: Any, self: Any, word: Any, value: Any) -> Any:
    if not isinstance(value, types.Integer | types.Boolean):
        raise TypingError(f"a field of the class holds whole numbers, not {value}")

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _word(builder, arguments[0], arguments[1]))
        return context.get_dummy_value()

    return types.void(types.voidptr, types.int64, types.int64), build


def _view_maker(item: Any, bits: int, dimensions: int) -> Any:
    view_type = types.Array(item, dimensions, "C")
    width = bits // 8

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sizes = arguments[2:]
        view = context.make_array(view_type)(context, builder)
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        strides: list[Any] = []
        step = WORD(width)
        for size in reversed(sizes):
            strides.insert(0, step)
            step = builder.mul(step, size)
        view.nitems = builder.udiv(step, WORD(width))
        view.itemsize = WORD(width)
        start = builder.gep(arguments[0], [arguments[1]])
        view.data = builder.bitcast(start, ir.IntType(bits).as_pointer())
        view.shape = cgutils.pack_array(builder, sizes, ty=WORD)
        view.strides = cgutils.pack_array(builder, strides, ty=WORD)
        return view._getvalue()

    return view_type(types.voidptr, *[types.int64] * (1 + dimensions)), build


def _views(item: Any, bits: int) -> tuple[Any, Any]:
    """Views of items with so many bits: as a row, and as a board."""

    @intrinsic
    def row(typing_context: Any, self: Any, start: Any, size: Any) -> Any:
        return _view_maker(item, bits, 1)

    @intrinsic
    def board(typing_context: Any, self: Any, start: Any, rows: Any, columns: Any) -> Any:
        return _view_maker(item, bits, 2)

    return row, board


cells1, cells2 = _views(types.int8, 8)
numbers1, numbers2 = _views(types.int32, 32)


def _whole(value: Any, what: str) -> None:
    if not isinstance(value, types.Integer | types.Boolean):
        raise TypingError(f"{what} must be a whole number, not {value}")


def _refuse(context: Any, builder: Any, unless: Any, message: str) -> None:
    """Leave the function with a GameFileError unless the condition holds."""
    with builder.if_then(builder.not_(unless), likely=False):
        context.call_conv.return_user_exc(builder, complaints.GameFileError, (message,))


def accesses(file: str) -> tuple[Any, ...]:
    """See `memory.accesses`."""

    def locate(context: Any, builder: Any, view: Any, indices: Any, line: int) -> Any:
        """The address of a cell, after the checks."""
        offset = None
        for axis, index in enumerate(indices):
            size = builder.extract_value(view.shape, axis)
            inside = builder.icmp_unsigned("<", index, size)
            _refuse(context, builder, inside, complaints.BOUNDS.format(file, line))
            offset = index if offset is None else builder.add(builder.mul(offset, size), index)
        return builder.gep(view.data, [offset])

    def reader(view: Any, indices: list[Any], line: Any) -> Any:
        for index in indices:
            _whole(index, "an index")
        if view.ndim != len(indices):
            raise TypingError(f"{len(indices)} numbers for a board of {view.ndim} dimensions")
        where = line.literal_value

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            place = locate(context, builder, array, arguments[1:-1], where)
            return builder.sext(builder.load(place), WORD)

        return types.int64(view, *[types.int64] * len(indices), line), build

    def writer(view: Any, indices: list[Any], value: Any, line: Any) -> Any:
        for index in indices:
            _whole(index, "an index")
        _whole(value, "a cell")
        where = line.literal_value
        half = 2 ** (view.dtype.bitwidth - 1)

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            place = locate(context, builder, array, arguments[1:-2], where)
            small = builder.trunc(arguments[-2], place.type.pointee)
            fits = builder.icmp_signed("==", builder.sext(small, WORD), arguments[-2])
            _refuse(
                context, builder, fits, complaints.TOO_LARGE.format(file, where, -half, half - 1)
            )
            builder.store(small, place)
            return context.get_dummy_value()

        return types.void(view, *[types.int64] * (len(indices) + 1), line), build

    @intrinsic(prefer_literal=True)
    def at1(typing_context: Any, view: Any, index: Any, line: Any) -> Any:
        return reader(view, [index], line)

    @intrinsic(prefer_literal=True)
    def at2(typing_context: Any, view: Any, row: Any, column: Any, line: Any) -> Any:
        return reader(view, [row, column], line)

    @intrinsic(prefer_literal=True)
    def put1(typing_context: Any, view: Any, index: Any, value: Any, line: Any) -> Any:
        return writer(view, [index], value, line)

    @intrinsic(prefer_literal=True)
    def put2(typing_context: Any, view: Any, row: Any, column: Any, value: Any, line: Any) -> Any:
        return writer(view, [row, column], value, line)

    @intrinsic(prefer_literal=True)
    def within(typing_context: Any, values: Any, axis: Any, index: Any, line: Any) -> Any:
        known = isinstance(values, types.Array | types.List) and isinstance(index, types.Integer)
        message = complaints.BOUNDS_ELSEWHERE.format(file, line.literal_value)

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = arguments[2]
            if known:
                kind = signature.args[0]
                if isinstance(kind, types.List):
                    size = ListInstance(context, builder, kind, arguments[0]).size
                else:
                    array = context.make_array(kind)(context, builder, arguments[0])
                    size = builder.extract_value(array.shape, axis.literal_value)
                below = builder.icmp_signed("<", place, size)
                above = builder.icmp_signed(">=", place, builder.neg(size))
                _refuse(context, builder, builder.and_(below, above), message)
            return impl_ret_borrowed(context, builder, signature.return_type, place)

        kind = types.int64 if isinstance(index, types.Integer) else index
        return kind(values, axis, kind, line), build

    @intrinsic(prefer_literal=True)
    def join(typing_context: Any, code: Any, part: Any, size: Any, line: Any) -> Any:
        _whole(part, "a part of a move")
        message = complaints.BAD_MOVE.format(file, line.literal_value, size.literal_value - 1)

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code_, part_, size_, _ = arguments
            _refuse(context, builder, builder.icmp_unsigned("<", part_, size_), message)
            return builder.add(builder.mul(code_, size_), part_)

        return types.int64(types.int64, types.int64, types.int64, line), build

    @intrinsic(prefer_literal=True)
    def append(typing_context: Any, moves: Any, count: Any, code: Any, line: Any) -> Any:
        message = complaints.TOO_MANY.format(file, line.literal_value)

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            room = builder.extract_value(array.shape, 0)
            _refuse(context, builder, builder.icmp_unsigned("<", arguments[1], room), message)
            builder.store(arguments[2], builder.gep(array.data, [arguments[1]]))
            return builder.add(arguments[1], WORD(1))

        return types.int64(moves, types.int64, types.int64, line), build

    def counter(line: Any, complaint: str, most: int) -> tuple[Any, Any]:
        message = complaint.format(file, line.literal_value)

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            few = builder.icmp_unsigned("<", arguments[0], WORD(most))
            _refuse(context, builder, few, message)
            return builder.add(arguments[0], WORD(1))

        return types.int64(types.int64, line), build

    @intrinsic(prefer_literal=True)
    def tick(typing_context: Any, loops: Any, line: Any) -> Any:
        return counter(line, complaints.ENDLESS, complaints.MOST_LOOPS)

    @intrinsic(prefer_literal=True)
    def deeper(typing_context: Any, depth: Any, line: Any) -> Any:
        return counter(line, complaints.TOO_DEEP, complaints.MOST_DEPTH)

    @intrinsic(prefer_literal=True)
    def steps(typing_context: Any, total: Any, numbers: Any, line: Any) -> Any:
        message = complaints.LONG_LOOP.format(file, line.literal_value)

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            sized = typing_signature(types.intp, signature.args[1])
            count = context.get_function(len, sized)(builder, arguments[1:2])
            few = builder.icmp_unsigned("<=", count, WORD(complaints.MOST_STEPS))
            _refuse(context, builder, few, message)
            sum_ = builder.add(arguments[0], count)
            few = builder.icmp_unsigned("<=", sum_, WORD(complaints.MOST_STEPS))
            _refuse(context, builder, few, message)
            return sum_

        return types.int64(types.int64, numbers, line), build

    return at1, at2, put1, put2, within, join, append, tick, steps, deeper
