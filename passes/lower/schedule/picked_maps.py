"""Maps of which a table says where they are anything but a constant: adjoints of extremes of histograms, above all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless._mlir import arith, ir
from tapeless.dialects.soac.schedules import Picked
from tapeless.passes.ir.constants import constant_of
from tapeless.passes.lower.schedule.bodies import is_scalar_code
from tapeless.passes.lower.storage.tree import Node

EQUAL = arith.CmpIPredicate.eq.value
CASTS = frozenset({"arith.index_cast", "arith.extsi"})


# So many iterations there are at least for each place.
ITERATIONS_PER_PLACE = 4


def picked_by_table(node: Node) -> Picked | None:
    """How a map gives a constant, unless a table from before holds the number of the iteration; its checks all hold."""
    found = _read_and_constant(node)
    return None if found is None else Picked(found[1], ITERATIONS_PER_PLACE)


def read_table(node: Node) -> Node | None:
    """The read of such a table in the body of a map."""
    found = _read_and_constant(node)
    return None if found is None else found[0]


def _read_and_constant(node: Node) -> tuple[Node, ir.Attribute] | None:
    if len(node.op.accs) or len(node.results) != 1 or not is_scalar_code(node.regions[0], may_read=True):
        return None
    inside = list(_all_inside(node.regions[0]))
    if any(each.name == "soac.assert" for each in inside):
        return None
    makers = {value: each for each in inside for value in each.results}
    found = _choice(node.terminator.operands[0], makers, node.arguments()[0])
    if found is None:
        return None
    read, otherwise = found
    number = None if otherwise in makers else constant_of(otherwise)
    if read.operands[0] in makers or number is None or read.operands[0] in node.arguments():
        return None
    return read, number


def _choice(value: ir.Value, makers: dict[ir.Value, Node], index: ir.Value) -> tuple[Node, ir.Value] | None:
    """The read of the table that decides whether a value is other than a constant, and the constant."""
    maker = makers.get(value)
    if maker is None:
        return None
    if maker.name == "arith.select":
        condition, _, otherwise = maker.operands
        read = _read(makers.get(condition), makers, index)
        return None if read is None else (read, otherwise)
    if maker.name != "scf.if":
        return None
    number = maker.results.index(value)
    yielded = [region[-1].operands[number] for region in maker.regions]
    for one, other in (yielded, yielded[::-1]):
        found = _choice(one, makers, index)
        if found is not None and found[1] == other:
            return found
    return None


def _read(test: Node | None, makers: dict[ir.Value, Node], index: ir.Value) -> Node | None:
    """The read of an array of one axis, whose element is compared with the number of the iteration."""
    if test is None or test.name != "arith.cmpi" or ir.IntegerAttr(test.op.attributes["predicate"]).value != EQUAL:
        return None
    for held, number in (test.operands, test.operands[::-1]):
        read = makers.get(held)
        if read is not None and read.name == "tensor.extract" and len(read.operands) == 2:
            cast = makers.get(number)
            if number == index or (cast is not None and cast.name in CASTS and cast.operands[0] == index):
                return read
    return None


def _all_inside(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        for region in node.regions:
            yield from _all_inside(region)
