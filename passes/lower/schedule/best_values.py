"""Histograms of smallest or largest numbers, and of floats with the numbers of their iterations."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.schedule.forms import Best
from tapeless.passes.lower.storage.tree import Node

# Operators, and whether they keep the largest.
EXTREMES = {"arith.minimumf": False, "arith.maximumf": True, "arith.minsi": False, "arith.maxsi": True}
WORDS = ("f32", "f64", "i32", "i64")
NOBODY = -1
# What a branch between places may be: whether the left or the right value is the best one.
EQUAL = arith.CmpFPredicate.OEQ.value


def best_values(node: Node) -> Best | None:
    """How a histogram keeps the best value of every bin, with its first place or alone."""
    combine = node.regions[-1]
    results, arguments = combine[-1].operands, node.arguments(len(node.regions) - 1)
    makers = {value: inner for inner in combine for value in inner.results}
    maker = makers.get(results[0])
    if maker is None or maker.name not in EXTREMES or str(results[0].type) not in WORDS:
        return None
    are_largest = EXTREMES[maker.name]
    if len(results) == 1:
        return Best(are_largest, has_places=False) if set(maker.operands) == set(arguments) else None
    if len(results) != 2 or not isinstance(results[0].type, ir.F32Type) or not _lifts_number(node):
        return None
    left, left_place, right, right_place = arguments
    is_extreme = set(maker.operands) == {left, right}
    places = {left: left_place, right: right_place}
    return Best(are_largest, has_places=True) if is_extreme and _is_first(results, places, makers) else None


def _lifts_number(node: Node) -> bool:
    """Whether the second value of every iteration is its number."""
    if node.name != "soac.fused_hist":
        return False
    place = node.terminator.operands[2]
    maker = next((inner for inner in node.regions[0] if place in inner.results), None)
    return maker is not None and maker.name == "arith.index_cast" and maker.operands[0] == node.arguments()[0]


def _is_first(results: list[ir.Value], places: dict[ir.Value, ir.Value], makers: dict[ir.Value, Node]) -> bool:
    """Whether the second result is the place of the value that is the first, the smaller of equal ones, or none.

    ```mlir
    %one, %other = cmpf oeq, %left, %best; cmpf oeq, %right, %best
    %both = select %other, (minsi %left_place, %right_place), %left_place
    %place = select %one, %both, (select %other, %right_place, -1)
    ```
    """
    best, place = results
    outer = makers.get(place)
    if outer is None or outer.name != "arith.select":
        return False
    one = _is_best(outer.operands[0], best, places, makers)
    both, single = (makers.get(value) for value in outer.operands[1:])
    if one is None or both is None or single is None or {both.name, single.name} != {"arith.select"}:
        return False
    others = {_is_best(inner.operands[0], best, places, makers) for inner in (both, single)}
    smaller = makers.get(both.operands[1])
    own, other = places[one], places[next(value for value in places if value != one)]
    return (
        others == set(places) - {one}
        and smaller is not None
        and smaller.name == "arith.minsi"
        and set(smaller.operands) == {own, other}
        and both.operands[2] == own
        and single.operands[1] == other
        and constant_int(single.operands[2]) == NOBODY
    )


def _is_best(
    condition: ir.Value, best: ir.Value, places: dict[ir.Value, ir.Value], makers: dict[ir.Value, Node]
) -> ir.Value | None:
    """The value of which a condition says that it is the best."""
    test = makers.get(condition)
    if test is None or test.name != "arith.cmpf" or ir.IntegerAttr(test.op.attributes["predicate"]).value != EQUAL:
        return None
    values = [value for value in test.operands if value != best]
    return values[0] if len(values) == 1 and best in test.operands and values[0] in places else None
