"""The pass `lower-hoist-buffers`: loops take memory once, not in every iteration."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.sizes import DIVISIONS, constant_int
from tapeless.passes.lower.vectorise.walking import body_of
from tapeless.passes.marks import ACCUMULATING, PARALLEL, REDUCING

LOOP, BRANCH = "scf.for", "scf.if"
# The most operations that compute a size once more in front of a loop.
MOST_OPERATIONS = 64
# The most buffers that a loop keeps while it runs.
MOST_BUFFERS = 16
INDEPENDENCE = (PARALLEL, ACCUMULATING, REDUCING)


@dataclass(frozen=True)
class HoistBuffers:
    """Takes memory in front of loops, and gives it back behind them, whose iterations would take as much each time.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {                     %panel = memref.alloc(%m) : memref<?x16xf64>
      %panel = memref.alloc(%m) : memref<?x16xf64>        scf.for %i = %c0 to %n step %c1 {
      ...                                                   ...
      memref.dealloc %panel                               }
    }                                                     memref.dealloc %panel
    ```
    `lower-loops` does so for arrays; this pass does it for what comes later, such as the panels of products, up to 16
    for a loop. Branches around the memory are left behind: sizes that only hold in them, and may be negative elsewhere,
    are at least zero. Iterations that share memory are no longer independent. Loops that carry memory keep what they
    take, for LLVM could not tell the two apart.
    """

    name: ClassVar[str] = "lower-hoist-buffers"
    after: ClassVar[dict[str, str]] = {"lower-vectorise": "panels of products are made there"}
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Looks at all memory that is taken in a loop."""
        kept: Counter[ir.Block] = Counter()
        for op in _frees(module):
            _hoist(op, kept)


def _frees(module: ir.Module) -> list[ir.OpView]:
    found: list[ir.OpView] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "memref.dealloc":
            found.append(op.opview)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def _hoist(free: ir.OpView, kept: Counter[ir.Block]) -> None:
    """Moves memory that one block takes and gives back out of the loops in which its size is the same."""
    memory = free.operation.operands[0]
    if isinstance(memory, ir.BlockArgument) or memory.owner.operation.name != "memref.alloc":
        return
    take = memory.owner
    loop = _outermost_loop(take) if take.operation.block == free.operation.block else None
    if loop is None or kept[body_of(loop)] == MOST_BUFFERS:
        return
    kept[body_of(loop)] += 1
    _share(take, loop)
    sizes = list(take.operation.operands)
    values: Values = {}
    with ir.InsertionPoint(loop), take.location:
        for each in _steps(sizes, loop) or []:
            copy_op(each, values)
        for position, size in enumerate(sizes):
            take.operation.operands[position] = arith.MaxSIOp(values.get(size, size), index(0)).result
    take.operation.move_before(loop.operation)
    free.operation.move_after(loop.operation)


def _share(take: ir.OpView, loop: ir.OpView) -> None:
    """Takes the marks of independence off all loops from memory to the one that keeps it."""
    around = take.operation
    while around != loop.operation:
        around = around.parent.operation
        for mark in INDEPENDENCE:
            if mark in around.attributes:
                del around.attributes[mark]


def _outermost_loop(take: ir.OpView) -> ir.OpView | None:
    """The outermost loop in front of which all sizes can be computed; nothing if there is none."""
    found, around = None, take.operation.parent
    while around is not None and around.name in (LOOP, BRANCH):
        if _carries_memory(around) or _steps(list(take.operation.operands), around.opview) is None:
            break
        found = around.opview if around.name == LOOP else found
        around = around.operation.parent
    return found


def _carries_memory(loop: ir.Operation) -> bool:
    """Whether a loop carries buffers, which LLVM cannot prove distinct from those allocated before the loop."""
    return any(isinstance(result.type, ir.MemRefType) for result in loop.operation.results)


def _steps(sizes: list[ir.Value], loop: ir.OpView) -> list[ir.OpView] | None:
    """The operations in a loop or branch that sizes take, in order; nothing if these change in it."""
    steps: dict[ir.Value, ir.OpView] = {}

    def add(value: ir.Value) -> bool:
        if value in steps or is_defined_outside(value, loop.operation):
            return True
        if isinstance(value, ir.BlockArgument) or not _is_total(value.owner) or len(steps) > MOST_OPERATIONS:
            return False
        if not all(add(operand) for operand in value.owner.operation.operands):
            return False
        steps[value] = value.owner
        return True

    return list(steps.values()) if all(map(add, sizes)) else None


def _is_total(op: ir.OpView) -> bool:
    """Whether an operation computes a number from numbers, whatever these are."""
    name = op.operation.name
    if name in DIVISIONS and not _is_positive(op.operation.operands[1]):
        return False
    return name.startswith("arith.") or name == "memref.dim"


def _is_positive(divisor: ir.Value) -> bool:
    """Whether a divisor is a positive constant, or at least as large as one."""
    if isinstance(divisor, ir.BlockArgument):
        return False
    bounds = list(divisor.owner.operation.operands) if divisor.owner.operation.name == "arith.maxsi" else [divisor]
    return any((constant_int(bound) or 0) > 0 for bound in bounds)
