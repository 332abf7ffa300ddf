"""Derivatives of a segment as a whole where they are finite, and operation by operation elsewhere.

A product that is taken in another order may overflow where the one that was written does not. Whether that happened
shows in the result, which is infinite or no number then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.coarsened.finite import are_finite
from tapeless.passes.ad.forward.push import Push
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.segmented import body_of_segment, yielded_by
from tapeless.passes.ir.build import flags
from tapeless.passes.ir.guards import OPERATIONS
from tapeless.passes.phi.differentiate.derivative import Derivative
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.exchange.segment import Expressions
from tapeless.passes.phi.graph.sums import negate


@dataclass(frozen=True)
class Guarded:
    """Derivatives of a segment as a whole, nothing for those that are zero.

    Seeds among them are the same in any form. Those at places that `opposite` names are the negatives of others. The
    exact way is that of operations, or of the steps of a loop.
    """

    values: Sequence[ir.Value | None]
    seeds: Sequence[ir.Value] = ()
    opposite: Mapping[int, int] = field(default_factory=dict)
    exact: str = OPERATIONS

    def where_finite(self, op_by_op: Callable[[], Sequence[ir.Value]]) -> list[ir.Value | None]:
        """The values if all of them are finite, else those that `op_by_op` writes."""
        found, places = list(self.values), self._places()
        there = [value for k in places if (value := self.values[k]) is not None]
        if not there:
            return found
        choice = scf.IfOp(are_finite(there, self.exact), [value.type for value in there], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp(there)
        with ir.InsertionPoint(choice.else_block):
            made = op_by_op()
            scf.YieldOp([made[k] for k in places])
        for k, value in zip(places, choice.results, strict=True):
            found[k] = value
        for k, other in self.opposite.items():
            if self.values[k] is not None:
                found[k] = arith.NegFOp(found[other], fastmath=flags()).result
        return found

    def _places(self) -> list[int]:
        """Of the values that may be infinite or no number, of opposite ones the first."""
        values = enumerate(self.values)
        return [k for k, value in values if value is not None and value not in self.seeds and k not in self.opposite]


def opposite_adjoints(
    derivative: Derivative, found: Expressions, seeded: Sequence[int], wanted: Sequence[int]
) -> dict[int, int]:
    """By place, the adjoints that are the negative of an earlier one, as a whole and operation by operation."""
    g = found.graph
    seeds = {root: g.symbol(("seed", k), root.type) for k, root in enumerate(found.roots[k] for k in seeded)}
    plain = adjoints(g, seeds, [found.symbols[k] for k in wanted])
    result: dict[int, int] = {}
    for k in range(len(wanted)):
        for j in range(k):
            as_a_whole = negate(derivative.graph, derivative.roots[j]) is derivative.roots[k]
            if j not in result and as_a_whole and negate(g, plain[j]) is plain[k]:
                result[k] = j
                break
    return result


def adjoints_op_by_op(
    sweep: Sweep, op: ir.OpView, seeded: Sequence[int], seeds: Sequence[ir.Value], wanted: Sequence[int]
) -> list[ir.Value]:
    """The adjoints of the wanted inputs of a segment by the rules of its operations, which run again."""
    block = body_of_segment(op)
    scope = replace(sweep.scope(), values=dict(sweep.values), saved=dict(sweep.saved))
    scope.bind(block.arguments, sweep.primals(op.inputs))
    scope.run_forward(block)
    yielded = yielded_by(op)
    for place, seed in zip(seeded, seeds, strict=True):
        scope.bars.add(yielded[place], seed)
    scope.run_back(block)
    return [scope.bars.or_zeros(block.arguments[k], sweep.primal(op.inputs[k])) for k in wanted]


def tangents_op_by_op(push: Push, direction: int, op: ir.OpView, results: Sequence[int]) -> list[ir.Value]:
    """The tangents of some results of a segment in one direction, by the rules of its operations."""
    block = body_of_segment(op)
    given = dict(push.tangents[direction])
    given |= {name: given[value] for name, value in zip(block.arguments, op.inputs, strict=True) if value in given}
    values = dict(push.values)
    values |= dict(zip(block.arguments, push.primals(op.inputs), strict=True))
    inner = Push(push.rules, [push.activities[direction]], values, [given], repeats=True)
    yielded = inner.run(block)
    return [inner.tangent_or_zeros(0, yielded[k]) for k in results]
