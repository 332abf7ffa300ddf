"""Histograms of smallest or largest numbers, and of floats with the numbers of their iterations."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.schedule.forms import Best
from tapeless.passes.lower.storage.tree import Node

# Operators, and whether they keep the largest.
# Operators, and whether they keep the largest.
EXTREMES = {"arith.minimumf": False, "arith.maximumf": True, "arith.minsi": False, "arith.maxsi": True}
WORDS = ("f32", "f64", "i32", "i64")
NOBODY = -1
EQUAL = arith.CmpFPredicate.OEQ.value

Makers = dict[ir.Value, Node]


def best_values(node: Node) -> Best | None:
    """How a histogram keeps the best value of every bin, with its first place or alone."""
    region = len(node.regions) - 1
    results, makers = node.regions[region][-1].operands, _makers(node, region)
    maker = makers.get(results[0])
    if maker is None or maker.name not in EXTREMES or str(results[0].type) not in WORDS:
        return None
    are_largest = EXTREMES[maker.name]
    if len(results) == 1:
        is_alone = set(maker.operands) == set(node.arguments(region))
        return Best(are_largest, has_places=False) if is_alone else None
    if len(results) != 2 or not isinstance(results[0].type, ir.F32Type) or not _lifts_number(node):
        return None
    return Best(are_largest, has_places=True) if _keeps_place(node, region) else None


def _makers(node: Node, region: int) -> Makers:
    return {value: inner for inner in node.regions[region] for value in inner.results}


def _lifts_number(node: Node) -> bool:
    """Whether the second value of every iteration is its number."""
    if node.name != "soac.fused_hist":
        return False
    place = node.terminator.operands[2]
    maker = next((inner for inner in node.regions[0] if place in inner.results), None)
    return maker is not None and maker.name == "arith.index_cast" and maker.operands[0] == node.arguments()[0]


def _keeps_place(node: Node, region: int) -> bool:
    """Whether the second result is the place of the value that is the first, the smaller of equal ones, or none.

    ```mlir
    %one, %other = cmpf oeq, %left, %best; cmpf oeq, %right, %best
    %both = select %other, (minsi %left_place, %right_place), %left_place
    %place = select %one, %both, (select %other, %right_place, -1)
    ```
    """
    makers, (best, place) = _makers(node, region), node.regions[region][-1].operands
    left, left_place, right, right_place = node.arguments(region)
    outer = makers.get(place)
    if set(makers[best].operands) != {left, right} or outer is None or outer.name != "arith.select":
        return False
    sides = {left: (left_place, right, right_place), right: (right_place, left, left_place)}
    own = _compared(outer.operands[0], best, makers)
    if own not in sides:
        return False
    own_place, other, other_place = sides[own]
    both, single = (_chosen_if(value, other, best, makers) for value in outer.operands[1:])
    if both is None or single is None or both[1] != own_place or single[0] != other_place:
        return False
    return _is_smaller(both[0], {left_place, right_place}, makers) and constant_int(single[1]) == NOBODY


def _chosen_if(value: ir.Value, wanted: ir.Value, best: ir.Value, makers: Makers) -> tuple[ir.Value, ir.Value] | None:
    """What a value is if the wanted one is the best, and what else."""
    choice = makers.get(value)
    if choice is None or choice.name != "arith.select":
        return None
    is_asked = _compared(choice.operands[0], best, makers) == wanted
    return (choice.operands[1], choice.operands[2]) if is_asked else None


def _is_smaller(value: ir.Value, places: set[ir.Value], makers: Makers) -> bool:
    maker = makers.get(value)
    return maker is not None and maker.name == "arith.minsi" and set(maker.operands) == places


def _compared(condition: ir.Value, best: ir.Value, makers: Makers) -> ir.Value | None:
    """The value of which a condition says that it is the best."""
    test = makers.get(condition)
    if test is None or test.name != "arith.cmpf" or ir.IntegerAttr(test.op.attributes["predicate"]).value != EQUAL:
        return None
    values = [value for value in test.operands if value != best]
    return values[0] if len(values) == 1 and best in test.operands else None
