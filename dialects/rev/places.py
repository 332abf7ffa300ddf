"""Places: which part of which cell a statement reads or writes, and whether two of them share an element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from tapeless._mlir import ir
from tapeless.dialects.rev.cells import base

VIEW = "rev.view"
T = TypeVar("T")


class Algebra(Protocol[T]):
    """How positions are computed: as symbols, or by emitting code."""

    def constant(self, number: int) -> T:
        """A known number."""

    def value(self, value: ir.Value) -> T:
        """The symbol of an SSA value of the procedure."""

    def add(self, a: T, b: T) -> T:
        """The sum."""

    def mul(self, a: T, b: T) -> T:
        """The product."""


class Axis(NamedTuple, Generic[T]):
    """Positions offset, offset + stride, ... along one axis; a size of None means all of the axis."""

    offset: T
    size: T | None
    stride: T


class Place(NamedTuple, Generic[T]):
    """A part of a cell: one range per axis of the cell itself; `open` are the axes that the part still has."""

    cell: ir.Value
    axes: list[Axis[T]]
    open: list[int]


def place(cell: ir.Value, indices: Sequence[ir.Value], algebra: Algebra[T]) -> Place[T]:
    """The place of a cell or view at leading indices."""
    found = _through_view(cell, algebra) if _is_view(cell) else _whole(cell, algebra)
    one = algebra.constant(1)
    for axis, index in zip(found.open, indices, strict=False):
        found.axes[axis] = _inside(found.axes[axis], Axis(algebra.value(index), one, one), algebra)
    return Place(found.cell, found.axes, found.open[len(indices) :])


def _is_view(cell: ir.Value) -> bool:
    return not isinstance(cell.owner, ir.Block) and cell.owner.name == VIEW


def _whole(cell: ir.Value, algebra: Algebra[T]) -> Place[T]:
    axis = Axis(algebra.constant(0), None, algebra.constant(1))
    return Place(base(cell), [axis] * cell.type.rank, list(range(cell.type.rank)))


def _through_view(cell: ir.Value, algebra: Algebra[T]) -> Place[T]:
    op = cell.owner.opview
    found = place(op.source, (), algebra)
    dropped = {ir.IntegerAttr(axis).value for axis in op.drop}
    ranges = zip(op.offsets, op.sizes, op.strides, strict=True)
    for number, (axis, values) in enumerate(zip(found.open, ranges, strict=True)):
        offset, size, stride = map(algebra.value, values)
        inner = Axis(offset, algebra.constant(1) if number in dropped else size, stride)
        found.axes[axis] = _inside(found.axes[axis], inner, algebra)
    return Place(found.cell, found.axes, [axis for k, axis in enumerate(found.open) if k not in dropped])


def _inside(outer: Axis[T], inner: Axis[T], algebra: Algebra[T]) -> Axis[T]:
    offset = algebra.add(outer.offset, algebra.mul(outer.stride, inner.offset))
    return Axis(offset, inner.size, algebra.mul(outer.stride, inner.stride))


class Symbol(NamedTuple):
    """A position as an SSA value plus a constant; without a value it is the constant."""

    root: ir.Value | None
    offset: int


class Symbols:
    """Positions as symbols; None is one of which nothing is known."""

    def constant(self, number: int) -> Symbol | None:
        """A known number."""
        return Symbol(None, number)

    def value(self, value: ir.Value) -> Symbol | None:
        """The symbolic form of a value: constants that are added to it are told apart from it."""
        name = "" if isinstance(value.owner, ir.Block) else value.owner.name
        if name == "arith.constant":
            return Symbol(None, ir.IntegerAttr(value.owner.attributes["value"]).value)
        if name in ("arith.addi", "arith.subi"):
            left, right = map(self.value, value.owner.operands)
            if name == "arith.subi" and right is not None and right.root is None:
                right = Symbol(None, -right.offset)
            elif name == "arith.subi":
                right = None
            return self.add(left, right) or Symbol(value, 0)
        return Symbol(value, 0)

    def add(self, a: Symbol | None, b: Symbol | None) -> Symbol | None:
        """The sum, if at most one of the two is no constant."""
        if a is None or b is None or (a.root is not None and b.root is not None):
            return None
        return Symbol(b.root if a.root is None else a.root, a.offset + b.offset)

    def mul(self, a: Symbol | None, b: Symbol | None) -> Symbol | None:
        """The product of constants, or with one."""
        if a is None or b is None:
            return None
        if a.root is None and b.root is None:
            return Symbol(None, a.offset * b.offset)
        return b if _known(a) == 1 else a if _known(b) == 1 else None


def are_apart(a: Place[Symbol | None], b: Place[Symbol | None]) -> bool | None:
    """Whether two places share no element; None when that is known only at run time."""
    if a.cell != b.cell:
        return True
    answers = [_axes_are_apart(left, right) for left, right in zip(a.axes, b.axes, strict=True)]
    if any(answers):
        return True
    return None if None in answers else False


def _axes_are_apart(a: Axis[Symbol | None], b: Axis[Symbol | None]) -> bool | None:
    gap = _difference(a.offset, b.offset)
    sizes = [size for each in (a, b) if (size := _known(each.size)) is not None]
    strides = [stride for each in (a, b) if (stride := _known(each.stride)) is not None and stride > 0]
    if gap is None or len(sizes) + len(strides) < 4:
        # Ranges that start together share an element; empty ones are not worth an exception.
        return False if gap == 0 or _is_all(a) or _is_all(b) else None
    ends = [(size - 1) * stride for size, stride in zip(sizes, strides, strict=True)]
    if gap + ends[0] < 0 or gap > ends[1] or (strides[0] == strides[1] and gap % strides[0]):
        return True
    return False if gap == 0 or strides == [1, 1] else None


def _is_all(axis: Axis[Symbol | None]) -> bool:
    return axis.size is None and _known(axis.offset) == 0


def _known(symbol: Symbol | None) -> int | None:
    return symbol.offset if symbol is not None and symbol.root is None else None


def _difference(a: Symbol | None, b: Symbol | None) -> int | None:
    if a is None or b is None:
        return None
    is_same = a.root is b.root is None or (a.root is not None and b.root is not None and a.root == b.root)
    return a.offset - b.offset if is_same else None
