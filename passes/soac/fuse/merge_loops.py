"""`soac-merge-loops`: loops that pass elements to each other, or read the same arrays, made into one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import chain, islice
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.groups import SOME_RUNS, run_lengths
from tapeless.passes.ir.array_loops import Loop, is_loop, makes_elements
from tapeless.passes.ir.costs import body_size, is_check
from tapeless.passes.ir.scopes import identity
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.ir.sizes.shapes import lasting_search, remembered_sizes
from tapeless.passes.ir.sizes.size_search import Search
from tapeless.passes.soac.fuse.merge import merge
from tapeless.passes.soac.fuse.placement import Barriers, place_for_merge
from tapeless.passes.soac.fuse.products import parts_product
from tapeless.passes.soac.fuse.readers import Readers
from tapeless.passes.soac.fuse.share_equal import share_equal

# How many loops that read the same arrays a loop is compared with.
MOST_NEIGHBOURS = 16


@dataclass(frozen=True)
class MergeLoops:
    """Fuses operators of equal width: a map into the consumer of its elements, and neighbours that read the same array.

    ```mlir
    %squares = "soac.map"(%n, %xs) ({...mulf...}) ...
    %sum = "soac.reduce"(%n, %squares, %zero) ({...addf...}) ...
    ```
    becomes
    ```mlir
    %sum = "soac.fused"(%n, %xs, %zero) ({...mulf...}, {...addf...}, {}) ...
    ```
    A merged body has at most `max_body` operations; `horizontal` also merges operators that only share an input;
    without `reductions` only maps are merged. Two operators have at most `most_values` operands, or results, together.
    """

    name: ClassVar[str] = "soac-merge-loops"
    skips_numbers: ClassVar[bool] = True
    max_body: int = 1000
    horizontal: bool = True
    reductions: bool = True
    most_values: int = SOME_RUNS

    def run(self, module: ir.Module) -> bool:
        """Merges block by block, outer blocks first, so that merged bodies bring their inner operators together."""
        return self._fuse_below(module.operation.opview, EqualSizes())

    def _fuse_below(self, op: ir.OpView, equal: EqualSizes) -> bool:
        """Fuses in the blocks of an operation and below; whether anything was."""
        fused, equal = False, equal.within(op)
        for region in op.regions:
            for block in region.blocks:
                if not any(len(inner.regions) for inner in block.operations):
                    continue
                merged = self._fuse_block(block, equal.copy())
                fused |= merged
                before = equal.copy()
                for inner in list(block.operations):
                    before.enter(inner)
                    if len(inner.regions):
                        if merged:
                            share_equal(inner)
                        fused |= self._fuse_below(inner, before)
        return fused

    def _fuse_block(self, block: ir.Block, equal: EqualSizes) -> bool:
        operations = list(block.operations)
        if not any(map(is_loop, operations)):
            return False
        known, fused = BlockFacts(equal, self.reductions, self.most_values), False
        for op in operations:
            known.enter(op)
            loop = Loop.of(op)
            while loop is not None:
                loop = self._fuse_once(loop, known)
                fused |= loop is not None
        return fused

    def _fuse_once(self, consumer: Loop, known: BlockFacts) -> Loop | None:
        """Merges one earlier loop into this one; nothing when there is none left to merge."""
        barriers = Barriers()
        for candidate in self._candidates(consumer, known):
            if not known.fit(candidate, consumer):
                continue
            before = place_for_merge(candidate, consumer, known.checks, barriers)
            if before is not None:
                return Loop.seen_as(known.merge(candidate, consumer, before))
        return None

    def _candidates(self, consumer: Loop, known: BlockFacts) -> Iterator[Loop]:
        """The loops before this one that it may be merged with, each once, but for those that would be too large."""
        near = chain(
            _producers(consumer), islice(known.readers.beside(consumer), MOST_NEIGHBOURS if self.horizontal else 0)
        )
        most = self.max_body - known.sizes[identity(consumer.op)]
        seen = set()
        for op in near:
            key = identity(op)
            if key not in seen and known.sizes[key] <= most:
                yield Loop.seen_as(op)
            seen.add(key)


@dataclass
class BlockFacts:
    """The facts of fusion on the operations of a block it has seen: body sizes, which hold no map, and their checks.

    Answers about sizes hold until something is merged.
    """

    equal: EqualSizes
    reductions: bool = True
    most_values: int = SOME_RUNS
    sizes: dict[ir.Value | ir.Block, int] = field(default_factory=dict)
    plain: dict[ir.Value | ir.Block, bool] = field(default_factory=dict)
    checks: list[ir.Operation] = field(default_factory=list)
    readers: Readers = field(default_factory=Readers)
    search: Search = field(default_factory=lasting_search)

    def enter(self, op: ir.OpView) -> None:
        """Takes note of an operation."""
        if is_loop(op):
            blocks = list(op.regions[0].blocks)
            self.sizes[identity(op)] = sum(map(body_size, blocks))
            inner = (each.operation.name for block in blocks for each in block.operations)
            self.plain[identity(op)] = "soac.map" not in inner
        if is_check(op):
            self.checks.append(op.operation)
        self.readers.enter(op)
        self.equal.enter(op)

    def fit(self, first: Loop, second: Loop) -> bool:
        """Whether two loops have the same width and parts that one operator can hold well."""
        if (first.accs or second.accs or not self.reductions) and (first.combines or second.combines):
            return False
        if _values(first.op) + _values(second.op) > self.most_values or _runs(first.op) + _runs(second.op) > SOME_RUNS:
            return False
        with remembered_sizes(self.search):
            if not self.equal.are_same(first.width, second.width):
                return False
            are_plain = self.plain[identity(first.op)] and self.plain[identity(second.op)]
            return are_plain or not parts_product(first, second, self.equal)

    def merge(self, first: Loop, second: Loop, before: ir.OpView) -> ir.OpView:
        """Merges two loops and remembers the result in their place."""
        size = self.sizes[identity(first.op)] + self.sizes[identity(second.op)]
        is_plain = self.plain[identity(first.op)] and self.plain[identity(second.op)]
        parts = (first.op.operation, second.op.operation)
        others = [op for op in self.checks if op not in parts]
        holds_check = len(others) < len(self.checks)
        self.readers.leave(first)
        self.readers.leave(second)
        merged = merge(first, second, before)
        self.search = lasting_search()
        self.readers.enter(merged)
        self.readers.enter_users(merged)
        self.sizes[identity(merged)], self.plain[identity(merged)] = size, is_plain
        self.checks = [*others, merged.operation] if holds_check else others
        return merged


def _values(op: ir.OpView) -> int:
    return max(len(op.operation.operands), len(op.operation.results))


def _runs(op: ir.OpView) -> int:
    """How often the types of operands, or of results, change."""
    groups = ([value.type for value in values] for values in (op.operation.operands, op.operation.results))
    return max(len(run_lengths(types)) for types in groups)


def _producers(consumer: Loop) -> Iterator[ir.OpView]:
    """The loops in the same block that make an input or an accumulator of this one."""
    block = consumer.op.operation.block
    for value in (*consumer.inputs, *consumer.accs):
        if not isinstance(value, ir.BlockArgument):
            op = value.owner
            if op.operation.block == block and is_loop(op) and makes_elements(op, value.result_number):
                yield op
