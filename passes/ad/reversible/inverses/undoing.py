"""The code of one reversed iteration while it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.redundant.scope.sweep import Sweep


@dataclass
class Undoing:
    """Where values that have been found again are written down, by the names they had in the body.

    `bases` are arrays known but for some places; `saved` collects what the return rules of undone statements need.
    """

    scope: Sweep
    bases: dict[ir.Value, ir.Value] = field(default_factory=dict)

    def value(self, name: ir.Value) -> ir.Value:
        """A known value of the body in this iteration."""
        return self.scope.primal(name)

    def values(self, names: Iterable[ir.Value]) -> list[ir.Value]:
        """Known values of the body in this iteration."""
        return self.scope.primals(names)

    def bind(self, name: ir.Value, value: ir.Value) -> None:
        """Records a recovered value."""
        self.scope.bind([name], [value])

    def run(self, steps: Sequence[Step]) -> None:
        """Writes the code of steps, in order."""
        for step in steps:
            step(self)

    @contextmanager
    def apart(self, names: Sequence[ir.Value]) -> Iterator[None]:
        """Forgets the values found for `names` inside afterwards: they belong to one branch."""
        values = self.scope.values
        before = {name: values[name] for name in names if name in values}
        yield
        for name in names:
            values.pop(name, None)
        values.update(before)


Step = Callable[[Undoing], None]
