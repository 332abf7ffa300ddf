"""Shape inference: the one place that follows producers to find the size of axis k of a value.

`dim_of` gives a size as a Python integer or as an `index` value that is available where it is asked for, copying pure
index arithmetic out of regions when it must, and `None` when the size depends on the iteration or on data.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import local

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.sizes.checked_sizes import CheckedBlocks, checked_size, equal_sizes
from tapeless.passes.ir.sizes.expressions import LONGEST, Dim, Size, length
from tapeless.passes.ir.sizes.size_rules import ARGUMENTS, RESULTS
from tapeless.passes.ir.sizes.size_search import (
    Asking,
    Axis,
    Checked,
    Equal,
    Place,
    Question,
    Search,
    Step,
    Width,
)
from tapeless.passes.ir.sizes.sizes import INDEX_ARITHMETIC, can_write, computed, constant_int, write


class _Remembered(local):
    """The search whose answers are kept at present in this thread, if any."""

    search: Search | None = None


_remembered = _Remembered()


@contextmanager
def remembered_sizes(search: Search | None = None) -> Iterator[None]:
    """Sizes asked for in the `with` statement are found once each; nothing may change the program meanwhile.

    A search that is given keeps its answers from one statement to the next.
    """
    outer, _remembered.search = _remembered.search, search or lasting_search()
    try:
        yield
    finally:
        _remembered.search = outer


def dim_of(value: ir.Value, axis: int, at: ir.InsertionPoint) -> ir.Value | int | None:
    """The size of an axis, computed at the insertion point; `None` when that is impossible there."""
    size = size_of(value, axis)
    return write(size, at) if can_write(size, at) else None


def is_sized_before(value: ir.Value, op: ir.OpView) -> bool:
    """Whether the sizes of a value made in an operation are known before it, the same in all of its iterations."""
    at, type_ = ir.InsertionPoint(op), value.type
    axes = range(type_.rank) if isinstance(type_, ir.RankedTensorType) else ()
    return all(can_write(size_of(value, axis), at) for axis in axes)


def same_width(left: ir.Value, right: ir.Value) -> bool:
    """Whether two `index` values are provably equal."""
    return left == right or scalar_size(left) == scalar_size(right)


def are_equal_at(left: ir.Value, right: ir.Value, place: Place) -> bool:
    """Whether two `index` values are provably equal, or are by checks before a place."""
    if same_width(left, right):
        return True
    search = _search()
    known = search.ask(Equal(place))
    return known.are_equal(search.ask(Width(left)), search.ask(Width(right)))


def size_of(value: ir.Value, axis: int) -> Size:
    """The size of an axis as an expression of values that need not be available anywhere in particular."""
    fixed = value.type.shape[axis]
    return fixed if fixed != DYNAMIC else _search().ask(Axis(value, axis))


def scalar_size(value: ir.Value) -> Size:
    """An `index` value as a size expression; long arithmetic is left as the value it computes."""
    return _search().ask(Width(value))


def is_checked_size(value: ir.Value, axis: int, width: ir.Value, place: Place) -> bool:
    """Whether an axis has this size at a place, by known facts or by checks before the place."""
    return has_size(value, axis, scalar_size(width), place)


def has_size(value: ir.Value, axis: int, wanted: Size, place: Place) -> bool:
    """Whether an axis has this size at a place, by known facts or by checks before the place."""
    return size_of(value, axis) == wanted or _search().ask(Checked(Axis(value, axis), wanted, place)) == wanted


def lasting_search() -> Search:
    """A search whose answers hold as long as nothing changes the program."""
    return Search(partial(_answer, CheckedBlocks()))


def _search() -> Search:
    return _remembered.search or lasting_search()


def _answer(blocks: CheckedBlocks, question: Question) -> Step:
    """A size, or the questions that must be asked to find it."""
    if isinstance(question, Width):
        return _width(question.value)
    if isinstance(question, Checked):
        return checked_size(question)
    if isinstance(question, Equal):
        return equal_sizes(question, blocks)
    value, axis = question
    fixed = value.type.shape[axis]
    if fixed != DYNAMIC:
        return fixed
    if isinstance(value, ir.BlockArgument):
        holder = value.owner.owner
        argument_rule = ARGUMENTS.get(holder.operation.name)
        return argument_rule(value, holder, axis) if argument_rule else Dim(value, axis)
    op = value.owner
    rule = RESULTS.get(op.operation.name)
    return rule(op, value.result_number, axis) if rule else Dim(value, axis)


def _width(value: ir.Value) -> Step:
    if isinstance(value, ir.BlockArgument):
        return value
    if (known := constant_int(value)) is not None:
        return known
    op = value.owner
    if op.operation.name == "tensor.dim" and (axis := constant_int(op.operands[1])) is not None:
        return Axis(op.operands[0], axis)
    return _arithmetic(value, op) if op.operation.name in INDEX_ARITHMETIC else value


def _arithmetic(value: ir.Value, op: ir.OpView) -> Asking:
    operands = []
    for operand in op.operands:
        operands.append((yield Width(operand)))
    size = computed(value, tuple(operands))
    return size if length(size) <= LONGEST else value
