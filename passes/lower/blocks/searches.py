"""Searches for the place of an extreme element: only where the extreme of a block says that it is there.

```mlir
%m = "soac.reduce"(%n, %xs, %inf) ({...minimumf...})
%first = "soac.fused"(%n, %xs, %n) ({ %i if %x is %m, else %n }, {...minsi...}, {})
```
The reduction leaves the minimum of every block in a table (`blocks.py`). The search reads the table, then one block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import arith, ir
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.combinators import Reduction, open_fused
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.schedule.forms import Schedule
from tapeless.passes.lower.storage.tree import Node, Tree

EXTREMES = frozenset({"arith.minimumf", "arith.maximumf"})
REDUCTIONS = frozenset({"soac.reduce", "soac.fused"})
EQUAL_OR_UNORDERED = arith.CmpFPredicate.UEQ.value


@dataclass(frozen=True)
class Search:
    """A search for the first place of `value`, whose reduction left partial results."""

    reduction: Reduction
    value: ir.Value

    def close(self, results: Sequence[ir.Value]) -> None:
        self.reduction.close(results)


def open_search(emitter: Emitter, node: Node) -> Search | Reduction:
    """A search where there are partial results to search in, else the fused operator that it is."""
    opened = open_fused(emitter, node)
    value = searched_extreme(emitter.plan.tree, node)
    is_prepared = value in emitter.partials and emitter.builder.depth == 0
    return Search(opened, value) if is_prepared else opened


def searched_extreme(tree: Tree, node: Node) -> ir.Value | None:
    """The value of which an operator finds the first place, when it is the extreme of the elements it searches.

    The operator does nothing else, and gives its width when there is no such place.
    """
    if node.name != "soac.fused" or len(node.results) != 1 or list(node.op.reduce_neutral) != [node.op.width]:
        return None
    chosen, smaller = _made_by(tree, node, 0, "arith.select"), _made_by(tree, node, 1, "arith.minsi")
    if chosen is None or smaller is None or set(smaller.operands) != set(node.arguments(1)):
        return None
    condition, place, otherwise = chosen.operands
    compared = tree.definition[condition]
    is_first = place == node.arguments()[0] and otherwise == node.op.width
    if not is_first or compared.parent is not node or not _asks_for_equality(compared):
        return None
    element, extreme = compared.operands
    return extreme if element in _elements_with_extreme(tree, node, extreme) else None


def _made_by(tree: Tree, node: Node, region: int, name: str) -> Node | None:
    """The operation of this name that makes the only value a region yields."""
    made = tree.definition.get(node.regions[region][-1].operands[0]) if node.regions[region] else None
    return made if made is not None and made.parent is node and made.name == name else None


def _asks_for_equality(node: Node) -> bool:
    return node.name == "arith.cmpf" and node.op.attributes["predicate"].value == EQUAL_OR_UNORDERED


def _elements_with_extreme(tree: Tree, search: Node, extreme: ir.Value) -> list[ir.Value]:
    """The element arguments of a search that stand for the elements of which `extreme` is the extreme."""
    made = tree.definition[extreme]
    if made.name not in REDUCTIONS or not made.same_block(search) or made.op.width != search.op.width:
        return []
    number = made.results.index(extreme)
    region = 0 if made.name == "soac.reduce" else 1
    if number >= len(made.arguments(region)) // 2 or not _is_extreme(tree, made, region, number):
        return []
    arrays = _reduced_arrays(made, number)
    arguments = search.arguments()[1:]
    return [argument for argument, array in zip(arguments, search.op.inputs, strict=True) if array in arrays]


def _is_extreme(tree: Tree, node: Node, region: int, number: int) -> bool:
    arguments = node.arguments(region)
    combining = tree.definition[node.regions[region][-1].operands[number]]
    pair = {arguments[number], arguments[len(arguments) // 2 + number]}
    return combining.parent is node and combining.name in EXTREMES and set(combining.operands) == pair


def _reduced_arrays(node: Node, number: int) -> list[ir.Value]:
    """The arrays whose elements one component of a reduction combines."""
    if node.name == "soac.reduce":
        return [node.op.inputs[number]]
    lifted = node.terminator.operands
    made = [result for result, value in zip(node.results, lifted, strict=True) if value == lifted[number]]
    arguments = node.arguments()[1:]
    given = [array for array, argument in zip(node.op.inputs, arguments, strict=True) if argument == lifted[number]]
    combined = len(node.op.reduce_neutral) + len(node.op.scan_neutral)
    return [*given, *(result for result in made if result in node.results[combined:])]


def is_searched(tree: Tree, node: Node, number: int) -> bool:
    """Whether the place of a reduced result is searched for in the block of the reduction."""
    extreme = node.results[number]
    searches = (user.parent for user in tree.uses[extreme] if user.name == "arith.cmpf" and user.parent is not None)
    return any(search.same_block(node) and searched_extreme(tree, search) is not None for search in searches)


def has_extreme(emitter: Emitter, partial: ir.Value, extreme: ir.Value) -> ir.Value:
    """Whether the extreme of all elements is that of a block."""
    bit = ir.IntegerType.get_signless(1)
    return emitter.builder.value("arith.cmpf", bit, [partial, extreme], predicate=_predicate(EQUAL_OR_UNORDERED))


def search_in_blocks(opened: Search, _: Schedule) -> list[ir.Value]:
    """The place found in the first block whose extreme is that of all, read one block after the other."""
    emitter, (start,) = opened.reduction.emitter, opened.reduction.starts
    builder, partials = emitter.builder, emitter.partials.pop(opened.value)
    bit = ir.IntegerType.get_signless(1)
    loop = builder.begin_for(0, partials.blocks, starts=[start])
    extreme, block = emitter.scalar(opened.value), builder.load(partials.table.value, [loop.variable])
    holds = has_extreme(emitter, block, extreme)
    is_open = builder.value("arith.cmpi", bit, [loop.carried[0], start], predicate=_predicate(0))
    wanted = builder.value("arith.andi", bit, [holds, is_open])
    branch = builder.create("scf.if", [start.type], [wanted], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    end_region(emitter, opened.reduction.run(*partials.bounds(loop.variable), [start]))
    builder.push(branch, 1, [], is_branch=True)
    end_region(emitter, loop.carried)
    end_region(emitter, list(branch.results))
    emitter.pool.release(partials.table)
    return list(loop.op.results)


def _predicate(number: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
