"""The interface of loops to the code around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.nodes import Body, Node

Values = list[ir.Value]
Emit = Callable[[Sequence[Node], Mapping[Node, ir.Value]], Values]


@dataclass(frozen=True)
class Code:
    """Writes expressions at the insertion point; `flags` are those of sums and products.

    `is_free` tells that sums may be taken in any order.
    """

    emit: Emit
    flags: ir.Attribute
    taken: Mapping[Node, ir.Value]
    is_free: bool

    def body(self, body: Body, arguments: Sequence[ir.Value]) -> Values:
        """The results of a body for some arguments."""
        return self.emit(body.results, {**self.taken, **dict(zip(body.parameters, arguments, strict=True))})

    def add(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """a + b."""
        return arith.AddFOp(a, b, fastmath=self.flags).result

    def multiply(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """a * b."""
        return arith.MulFOp(a, b, fastmath=self.flags).result


def counted(low: ir.Value, high: ir.Value, inits: Values, step: Callable[[ir.Value, Values], Values]) -> Values:
    """A loop over low <= i < high; `step` gives the next values."""
    made = scf.ForOp(low, high, index(1), inits)
    with ir.InsertionPoint(made.body):
        scf.YieldOp(step(made.induction_variable, list(made.inner_iter_args)))
    return list(made.results)


def index(value: int) -> ir.Value:
    """A constant index."""
    return arith.ConstantOp(ir.IndexType.get(), ir.IntegerAttr.get(ir.IndexType.get(), value)).result
