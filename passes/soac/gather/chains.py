"""Chains of writes into slices of one array: each adds to a slice of the array before, or overwrites it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.places import Place, is_write, same_extent
from tapeless.passes.ir.scopes import is_used_once
from tapeless.passes.soac.gather.nests import ElementNest
from tapeless.passes.soac.simplify.known_writes import LONGEST_CHAIN, write_of

Fits: TypeAlias = Callable[[Place], bool]
"""Whether a place is one that writes of a chain may have."""


@dataclass(frozen=True)
class Link:
    """A write of a chain: its place, and the array that it puts there, or adds by `total`."""

    write: ir.OpView
    place: Place
    part: ir.Value
    total: ir.OpView | None = None
    read: ir.OpView | None = None


def chain_to(last: ir.OpView, fits: Fits) -> list[Link] | None:
    """The chain that ends with a write, first writes first, if it has two or more, at least one of which adds."""
    if last.operation.name != "tensor.insert_slice" or _goes_on(last, fits):
        return None
    chain: list[Link] = []
    write: ir.OpView | None = last
    while write is not None and write.operation.block == last.operation.block and len(chain) < LONGEST_CHAIN:
        link = _link(write, fits) if not chain or _leads_only_to(write, chain[-1]) else None
        if link is None:
            break
        chain.append(link)
        write = write_of(write.operands[1])
    return chain[::-1] if len(chain) > 1 and any(link.total is not None for link in chain) else None


def _goes_on(write: ir.OpView, fits: Fits) -> bool:
    """Whether another write of the same chain follows."""
    later = [use.owner for use in write.results[0].uses if use.operand_number == 1 and is_write(use.owner)]
    if len(later) != 1 or later[0].operation.block != write.operation.block:
        return False
    link = _link(later[0], fits)
    return link is not None and _leads_only_to(write, link)


def _leads_only_to(write: ir.OpView, link: Link) -> bool:
    """Whether nothing but the next write of a chain looks at an array."""
    known = [link.write.operation, *([] if link.read is None else [link.read.operation])]
    return all(use.owner.operation in known for use in write.results[0].uses) and link.part != write.results[0]


def _link(write: ir.OpView, fits: Fits) -> Link | None:
    """A write as one of a chain, when its place fits, and every element is a number."""
    if write.operation.name != "tensor.insert_slice":
        return None
    place = Place.of(write)
    is_float = isinstance(write.results[0].type.element_type, ir.F32Type | ir.F64Type)
    if not is_float or not fits(place):
        return None
    part = write.operands[0]
    nest = ElementNest.of(part) if is_used_once(part) else None
    total = None if nest is None else nest.total()
    if nest is None or total is None:
        return Link(write, place, part)
    left, right = (nest.inputs[operand] for operand in total.operands)
    for array, other in ((left, right), (right, left)):
        read = _read_of(array, place)
        if read is not None and other != array:
            return Link(write, place, other, total, read)
    return Link(write, place, part)


def _read_of(array: ir.Value, place: Place) -> ir.OpView | None:
    """The read of a place that gave an array, when that is all it is for."""
    if isinstance(array, ir.BlockArgument) or array.owner.operation.name != "tensor.extract_slice":
        return None
    read = array.owner
    if read.operands[0] != place.array or not is_used_once(array):
        return None
    own = Place.of(read)
    same = own.kept == place.kept and all(
        same_extent(a.offset, b.offset) and same_extent(a.size, b.size) and a.stride == b.stride
        for a, b in zip(own.ranges, place.ranges, strict=True)
    )
    return read if same else None
