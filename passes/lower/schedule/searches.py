"""Searches for the place of an extreme element, whose reduction leaves partial results for them.

```mlir
%m = "soac.reduce"(%n, %xs, %inf) ({...minimumf...})
%first = "soac.fused"(%n, %xs, %n) ({ %i if %x is %m, else %n }, {...minsi...}, {})
```
The reduction leaves the minimum of every block in a table. The search reads the table, then one block.
"""

from __future__ import annotations

from dataclasses import replace

from tapeless._mlir import arith, ir
from tapeless.dialects.soac.schedules import Blocks, Schedule, Search
from tapeless.passes.lower.schedule.kinds import is_outermost, is_under_control
from tapeless.passes.lower.storage.tree import Node, Tree

EXTREMES = frozenset({"arith.minimumf", "arith.maximumf"})
REDUCTIONS = frozenset({"soac.reduce", "soac.fused"})
EQUAL_OR_UNORDERED = arith.CmpFPredicate.UEQ.value


def pair_searches(tree: Tree, forms: dict[Node, Schedule]) -> None:
    """Has reductions in blocks keep what the first search for their extreme then reads."""
    found: set[ir.Value] = set()
    for node in list(forms):
        extreme = searched_extreme(tree, node)
        if extreme is None or extreme in found or not is_outermost(node) or is_under_control(node):
            continue
        reduction = tree.definition[extreme]
        form = forms[reduction]
        if isinstance(form, Blocks) and not form.asks_first:
            found.add(extreme)
            number = reduction.results.index(extreme)
            forms[reduction], forms[node] = replace(form, keeps=(*form.keeps, number)), Search()


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
