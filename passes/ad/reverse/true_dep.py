"""Loops whose arrays lose no value that is read again (`ad.kept`): the final array stands for every earlier state.

The user promises that no element is written after it has been read or written. With checks on, what each iteration
reads is stored, and the return sweep compares it with what it reads from the final array.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dialects import soac
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import free_values
from tapeless.passes.soac.build import dim, is_array, mapped, number, reduce_
from tapeless.passes.soac.rows import row_at

MARK = "ad.kept"
WRITES = {"tensor.insert": 1, "tensor.insert_slice": 1}
MESSAGE = "an array named in true_dep was overwritten after it was read; drop true_dep or write every element once"


def unstored(loop: ir.OpView) -> set[int]:
    """The positions of the carried arrays that the user promised about."""
    block = loop.operation.regions[0].blocks[0]
    carried = list(block.arguments)[1:]
    marked = [op.operation.operands[0] for op in block.operations if op.operation.name == MARK]
    return {k for k, value in enumerate(carried) if value in marked}


def reads(loop: ir.OpView) -> list[ir.Value]:
    """The float results of the body's statements that read such an array."""
    block = loop.operation.regions[0].blocks[0]
    versions = {block.arguments[1 + k] for k in unstored(loop)}
    found = []
    for op in list(block.operations)[:-1]:
        name = op.operation.name
        is_write = name in WRITES and op.operation.operands[WRITES[name]] in versions
        if is_write or (name == MARK and op.operation.operands[0] in versions):
            versions.update(op.operation.results)
        elif any(value in versions for value in [*op.operation.operands, *free_values(op)]):
            found += [result for result in op.operation.results if is_float(result.type)]
    return found


def check_reads(again: Sequence[ir.Value], stored: Sequence[ir.Value], position: ir.Value) -> None:
    """Raises when something is read now that is not what was read then."""
    bit = ir.IntegerType.get_signless(1)
    for value, rows in zip(again, stored, strict=True):
        same = _same(value, row_at(rows, position), bit)
        kind, message = ir.StringAttr.get("TapelessError"), ir.StringAttr.get(MESSAGE)
        soac.AssertOp(same, [], kind=kind, message=message)


def _same(left: ir.Value, right: ir.Value, bit: ir.Type) -> ir.Value:
    """Whether two scalars or arrays are equal, NaN being equal to anything."""
    if not is_array(left):
        return arith.CmpFOp(arith.CmpFPredicate.UEQ, left, right).result
    width = dim(left, 0)
    rows = mapped(width, [left, right], lambda a, b: _same(a, b, bit))
    return reduce_(width, [rows], [number(bit, 1)], lambda a, b: [arith.AndIOp(a[0], b[0]).result])[0]
