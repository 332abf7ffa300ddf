"""Places in arrays, compared with the sets of elements that they name: whatever is claimed about two must hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.ir.places.places import Place, Range, are_disjoint, is_whole, offsets_within
from tapeless.passes.ir.places.shifts import are_shifted, leftovers

SIZE = 6
SEGMENTS = [
    Range(offset, size, stride)
    for offset, size, stride in product(range(SIZE), range(1, SIZE + 1), (1, 2, 3))
    if offset + (size - 1) * stride < SIZE
]


@pytest.fixture
def matrix() -> Iterator[ir.Value]:
    with shared_context(), ir.Location.unknown():
        text = f"func.func private @f(%x: tensor<{SIZE}x{SIZE}xf64>) {{ return }}"
        module = ir.Module.parse(text)
        yield module.body.operations[0].regions[0].blocks[0].arguments[0]


def random_places(matrix: ir.Value, count: int) -> Iterator[Place]:
    rng = np.random.default_rng(5)
    for _ in range(count):
        ranges = [SEGMENTS[k] for k in rng.integers(len(SEGMENTS), size=2)]
        yield Place(matrix, ranges, [0, 1])


def indices(part: Range) -> list[int]:
    return [part.offset + k * part.stride for k in range(part.size)]


def elements(place: Place) -> set[tuple[int, ...]]:
    return set(product(*map(indices, place.ranges)))


def test_disjoint_places_share_no_element(matrix: ir.Value) -> None:
    claimed = 0
    for left, right in zip(random_places(matrix, 3000), list(random_places(matrix, 3001))[1:], strict=True):
        if are_disjoint(left, right):
            claimed += 1
            assert elements(left).isdisjoint(elements(right)), (left.ranges, right.ranges)
    assert claimed > 1000


def test_ranges_that_differ_are_found_disjoint(matrix: ir.Value) -> None:
    """Ranges beside each other, and even and odd places, along one axis."""
    whole = Range(0, SIZE, 1)
    for first, second in ((Range(0, 3, 1), Range(3, 3, 1)), (Range(0, 3, 2), Range(1, 3, 2)), (Range(2, 1, 1), whole)):
        left, right = Place(matrix, [whole, first], [0, 1]), Place(matrix, [whole, second], [0, 1])
        assert are_disjoint(left, right) == are_disjoint(right, left) == elements(left).isdisjoint(elements(right))


def test_places_within_others_start_where_claimed(matrix: ir.Value) -> None:
    """The part's elements are those of the other place from the claimed offsets on, as many and as far apart."""
    claimed = 0
    for inner, outer in product(list(random_places(matrix, 150)), list(random_places(matrix, 151))[1:]):
        offsets = offsets_within(inner, outer)
        if offsets is None:
            continue
        claimed += 1
        assert elements(inner) <= elements(outer), (inner.ranges, outer.ranges)
        for start, part, whole in zip(offsets, inner.ranges, outer.ranges, strict=True):
            assert indices(part)[0] == indices(whole)[start]
        assert is_whole(inner, outer, offsets) == (elements(inner) == elements(outer))
    assert claimed > 100


def test_leftovers_are_what_a_shifted_place_does_not_cover(matrix: ir.Value) -> None:
    claimed = 0
    for first, second in product(list(random_places(matrix, 200)), list(random_places(matrix, 201))[1:]):
        if not are_shifted(first, second):
            continue
        claimed += 1
        boxes = leftovers(first, second, None)
        parts = [[Range(o, s, 1) for o, s in zip(box.offsets, box.sizes, strict=True)] for box in boxes]
        covered = {element for part in parts for element in elements(Place(matrix, part, [0, 1]))}
        assert covered == elements(first) - elements(second), (first.ranges, second.ranges)
        for box in boxes:
            starts = [part.offset + k for part, k in zip(first.ranges, box.within, strict=True)]
            assert starts == box.offsets
    assert claimed > 100
