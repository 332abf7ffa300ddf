"""Whether a loop overwrites elements of an array that it has read before.

Answers are proofs: a write that comes after a read must be elsewhere, as the sums that are their indices have to show.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tapeless.passes.ir.dependence.accesses import Access, Accesses
from tapeless.passes.ir.dependence.affine import LARGEST, Affine
from tapeless.passes.ir.dependence.frames import Along, Frame, Moment, common_counters
from tapeless.passes.ir.places.places import Place

MOST_PAIRS = 1024  # of reads and writes; a loop with more is not looked at


def overwrites_what_it_read(accesses: Accesses) -> bool:
    """Whether an element may be written after it was read."""
    order = list(enumerate(accesses.found))
    reads = [(k, access) for k, access in order if not access.is_write]
    writes = [(k, access) for k, access in order if access.is_write]
    if len(reads) * len(writes) > MOST_PAIRS:
        return True
    return not all(
        frame.is_impossible or _are_apart(frame)
        for at, read in reads
        for later, write in writes
        for frame in _frames(read, write, is_later=at < later)
    )


def _frames(read: Access, write: Access, *, is_later: bool) -> Iterator[Frame]:
    """All ways in which a write comes after a read."""
    count = len(common_counters(read, write))
    yield from (Frame(read, write, equal) for equal in range(count + is_later))


def _are_apart(frame: Frame) -> bool:
    """Whether the places of a read and of a later write have nothing in common.

    Of an element in both, all indices would be equal, and so would be their sums and differences.
    """
    indices = zip(_indices(frame, frame.write, Moment.WRITE), _indices(frame, frame.read, Moment.READ), strict=True)
    distances = [left.plus(right, -1) for left, right in indices if left is not None and right is not None]
    if any(_is_not_zero(frame, distance) for distance in distances):
        return True
    return any(
        _is_not_zero(frame, left.plus(right, times)) for left, right in combinations(distances, 2) for times in (-1, 1)
    )


def _is_not_zero(frame: Frame, distance: Affine) -> bool:
    return frame.is_positive(distance) or frame.is_negative(distance)


def _indices(frame: Frame, access: Access, moment: Moment) -> list[Affine | None]:
    """The index along each axis of an element that is read or written; nothing where it is no sum."""
    found: list[Affine | None] = []
    for axis, part in enumerate(Place.of(access.op).ranges):
        start = frame.affine(part.offset, moment)
        if part.size == 1:
            found.append(start)
        elif isinstance(part.stride, int) and abs(part.stride) <= LARGEST:
            found.append(start.plus(Affine(0, {Along(part.size, axis, moment): 1}), part.stride))
        else:
            found.append(None)
    return found
