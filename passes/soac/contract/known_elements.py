"""Elements of arrays that were put together from scalars at constant places."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir


def known_element(array: ir.Value, place: Sequence[int]) -> ir.Value | None:
    """The scalar that was written at a place, or fills the array there; nothing if that is not plain to see.

    Nothing either for the place of a row: elements of it may have been written one by one.
    """
    if len(place) != array.type.rank:
        return None
    while isinstance(array, ir.OpResult):
        op = array.owner.operation
        if op.name != "tensor.insert":
            return _filling(op)
        written = [_constant(index) for index in list(op.operands)[2:]]
        if None in written:
            return None
        if written == list(place):
            return op.operands[0]
        array = op.operands[1]
    return None


def erase_unused_writes(array: ir.Value) -> None:
    """Removes the writes that made an array, from the last on, as far as nothing needs them."""
    while isinstance(array, ir.OpResult) and not list(array.uses):
        op = array.owner.operation
        if op.name != "tensor.insert":
            return
        array = op.operands[1]
        op.erase()


def _filling(op: ir.Operation) -> ir.Value | None:
    """The scalar that fills a new array."""
    if op.name == "tensor.splat":
        return op.operands[0]
    if op.name != "arith.constant" or not op.attributes["value"].is_splat:
        return None
    value = op.attributes["value"].get_splat_value()
    return arith.constant(value.type, value, loc=op.location, ip=ir.InsertionPoint(op))


def _constant(index: ir.Value) -> int | None:
    if not isinstance(index, ir.OpResult) or index.owner.operation.name != "arith.constant":
        return None
    return ir.IntegerAttr(index.owner.attributes["value"]).value
