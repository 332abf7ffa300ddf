"""Sums that start from one number: launches that bring sums together begin with it, so that no array is filled before.

```mlir
%z = tensor.splat %zero {tapeless.start}
%s = soac.with_acc %z { soac.map ... }      // sums of blocks, then: %zero and the sums of all blocks, for each element
```
Where sums are made in other ways, the array is filled there.
"""

from __future__ import annotations

from collections.abc import Mapping

from tapeless.dialects.soac.schedules import Schedule, Sums
from tapeless.passes.lower.storage.aliasing import StoragePlan
from tapeless.passes.lower.storage.tree import Node


def starts_of(plan: StoragePlan, forms: Mapping[Node, Schedule]) -> list[Node]:
    """The fills at which nothing looks but a launched map, which adds to them."""
    return [fill for node, form in forms.items() if isinstance(form, Sums) for fill in _fills(plan, node)]


def _fills(plan: StoragePlan, adder: Node) -> list[Node]:
    tree, storages, around = plan.tree, plan.storages, adder.parent
    if around is None or around.name != "soac.with_acc":
        return []
    dests = dict(zip(around.arguments(), around.operands, strict=True))
    pairs = [(acc, dests[acc]) for acc in adder.op.accs if acc in dests and len(tree.uses[acc]) == 1]
    in_place = [dest for acc, dest in pairs if storages.memory(acc) is storages.memory(dest)]
    makers = [tree.definition[dest] for dest in in_place if len(tree.uses[dest]) == 1]
    return [maker for maker in makers if maker.name == "tensor.splat"]
