"""Batched additions, which wait until the addends of several iterations have been loaded."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.updates import add_to
from tapeless.passes.lower.loops.views import View


class Later:
    """While it is entered, additions to some tables are noted, and made when it is left, in their order.

    Memory that is written keeps loads after it waiting, since nobody knows that it is not the same. Additions in
    branches are made where they are.
    """

    def __init__(self, emitter: Emitter, tables: Sequence[View]) -> None:
        self._emitter, self._tables, self._depth = emitter, [view.base for view in tables], emitter.builder.depth
        self._waiting: list[tuple[View, list[Index], ir.Value]] = []

    def __enter__(self) -> None:
        self._enter()

    def __exit__(self, *_: object) -> None:
        self._leave()
        for target, at, value in self._waiting:
            add_to(self._emitter, target, at, value)

    def _enter(self) -> None:
        self._emitter.ways_to_add |= dict.fromkeys(self._tables, self._note)

    def _leave(self) -> None:
        for base in self._tables:
            self._emitter.ways_to_add.pop(base)

    def _note(self, target: View, at: Sequence[Index], value: ir.Value) -> None:
        if self._emitter.builder.depth == self._depth:
            self._waiting.append((target, list(at), value))
            return
        self._leave()
        add_to(self._emitter, target, at, value)
        self._enter()
