"""Sums that start from one number: launches that bring sums together begin with it, so that no array is filled before.

```mlir
%z = tensor.splat %zero
%s = soac.with_acc %z { soac.map ... }      // sums of blocks, then: %zero and the sums of all blocks, for each element
```
Where sums are made in other ways, the array is filled there (`write_starts`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.loops.copying import fill
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.schedule.forms import Atomic, Exact, OwnCopies
from tapeless.passes.lower.storage.tree import Node


def separate_starts(function: ir.OpView) -> None:
    """Gives every sum that starts from a fill a fill of its own, right before it."""
    for op in ops_named(function, "soac.with_acc"):
        for number, dest in enumerate(op.operands):
            if not isinstance(dest, ir.BlockArgument) and dest.owner.name == "tensor.splat":
                own = dest.owner.operation.clone(ip=ir.InsertionPoint(op))
                op.operation.operands[number] = own.results[0]
                if not list(dest.uses):
                    dest.owner.operation.erase()


def is_start(emitter: Emitter, splat: Node) -> bool:
    """Whether all that looks at a fill is a launched map, which adds to it."""
    tree, storages = emitter.plan.tree, emitter.plan.storages
    (result,) = splat.results
    users = tree.uses[result]
    if len(users) != 1 or users[0].name != "soac.with_acc":
        return False
    (around,) = users
    argument = around.arguments()[around.operands.index(result)]
    adders = tree.uses[argument]
    if len(adders) != 1 or adders[0].name != "soac.map" or adders[0].parent is not around:
        return False
    if storages.memory(argument) is not storages.memory(result):
        return False
    return isinstance(emitter.scheduler.operator(adders[0]), (OwnCopies, Atomic, Exact))


def write_starts(emitter: Emitter, sums: Sequence[View]) -> None:
    """Fills the arrays that launches add to which do not know where sums start."""
    for view in sums:
        if view in emitter.starts:
            fill(emitter.builder, emitter.starts[view], view)
