"""Small arrays of known elements are added to accumulators without being stored: products then stand beside their sums.

```mlir
%a = tensor.insert %p into %zeros[%c0] : tensor<2xf64>
%b = tensor.insert %q into %a[%c1] : tensor<2xf64>
%0 = "soac.map"(%c2, %b, %acc) ({                               %1 = "soac.update"(%acc, %k, %c0, %p)
^bb0(%i: index, %x: f64, %to: !soac.acc<...>):                  %0 = "soac.update"(%1, %k, %c1, %q)
  %1 = "soac.update"(%to, %k, %i, %x) {soac.in_bounds}
```
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ir.array_loops import operand_groups
from tapeless.passes.ir.build import static_size
from tapeless.passes.ir.constants import is_zero
from tapeless.passes.soac.contract.known_elements import erase_unused_writes, known_element

# More elements than these are better added by a loop.
MOST_ELEMENTS = 8


@dataclass(frozen=True)
class AddingMaps:
    """Maps, outer ones first, that do nothing but add the elements of one array to one accumulator."""

    maps: list[ir.OpView]
    update: ir.OpView

    @property
    def array(self) -> ir.Value:
        return operand_groups(self.maps[0])[1][0]

    @property
    def accumulator(self) -> ir.Value:
        return operand_groups(self.maps[0])[2][0]

    def places(self) -> Iterator[tuple[int, ...]]:
        """The indices of all elements, in order."""
        return itertools.product(*(range(static_size(map_.operands[0])) for map_ in self.maps))

    def is_small(self) -> bool:
        """Whether the number of elements is known and small."""
        sizes = [static_size(map_.operands[0]) for map_ in self.maps]
        return min(sizes) >= 0 and math.prod(sizes) <= MOST_ELEMENTS


def add_known_elements(module: ir.Module) -> None:
    """Rewrites every map that only adds known elements to an accumulator."""
    for update in _updates(module):
        nest = _nest_around(update)
        if nest is not None and nest.is_small():
            _add_elements(nest)


def _updates(module: ir.Module) -> list[ir.OpView]:
    found: list[ir.OpView] = []

    def collect(op: ir.Operation) -> ir.WalkResult:
        if op.name == "soac.update" and IN_BOUNDS in op.attributes:
            found.append(op.opview)
        return ir.WalkResult.ADVANCE

    module.operation.walk(collect)
    return found


def _nest_around(update: ir.OpView) -> AddingMaps | None:
    """The maps around an update that hand it elements of one array and its accumulator, and do nothing else."""
    maps: list[ir.OpView] = []
    inner, element, accumulator = update, update.operands[len(update.operands) - 1], update.operands[0]
    while _holds_only(inner, element, accumulator):
        inner = inner.operation.parent.opview
        maps.insert(0, inner)
        element, accumulator = operand_groups(inner)[1][0], operand_groups(inner)[2][0]
    return AddingMaps(maps, update) if maps else None


def _holds_only(inner: ir.OpView, element: ir.Value, accumulator: ir.Value) -> bool:
    """Whether the operation around `inner` is a map of these two with nothing else in it."""
    block = inner.operation.block
    if inner.operation.parent.name != "soac.map" or len(block.operations) != 2:
        return False
    arguments = list(block.arguments)
    uses = [len(list(argument.uses)) for argument in arguments[1:]]
    return arguments[1:] == [element, accumulator] and uses == [1, 1]


def _add_elements(nest: AddingMaps) -> None:
    """One update per element that is not zero, in place of the maps."""
    elements = {place: known_element(nest.array, place) for place in nest.places()}
    if any(element is None for element in elements.values()):
        return
    outer = nest.maps[0]
    array, total = nest.array, nest.accumulator
    for place, element in elements.items():
        if not is_zero(element):
            total = _add(nest, place, element, total)
    outer.results[0].replace_all_uses_with(total)
    outer.operation.erase()
    erase_unused_writes(array)


def _add(nest: AddingMaps, place: Sequence[int], element: ir.Value, accumulator: ir.Value) -> ir.Value:
    """The update before the maps, with the place for their indices."""
    outer, copied = nest.maps[0], nest.update.operation.clone(ip=ir.InsertionPoint(nest.maps[0]))
    index = dict(zip((map_.regions[0].blocks[0].arguments[0] for map_ in nest.maps), place, strict=True))
    for number, operand in enumerate(list(copied.operands)[1:-1], 1):
        if operand in index:
            copied.operands[number] = arith.constant(
                operand.type, index[operand], loc=outer.location, ip=ir.InsertionPoint(copied)
            )
    copied.operands[0] = accumulator
    copied.operands[len(copied.operands) - 1] = element
    return copied.results[0]
