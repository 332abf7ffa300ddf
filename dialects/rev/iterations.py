"""Iterations: which cells those of a loop change, each at elements of its own or all of them together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.dialects.rev.accesses import Access, accesses, stands_in
from tapeless.dialects.rev.cells import base, is_cell, written
from tapeless.dialects.rev.places import Axis, Symbol

ACCUM = "rev.accum"
SUMS = ("add", "sub")
FLOATS = (ir.F64Type, ir.F32Type)


class Own(NamedTuple):
    """Where iterations have elements of their own: along an axis of a cell, at `root + offset`.

    The root moves by `stride` from one value of the index to the next.
    """

    axis: int
    root: ir.Value
    offset: int
    stride: int


class Changes(NamedTuple):
    """The cells and stacks from outside that iterations change, in the order in which they are found."""

    own: dict[ir.Value, list[Own]]
    """Those of which every iteration uses its own elements alone: where, for each index."""
    added: list[ir.Value]
    """Those that iterations only add numbers to, so that their order does not matter but for rounding."""
    shared: list[ir.Value]
    """All others."""


def changes(indices: Sequence[ir.Value], region: ir.Region) -> Changes:
    """The cells that iterations change, where the indices tell them apart."""
    outside = [access for access in accesses(region) if not stands_in(base(access.cell), region.owner)]
    found = Changes({}, [], [])
    for cell in dict.fromkeys(base(access.cell) for access in outside if access.writes):
        here = [access for access in outside if base(access.cell) == cell]
        own = [_own(here, index, region) for index in indices]
        if None not in own:
            found.own[cell] = [each for each in own if each is not None]
        elif all(map(_is_sum, here)):
            found.added.append(cell)
        else:
            found.shared.append(cell)
    found.shared.extend(_stacks(region))
    return found


def holds_floats_alone(cell: ir.Value) -> bool:
    """Whether a cell is of floats, on which sums depend on their order."""
    return isinstance(cell.type.element_type, FLOATS)


def _stacks(region: ir.Region) -> Iterator[ir.Value]:
    for each in written(region):
        if not is_cell(each.type) and not stands_in(each, region.owner):
            yield each


def _is_sum(access: Access) -> bool:
    """Whether an access adds a number; fixed-point numbers are compared with their range after each addition."""
    if not access.writes or access.op.operation.name != ACCUM or access.op.kind.value not in SUMS:
        return False
    element = access.op.target.type.element_type
    return isinstance(element, FLOATS) or (isinstance(element, ir.IntegerType) and element.is_signless)


def _own(found: Sequence[Access], index: ir.Value, region: ir.Region) -> Own | None:
    """The axis along which all accesses are at one element that belongs to a value of the index."""
    places = [access.place() for access in found]
    for axis in range(len(places[0].axes)):
        own = {_element(place.axes[axis], axis, index, region) for place in places}
        if len(own) == 1 and (only := own.pop()) is not None:
            return only
    return None


def _element(axis: Axis[Symbol | None], number: int, index: ir.Value, region: ir.Region) -> Own | None:
    is_element = axis.size is not None and axis.size.root is None and axis.size.offset == 1
    if not is_element or axis.offset is None or axis.offset.root is None:
        return None
    stride = _stride(axis.offset.root, index, region)
    return Own(number, axis.offset.root, axis.offset.offset, stride) if stride else None


def _stride(value: ir.Value, index: ir.Value, region: ir.Region) -> int | None:
    """By how much a value grows with an index, while all else stays as it is; None when that is not known."""
    if value == index:
        return 1
    if not stands_in(value, region.owner):
        return 0
    name = "" if isinstance(value.owner, ir.Block) else value.owner.name
    if name == "arith.constant":
        return 0
    if name not in ("arith.addi", "arith.subi", "arith.muli"):
        return None
    left, right = (_stride(operand, index, region) for operand in value.owner.operands)
    if left is None or right is None:
        return None
    if name == "arith.muli":
        factors = [_constant(operand) for operand in value.owner.operands]
        products = (left * (factors[1] or 0), right * (factors[0] or 0))
        is_known = (not left or factors[1] is not None) and (not right or factors[0] is not None)
        return sum(products) if is_known else None
    return left + right if name == "arith.addi" else left - right


def _constant(value: ir.Value) -> int | None:
    is_constant = not isinstance(value.owner, ir.Block) and value.owner.name == "arith.constant"
    return ir.IntegerAttr(value.owner.attributes["value"]).value if is_constant else None
