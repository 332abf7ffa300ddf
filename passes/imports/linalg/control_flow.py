"""Rules of loops, branches, calls and checks."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import soac
from tapeless.passes.imports.emit.regions import counted
from tapeless.passes.imports.linalg.rebuild import Rebuild, Translate, copied, core_type
from tapeless.passes.imports.stablehlo.translator import refuse
from tapeless.passes.ir.build import index

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


def _execute_region(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    """Inlines the region in place of the operation."""
    blocks = list(op.regions[0].blocks)
    if len(blocks) > 1:
        refuse(op, "has a region of several blocks; use scf.if, scf.for and scf.while for branches and loops")
    return rebuild.block(blocks[0], [])


def _index_switch(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    """A chain of branches, the default the last."""
    default, *regions = op.regions
    cases = list(zip(op.attributes["cases"], regions, strict=True))
    types = [core_type(result.type) for result in op.results]

    def chain(left: Sequence[tuple[int, ir.Region]]) -> list[ir.Value]:
        if not left:
            return rebuild.block(default.blocks[0], [])
        (case, region), *others = left
        matches = arith.CmpIOp(arith.CmpIPredicate.eq, operands[0], index(case)).result
        branch = scf.IfOp(matches, types, has_else=True)
        with ir.InsertionPoint(branch.then_block):
            scf.YieldOp(rebuild.block(region.blocks[0], []))
        with ir.InsertionPoint(branch.else_block):
            scf.YieldOp(chain(others))
        return list(branch.results)

    return chain(cases)


RULES: dict[str, Translate] = {
    "cf.assert": _assert,
    "func.call": copied,
    "scf.execute_region": _execute_region,
    "scf.for": _for,
    "scf.if": copied,
    "scf.index_switch": _index_switch,
    "scf.while": copied,
}
