"""Nests of loops by the number of an iteration: how many there are, and the kernel's code for one of them."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.lower.launches.grids.wide import is_only_computing
from tapeless.passes.lower.launches.host.host import Host
from tapeless.passes.lower.launches.kernels.kernel import Kernel
from tapeless.passes.lower.launches.plan.integers import steps
from tapeless.passes.lower.launches.plan.plan import Expr


def iterations(host: Host, loop: ir.Operation) -> Expr:
    """How many iterations a loop has."""
    low, high, step = (host.known(bound) for bound in list(loop.operands)[:3])
    return host.plan.let(steps(low, high, step))


@dataclass(frozen=True)
class GridNest:
    """Loops that one grid runs, outer ones first, with how many iterations each has.

    The first one begins with so many allocations that are `planned`, which threads do not make.
    """

    loops: list[ir.Operation]
    counts: list[Expr]
    planned: int = 0

    @staticmethod
    def of(host: Host, loop: ir.Operation, planned: Sequence[ir.Operation] = ()) -> GridNest:
        loops = nest_of(loop, planned)
        return GridNest(loops, [iterations(host, each) for each in loops], len(planned))

    def run(self, kernel: Kernel, number: ir.Value) -> None:
        """The iteration of this number."""
        numbers = self._numbers(kernel, number)
        for loop, own in zip(self.loops, numbers, strict=True):
            block = loop.regions[0].blocks[0]
            low, _, step = (kernel.value(bound) for bound in list(loop.operands)[:3])
            kernel.inner[block.arguments[0]] = arith.addi(low, arith.muli(own, step))
            skipped = self.planned if loop is self.loops[0] else 0
            operations = [view.operation for view in block.operations][skipped:-1]
            for op in operations if loop is self.loops[-1] else operations[:-1]:
                kernel.clone(op)

    def run_together(self, kernel: Kernel, numbers: Sequence[ir.Value]) -> None:
        """Several iterations of a single loop: all loads and computations first, then the stores of each."""
        (loop,) = self.loops
        block = loop.regions[0].blocks[0]
        operations = [view.operation for view in block.operations][:-1]
        first = next((place for place, op in enumerate(operations) if not is_only_computing(op)), len(operations))
        low, _, step = (kernel.value(bound) for bound in list(loop.operands)[:3])
        values: list[dict[ir.Value, ir.Value]] = []
        for number in numbers:
            own = {block.arguments[0]: arith.addi(low, arith.muli(number, step))}
            kernel.inner.update(own)
            for op in operations[:first]:
                kernel.clone(op)
                own.update({result: kernel.inner[result] for result in op.results})
            values.append(own)
        for own in values:
            kernel.inner.update(own)
            for op in operations[first:]:
                kernel.clone(op)

    def _numbers(self, kernel: Kernel, number: ir.Value) -> list[ir.Value]:
        """The number of the iteration in each loop; the innermost runs fastest."""
        numbers: list[ir.Value] = []
        for count in self.counts[:0:-1]:
            size = kernel.known(count, ir.IndexType.get())
            numbers.append(arith.remui(number, size))
            number = arith.divui(number, size)
        return [number, *numbers[::-1]]


def thread_number() -> ir.Value:
    """The number of a thread among all of a launch."""
    return arith.addi(arith.muli(position("gpu.block_id"), position("gpu.block_dim")), position("gpu.thread_id"))


def position(name: str) -> ir.Value:
    """A coordinate or size along the one axis that launches have, by the name of its operation."""
    axis = ir.Attribute.parse("#gpu<dim x>")
    return ir.Operation.create(name, [ir.IndexType.get()], [], {"dimension": axis}).results[0]
