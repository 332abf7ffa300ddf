"""`einsum`, as sums and matrix products of two arrays at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays import array_arguments, whole_arrays
from tapeless.frontend.arrays.reshaping import product, reshaped
from tapeless.frontend.composed.matrices import diagonal
from tapeless.frontend.composed.subscripts import parsed, subscripts_and_operands
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.elementwise import broadcasting, stretching
from tapeless.frontend.values import promotion
from tapeless.frontend.values.affine import Affine
from tapeless.types import bool_, i64


@dataclass(frozen=True)
class Labelled:
    """An array whose axes have names."""

    labels: str
    array: Term

    def size(self, label: str) -> Affine:
        return self.array.dims[self.labels.index(label)]


def einsum(tl: Language, subscripts: Any, *operands: Any) -> Term:
    """The sum of products over all indices that the result has not; axes of size 1 go with any."""
    text, given = subscripts_and_operands(tl.t, subscripts, operands)
    numbers = [tl.listed(each).held() for each in given]
    names, result = parsed(tl.t, text, [each.rank for each in numbers])
    dtype, _ = promotion.common([promotion.weight(each.value) for each in numbers])
    is_logical = dtype == bool_
    numbers = [tl.astype(each, i64 if is_logical else dtype).held() for each in numbers]
    arrays = _stretched(tl, [_diagonals(tl, labels, each) for labels, each in zip(names, numbers, strict=True)])
    left = arrays[0]
    for position, right in enumerate(arrays[1:], start=1):
        needed = set(result).union(*(each.labels for each in arrays[position + 1 :]))
        left = _contracted(tl, left, right, needed)
    left = _summed(tl, left, set(result))
    found = _ordered(tl, left, result)
    return found.differs(0) if is_logical else tl.astype(found, dtype)


def _diagonals(tl: Language, labels: str, number: Term) -> Labelled:
    """An array with each of its labels once: axes that share one are replaced by their diagonal."""
    for label in labels:
        while labels.count(label) > 1:
            first, second = labels.index(label), labels.rindex(label)
            axes = (number.dims[first], number.dims[second])
            broadcasting.same_size(tl.t, *axes, second, instead="give axes that share an index one size")
            number = tl.array(diagonal(tl, number, 0, first, second))
            labels = labels[:first] + labels[first + 1 : second] + labels[second + 1 :] + label
    return Labelled(labels, number)


def _stretched(tl: Language, arrays: Sequence[Labelled]) -> list[Labelled]:
    """The arrays with one size for each label; an axis of size 1 is left out where other arrays have more."""
    sizes: dict[str, Affine] = {}
    for each in arrays:
        for axis, label in enumerate(each.labels):
            known, own = sizes.get(label, each.size(label)), each.size(label)
            sizes[label] = stretching.common_size(tl.t, known, own, axis, ((known,), (own,)))
    return [_fitted(tl, each, sizes) for each in arrays]


def _fitted(tl: Language, x: Labelled, sizes: Mapping[str, Affine]) -> Labelled:
    if not x.labels:
        return x
    wanted = [sizes[label] for label in x.labels]
    number = Term(tl.t, whole_arrays.fitted(tl.t, tl.t.array(x.array.value), wanted))
    labels = x.labels
    for label in x.labels:
        if x.size(label) == broadcasting.ONE != sizes[label]:
            number = number.at(labels.index(label), 0)
            labels = labels.replace(label, "")
    return Labelled(labels, number)


def _summed(tl: Language, x: Labelled, needed: set[str]) -> Labelled:
    """Summed over axes that nothing needs."""
    dropped = tuple(axis for axis, label in enumerate(x.labels) if label not in needed)
    kept = "".join(label for label in x.labels if label in needed)
    return Labelled(kept, tl.sum(x.array, axis=dropped)) if dropped else x


def _ordered(tl: Language, x: Labelled, labels: str) -> Term:
    return tl.transpose(x.array, tuple(x.labels.index(label) for label in labels)) if len(labels) > 1 else x.array


def _contracted(tl: Language, left: Labelled, right: Labelled, needed: set[str]) -> Labelled:
    """The product of two arrays, summed over common axes that the result lacks: a product of stacks of matrices."""
    left = _summed(tl, left, needed | set(right.labels))
    right = _summed(tl, right, needed | set(left.labels))
    longer, shorter = (left, right) if len(left.labels) >= len(right.labels) else (right, left)
    shared = [label for label in longer.labels if label in shorter.labels]
    stacked = [label for label in shared if label in needed]
    contracted = [label for label in shared if label not in needed]
    rows = [label for label in left.labels if label not in shared]
    columns = [label for label in right.labels if label not in shared]
    if not contracted or not (rows or columns):
        return _product(tl, left, right, [*stacked, *rows, *columns, *contracted])
    sizes = {label: each.size(label) for each in (right, left) for label in each.labels}
    a = _matrix(tl, left, stacked, rows, contracted)
    b = _matrix(tl, right, stacked, contracted, columns)
    labels = "".join((*stacked, *rows, *columns))
    dims = [sizes[label] for label in labels]
    return Labelled(labels, Term(tl.t, reshaped(tl.t, tl.array(tl.matmul(a, b)).value, dims)))


def _matrix(tl: Language, x: Labelled, stacked: Sequence[str], first: Sequence[str], second: Sequence[str]) -> Term:
    """The array as matrices, or as a vector where one group of labels is empty; it is read in the order that it has."""
    if not stacked and not (first and second):
        return _grouped(tl, x, [*first, *second])
    if list(x.labels) == [*stacked, *second, *first]:
        return tl.matrix_transpose(_grouped(tl, x, stacked, second, first))
    return _grouped(tl, x, stacked, first, second)


def _grouped(tl: Language, x: Labelled, *groups: Sequence[str]) -> Term:
    """The array with one axis for each group of labels; an empty first group has none."""
    ordered = tl.array(_ordered(tl, x, "".join(label for group in groups for label in group)))
    used = groups if groups[0] else groups[1:]
    dims = [product(tl.t, [x.size(label) for label in group]) for group in used]
    return Term(tl.t, reshaped(tl.t, ordered.value, dims))


def _product(tl: Language, left: Labelled, right: Labelled, labels: Sequence[str]) -> Labelled:
    """The elementwise product, each array along the axes that it has."""
    factors = []
    for each in (left, right):
        own = "".join(label for label in labels if label in each.labels)
        missing = tuple(axis for axis, label in enumerate(labels) if label not in own)
        ordered = _ordered(tl, each, own)
        factors.append(ordered.with_axes(missing) if own else ordered)
    return Labelled("".join(labels), (factors[0] * factors[1]).held())


def tensordot(tl: Language, a: Any, b: Any, axes: Any) -> Term:
    """Sums of products over axes of both: the last of one with the first of the other, or pairs that are named."""
    left, right = tl.array(a), tl.array(b)
    ours, theirs = _summed_axes(tl, left.rank, right.rank, axes)
    first, second = list(ascii_lowercase[: left.rank]), list(ascii_uppercase[: right.rank])
    for our, their in zip(ours, theirs, strict=True):
        second[their] = first[our]
    result = [label for label in (*first, *second) if (label in first) != (label in second)]
    return einsum(tl, f"{''.join(first)},{''.join(second)}->{''.join(result)}", left, right)


def _summed_axes(tl: Language, left: int, right: int, axes: Any) -> tuple[list[int], list[int]]:
    """The axes of arrays of two ranks that go together, given as their number or as one list for each array."""
    if not isinstance(axes, tuple):
        count = tl.constant(axes, "the number of axes")
        if 0 <= count <= min(left, right):
            return list(range(left - count, left)), list(range(count))
    elif len(axes) == 2:
        named = [each if isinstance(each, tuple) else (each,) for each in axes]
        found = [
            [array_arguments.axis(tl.t, as_value(each), rank) for each in group]
            for group, rank in zip(named, (left, right), strict=True)
        ]
        if len(found[0]) == len(found[1]):
            return found[0], found[1]
    raise tl.t.error(
        f"axes that do not go together of arrays of rank {left} and {right}",
        "give their number, or as many axes of one array as of the other: axes=((1, 2), (0, 1))",
        ShapeMismatch,
    )


def kron(tl: Language, a: Any, b: Any) -> Term:
    """Every element of one array times the whole other."""
    left, right = tl.array(a), tl.array(b)
    rank = max(left.rank, right.rank)
    left, right = (each.with_axes(tuple(range(rank - each.rank))) for each in (left, right))
    spread = left.with_axes(tuple(range(1, 2 * rank, 2))) * right.with_axes(tuple(range(0, 2 * rank, 2)))
    sizes = tuple(left.size(axis) * right.size(axis) for axis in range(rank))
    return tl.reshape(spread, sizes)
