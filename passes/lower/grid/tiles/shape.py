"""Which elements of a tile a thread has: groups of neighbours that it loads 16 bytes at once, side by side with others.

Tile m of an array begins at m times the size of a tile, whatever the direction of scans. The last tile may have fewer
elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK, without_overflow
from tapeless.passes.lower.grid.tiles.in_block import MOST_GROUPS, Numbers
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter

ACCESS_BYTES = 16
# How many words of 4 bytes a thread keeps for its elements, and how many operations are written out for them.
MOST_WORDS = 96
MOST_OPERATIONS = 1024

# Something for the element at a position.
Body = Callable[[ir.Value, int, int], Numbers]


@dataclass(frozen=True)
class Shape:
    """How many neighbours a group has, and how many groups a thread."""

    neighbours: int
    groups: int

    @staticmethod
    def of(accessed: Sequence[ir.Type], kept: Sequence[ir.Type], operations: int = 1) -> Shape:
        """For accesses to elements of these types, such numbers kept for each and so many operations on each."""
        neighbours = max(ACCESS_BYTES // max(map(size_of, accessed), default=4), 2)
        words = sum(max(size_of(type_) // 4, 1) for type_ in kept)
        groups = MOST_GROUPS
        while groups > 1 and (
            neighbours * groups * words > MOST_WORDS or neighbours * groups * operations > MOST_OPERATIONS
        ):
            groups //= 2
        return Shape(neighbours, groups)

    @property
    def tile(self) -> int:
        return THREADS_PER_BLOCK * self.neighbours * self.groups


def size_of(type_: ir.Type) -> int:
    """Bytes of a number."""
    if isinstance(type_, ir.IndexType):
        return 8
    if isinstance(type_, ir.IntegerType):
        return max(type_.width // 8, 1)
    return ir.FloatType(type_).width // 8


@dataclass(frozen=True)
class Tile:
    """The share of a thread in one tile of arrays with `width` elements."""

    emitter: Emitter
    shape: Shape
    number: Index
    thread: ir.Value
    width: Index

    def each(self, body: Body, otherwise: Sequence[ir.Value]) -> list[list[Numbers]]:
        """The results of `body` for every element of this thread, group by group, and `otherwise` where the array ends.

        In tiles that are full nothing is tested, so that LLVM joins the accesses to neighbours.
        """
        builder, shape = self.emitter.builder, self.shape
        first = without_overflow(builder, "arith.muli", builder.as_value(self.number), shape.tile)
        end = without_overflow(builder, "arith.addi", first, shape.tile)
        own = without_overflow(
            builder, "arith.addi", first, without_overflow(builder, "arith.muli", self.thread, shape.neighbours)
        )
        places = [(group, place) for group in range(shape.groups) for place in range(shape.neighbours)]

        def position(group: int, place: int) -> ir.Value:
            offset = group * THREADS_PER_BLOCK * shape.neighbours + place
            return without_overflow(builder, "arith.addi", own, offset)

        def all_of_them() -> Numbers:
            return [value for at in places for value in body(position(*at), *at)]

        def those_inside() -> Numbers:
            return [value for at in places for value in self._if_inside(position(*at), body, at, otherwise)]

        types = [value.type for _ in places for value in otherwise]
        values = iter(few_or_many(self.emitter, end, self.width, all_of_them, those_inside, types))
        return [[[next(values) for _ in otherwise] for _ in range(shape.neighbours)] for _ in range(shape.groups)]

    def _if_inside(self, position: ir.Value, body: Body, at: tuple[int, int], otherwise: Sequence[ir.Value]) -> Numbers:
        builder = self.emitter.builder
        below = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), arith.CmpIPredicate.slt.value)
        bit = ir.IntegerType.get_signless(1)
        is_inside = builder.value("arith.cmpi", bit, [position, builder.as_value(self.width)], predicate=below)
        branch = builder.create("scf.if", [value.type for value in otherwise], [is_inside], regions=2)
        builder.push(branch, 0, [], is_branch=True)
        end_region(self.emitter, body(position, *at))
        if otherwise:
            builder.push(branch, 1, [], is_branch=True)
            end_region(self.emitter, list(otherwise))
        return list(branch.results)
