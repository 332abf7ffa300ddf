"""Shadows: for every cell of floats another one, which holds the adjoint of its value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.rev import StackType
from tapeless.dialects.rev.activity import holds_floats
from tapeless.dialects.rev.cells import holds_fixed, is_cell
from tapeless.dialects.rev.places import VIEW
from tapeless.methods import DEFAULT
from tapeless.passes.rev.inversion.inverse import BOTH, LEG

LAST = "last_order"
"""On sums of shadows that no inverse takes back, so that they may be rounded like any other sum of adjoints."""


@dataclass
class Shadows:
    """The shadows of the cells of a procedure, and the context of its adjoint."""

    procedure: str
    cells: dict[ir.Value, ir.Value] = field(default_factory=dict)
    leg: str = ""
    functions: int = 0
    is_last: bool = False
    """Whether no inverse of the adjoint is wanted."""
    method: str = DEFAULT
    """The method by which right-hand sides are differentiated."""

    def of(self, cell: ir.Value) -> ir.Value:
        """The shadow of a cell or stack; that of a view is the same view of the shadow."""
        if cell not in self.cells:
            assert cell.owner.name == VIEW
            self.cells[cell] = _same_view(cell, self.of(cell.owner.operands[0]))
        return self.cells[cell]

    def mark(self, op: ir.Operation) -> None:
        """Tells a statement on shadows in which leg of a compute block it stands, and whether it is of last order."""
        if self.is_last:
            op.attributes[LAST] = ir.UnitAttr.get()
        if LEG in op.attributes:
            # A copy of a statement on shadows that are 0; its own shadows are not.
            del op.attributes[LEG]
        if self.leg:
            op.attributes[LEG] = ir.StringAttr.get(self.leg)

    @contextmanager
    def within(self, leg: str) -> Iterator[None]:
        """For the statements of one leg of a compute block with fresh targets; with "" for any others."""
        outer = self.leg
        self.leg = leg if not outer else outer if leg in ("", outer) else BOTH
        yield
        self.leg = outer


def has_shadow(type_: ir.Type) -> bool:
    """Whether a cell or stack has one: it holds floats, or fixed-point numbers, which are read as floats."""
    if isinstance(type_, StackType):
        return holds_floats(type_.scalar)
    return is_cell(type_) and (holds_floats(type_) or holds_fixed(type_))


def shadow_type(type_: ir.Type) -> ir.Type:
    """The type of the shadow of a cell or stack; that of a fixed-point cell holds floats."""
    if not holds_fixed(type_):
        return type_
    return ir.MemRefType.get(type_.shape, ir.F64Type.get(), type_.layout, type_.memory_space)


def _same_view(cell: ir.Value, source: ir.Value) -> ir.Value:
    """The part of another cell that a view is of its own, right behind it."""
    view = cell.owner
    with ir.InsertionPoint.after(view), view.location:
        made = ir.Operation.create(
            view.name,
            results=[shadow_type(cell.type)],
            operands=[source, *list(view.operands)[1:]],
            attributes={name: view.attributes[name] for name in view.attributes},
        )
    return made.results[0]
