"""Panels: what the lanes of a loop read again in every iteration of the loop around it, packed block by block.

```mlir
// b[k, j] or b[j, k] with lanes along j, read for every row i:     the packed chunk, filled before the loop over rows:
%v = memref.load %b[%k, %j]                                         %v = vector.load %panels[%block, %k, %c0]
```
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.vectorise.walking import (
    body_of,
    buffer_of,
    indices_of,
    is_inside,
    loops_between,
    memref_of,
    nested,
    op_name,
)


@dataclass(frozen=True)
class Panel:
    """The part of an array that one load reads: per axis the lanes, an inner loop, or an index from outside."""

    array: ir.Value
    axis: int
    places: tuple[ir.Value, ...]
    loops: tuple[ir.Value, ...]

    @staticmethod
    def of(load: ir.Operation, axis: int, loop: ir.Operation, planned: ir.Operation) -> Panel | None:
        """The panel for a load in the planned loop whose index along `axis` is that of `loop`, it or the one around.

        What is packed is what is read: all loops between the planned one and the load take part.
        """
        outer = planned.operation.parent
        array, places = memref_of(load), indices_of(load)
        if op_name(load) != "memref.load" or places[axis] != body_of(loop).arguments[0] or not _outside(array, outer):
            return None
        if any(buffer_of(op) == buffer_of(load) for op in nested(body_of(outer)) if op_name(op) == "memref.store"):
            return None
        others = [place for number, place in enumerate(places) if number != axis]
        inner = [place for place in others if not _outside(place, outer)]
        if not inner or len(set(inner)) < len(inner) or len(inner) < loops_between(load, planned):
            return None
        if not all(_counts_from_zero(place, planned) for place in inner):
            return None
        return Panel(array, axis, tuple(places), tuple(inner))

    @property
    def is_contiguous(self) -> bool:
        """Whether the lanes are neighbours in the array."""
        return self.axis == len(self.places) - 1

    @property
    def has_contiguous_rows(self) -> bool:
        """Whether the innermost of the loops that the panel covers runs along neighbours in the array."""
        return self.places[-1] == self.loops[-1]

    def sizes(self) -> list[ir.Value]:
        """How many elements the panel has along each inner loop."""
        return [place.owner.owner.operation.operands[1] for place in self.loops]


def _outside(value: ir.Value, loop: ir.Operation) -> bool:
    definition = value.owner.owner if isinstance(value.owner, ir.Block) else value.owner
    if isinstance(value.owner, ir.Block) and definition.operation == loop.operation:
        return False
    return not is_inside(definition, loop)


def _counts_from_zero(place: ir.Value, planned: ir.Operation) -> bool:
    """Whether a place is the variable of a loop in the planned one that counts from zero to a bound from outside."""
    if not isinstance(place.owner, ir.Block) or not is_inside(place.owner.owner, planned):
        return False
    holder = place.owner.owner.operation
    if holder.name != "scf.for" or place.arg_number or not _outside(holder.operands[1], planned.operation.parent):
        return False
    return constant_int(holder.operands[0]) == 0 and constant_int(holder.operands[2]) == 1
