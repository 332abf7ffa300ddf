"""`rev.chain`: many steps that have no inverse, as one statement that has one."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.rev.bodies import pure_problems
from tapeless.dialects.rev.cells import base, cell_problems, read, value_type
from tapeless.dialects.rev.dialect import Operation
from tapeless.dialects.rev.strategies import OF_CHAINS, strategy_problems
from tapeless.dialects.verification import Problems, types_text

KINDS = ("add", "sub")


class ChainOp(Operation, name="chain"):
    """Adds to some cells the result of n steps on others, although a step has no inverse; `kind = "sub"` subtracts it.

    ```mlir
    "rev.chain"(%n, %x, %y) ({
    ^bb0(%i: index, %v: f64):
      %next = math.sin %v : f64
      "rev.yield"(%next) : (f64) -> ()
    }) {kind = "add", strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1>}
      : (index, memref<f64>, memref<f64>) -> ()
    ```
    Operands: the number of steps, the cells with the states before the first step, and one cell for each state after
    the last. `step` makes the states after one step of those before it. Only the first and the last states stay. With
    `strategy = "bennett"` the states in between are made and undone by steps, stretches being cut into `budget` parts;
    with `treeverse` they are overwritten, and derivatives keep at most `budget` of them at once. The inverse exchanges
    add and sub.
    """

    steps: ext.Operand[ir.IndexType]
    starts: Sequence[ext.Operand[Any]]
    targets: Sequence[ext.Operand[Any]]
    kind: ir.StringAttr
    strategy: ir.StringAttr
    budget: ir.IntegerAttr
    step: ext.Region

    def written_cells(self) -> Sequence[ir.Value]:
        return self.targets

    def read_cells(self) -> Sequence[ir.Value]:
        return self.starts

    def problems(self) -> Problems:
        for cell in (*self.starts, *self.targets):
            yield from cell_problems("a cell", cell.type)
        starts, targets = ([cell.type for cell in cells] for cells in (self.starts, self.targets))
        if starts != targets:
            yield f"has targets {types_text(targets)}; make them {types_text(starts)}: one for each state"
        if self.kind.value not in KINDS:
            yield f"has the unknown kind {self.kind.value!r}; use one of {', '.join(KINDS)}"
        yield from strategy_problems(self, OF_CHAINS)
        states = [value_type(cell.type) for cell in self.starts]
        arguments = [ir.IndexType.get(self.context), *states]
        yield from pure_problems("step", self.step, states, "the next state of each cell", arguments)
        written = {base(cell) for cell in self.targets}
        if len(written) < len(targets) or {*map(base, self.starts), *read(self.step)} & written:
            yield "has a target that it reads, or twice; give each state a target of its own"
