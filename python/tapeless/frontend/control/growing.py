"""Lists that grow in loops whose length is known only when running.

A list that gets one number, or one array of one shape, in each iteration is an array with a row for each of them. It
stays a list for the program: operators take it as numpy takes lists, it can be indexed, counted and looped over, and
what Python does with lists and not with arrays is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.control.iterables import MOST_UNROLLED, Iteration
from tapeless.frontend.control.ranges import Range
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.indexing import slices
from tapeless.frontend.indexing.insertion import written
from tapeless.frontend.indexing.selections import Selection
from tapeless.frontend.indexing.slices import Span
from tapeless.frontend.syntax.scoping import own_nodes
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import (
    Array,
    Growing,
    Probe,
    Rows,
    Scalar,
    Tuple,
    Value,
    describe,
    is_list,
    literal,
)

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

INSTEAD = "make an array with np.zeros(n) before the loop and write out[i] = ... in it, or np.array([... for ...])"


def lists(t: Translator, loop: ast.For) -> list[str]:
    """The names of lists that the body makes longer and that are there before."""
    names = {each.target.id for each in own_nodes(loop.body) if _is_growth(each)}
    return sorted(name for name in names if _is_list(t.frame.names.get(name)))


def _is_list(value: object) -> bool:
    return is_list(value) or isinstance(value, (Rows, Growing, Probe))


def _is_growth(node: ast.AST) -> bool:
    return isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add)


def is_unrolled(t: Translator, found: Iteration) -> bool:
    """Whether the loop is translated once for each value, so that each length of a list is a form of its own."""
    count = found.count(t)
    return count.is_constant and count.constant <= MOST_UNROLLED


def check(t: Translator, loop: ast.For, found: Iteration, names: Sequence[str]) -> None:
    """Refuses lists that do not get one item in each iteration, and those that the body reads."""
    count = found.count(t)
    times = f"{count.constant} times" if count.is_constant else "as often as is known only when running"
    for name in names:
        uses = [node for each in loop.body for node in ast.walk(each) if isinstance(node, ast.Name) and node.id == name]
        appends = [each for each in loop.body if _is_growth(each) and each.target.id == name and _is_of_one(each.value)]
        is_outer = isinstance(t.frame.names[name], (Growing, Probe))
        if len(appends) != 1 or loop.stop_flag or is_outer:
            raise t.error(
                f"a list grows in a loop that runs {times}, not at most {MOST_UNROLLED}, "
                "and not by one value in each iteration",
                INSTEAD,
            )
        if len(uses) != 1:
            raise t.error(
                f"'{name}' grows in a loop that runs {times}, not at most {MOST_UNROLLED}, and is read in it",
                f"keep what is read in a name of its own, as in last = ...; {name}.append(last)",
            )


def _is_of_one(node: ast.expr) -> bool:
    return isinstance(node, ast.List) and len(node.elts) == 1 and not isinstance(node.elts[0], ast.Starred)


def counted(t: Translator, found: Iteration) -> Range:
    """The loop with a counter that is the number of iterations before."""
    return Range(Affine(0), found.count(t), 1, found.at)


def with_room(t: Translator, name: str, before: Value, probe: Probe, count: Affine) -> tuple[Rows, Affine]:
    """A list with its items from before and room for one from each iteration, and how many there are before."""
    item = probe.items[-1]
    if not isinstance(item, (Scalar, Array)):
        raise t.error(
            f"'{name}' gets {describe(item)} in each iteration of a loop whose length is known only when running",
            "append numbers or arrays, to a list for each of them",
            TypeMismatch,
        )
    dims = item.dims if isinstance(item, Array) else ()
    if not all(integers.is_available(t.builder, size) for size in dims):
        raise t.error(
            f"'{name}' gets an array in each iteration whose size may be another one each time",
            "append arrays of one shape, for example np.zeros(n) of which a part is written",
            TypeMismatch,
        )
    room = whole_arrays.filled(t, (count, *dims), literal(0), item.dtype)
    if isinstance(before, Tuple) and not before.items:
        return Rows(room), Affine(0)
    first = before.array if isinstance(before, Rows) else t.array(before)
    if first.rank != room.rank:
        raise t.error(
            f"'{name}' has items of rank {first.rank - 1} before the loop, and gets some of rank {len(dims)} in it",
            "append numbers, or arrays of one shape",
            TypeMismatch,
        )
    return Rows(t.array(t.call(lang.concat, [Tuple((first, room))]))), first.dims[0]


def growing(value: Value, place: Affine) -> Growing:
    """A list in the iteration that gives it the item at a place."""
    assert isinstance(value, Rows)
    return Growing(value.array, place)


def appended(t: Translator, before: Growing | Probe, items: Value) -> Value:
    """The list with the item of this iteration."""
    (item,) = items.items if isinstance(items, Tuple) else (items,)
    if isinstance(before, Probe):
        before.items.append(t.held(item))
        return before
    array = before.array
    row = force(t, whole_arrays.converted(t, t.number(item), array.dtype))
    spans = (Span(before.place, Affine(1), 1, dropped=True), *(slices.whole(size) for size in array.dims[1:]))
    return Rows(written(t, array, Selection(spans, ()), row))
