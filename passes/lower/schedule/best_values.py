"""Histograms of smallest or largest numbers, and of floats with the numbers of their iterations."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.soac.marks import FIRST
from tapeless.dialects.soac.schedules import Best
from tapeless.passes.lower.storage.tree import Node

# Operators, and whether they keep the largest.
EXTREMES = {"arith.minimumf": False, "arith.maximumf": True, "arith.minsi": False, "arith.maxsi": True}
WORDS = ("f32", "f64", "i32", "i64")


def best_values(node: Node) -> Best | None:
    """How a histogram keeps the best value of every bin, with its first place or alone."""
    if FIRST in node.op.attributes:
        are_largest = ir.StringAttr(node.op.attributes[FIRST]).value == "max"
        return Best(are_largest, has_places=True) if _fits_into_word(node) else None
    region = len(node.regions) - 1
    *body, end = node.regions[region]
    if len(end.operands) != 1 or str(end.operands[0].type) not in WORDS:
        return None
    maker = next((inner for inner in body if end.operands[0] in inner.results), None)
    if maker is None or maker.name not in EXTREMES or set(maker.operands) != set(node.arguments(region)):
        return None
    return Best(EXTREMES[maker.name], has_places=False)


def _fits_into_word(node: Node) -> bool:
    """Whether values have 32 bits, and their places still are the numbers of their iterations."""
    place = node.terminator.operands[2]
    maker = next((inner for inner in node.regions[0] if place in inner.results), None)
    counts = maker is not None and maker.name == "arith.index_cast" and maker.operands[0] == node.arguments()[0]
    return counts and isinstance(node.results[0].type.element_type, ir.F32Type)
