"""Selections of an index: one span per axis, from integers, slices, `...` and `None`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TypeMismatch
from tapeless.frontend.indexing import slices
from tapeless.frontend.indexing.positions import position
from tapeless.frontend.indexing.slices import Span
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Opaque, Tuple, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Selection:
    """The selection of an index: one span per axis of the array, and where the result gets new axes."""

    spans: tuple[Span, ...]
    new_axes: tuple[int, ...]

    @property
    def dims(self) -> tuple[Affine, ...]:
        """The sizes of the selection, new axes left out."""
        return tuple(span.count for span in self.spans if not span.dropped)


Item = ast.Slice | Value


def items(t: Translator, node: ast.expr) -> list[Item]:
    """The parts of an index; expressions are evaluated, slices are not yet."""
    if isinstance(node, ast.Tuple):
        return [item for element in node.elts for item in items(t, element)]
    if isinstance(node, ast.Slice):
        return [node]
    if isinstance(node, ast.Call) and _is_slice(t, node):
        return [_slice(node)]
    value = t.held(t.evaluate(node))
    if not isinstance(value, Tuple):
        return [value]
    return [_as_array(t, value)] if value.is_list else [_as_array(t, item) for item in value.items]


def _is_slice(t: Translator, node: ast.Call) -> bool:
    """Whether a call is one of Python's `slice`."""
    is_name = isinstance(node.func, ast.Name) and node.func.id == "slice" and t.frame.find("slice") is None
    return is_name and t.frame.source.lookup("slice") is slice and 1 <= len(node.args) <= 3 and not node.keywords


def _slice(node: ast.Call) -> ast.Slice:
    """`slice(a, b, c)` as `a:b:c`."""
    bounds = [None if isinstance(each, ast.Constant) and each.value is None else each for each in node.args]
    lower, upper, step = [None, *bounds, None] if len(bounds) == 1 else [*bounds, None][:3]
    return ast.copy_location(ast.Slice(lower, upper, step), node)


def _as_array(t: Translator, value: Value) -> Value:
    """A list in an index as the index array that it stands for."""
    if not isinstance(value, Tuple):
        return value
    if not value.items:
        raise t.error("an index without elements", "leave it out, or use an array of integers")
    return t.held(t.call(lang.OPERATORS["array"], [value]))


def selection(t: Translator, array: Array, parts: Sequence[Item]) -> Selection:
    """Normalised and checked spans for the parts of an index."""
    spans: list[Span] = []
    new_axes: list[int] = []
    for part in without_ellipsis(t, array, parts):
        if isinstance(part, Opaque) and part.value is None:
            new_axes.append(len(new_axes) + sum(not span.dropped for span in spans))
            continue
        axis = len(spans)
        if isinstance(part, ast.Slice):
            spans.append(slices.span(t, part, array.dims[axis]))
        else:
            spans.append(Span(position(t, part, array.dims[axis], axis), Affine(1), 1, dropped=True))
    spans += [slices.whole(size) for size in array.dims[len(spans) :]]
    return Selection(tuple(spans), tuple(new_axes))


def without_ellipsis(t: Translator, array: Array, parts: Sequence[Item]) -> list[Item]:
    """The parts of an index with `...` written out as slices."""
    used = sum(not (isinstance(part, Opaque) and part.value in (None, ...)) for part in parts)
    if used > array.rank:
        raise t.error(
            f"{used} indices for an array of rank {array.rank}", f"use at most {array.rank} indices", TypeMismatch
        )
    result: list[Item] = []
    for part in parts:
        if isinstance(part, Opaque) and part.value is ...:
            result += [ast.Slice()] * (array.rank - used)
            used = array.rank
        else:
            result.append(part)
    return result
