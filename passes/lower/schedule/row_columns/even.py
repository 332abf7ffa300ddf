"""Rows of equal elements: those who find places add them, one number for each row."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.storage.tree import Node, Tree


def number_of_sum(tree: Tree, loop: Node, acc: ir.Value) -> int | None:
    """Which accumulator of a loop another one in its body is."""
    own = loop.arguments()[1 + len(loop.op.inputs) :]
    while acc not in own:
        maker = tree.definition[acc]
        if maker.name == "soac.map" and acc in maker.results:
            acc = list(maker.op.accs)[maker.results.index(acc) - len(maker.results) + len(maker.op.accs)]
        elif maker.name == "scf.if":
            acc = maker.terminator.operands[maker.results.index(acc)]
        else:
            return None
    return own.index(acc)


@dataclass(frozen=True)
class Rows:
    """The maps over elements of rows in a loop's body, and the branch that they may be in."""

    inner: list[Node]
    guard: Node | None


def even_rows(tree: Tree, loop: Node, rows: Rows, is_there: Callable[[ir.Value], bool]) -> list[Node]:
    """The maps over elements of rows that add the same number everywhere, one that is there without columns.

    All that is added to their sums is of that kind.
    """
    sums = {each: {number_of_sum(tree, loop, acc) for acc in each.op.accs} for each in rows.inner}
    beside = [each for each in rows.inner if each.parent in (loop, rows.guard)]
    even = [each for each in beside if None not in sums[each] and _adds_one_number(each, is_there)]
    while mixed := [
        each for each in even if any(sums[each] & sums[other] for other in rows.inner if other not in even)
    ]:
        even = [each for each in even if each not in mixed]
    return even


def _adds_one_number(inner: Node, is_there: Callable[[ir.Value], bool]) -> bool:
    *updates, _ = inner.regions[0]
    if len(inner.op.inputs):
        return False
    if any(each.name != "soac.update" for each in updates):
        return False
    needed = [value for each in updates for value in each.operands[1:] if value not in inner.arguments()]
    return all(map(is_there, needed))
