"""Solves the equations of a block for its operands: knowledge spreads from statement to statement.

A statement whose operands are known gives its results. One whose result is known may give the operand that is not, by
the rule for its operation. Whatever is learned is a step that can be written down as code, in the order of learning.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.reversible.inverses.holes import Hole
from tapeless.passes.ad.reversible.inverses.undoing import Step
from tapeless.passes.ir.scopes import outer_values

Inverse = Callable[["Solver", ir.OpView], None]


@dataclass(frozen=True)
class Inverses:
    """The rules by operation, and those tried on a block when these lead no further."""

    rules: Mapping[str, Inverse]
    together: Callable[[Solver], bool]


@dataclass
class Solver:
    """The known values of one block while it is undone.

    Values from outside are known, unless they belong to the block around (`outer`), which knows. `dependent` are those
    found from what the block ended with; `shifts` tells that errors in these pass on without growing. `likes` are
    arrays with the sizes of unknown ones, `undone` the statements whose result was taken back, `divided` those of them
    that were so by a division, which enlarges errors if the divisor is small, `supposed` are conditions of which one
    side is looked at, `loops` the first results of undone loops, `plans` what was found out about inner loops.
    """

    block: ir.Block
    inverses: Inverses
    outer: Solver | None = None
    known: set[ir.Value] = field(default_factory=set)
    holes: dict[ir.Value, tuple[Hole, ...]] = field(default_factory=dict)
    dependent: set[ir.Value] = field(default_factory=set)
    shifts: bool = True
    steps: list[Step] = field(default_factory=list)
    ran: set[int] = field(default_factory=set)
    learned: list[ir.Value] = field(default_factory=list)
    undone: list[ir.OpView] = field(default_factory=list)
    divided: list[ir.OpView] = field(default_factory=list)
    likes: dict[ir.Value, ir.Value] = field(default_factory=dict)
    supposed: dict[ir.Value, bool] = field(default_factory=dict)
    loops: set[ir.Value] = field(default_factory=set)
    plans: dict[ir.Value, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.statements = list(self.block.operations)[:-1]
        self.inside = {*self.block.arguments, *(r for op in self.statements for r in op.operation.results)}
        self._touched: dict[ir.Value, list[int]] = {}
        for k, op in enumerate(self.statements):
            for value in {*op.operation.results, *outer_values(op.operation)}:
                self._touched.setdefault(value, []).append(k)
        self._pending: deque[int] = deque()

    def is_known(self, value: ir.Value) -> bool:
        """Whether a value can be computed in the reversed code."""
        if value in self.known:
            return True
        if value in self.inside:
            return False
        return self.outer is None or self.outer.is_known(value)

    def all_known(self, values: Iterable[ir.Value]) -> bool:
        """Whether all of the values can be computed."""
        return all(map(self.is_known, values))

    def is_dependent(self, value: ir.Value) -> bool:
        """Whether an error in the final values of the block would show in this value."""
        return value in self.dependent or (self.outer is not None and self.outer.is_dependent(value))

    def assume(self, value: ir.Value, holes: tuple[Hole, ...] = ()) -> None:
        """Takes a value the block ends with for known, but for some places."""
        if self.is_known(value):
            return
        self.dependent.add(value)
        if holes:
            self.holes[value] = holes
        else:
            self.known.add(value)
            self.holes.pop(value, None)

    def learn(
        self, value: ir.Value, step: Step, reads: Iterable[ir.Value] = (), *, op: ir.OpView, grows: bool = False
    ) -> None:
        """Writes down how an unknown value is found by undoing `op`; `reads` are the other values in its equation."""
        if any(map(self.is_dependent, reads)) or grows:
            self.shifts = False
        self.undone.append(op)
        self.dependent.add(value)
        self._add(value, step)

    def learn_all(
        self, values: Sequence[ir.Value], step: Step, reads: Iterable[ir.Value] = (), *, op: ir.OpView
    ) -> None:
        """The same for several values that one step finds."""
        first, *others = values
        self.learn(first, step, reads, op=op)
        for other in others:
            self.learn(other, lambda _: None, op=op)

    def _add(self, value: ir.Value, step: Step) -> None:
        self.known.add(value)
        self.holes.pop(value, None)
        self.learned.append(value)
        self.steps.append(step)
        self.touch(value)

    def touch(self, value: ir.Value) -> None:
        """Looks again at the statements that a value belongs to."""
        self._pending.extend(self._touched.get(value, ()))

    def solve(self) -> Solver:
        """Learns all that can be learned; gives itself."""
        self._pending.extend(reversed(range(len(self.statements))))
        while True:
            while self._pending:
                self._visit(self._pending.popleft())
            if not self.inverses.together(self):
                return self

    def _visit(self, k: int) -> None:
        op = self.statements[k]
        if k in self.ran:
            return
        if self.all_known(outer_values(op.operation)):
            self._run(k, op)
        elif (rule := self.inverses.rules.get(op.operation.name)) is not None:
            rule(self, op)

    def _run(self, k: int, op: ir.OpView) -> None:
        """A statement whose operands are known runs as it did, unless its results are known already."""
        results = list(op.operation.results)
        if all(result in self.known for result in results):
            return
        self.ran.add(k)
        if any(self.is_dependent(value) for value in outer_values(op.operation)):
            self.dependent.update(results)
        self.steps.append(lambda undoing: undoing.scope.step(op))
        for result in results:
            self.known.add(result)
            self.holes.pop(result, None)
            self.touch(result)

    def inside_of(self, block: ir.Block) -> Solver:
        """A solver for a block inside a statement of this one."""
        return Solver(block, self.inverses, self, plans=self.plans)

    def supposing(self, condition: ir.Value, holds: bool) -> Solver:
        """A solver for the same block in which a condition holds, or does not."""
        made = Solver(self.block, self.inverses, self.outer, set(self.known), dict(self.holes), set(self.dependent))
        made.ran, made.likes, made.supposed = set(self.ran), self.likes, {**self.supposed, condition: holds}
        made.plans = self.plans
        return made

    def absorb(self, inner: Solver) -> None:
        """Takes over the results of an inner solver: whether errors can grow, and the inverted statements."""
        self.shifts &= inner.shifts
        self.undone += inner.undone
        self.divided += inner.divided
