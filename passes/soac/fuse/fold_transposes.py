"""Transpositions of cheap nests, folded into these by loop interchange.

```mlir
%m = "soac.map"(%c, %x) ({                            %t = "soac.map"(%n, %y) ({
  "soac.map"(%n, %y) ({ mulf }) ...                     "soac.map"(%c, %x) ({ mulf }) ...
%t = "soac.transpose"(%m) {permutation = [1, 0]}
```
So is the adjoint of a matrix in the product of a vector with it, and the loops that read it can be merged with it.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir import build
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.costs import CHEAP, FREE
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.search import holds, ops_named
from tapeless.passes.soac.sums.replay import Replay

MOST_OPERATIONS = 4


def fold_transposes(root: ir.OpView) -> None:
    """Replaces every nest of cheap maps of which only a transposition is read by one in the other order."""
    if holds(root, "soac.transpose"):
        for op in list(ops_named(root, "soac.transpose")):
            _turn_around(op)


def _turn_around(transposition: ir.OpView) -> None:
    """Replaces a transposition of a nest of maps by the nest in the other order."""
    nest = _only_read_here(transposition)
    levels = [] if nest is None else _levels(nest)
    if nest is None or not _has_cheap_elements(levels):
        return
    with ir.InsertionPoint(transposition), transposition.location:
        turned = build.cast_to(transposition.results[0].type, _turned(levels, _axes(transposition)))
    replace_op(transposition, [turned])
    nest.operation.erase()


def _axes(transposition: ir.OpView) -> list[int]:
    return [axis.value for axis in transposition.attributes["permutation"]]


def _only_read_here(transposition: ir.OpView) -> ir.OpView | None:
    """The map that produces the operand of a transposition, if nothing else reads anything of it."""
    source = transposition.operands[0]
    if isinstance(source, ir.BlockArgument) or source.owner.operation.name != "soac.map":
        return None
    nest = source.owner
    is_alone = len(nest.results) == 1 and len(list(source.uses)) == 1
    return nest if is_alone and nest.operation.block == transposition.operation.block else None


def _levels(nest: ir.OpView) -> list[ir.OpView]:
    """A map, the map that makes its rows, and so on; nothing when rows are made in another way."""
    levels = [nest]
    while isinstance(row := levels[-1].body.blocks[0].operations[-1].operands[0], ir.OpResult) and is_array(row):
        if row.owner.operation.name != "soac.map" or row.owner.operation.block != levels[-1].body.blocks[0]:
            return []
        levels.append(row.owner)
    return levels if not is_array(row) else []


def _has_cheap_elements(levels: list[ir.OpView]) -> bool:
    """Whether maps over nothing but vectors make scalars by a few simple operations."""
    cheap = 0
    for level in levels:
        if len(level.accs) or len(level.results) != 1 or any(array.type.rank > 1 for array in level.inputs):
            return False
        body = [op.operation for op in level.body.blocks[0].operations]
        names = [op.name for op in body if op not in [inner.operation for inner in levels]]
        if not is_defined_outside(level.width, levels[0].operation) or not all(n in CHEAP or n in FREE for n in names):
            return False
        cheap += sum(name in CHEAP for name in names)
    return bool(levels) and cheap <= MOST_OPERATIONS


def _turned(levels: list[ir.OpView], axes: list[int]) -> ir.Value:
    """The nest with its levels in the order of these axes."""
    source = levels[0].results[0]
    replay = Replay(levels[0], {})

    def level(places: dict[int, ir.Value]) -> ir.Value:
        if len(places) == len(axes):
            return replay.element(source, [places[axis] for axis in range(len(axes))])
        axis = axes[len(places)]
        made, _ = build.map_(levels[axis].width, [], [], lambda i, *_: ([level({**places, axis: i})], []))
        return made[0]

    return level({})
