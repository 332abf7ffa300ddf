"""Changes of the checkpoints of all loops that go together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import identity
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import remembered_sizes
from tapeless.passes.soac.cut.choose import choose
from tapeless.passes.soac.cut.histories import returns_of
from tapeless.passes.soac.cut.rewrite import Change

Identity: TypeAlias = ir.Value | ir.Block | None


def changes_of(root: ir.OpView) -> tuple[list[Change], bool]:
    """The changes of stored values, of nested loops the first; whether others are left.

    Nothing changes yet, but that there is room.
    """
    changes: list[Change] = []
    is_left = False
    loops: set[Identity] = set()
    around: set[Identity] = set()
    with remembered_sizes():
        for loop in ops_named(root, "scf.for"):
            for pair in returns_of(loop):
                own = {identity(pair.forward), identity(pair.back)}
                outer = {identity(op) for each in (pair.forward, pair.back) for op in _around(each)}
                if not (loops.isdisjoint(own | outer) and around.isdisjoint(own)):
                    is_left = True
                elif (choice := choose(pair)) is not None:
                    changes.append(Change.planned(pair, choice))
                    loops |= own
                    around |= outer
    return changes, is_left


def _around(op: ir.OpView) -> Iterator[ir.OpView]:
    while op.operation.parent is not None and op.operation.name != "func.func":
        op = op.operation.parent.opview
        yield op
