"""How values reach one another in loops on memrefs: through operations and through what loops carry."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.lower.vectorise.walking import op_name


def is_product(value: ir.Value) -> bool:
    """Whether a multiplication made `value`."""
    return not isinstance(value.owner, ir.Block) and op_name(value.owner) == "arith.mulf"


def is_float(type_: ir.Type) -> bool:
    """Whether a type is that of the floats that lanes compute with."""
    return isinstance(type_, (ir.F64Type, ir.F32Type))


def partners(loop: ir.Operation) -> Iterator[tuple[ir.Value, ir.Value]]:
    """Each carried argument of a loop with the result that it ends as, both ways round."""
    for argument, result in zip(arguments_of(loop, "carried"), loop.operation.results, strict=True):
        yield argument, result
        yield result, argument


def carried_in(op: ir.Operation) -> list[tuple[ir.Value, ir.Value]]:
    """The operands that enter an inner loop's carried arguments at its start, or at the end of its body."""
    loop = op if op_name(op) == "scf.for" else op.operation.parent
    if op_name(loop) != "scf.for":
        return []
    values = operands_of(op, "carried") if op_name(op) == "scf.for" else op.operation.operands
    return list(zip(values, arguments_of(loop, "carried"), strict=True))
