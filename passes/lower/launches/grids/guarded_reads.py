"""Branches that do nothing but read, without the branch: who would not read, reads the first element and drops it.

Every buffer has a first element that can be read, if it has elements or not: the runtime sees to it. Without branches,
accesses of several iterations can be joined.

```mlir
%v = scf.if %c -> (f32) {                       %j = arith.select %c, %i, %c0
  %x = memref.load %m[%i]                       %x = memref.load %m[%j]
  scf.yield %x                                  %v = arith.select %c, %x, %zero
} else { scf.yield %zero }
```
"""

from __future__ import annotations

from tapeless._mlir import arith, ir

# Longer branches are worth their jump: a guess that fits the programs.
MOST_OPERATIONS = 16
DIVISIONS = ("arith.div", "arith.rem", "arith.ceildiv", "arith.floordiv")


def is_guarded_read(op: ir.Operation) -> bool:
    """Whether an operation is a branch whose results are read, or little else."""
    if op.name != "scf.if" or not len(op.results):
        return False
    inner = operations_of(op)
    return len(inner) <= MOST_OPERATIONS and all(map(_is_simple, inner))


def operations_of(branch: ir.Operation) -> list[ir.Operation]:
    """The operations in the arms of a branch, but for their ends."""
    blocks = [block for region in branch.regions for block in region.blocks]
    return [view.operation for block in blocks for view in list(block.operations)[:-1]]


def _is_simple(op: ir.Operation) -> bool:
    if op.name == "memref.load":
        return 0 not in ir.MemRefType(op.operands[0].type).shape
    is_division = op.name.startswith(DIVISIONS) and not op.name.endswith("f")
    return op.name.startswith("arith.") and not is_division


def read_always(branch: ir.Operation) -> None:
    """Takes the place of such a branch."""
    condition = branch.operands[0]
    ends = [list(region.blocks[0].operations)[-1].operation for region in branch.regions]
    values = [list(end.operands) for end in ends]
    with ir.InsertionPoint(branch), branch.location:
        zero = arith.constant(ir.IndexType.get(), 0)
        for op in operations_of(branch):
            is_first = op.block == branch.regions[0].blocks[0]
            op.move_before(branch)
            if op.name == "memref.load":
                _clamp(op, condition, zero, is_first)
        for result, first, second in zip(branch.results, *values, strict=True):
            result.replace_all_uses_with(arith.select(condition, first, second))
    branch.erase()


def _clamp(load: ir.Operation, condition: ir.Value, zero: ir.Value, is_first: bool) -> None:
    """Has a load go to the first element unless its arm of the branch is taken."""
    with ir.InsertionPoint(load):
        for position, index in list(enumerate(load.operands))[1:]:
            pair = (index, zero) if is_first else (zero, index)
            load.operands[position] = arith.select(condition, *pair)
