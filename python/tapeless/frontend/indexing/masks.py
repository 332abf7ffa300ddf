"""Masks among the parts of a read: a bool array stands for the index arrays of the places where it holds.

How many places there are is known only when the program runs, and so is the size of what is read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.indexing.selections import Item
from tapeless.frontend.values.value import Array, Opaque, Tuple

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def is_mask(part: Item) -> bool:
    return isinstance(part, Array) and part.dtype.is_bool


def without_masks(t: Translator, array: Array, parts: Sequence[Item]) -> list[Item]:
    """The parts of an index, with index arrays for each mask; its sizes are checked to be those of the array."""
    return [each for part, axis in _with_axes(array, parts) for each in _places(t, array, part, axis)]


def _with_axes(array: Array, parts: Sequence[Item]) -> Iterator[tuple[Item, int]]:
    """Each part with the first axis that it names."""
    axis, used = 0, sum(map(_width, parts))
    for part in parts:
        yield part, axis
        is_rest = isinstance(part, Opaque) and part.value is ...
        axis += max(array.rank - used, 0) if is_rest else _width(part)


def _width(part: Item) -> int:
    """How many axes a part names."""
    if isinstance(part, Array) and part.dtype.is_bool:
        return part.rank
    return 0 if isinstance(part, Opaque) and part.value in (None, ...) else 1


def _places(t: Translator, array: Array, part: Item, axis: int) -> Sequence[Item]:
    if isinstance(part, ast.Slice) or not is_mask(part):
        return [part]
    for offset, size in enumerate(part.dims):
        if axis + offset < array.rank:
            broadcasting.same_size(t, array.dims[axis + offset], size, axis + offset)
    places = t.call(lang.nonzero, [part], {})
    assert isinstance(places, Tuple)
    return [t.held(each) for each in places.items]
