"""Which cases of a long table of tests are run each time: a share of them, at least one, and in tables of several
lists some case with every value of each."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence

import pytest

# Tests with a share in which nothing is left to run each time.
TABLES_WITHOUT_CASES = pytest.StashKey[list[str]]()
# Methods, targets, dtypes and the like; longer lists are tables themselves, of which a share is enough.
LONGEST_COVERED = 4
# What a case has of each list of parameters.
Values = Sequence[str]


def left_out(cases: Mapping[str, Values], one_in: int) -> set[str]:
    """The cases of one test that are not in the share, chosen by a digest of their names."""
    if not cases:
        return set()
    sizes = [len(set(column)) for column in zip(*cases.values(), strict=True)]
    covered = [k for k, size in enumerate(sizes) if 1 < size <= LONGEST_COVERED]
    is_combined = sum(size > 1 for size in sizes) > 1
    kept = _cover(cases, covered, math.ceil(len(cases) / one_in)) if is_combined else _share(cases, one_in)
    return set(cases) - kept


def _share(cases: Iterable[str], one_in: int) -> set[str]:
    """About one in so many; the first by the digest is always in."""
    digests = {case: _digest(case) for case in cases}
    first = min(digests, key=lambda case: (digests[case] % one_in, digests[case]))
    return {case for case, digest in digests.items() if digest % one_in == 0 or case == first}


def _cover(cases: Mapping[str, Values], lists: Sequence[int], count: int) -> set[str]:
    """As few cases as have every value of every list, more or less, and others until there are so many.

    Each case that is added has most of what is missing, so that values of different lists mix.
    """
    values = {case: {(k, given[k]) for k in lists} for case, given in cases.items()}
    left = sorted(cases, key=_digest)
    missing = set().union(*values.values())
    kept: set[str] = set()
    while missing:
        best = max(left, key=lambda case: len(values[case] & missing))
        left.remove(best)
        kept.add(best)
        missing -= values[best]
    return kept | set(left[: max(0, count - len(kept))])


def _digest(case: str) -> int:
    return zlib.crc32(case.encode())
