"""Rules of loops, branches, calls and checks."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dialects import soac
from tapeless.passes.imports.emit.regions import counted
from tapeless.passes.imports.linalg.rebuild import Rebuild, Translate, copied
from tapeless.passes.imports.stablehlo.translator import refuse

Values = Sequence[ir.Value]


def _for(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    """A loop that counts; one that counts by integers counts by `index`, as core IR does."""
    kind = operands[0].type
    if isinstance(kind, ir.IndexType):
        return copied(rebuild, op, operands)
    if "unsignedCmp" in op.attributes:
        refuse(op, "counts by unsigned integers; count by index")
    start, stop, step = (arith.IndexCastOp(ir.IndexType.get(), bound).result for bound in operands[:3])

    def body(position: ir.Value, state: Values) -> list[ir.Value]:
        count = arith.IndexCastOp(kind, position).result
        return rebuild.block(op.regions[0].blocks[0], [count, *state])

    return counted(start, stop, step, list(operands[3:]), body)


def _assert(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    """A check, with its message."""
    message = ir.StringAttr(op.attributes["msg"]).value.replace("{}", "{ }")
    soac.AssertOp(operands[0], [], ir.StringAttr.get("CheckFailed"), ir.StringAttr.get(message))
    return []


RULES: dict[str, Translate] = {
    "cf.assert": _assert,
    "func.call": copied,
    "scf.for": _for,
    "scf.if": copied,
    "scf.while": copied,
}
