"""The contents of cells as SSA values: reading and writing them, whole or in part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from tapeless._mlir import ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC, array_type
from tapeless.dialects.rev.cells import base, is_fixed, value_type
from tapeless.dialects.rev.dialect import StackType
from tapeless.passes.ir.build import cast_to, dim
from tapeless.passes.ir.rows import Size, slice_of, with_slice
from tapeless.passes.rev.to_core.peaks import Peak, Peaked, raised, zero_peak

Indices = Sequence[ir.Value]
Slice = tuple[list[Size], list[Size], list[Size]]
Held = tuple[ir.Value, ...]
Name: TypeAlias = ir.Value | Peak
"""What a state holds values for: cells, and the peaks of some of them."""


@dataclass(frozen=True)
class Target:
    """A place that a statement changes while its right-hand side is computed, which must not read it."""

    statement: ir.OpView
    cell: ir.Value
    indices: Indices


@dataclass(frozen=True)
class Share:
    """The part of a cell that a parallel iteration has: its place on some axes, or a right to add to it."""

    whole: ir.Value
    """What the cell holds around all iterations."""
    axes: frozenset[int] = frozenset()
    """The axes that an element or a row of its own no longer has."""


@dataclass
class State:
    """The values of cells at one point of a procedure, and of its pure operations so far.

    A cell of rank 0 holds a scalar, any other one an array, a stack an array and the number of its entries. Views are
    parts of the cell behind them. A fixed-point number is held as an integer; where the program is differentiated
    (`is_differentiated`), a float of the same value stands beside it, which has the derivative. In a parallel
    iteration, a cell of which it has a share holds its own row or element, or an accumulator. Cells of floats that are
    compared have a peak, which every write raises.
    """

    cells: dict[Name, Held]
    values: dict[ir.Value, ir.Value] = field(default_factory=dict)
    targets: tuple[Target, ...] = ()
    is_differentiated: bool = False
    shares: dict[ir.Value, Share] = field(default_factory=dict)
    keeps_order: bool = False
    """Whether parallel loops are to run one iteration after the other."""
    waiting: dict[Peak, ir.Value] = field(default_factory=dict)
    """What was last written to cells, which their peaks do not know yet."""
    asked: list[Peaked] = field(default_factory=list)
    """The functions with peaks that calls ask for; all states of a module share them."""

    def copy(self, targets: tuple[Target, ...] = ()) -> State:
        """The same state, to go on from in another region."""
        return replace(
            self,
            cells=dict(self.cells),
            values=dict(self.values),
            targets=self.targets + targets,
            shares=dict(self.shares),
            waiting=dict(self.waiting),
        )

    def translate(self, name: ir.Value) -> ir.Value:
        """The new value of an SSA value of the procedure."""
        return self.values.get(name, name)

    def mapped(self, names: Iterable[ir.Value]) -> list[ir.Value]:
        """The new values of SSA values of the procedure."""
        return [self.values.get(name, name) for name in names]

    def parts(self, cell: ir.Value) -> range:
        """The numbers of the values that a cell holds."""
        return range(len(self.cells[base(cell)]))

    def read(self, cell: ir.Value, indices: Indices = (), part: int = 0) -> ir.Value:
        """The value of a cell, or of its part at leading indices."""
        held = self.cells[cell][part] if cell in self.cells else _part(self, cell, part)
        left = self.left(cell, indices)
        return _at(held, left) if left else held

    def write(self, cell: ir.Value, value: ir.Value, indices: Indices = (), part: int = 0) -> None:
        """Sets a cell, or its part at leading indices."""
        self.raise_peak(cell, value)
        self._put(cell, value, indices, part)

    def _put(self, cell: ir.Value, value: ir.Value, indices: Indices, part: int) -> None:
        if left := self.left(cell, indices):
            value = _with(self.read(cell, (), part), left, value)
        if cell in self.cells:
            held = list(self.cells[cell])
            held[part] = cast_to(held[part].type, value)
            self.cells[cell] = tuple(held)
        else:
            source = cell.owner.operation.operands[0]
            self._put(source, _with_part(self, cell, self.read(source, (), part), value), (), part)

    def track(self, cell: ir.Value) -> None:
        """Lets a cell of floats have a peak from here on."""
        self.cells[Peak(cell)] = (zero_peak(cell),)

    def raise_peak(self, cell: ir.Value, written: ir.Value) -> None:
        """Records a write to a cell, if it has a peak."""
        peak = Peak(base(cell))
        if peak in self.cells:
            self.settle([peak])
            self.waiting[peak] = written

    def settle(self, names: Iterable[Name]) -> None:
        """Raises peaks by the last writes; to be done in front of regions that write to their cells."""
        for name in names:
            if isinstance(name, Peak) and name in self.waiting:
                written, (peak,) = self.waiting.pop(name), self.cells[name]
                self.cells[name] = (raised(peak, written, is_differentiated=self.is_differentiated),)

    def peak(self, cell: ir.Value) -> ir.Value | None:
        """How large a cell, or the cell behind a view, was before the last write to it, if that is known."""
        held = self.cells.get(Peak(base(cell)))
        return None if held is None else held[0]

    def peaks_of(self, cells: Iterable[ir.Value]) -> list[Name]:
        """The peaks of those cells that have one."""
        return [Peak(cell) for cell in cells if Peak(cell) in self.cells]

    def left(self, cell: ir.Value, indices: Indices) -> list[ir.Value]:
        """The indices of a cell within the part that is held of it."""
        return self.mapped(number for axis, number in enumerate(indices) if axis not in self.taken(cell))

    def taken(self, cell: ir.Value) -> frozenset[int]:
        """The axes of a cell that an iteration has its place on."""
        return self.shares[cell].axes if cell in self.shares else frozenset()

    def sized(self, cell: ir.Value) -> ir.Value:
        """An array with the sizes of a cell."""
        return self.shares[cell].whole if cell in self.shares else self.read(cell)

    def held(self, cells: Sequence[Name]) -> list[ir.Value]:
        """All values that cells hold, one after the other."""
        self.settle(cells)
        return [value for cell in cells for value in self.cells[cell]]

    def hold(self, cells: Iterable[Name], values: Iterable[ir.Value]) -> None:
        """Lets cells hold values that come in the order of `held`."""
        rest = iter(values)
        for cell in cells:
            self.cells[cell] = tuple(next(rest) for _ in self.cells[cell])


def held_types(type_: ir.Type) -> list[ir.Type]:
    """The types of the values that functions take and give for a cell or stack."""
    if isinstance(type_, StackType):
        return [ir.RankedTensorType.get([DYNAMIC], type_.scalar), ir.IntegerType.get_signless(64)]
    if is_fixed(type_.element_type):
        units = ir.IntegerType.get_signless(64)
        return [array_type(type_.shape, units) if type_.rank else units, value_type(type_)]
    return [value_type(type_)]


def _at(array: ir.Value, indices: Indices) -> ir.Value:
    """The scalar or part that leading indices select."""
    if len(indices) == array.type.rank:
        return tensor.ExtractOp(array, list(indices)).result
    rest = ir.RankedTensorType.get(array.type.shape[len(indices) :], array.type.element_type)
    return slice_of(array, *_rows(array, indices), rest)


def _with(array: ir.Value, indices: Indices, value: ir.Value) -> ir.Value:
    """The array with the part at leading indices replaced."""
    if len(indices) == array.type.rank:
        return tensor.InsertOp(value, array, list(indices)).result
    return with_slice(array, value, *_rows(array, indices))


def _rows(array: ir.Value, indices: Indices) -> Slice:
    given, rest = len(indices), range(len(indices), array.type.rank)
    sizes = [array.type.shape[k] if array.type.shape[k] != DYNAMIC else dim(array, k) for k in rest]
    return [*indices, *([0] * len(rest))], [*([1] * given), *sizes], [1] * array.type.rank


def _part(state: State, view: ir.Value, part: int) -> ir.Value:
    """The value of a part of a cell."""
    op = view.owner.opview
    held = state.read(op.source, (), part)
    if view.type.rank == 0:
        left = state.left(op.source, op.offsets)
        return tensor.ExtractOp(held, left).result if left else held
    return slice_of(held, *_view_slice(state, op), array_type(view.type.shape, held.type.element_type))


def _with_part(state: State, view: ir.Value, held: ir.Value, value: ir.Value) -> ir.Value:
    op = view.owner.opview
    if view.type.rank == 0:
        left = state.left(op.source, op.offsets)
        return tensor.InsertOp(value, held, left).result if left else value
    return with_slice(held, value, *_view_slice(state, op))


def _view_slice(state: State, op: ir.OpView) -> Slice:
    """Offsets, sizes and strides as a slice takes them; static ones are numbers."""
    dropped = {ir.IntegerAttr(axis).value for axis in op.drop}
    kept = iter(op.out.type.shape)
    sizes: list[Size] = []
    for axis, size in enumerate(state.mapped(op.sizes)):
        extent = 1 if axis in dropped else next(kept)
        if axis not in state.taken(op.source):
            sizes.append(size if extent == DYNAMIC else extent)
    return state.left(op.source, op.offsets), sizes, state.left(op.source, op.strides)
