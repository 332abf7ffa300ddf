"""The pass `soac-minimise-checkpoints` stores a minimum cut of values, where it is smaller than the states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.inner import run_inner
from tapeless.passes.ir.scopes import identity
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import remembered_sizes
from tapeless.passes.soac.cut.choose import choose
from tapeless.passes.soac.cut.histories import returns_of
from tapeless.passes.soac.cut.rewrite import Change
from tapeless.passes.soac.simplify.prune import prune
from tapeless.passes.soac.simplify.simplify import Simplify

Identity: TypeAlias = ir.Value | ir.Block | None


@dataclass(frozen=True)
class MinimiseCheckpoints:
    """Selects the checkpoints of a loop by a minimum cut: the fewest bytes from which its reverse sweep can go on.

    ```
    for i: h[i] = x; x = f(x)                        for i: k[i] = g(x); x = f(x)
    for i back: x = h[i]; b = df(g(x), b)            for i back: b = df(k[i], b)
    ```
    """

    name: ClassVar[str] = "soac-minimise-checkpoints"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Looks at every loop that stores rows for another one; again, where one lies in another that was changed."""
        root = module.operation.opview
        is_left = True
        while is_left:
            changes, is_left = _changes(root)
            for change in changes:
                change.carry_out()
            if changes:
                prune(root)
                run_inner(Simplify(), module)


def _changes(root: ir.OpView) -> tuple[list[Change], bool]:
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
