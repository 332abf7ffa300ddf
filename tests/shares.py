"""Which cases of a long table of tests are run each time: a share of them, at least one, and in tables of several
lists some case with every value of each."""

from __future__ import annotations

import math
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence

import pytest

# Tests with a share in which nothing is left to run each time.
TABLES_WITHOUT_CASES = pytest.StashKey[list[str]]()
# Methods, targets, dtypes and the like; longer lists are tables themselves, of which a share is enough.
LONGEST_COVERED = 4
# Shares of up to so many cases are counted out.
LONGEST_SHORT = 20
# What a case has of each list of parameters.
Values = Sequence[str]


def left_out_of_tables(items: Iterable[pytest.Item]) -> tuple[list[pytest.Item], list[str]]:
    """What the shares of tests and of files leave out, and the tables in which nothing is left.

    A file is a table of those of its tests that have no share of their own. Long tests are no cases.
    """
    tables: dict[tuple[str, int], dict[str, pytest.Item]] = {}
    for item in items:
        if (marked := next(item.iter_markers_with_node("one_in"), None)) is not None:
            node, mark = marked
            table = item.nodeid.split("[")[0] if node is item else node.nodeid
            cases = tables.setdefault((table, mark.args[0]), {})
            if not item.get_closest_marker("thorough"):
                cases[item.nodeid] = item
    found = []
    for (table, one_in), cases in tables.items():
        values = {name: item.callspec._idlist if "::" in table else [name] for name, item in cases.items()}  # type: ignore[attr-defined]
        found += [cases[name] for name in sorted(left_out(values, one_in))]
    return found, [table for (table, _), cases in tables.items() if not cases]


def left_out(cases: Mapping[str, Values], one_in: int) -> set[str]:
    """The cases of one test that are not in the share, chosen by a digest of their names."""
    if not cases:
        return set()
    sizes = [len(set(column)) for column in zip(*cases.values(), strict=True)]
    covered = [k for k, size in enumerate(sizes) if 1 < size <= LONGEST_COVERED]
    is_combined = sum(size > 1 for size in sizes) > 1
    kept = _cover(cases, covered, math.ceil(len(cases) / one_in)) if is_combined else _share(cases, one_in)
    return set(cases) - kept


def _share(cases: Collection[str], one_in: int) -> set[str]:
    """One in so many of a short table, at least one; of a long one about one in so many, each chosen by itself."""
    digests = {case: _digest(case) for case in cases}
    if len(cases) <= LONGEST_SHORT * one_in:
        return set(sorted(cases, key=digests.__getitem__)[: math.ceil(len(cases) / one_in)])
    return {case for case, digest in digests.items() if digest % one_in == 0}


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
