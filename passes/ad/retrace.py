"""Chains of steps that are visited backwards: `rev.retrace`, written by Python functions that fill its regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.ad.marks import BENNETT
from tapeless.dialects.core_context import require_dialect
from tapeless.dialects.groups import SEGMENTS
from tapeless.passes.ir.build import cast_to
from tapeless.passes.ir.search import ops_named

Values = list[ir.Value]
Step = Callable[[ir.Value, Values], Values]
Visit = Callable[[ir.Value, Values, Values], Values]


@dataclass(frozen=True)
class Keeping:
    """How states are kept: `budget` of them by Treeverse or bisection, or Bennett's, in stretches of `budget` parts."""

    budget: int
    strategy: str = "treeverse"

    @staticmethod
    def of(loop: ir.OpView, budget: int) -> Keeping:
        """How the states of a loop are kept."""
        return Keeping(budget, "bennett" if BENNETT in loop.operation.attributes else "treeverse")


def retrace(
    bounds: Sequence[ir.Value],
    states: Sequence[ir.Value],
    carried: Sequence[ir.Value],
    keeping: Keeping,
    step: Step,
    visit: Visit,
) -> Values:
    """Visits the steps of a chain backwards; `bounds` are the first index, the number of steps and the stride."""
    require_dialect(ir.Context.current, "rev")
    made = ir.Operation.create(
        "rev.retrace",
        results=[value.type for value in carried],
        operands=[*bounds, *states, *carried],
        attributes={
            "strategy": ir.StringAttr.get(keeping.strategy),
            "budget": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), keeping.budget),
            SEGMENTS: ir.DenseI32ArrayAttr.get([1, 1, 1, len(states), len(carried)]),
        },
        regions=2,
    )
    _write(made.regions[0], states, states, step)
    count = len(states)
    _write(made.regions[1], [*states, *carried], carried, lambda i, values: visit(i, values[:count], values[count:]))
    return list(made.results)


def has_chains(module: ir.Module) -> bool:
    """Whether a program has chains that are still to be scheduled: `rev.retrace`, or loops for Bennett's scheme."""
    return any(
        op.operation.name == "rev.retrace" or BENNETT in op.operation.attributes
        for op in ops_named(module, "rev.retrace", "scf.for")
    )


def _write(region: ir.Region, given: Sequence[ir.Value], wanted: Sequence[ir.Value], emit: Step) -> None:
    types = [ir.IndexType.get(), *(value.type for value in given)]
    block = ir.Block.create_at_start(region, types, [ir.Location.current] * len(types))
    with ir.InsertionPoint(block):
        i, *values = block.arguments
        yielded = emit(i, values)
        soac.YieldOp([cast_to(like.type, value) for like, value in zip(wanted, yielded, strict=True)])
