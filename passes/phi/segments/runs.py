"""Runs: operations of a block that could be one segment.

A run is closed by the first operation that uses one of its values and is no part of it, and stands right before that
one: all that it reads is there, and nothing has asked for what it gives.
"""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.scopes import Reads
from tapeless.passes.phi.segments.candidate import is_constant, is_part

SHORTEST = 2


@dataclass(frozen=True)
class Run:
    """Operations in order, and the operation before which they are all done."""

    ops: list[ir.OpView]
    before: ir.OpView


def runs_of(block: ir.Block, reads: Reads) -> Iterator[Run]:
    """The runs of a block, those closed first before the others."""
    open_ = _Open(reads)
    *body, last = list(block.operations)
    for op in body:
        if is_part(op):
            open_.add(op)
        elif not is_constant(op):
            yield from _closed(open_.used_by(op), op)
    yield from _closed(open_.rest(), last)


def _closed(ops: list[ir.OpView], before: ir.OpView) -> Iterator[Run]:
    if len(ops) >= SHORTEST:
        yield Run(ops, before)


class _Open:
    """The runs that are not closed yet: operations, together with those that they use values of."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._runs: dict[int, list[tuple[int, ir.OpView]]] = {}
        self._run_of: dict[ir.Value, int] = {}
        self._joined: dict[int, int] = {}
        self._count = 0

    def add(self, op: ir.OpView) -> None:
        self._count += 1
        keys = self._keys(op)
        largest = max(keys, key=lambda key: len(self._runs[key]), default=self._count)
        run = self._runs.setdefault(largest, [])
        run.append((self._count, op))
        for key in keys:
            if key != largest:
                run += self._runs.pop(key)
                self._joined[key] = largest
        self._run_of.update((result, largest) for result in op.operation.results)

    def used_by(self, op: ir.OpView) -> list[ir.OpView]:
        return self._taken(self._keys(op))

    def rest(self) -> list[ir.OpView]:
        return self._taken(list(self._runs))

    def _keys(self, op: ir.OpView) -> list[int]:
        found = {self._now(self._run_of[value]): None for value in self._reads.of(op) if value in self._run_of}
        return [key for key in found if key in self._runs]

    def _now(self, key: int) -> int:
        """The run that a run has become part of; at most as many steps as the run was doubled."""
        while key in self._joined:
            key = self._joined[key]
        return key

    def _taken(self, keys: list[int]) -> list[ir.OpView]:
        taken = sorted((each for key in keys for each in self._runs.pop(key)), key=lambda each: each[0])
        return [op for _, op in taken]
