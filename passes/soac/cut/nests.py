"""Nests of maps around scalar code: arrays that are made element by element."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.scopes import terminator
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import scalar_size

MAP = "soac.map"


@dataclass(frozen=True)
class Element:
    """The array from outside the nest, and its lost axes, of an argument of the innermost body."""

    array: ir.Value
    levels: tuple[int, ...]


@dataclass(frozen=True)
class MapNest:
    """Maps with nothing beside them, the outermost first, and how wide they are."""

    levels: list[ir.OpView]
    widths: tuple[Size, ...]

    @staticmethod
    def of(op: ir.OpView) -> MapNest | None:
        """The nest that begins with an operation, if its results are elements that its innermost body yields."""
        levels = [op]
        while levels[-1].operation.name == MAP and (inner := _only_map(levels[-1])) is not None:
            levels.append(inner)
        if levels[-1].operation.name != MAP or any(
            isinstance(r.type, ir.RankedTensorType) for r in _yielded(levels[-1])
        ):
            return None
        return MapNest(levels, tuple(scalar_size(level.operands[0]) for level in levels))

    @property
    def body(self) -> ir.Block:
        """The scalar code."""
        return self.levels[-1].regions[0].blocks[0]

    def elements(self) -> Iterator[tuple[ir.Value, Element]]:
        """For every argument that is an element of an array, or a row of one, of which."""
        known: dict[ir.Value, Element] = {}
        for number, level in enumerate(self.levels):
            arguments = level.regions[0].blocks[0].arguments
            for array, argument in zip(level.inputs, list(arguments)[1:], strict=False):
                outer = known.get(array, Element(array, ()))
                known[argument] = Element(outer.array, (*outer.levels, number))
        yield from known.items()

    def is_element(self, element: Element) -> bool:
        """Whether the innermost body gets one number of an array in each iteration."""
        return element.levels == tuple(range(len(self.levels))) == tuple(range(element.array.type.rank))

    def made(self) -> Iterator[tuple[ir.Value, ir.Value]]:
        """Every result with the value of the innermost body that its elements are."""
        outermost = self.levels[0]
        for result in outermost.results:
            value = result
            for level in self.levels:
                value = _yielded(level)[value.result_number]
            yield result, value


def _only_map(op: ir.OpView) -> ir.OpView | None:
    """The map that is all of an operator's body, if nothing but its results is yielded."""
    block = op.regions[0].blocks[0]
    if len(block.operations) != 2 or (inner := block.operations[0]).operation.name != MAP:
        return None
    return inner if all(value in list(inner.results) for value in _yielded(op)) else None


def _yielded(op: ir.OpView) -> list[ir.Value]:
    return list(terminator(op.regions[0].blocks[0]).operands)
