"""Cells that a call reads through several parameters: each parameter has a shadow of its own for the call.

```mlir
f(y, a[i], a[j])                 i and j may be the same

ancilla z_bar = 0 {              the adjoint: shadows of different cells
  a_bar[j] -= z_bar              nothing yet; its inverse stands behind the inverse call
  f.adj(y, a[i], a[j], y_bar, a_bar[i], z_bar)
  a_bar[j] += z_bar
}
```
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir, memref, tensor
from tapeless.dialects import rev
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.rev.cells import value_type
from tapeless.dialects.rev.dialect import YieldOp
from tapeless.dialects.rev.places import Symbols, are_apart, place
from tapeless.dialects.rev.procedures import find_procedure
from tapeless.passes.ir.build import index, number
from tapeless.passes.rev.adjoint.shadows import Shadows, has_shadow, shadow_type

DROPPED = "dropped"
Call = Callable[[list[ir.Value]], None]


def shared_reads(op: ir.OpView) -> list[int]:
    """The positions of arguments that are only read and may share elements with one before that is only read, too."""
    procedure = find_procedure(op)
    if not isinstance(procedure, rev.FuncOp):
        return []
    modes = procedure.mode_names
    read = [k for k, each in enumerate(op.arguments) if modes[k] == "in" and has_shadow(each.type)]
    return [k for n, k in enumerate(read) if any(_may_share(op.arguments[j], op.arguments[k]) for j in read[:n])]


def _may_share(one: ir.Value, other: ir.Value) -> bool:
    left, right = (place(cell, (), Symbols()) for cell in (one, other))
    return left.cell == right.cell and not are_apart(left, right)


def with_own_shadows(shadows: Shadows, op: ir.OpView, positions: Sequence[int], call: Call) -> None:
    """Calls `call` with the shadows of the arguments, those at `positions` being ancillas that are added to theirs."""
    real = {k: shadows.of(each) for k, each in enumerate(op.arguments) if has_shadow(each.type)}
    given = dict(real)
    where = ir.InsertionPoint(op)
    for k in positions:
        block = _ancilla(op.arguments[k], where)
        given[k] = block.arguments[0]
        where = ir.InsertionPoint(block)
    with where:
        for k in positions:
            _add(shadows, real[k], given[k], "sub")
        call([given[k] for k in sorted(given)])
        for k in reversed(positions):
            _add(shadows, real[k], given[k], "add")


def _ancilla(cell: ir.Value, where: ir.InsertionPoint) -> ir.Block:
    """The empty body of an ancilla for the shadow of a cell, whose final value is dropped."""
    with where:
        made = ir.Operation.create("rev.ancilla", attributes={DROPPED: ir.UnitAttr.get()}, regions=3)
    with ir.InsertionPoint(ir.Block.create_at_start(made.regions[0])):
        YieldOp([_zeros(cell)])
    return ir.Block.create_at_start(made.regions[2], [shadow_type(cell.type)], [ir.Location.current])


def _zeros(cell: ir.Value) -> ir.Value:
    """Zeros of the size of a cell."""
    type_ = value_type(cell.type)
    if not isinstance(type_, ir.RankedTensorType):
        return number(type_, 0.0)
    unknown = [axis for axis, size in enumerate(type_.shape) if size == DYNAMIC]
    sizes = [memref.DimOp(cell, index(axis)).result for axis in unknown]
    return tensor.SplatOp(type_, number(type_.element_type, 0.0), sizes).result


def _add(shadows: Shadows, target: ir.Value, source: ir.Value, kind: str) -> None:
    made = ir.Operation.create("rev.accum", operands=[target], attributes={"kind": ir.StringAttr.get(kind)}, regions=1)
    with ir.InsertionPoint(ir.Block.create_at_start(made.regions[0])):
        read = ir.Operation.create("rev.read", results=[value_type(source.type)], operands=[source])
        YieldOp([read.results[0]])
    shadows.mark(made)
