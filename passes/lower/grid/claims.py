"""Scatters as launches: of iterations with equal keys the last one stays, as when they run one after the other.

Every iteration claims the place of its key with its number, the highest wins; then the winners write.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir
from tapeless.dialects.soac.schedules import Claimed
from tapeless.passes.lower.blocks.copies import new_array
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.loops.bulk import element, end_region
from tapeless.passes.lower.loops.copying import copy, fill
from tapeless.passes.lower.loops.updates import Scatter, as_index, begin_if_inside
from tapeless.passes.lower.loops.views import View, load, row, store
from tapeless.passes.marks import EACH_THREAD


def scatter_by_claims(opened: Scatter, _: Claimed) -> None:
    """One launch to claim, one to write."""
    emitter, builder, target = opened.emitter, opened.emitter.builder, opened.target
    word, bit = ir.IntegerType.get_signless(64), ir.IntegerType.get_signless(1)
    owners = new_array(emitter, [target.sizes[0]], word)
    fill(builder, builder.constant(word, ir.IntegerAttr.get(word, -1)), owners)

    def claim(number: ir.Value, key: ir.Value) -> None:
        kind = ir.IntegerAttr.get(word, arith.AtomicRMWKind.maxs.value)
        own = builder.value("arith.index_cast", word, [number])
        builder.value("memref.atomic_rmw", word, [own, owners.base, key], kind=kind)

    def write(number: ir.Value, key: ir.Value) -> None:
        owner = builder.value("arith.index_cast", builder.index, [load(builder, owners, [key])])
        equal = ir.IntegerAttr.get(word, arith.CmpIPredicate.eq.value)
        wins = builder.value("arith.cmpi", bit, [owner, number], predicate=equal)
        branch = builder.create("scf.if", [], [wins], regions=2)
        builder.push(branch, 0, [], is_branch=True)
        value = element(builder, opened.values, number)
        if isinstance(value, View):
            copy(emitter, value, row(builder, target, key))
        else:
            store(builder, value, target, [key])
        end_region(emitter)

    _for_keys_inside(opened, claim)
    _for_keys_inside(opened, write)
    emitter.pool.free_raw(owners.base)


def _for_keys_inside(opened: Scatter, body: Callable[[ir.Value, ir.Value], None]) -> None:
    """A launch over all iterations whose key is inside of the array."""
    emitter, builder = opened.emitter, opened.emitter.builder
    loop = builder.begin_for(0, opened.width, private=True)
    key = as_index(builder, load(builder, opened.keys, [loop.variable]))
    begin_if_inside(builder, [key], opened.target.sizes)
    body(loop.variable, key)
    end_region(emitter)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)
