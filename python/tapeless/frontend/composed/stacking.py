"""Arrays stacked and cut as numpy has it: `hstack`, `column_stack`, `block`, `hsplit`; axes added and repeated."""

from __future__ import annotations

from typing import Any

from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.composed.joining import split
from tapeless.frontend.composed.moving import ravel
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.elementwise import stretching


def _parts(tl: Language, arrays: Any, name: str) -> list[Term]:
    """The arrays of a tuple, or the rows of one array."""
    if isinstance(arrays, Term):
        array = tl.array(arrays)
        if not array.dims[0].is_constant:
            raise tl.t.error(f"tl.{name} of an array", f"write tl.{name}((a, b))", TypeMismatch)
        return [array.at(0, position) for position in range(array.dims[0].constant)]
    if not isinstance(arrays, tuple) or not arrays:
        raise tl.t.error(f"tl.{name} takes a tuple of arrays", f"write tl.{name}((a, b))", TypeMismatch)
    return [tl.number(each) for each in arrays]


def hstack(tl: Language, arrays: Any) -> Term:
    parts = [part if part.rank else ravel(tl, part) for part in _parts(tl, arrays, "hstack")]
    return tl.concat(tuple(parts), axis=0 if parts[0].rank == 1 else 1)


def vstack(tl: Language, arrays: Any) -> Term:
    return tl.concat(tuple(_with_rows(part) for part in _parts(tl, arrays, "vstack")), axis=0)


def column_stack(tl: Language, arrays: Any) -> Term:
    parts = [ravel(tl, part) if not part.rank else part for part in _parts(tl, arrays, "column_stack")]
    return tl.concat(tuple(part.with_axes((1,)) if part.rank == 1 else part for part in parts), axis=1)


def dstack(tl: Language, arrays: Any) -> Term:
    parts = [_with_rows(part) for part in _parts(tl, arrays, "dstack")]
    return tl.concat(tuple(part.with_axes((2,)) if part.rank == 2 else part for part in parts), axis=2)


def _with_rows(x: Term) -> Term:
    """A vector, or a number, as a matrix of one row."""
    return x.with_axes(tuple(range(2 - x.rank)))


def block(tl: Language, arrays: Any) -> Term:
    """Blocks in nested lists: the innermost lists along the last axis, those around them along the axis before."""
    depth = _depth(tl, arrays)
    rank = max(depth, _rank(tl, arrays))
    return _joined(tl, arrays, rank, rank - depth)


def _depth(tl: Language, arrays: Any) -> int:
    if not isinstance(arrays, tuple):
        return 0
    depths = {_depth(tl, each) for each in arrays}
    if len(depths) != 1:
        raise tl.t.error("tl.block takes lists of one depth", "write tl.block([[a, b], [c, d]])", ShapeMismatch)
    return depths.pop() + 1


def _rank(tl: Language, arrays: Any) -> int:
    return max(_rank(tl, each) for each in arrays) if isinstance(arrays, tuple) else tl.number(arrays).rank


def _joined(tl: Language, arrays: Any, rank: int, axis: int) -> Term:
    if isinstance(arrays, tuple):
        return tl.concat(tuple(_joined(tl, each, rank, axis + 1) for each in arrays), axis=axis)
    number = tl.number(arrays)
    return number.with_axes(tuple(range(rank - number.rank)))


def hsplit(tl: Language, x: Any, indices_or_sections: Any) -> tuple[Term, ...]:
    return split(tl, x, indices_or_sections, 0 if tl.array(x).rank == 1 else 1)


def vsplit(tl: Language, x: Any, indices_or_sections: Any) -> tuple[Term, ...]:
    if tl.array(x).rank < 2:
        raise tl.t.error("tl.vsplit of a vector", "write tl.split(x, parts)", ShapeMismatch)
    return split(tl, x, indices_or_sections, 0)


def atleast_1d(tl: Language, *arrays: Any) -> Any:
    found = tuple(number if number.rank else ravel(tl, number) for number in (tl.listed(each) for each in arrays))
    return found[0] if len(found) == 1 else found


def atleast_2d(tl: Language, *arrays: Any) -> Any:
    found = tuple(_with_rows(tl.listed(each)) for each in arrays)
    return found[0] if len(found) == 1 else found


def broadcast_to(tl: Language, x: Any, shape: Any) -> Term:
    number, dims = tl.listed(x), array_arguments.shape(tl.t, as_value(shape))
    if number.rank > len(dims):
        raise tl.t.error(
            f"an array of rank {number.rank} is not repeated to {len(dims)} axes",
            "give a size for each axis of the array, and those before them",
            ShapeMismatch,
        )
    return number.broadcast(dims)


def broadcast_arrays(tl: Language, *arrays: Any) -> tuple[Term, ...]:
    """Arrays repeated to the shape that they have together."""
    numbers = [tl.listed(each).held() for each in arrays]
    shaped = [tl.t.array(each.value) for each in numbers if each.rank]
    dims = stretching.common_dims(tl.t, shaped) if shaped else ()
    return tuple(number.broadcast(dims) for number in numbers)
