"""Prefixes read at the element before, as elements of an exclusive scan.

```mlir
%b = scf.if %i - 1 <u %n { %ys[%i - 1] } else { %c }      %b = select %i == 0, %c, %before
```
where `%ys` is a scan whose operator does not round, so that both are the same number; `%before` is an element of the
exclusive scan. The same for the element behind and scans from the end.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.rebuild import recreate, replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import same_width
from tapeless.passes.ir.sizes.sizes import constant_int

EXACT = frozenset({"minimumf", "maximumf", "minsi", "maxsi", "minui", "maxui", "addi", "muli", "andi", "ori", "xori"})
UNSIGNED_BELOW = arith.CmpIPredicate.ult.value


def use_exclusive_scans(op: ir.OpView) -> ir.OpView:
    """The map without reads of neighbouring prefixes; exclusive scans before it are among its inputs."""
    if len(op.accs):
        return op
    for branch in ops_named(op, "scf.if"):
        found = _read_beside(op, branch)
        if found is not None:
            op = _with_element(op, branch, found)
    return op


def _read_beside(op: ir.OpView, branch: ir.OpView) -> ir.OpView | None:
    """The scan whose prefix before this element a branch reads, if that is all it does."""
    reads = list(branch.regions[0].blocks[0].operations)
    if len(branch.results) != 1 or len(reads) != 2 or reads[0].operation.name != "tensor.extract":
        return None
    if list(reads[1].operands) != list(reads[0].operation.results) or len(branch.regions[1].blocks[0].operations) != 1:
        return None
    array, place = reads[0].operation.operands[0], reads[0].operation.operands[1]
    scan = _scan_of(array)
    if scan is None or len(reads[0].operation.operands) != 2 or not same_width(scan.width, op.width):
        return None
    offset = 1 if ir.BoolAttr(scan.reverse).value else -1
    return scan if _is_beside(op, place, offset) and _is_inside(branch.operands[0], place, op.width) else None


def _scan_of(array: ir.Value) -> ir.OpView | None:
    """The inclusive scan of one component by an operator that does not round."""
    if isinstance(array.owner, ir.Block) or array.owner.operation.name != "soac.scan":
        return None
    scan = array.owner.opview
    body = list(scan.combine.blocks[0].operations)
    is_exact = len(body) == 2 and body[0].operation.name.removeprefix("arith.") in EXACT
    return scan if is_exact and len(scan.inputs) == 1 and not ir.BoolAttr(scan.exclusive).value else None


def _is_beside(op: ir.OpView, place: ir.Value, offset: int) -> bool:
    if isinstance(place.owner, ir.Block) or place.owner.operation.name != "arith.addi":
        return False
    index, step = place.owner.operation.operands
    return index == op.regions[0].blocks[0].arguments[0] and constant_int(step) == offset


def _is_inside(condition: ir.Value, place: ir.Value, width: ir.Value) -> bool:
    if isinstance(condition.owner, ir.Block) or condition.owner.operation.name != "arith.cmpi":
        return False
    test = condition.owner.operation
    is_below = ir.IntegerAttr(test.attributes["predicate"]).value == UNSIGNED_BELOW
    return is_below and test.operands[0] == place and same_width(test.operands[1], width)


def _with_element(op: ir.OpView, branch: ir.OpView, scan: ir.OpView) -> ir.OpView:
    block = op.regions[0].blocks[0]
    with ir.InsertionPoint(op), op.location:
        exclusive = scan.operation.clone()
        exclusive.attributes["exclusive"] = ir.BoolAttr.get(True)
    before = block.add_argument(branch.results[0].type, op.location)
    with ir.InsertionPoint(branch), branch.location:
        index, width = block.arguments[0], op.width
        zero, one = (arith.constant(ir.IndexType.get(), number) for number in (0, 1))
        edge = arith.subi(width, one) if ir.BoolAttr(scan.reverse).value else zero
        is_edge = arith.cmpi(arith.CmpIPredicate.eq, index, edge)
        otherwise = branch.regions[1].blocks[0].operations[0].operands[0]
        chosen = arith.select(is_edge, otherwise, before)
    replace_op(branch, [chosen])
    groups = [[op.width], [*op.inputs, exclusive.results[0]], []]
    made = recreate(op, groups, [value.type for value in op.results])
    replace_op(op, list(made.results))
    return made
