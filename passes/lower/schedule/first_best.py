"""Reductions that find the first place of the smallest or largest element: known by trying out all orders of two."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.schedule.symmetry import Unknown, evaluated
from tapeless.passes.lower.storage.tree import Node

# Fewer elements are looked at one by one.
FEWEST = 16
FLOATS = {"f32", "f64"}
NUMBERS, PLACES = (0.0, 1.0), (0.0, 1.0)


def found_first(node: Node) -> str:
    """What a fused operator finds the first place of, `smallest` or `largest`, if it gives nothing else that is used.

    Processors gain from reading the array twice, in vectors, unless it is short.
    """
    if node.name != "soac.fused" or searched_array(node) is None or any(node.results[0].uses):
        return ""
    known = constant_int(node.op.width)
    if (known is not None and known < FEWEST) or not _starts_nowhere(node):
        return ""
    return next((name for name in ("smallest", "largest") if _finds_first(node, name == "largest")), "")


def _starts_nowhere(node: Node) -> bool:
    """Whether the place to start from is behind all others; programs may start from one that an element has."""
    nowhere = node.op.reduce_neutral[1]
    return constant_int(nowhere) == (1 << (ir.IntegerType(nowhere.type).width - 1)) - 1


def searched_array(node: Node) -> ir.Value | None:
    """The vector of whose elements, with their places, a fused operator chooses."""
    op = node.op
    if len(op.reduce_neutral) != 2 or len(node.results) != 2 or len(op.scan_neutral):
        return None
    value, place = node.terminator.operands
    counter, *elements = node.arguments()
    makers = {result: inner for inner in node.regions[0] for result in inner.results}
    counts = place in makers and makers[place].name == "arith.index_cast" and makers[place].operands[0] == counter
    if not counts or value not in elements:
        return None
    array = op.inputs[elements.index(value)]
    return array if ir.RankedTensorType(array.type).rank == 1 else None


def _finds_first(node: Node, is_largest: bool) -> bool:
    """Whether an operator that compares and chooses takes the better of two elements, the earlier of equal ones."""
    arguments, results = node.arguments(1), node.regions[1][-1].operands
    makers = {value: inner for inner in node.regions[1][:-1] for value in inner.results}
    numbers = (math.nan, *NUMBERS) if str(arguments[0].type) in FLOATS else NUMBERS
    pairs = list(product(numbers, PLACES))
    try:
        for left, right in product(pairs, pairs):
            known: dict[ir.Value, Any] = dict(zip(arguments, (*left, *right), strict=True))
            found = [evaluated(result, makers, known) for result in results]
            wanted = right if _is_better(right, left, is_largest) else left
            if not all(_is_same(*each) for each in zip(found, wanted, strict=True)):
                return False
    except Unknown:
        return False
    return True


def _is_better(one: tuple[float, float], other: tuple[float, float], is_largest: bool) -> bool:
    sign = -1.0 if is_largest else 1.0
    return _rank(one[0], sign) < _rank(other[0], sign) or (
        _rank(one[0], sign) == _rank(other[0], sign) and one[1] < other[1]
    )


def _rank(value: float, sign: float) -> float:
    return -math.inf if math.isnan(value) else sign * value


def _is_same(found: Any, wanted: float) -> bool:
    return isinstance(found, float) and (found == wanted or (math.isnan(found) and math.isnan(wanted)))
