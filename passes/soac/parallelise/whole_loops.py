"""Loops that stay, because the method `coarsened` may differentiate them as a whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import is_defined_outside, outer_values
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.parallelise.own_index import OwnIndex
from tapeless.passes.soac.parallelise.parts import own_index

REQUESTS = ("ad.vjp", "ad.jvp")
LOOPS = ("scf.for", "scf.while")


class WholeLoops:
    """Tells the loops of a program that may become operators from those that stay where `coarsened` is asked for.

    Loops may have a closed form that use no arrays, or are inside of loops that carry no arrays. On processors, loops
    that read neighbours in an array stay, too: a reverse loop adds to both ends of a spring as it goes, in 2.5 ns for
    each of 4,000 springs, where an array of what it adds takes 4.8.
    """

    def __init__(self, root: ir.OpView, for_threads: bool) -> None:
        self._may_stay = differentiates_loops(root)
        self._for_threads = for_threads

    def allow(self, loop: ir.OpView) -> bool:
        """Whether a loop may become an operator."""
        if not self._may_stay:
            return True
        is_unsolved = _has_arrays(outer_values(loop)) and all(_has_arrays(each.results) for each in loops_around(loop))
        return is_unsolved and (self._for_threads or not _reads_neighbours(loop))


def differentiates_loops(root: ir.OpView) -> bool:
    """Whether a method is asked for that differentiates loops as a whole, with those that they hold."""
    return any(op.method.value == "coarsened" for op in ops_named(root, *REQUESTS))


def loops_around(loop: ir.OpView) -> Iterator[ir.Operation]:
    """The sequential loops around one."""
    around = loop.operation.parent
    while around.name not in ("func.func", "builtin.module"):
        if around.name in LOOPS:
            yield around
        around = around.parent


def _has_arrays(values: Iterable[ir.Value]) -> bool:
    return any(isinstance(value.type, ir.RankedTensorType) for value in values)


def _reads_neighbours(loop: ir.OpView) -> bool:
    """Whether an iteration reads elements of an array at several distances from its counter."""
    found: dict[tuple[ir.Value, int], set[OwnIndex]] = defaultdict(set)
    for op in ops_named(loop, "tensor.extract"):
        array = op.operands[0]
        if is_defined_outside(array, loop.operation):
            for axis in range(array.type.rank):
                if own := own_index(op, axis, loop):
                    found[array, axis].add(own)
    return any(len(distances) > 1 for distances in found.values())
