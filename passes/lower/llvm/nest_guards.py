"""Loops made easy for LLVM: those that run once are none, and whether inner loops run at all is asked once per nest.

```mlir
scf.for %i = %c0 to %n step %c1 {
  scf.for %j = %c0 to %m step %c1 {
```
LLVM asks before the inner loop whether `%m` is positive, for every `%i`, and then makes two outer loops of one to ask
only once. That takes longer to compile than all else about a short nest. So the nest goes into
```mlir
%some = arith.cmpi slt, %c0, %m
scf.if %some {
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to max(%m, 1) step %c1 {
```
and the maximum, which is `%m` there, tells LLVM that the inner loop runs.
"""

from __future__ import annotations

from itertools import compress

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.build import index
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.sizes.sizes import constant_int

LOOP = "scf.for"
END = "scf.yield"
PURE = "arith."


def ease_loops(loops: list[ir.Operation]) -> None:
    """Removes those of some loops, given inner ones first, that run once, and guards the nests of the others."""
    single = [_runs_once(loop) for loop in loops]
    for loop in compress(loops, single):
        _inline(loop)
    guarded: set[ir.Block] = set()
    for loop in reversed([loop for loop, is_single in zip(loops, single, strict=True) if not is_single]):
        if loop.regions[0].blocks[0] not in guarded and not len(loop.results):
            nest = _nest(loop)
            guarded.update(inner.regions[0].blocks[0] for inner in nest)
            _guard(loop, [inner for inner in nest if _may_not_run(inner) and _is_bounded_outside(inner, loop)])


def _runs_once(loop: ir.Operation) -> bool:
    lower, upper, step = (constant_int(value) for value in list(loop.operands)[:3])
    return lower is not None and upper is not None and step is not None and lower < upper <= lower + step


def _inline(loop: ir.Operation) -> None:
    """Puts the body of a loop that runs once in its place."""
    body = loop.regions[0].blocks[0]
    started = [loop.operands[0], *operands_of(loop, "carried")]
    for argument, value in zip(body.arguments, started, strict=True):
        argument.replace_all_uses_with(value)
    *inside, last = list(body.operations)
    for op in inside:
        op.operation.move_before(loop)
    for result, value in zip(loop.results, last.operands, strict=True):
        result.replace_all_uses_with(value)
    loop.erase()


def _nest(loop: ir.Operation) -> list[ir.Operation]:
    """The loops below one that have no work beside them but arithmetic, from the outside in."""
    found: list[ir.Operation] = []
    while (inner := _only_loop(loop.regions[0].blocks[0])) is not None:
        loop = inner
        found.append(loop)
    return found


def _only_loop(block: ir.Block) -> ir.Operation | None:
    """The loop without results that is all a body does but for arithmetic."""
    found = None
    for view in block.operations:
        op = view.operation
        if op.name.startswith(PURE) or op.name == END:
            continue
        if found is not None or op.name != LOOP or len(op.results):
            return None
        found = op
    return found


def _may_not_run(loop: ir.Operation) -> bool:
    """Whether a loop starts at a constant and ends at what is not known."""
    return constant_int(loop.operands[0]) is not None and constant_int(loop.operands[1]) is None


def _is_bounded_outside(loop: ir.Operation, outer: ir.Operation) -> bool:
    upper = loop.operands[1]
    block = upper.owner if isinstance(upper, ir.BlockArgument) else upper.owner.operation.block
    while block.owner.operation.name != "func.func":
        if block.owner.operation == outer:
            return False
        block = block.owner.operation.block
    return True


def _guard(nest: ir.Operation, loops: list[ir.Operation]) -> None:
    """Runs a nest only if these of its loops run, and tells LLVM so."""
    if not loops:
        return
    with ir.InsertionPoint(nest), nest.location:
        conditions = []
        for loop in loops:
            lower, upper = constant_int(loop.operands[0]), loop.operands[1]
            assert lower is not None
            conditions.append(arith.cmpi(arith.CmpIPredicate.slt, index(lower), upper))
            loop.operands[1] = arith.maxsi(upper, index(lower + 1))
        for condition in conditions[1:]:
            conditions[0] = arith.andi(conditions[0], condition)
        choice = scf.IfOp(conditions[0])
        with ir.InsertionPoint(choice.then_block):
            end = scf.YieldOp([])
    nest.move_before(end.operation)
