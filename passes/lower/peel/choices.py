"""Branches that an index outside of a loop decides, made choices between values, so that the loop has none.

Where a border along an outer axis is walked, the guards of that axis hold for a whole row or for none of it:

```mlir
scf.for %k = %a to %b step %c1 {                %row = arith.select %some, %i, %c0
  %y = scf.if %some -> (f64) {                  scf.for %k = %a to %b step %c1 {
    %e = memref.load %g[%i, %k]                   %e = memref.load %g[%row, %k]
    %s = arith.addf %x, %e                        %s = arith.addf %x, %e
    scf.yield %s                                  %y = arith.select %some, %s, %x
  } else { scf.yield %x }
```
What is not chosen is read from the first row instead, so the array must have elements, and must not be written.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, memref
from tapeless.passes.ir.build import index
from tapeless.passes.ir.speculation import is_safe_anywhere
from tapeless.passes.lower.vectorise.walking import body_of, is_made_in, nested, op_name

LOAD, STORE = "memref.load", "memref.store"


def branches_of(loop: ir.Operation) -> list[ir.Operation]:
    """The branches in the body of a loop."""
    return [op.operation for op in body_of(loop).operations if op_name(op) == "scf.if"]


def may_choose(loop: ir.Operation) -> bool:
    """Whether all branches of a loop compute one value or keep another, from arrays that it does not write."""
    written = [op.operands[1] for op in nested(body_of(loop)) if op_name(op) == STORE]
    return all(_is_choice(branch, written) for branch in branches_of(loop))


def _is_choice(branch: ir.Operation, written: list[ir.Value]) -> bool:
    if not len(branch.results) or len(branch.regions[1].blocks[0].operations) != 1:
        return False
    *inside, _ = list(branch.regions[0].blocks[0].operations)
    return all(is_safe_anywhere(op) or (op_name(op) == LOAD and op.operands[0] not in written) for op in inside)


def have_elements(loop: ir.Operation) -> ir.Value | None:
    """Whether all arrays that the branches of a loop read have elements, at the insertion point."""
    loads = [op for branch in branches_of(loop) for op in branch.regions[0].blocks[0].operations if op_name(op) == LOAD]
    found: ir.Value | None = None
    for array in dict.fromkeys(load.operands[0] for load in loads):
        for axis in range(array.type.rank):
            some = arith.cmpi(arith.CmpIPredicate.sgt, memref.dim(array, index(axis)), index(0))
            found = some if found is None else arith.andi(found, some)
    return found


def choose(loop: ir.Operation) -> None:
    """Replaces the branches of a loop that something outside of it decides."""
    for branch in branches_of(loop):
        if _is_steady(branch.operands[0], loop):
            _choose(branch, loop)


def _choose(branch: ir.Operation, loop: ir.Operation) -> None:
    condition = branch.operands[0]
    (kept,) = (list(block.operations[0].operands) for block in branch.regions[1].blocks)
    *inside, last = list(branch.regions[0].blocks[0].operations)
    for op in inside:
        op.operation.move_before(branch)
        if op_name(op) == LOAD:
            _read_somewhere(op.operation, condition, loop)
    with ir.InsertionPoint(branch), branch.location:
        chosen = [arith.select(condition, *both) for both in zip(last.operands, kept, strict=True)]
    for result, value in zip(branch.results, chosen, strict=True):
        result.replace_all_uses_with(value)
    branch.erase()


def _read_somewhere(load: ir.Operation, condition: ir.Value, loop: ir.Operation) -> None:
    """Lets a load read from the first row where its own need not exist."""
    with ir.InsertionPoint(load), load.location:
        for number, place in list(enumerate(load.operands))[1:]:
            if _is_steady(place, loop):
                load.operands[number] = arith.select(condition, place, index(0))


def _is_steady(value: ir.Value, loop: ir.Operation) -> bool:
    """Whether a value is the same in every iteration."""
    if not is_made_in(value, loop):
        return True
    if isinstance(value.owner, ir.Block) or not value.owner.operation.name.startswith("arith."):
        return False
    return all(_is_steady(operand, loop) for operand in value.owner.operation.operands)
