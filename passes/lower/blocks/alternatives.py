"""Two ways to do the same, of which the sizes of a call choose one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import VARIANTS

SIGNED_NOT_ABOVE = 3

# Emits one of the ways; returns its results.
Way = Callable[[], list[ir.Value] | None]


def few_or_many(
    emitter: Emitter,
    count: Index,
    most: Index,
    few: Way,
    many: Way,
    types: Sequence[ir.Type] = (),
    both_emit: Node | None = None,
) -> list[ir.Value]:
    """The results of `few` for a count up to `most`, else those of `many`; both may emit the bodies of one operator."""
    branch = begin_if_few(emitter, count, most, types)
    branch.attributes[VARIANTS] = ir.UnitAttr.get(branch.context)
    end_region(emitter, few() or ())
    if both_emit is not None:
        emitter.forget(both_emit)
    emitter.builder.push(branch, 1, [], is_branch=True)
    end_region(emitter, many() or ())
    return list(branch.results)


def begin_if_few(emitter: Emitter, count: Index, most: Index, types: Sequence[ir.Type] = ()) -> ir.Operation:
    """Starts a branch for a count up to `most`."""
    builder = emitter.builder
    predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), SIGNED_NOT_ABOVE)
    operands = [builder.as_value(count), builder.as_value(most)]
    is_few = builder.value("arith.cmpi", ir.IntegerType.get_signless(1), operands, predicate=predicate)
    branch = builder.create("scf.if", types, [is_few], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    return branch
