"""Maps of which a table says where they are anything but a constant: adjoints of extremes of histograms, above all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.lower.schedule.bodies import is_scalar_code
from tapeless.passes.lower.schedule.forms import Picked
from tapeless.passes.lower.storage.aliasing import is_array
from tapeless.passes.lower.storage.tree import Node

EQUAL = arith.CmpIPredicate.eq.value
CASTS = frozenset({"arith.index_cast", "arith.extsi"})


def picked_by_table(node: Node) -> Picked | None:
    """How a map gives a constant, unless a table from before holds the number of the iteration; its checks all hold."""
    if len(node.op.accs) or len(node.results) != 1 or not is_scalar_code(node.regions[0], may_read=True):
        return None
    inside = list(_all_inside(node.regions[0]))
    if any(each.name == "soac.assert" for each in inside):
        return None
    makers = {value: each for each in inside for value in each.results}
    found = _choice(node.terminator.operands[0], makers, node.arguments()[0])
    if found is None:
        return None
    table, otherwise = found
    if table in makers or otherwise in makers or table in node.arguments():
        return None
    read = [each.operands[0] for each in inside if each.name == "tensor.extract"]
    arrays = [value for value in (*node.op.inputs, *read) if is_array(value) and value not in makers]
    return Picked(table, otherwise, tuple(arrays))


def _choice(value: ir.Value, makers: dict[ir.Value, Node], index: ir.Value) -> tuple[ir.Value, ir.Value] | None:
    """The table that decides whether a value is other than a constant, and the constant."""
    maker = makers.get(value)
    if maker is None:
        return None
    if maker.name == "arith.select":
        condition, _, otherwise = maker.operands
        table = _table(makers.get(condition), makers, index)
        return None if table is None else (table, otherwise)
    if maker.name != "scf.if":
        return None
    number = maker.results.index(value)
    yielded = [region[-1].operands[number] for region in maker.regions]
    for one, other in (yielded, yielded[::-1]):
        found = _choice(one, makers, index)
        if found is not None and found[1] == other:
            return found
    return None


def _table(test: Node | None, makers: dict[ir.Value, Node], index: ir.Value) -> ir.Value | None:
    """The array of one axis, an element of which is compared with the number of the iteration."""
    if test is None or test.name != "arith.cmpi" or ir.IntegerAttr(test.op.attributes["predicate"]).value != EQUAL:
        return None
    for held, number in (test.operands, test.operands[::-1]):
        read = makers.get(held)
        if read is not None and read.name == "tensor.extract" and len(read.operands) == 2:
            cast = makers.get(number)
            if number == index or (cast is not None and cast.name in CASTS and cast.operands[0] == index):
                return read.operands[0]
    return None


def _all_inside(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        for region in node.regions:
            yield from _all_inside(region)
