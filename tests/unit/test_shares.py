"""The share of a table of tests that is run each time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from types import SimpleNamespace

import pytest

from shares import TABLES_WITHOUT_CASES, left_out, left_out_of_tables


def table(count: int) -> dict[str, list[str]]:
    """Cases of one list."""
    return {f"tests/unit/test_table.py::test_case[{number}]": [str(number)] for number in range(count)}


def combined(*sizes: int) -> dict[str, list[str]]:
    """Every value of some lists with every value of the others."""
    rows = product(*(range(size) for size in sizes))
    return {f"test[{'-'.join(map(str, row))}]": [*map(str, row)] for row in rows}


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("one_in", [1, 2, 24])
def test_some_case_is_always_run(count: int, one_in: int) -> None:
    assert len(left_out(table(count), one_in)) < count


def test_the_share_is_about_one_in_so_many() -> None:
    assert 700 < len(left_out(table(900), 5)) < 740
    assert len(left_out(table(60), 5)) == 48


def test_cases_that_join_a_long_table_change_nothing_for_others() -> None:
    assert left_out(table(300), 3) == left_out(table(400), 3) & set(table(300))


@pytest.mark.parametrize("sizes", [(2, 2), (3, 4), (4, 2, 3), (1, 3, 2), (4, 4, 4, 2), (2, 3)])
@pytest.mark.parametrize("one_in", [2, 5, 100])
def test_every_value_of_every_list_is_run(sizes: tuple[int, ...], one_in: int) -> None:
    cases = combined(*sizes)
    kept = set(cases) - left_out(cases, one_in)
    for k, size in enumerate(sizes):
        assert len({cases[case][k] for case in kept}) == size
    assert len(kept) <= max(-(-len(cases) // one_in), sum(sizes) - len(sizes) + 1)


def test_a_share_with_all_values_is_as_short_as_the_longest_list() -> None:
    cases = combined(4, 3, 2)
    assert len(cases) - len(left_out(cases, 100)) == 4


def test_long_lists_are_not_run_as_a_whole() -> None:
    cases = combined(200, 2)
    kept = set(cases) - left_out(cases, 20)
    assert len(kept) == 20 and {cases[case][1] for case in kept} == {"0", "1"}


def test_lists_of_one_value_are_none() -> None:
    cases = combined(9, 1)
    assert left_out({case: row[:1] for case, row in cases.items()}, 4) == left_out(cases, 4)


def test_every_table_of_the_suite_has_a_case_that_is_run_each_time(request: pytest.FixtureRequest) -> None:
    """Of the tables that were collected: all of them when all tests are run."""
    assert request.config.stash[TABLES_WITHOUT_CASES] == []


class File:
    """Stands for a file of tests, with the mark that it has."""

    nodeid = "tests/unit/test_file.py"


@dataclass
class Collected:
    """Stands for a collected test: the share of its own, or else of its file, and its parameters."""

    nodeid: str
    own: int | None = None
    is_long: bool = False
    parameters: tuple[str, ...] = ()

    @property
    def callspec(self) -> SimpleNamespace:
        return SimpleNamespace(_idlist=self.parameters)

    def iter_markers_with_node(self, name: str) -> Iterator[tuple[object, pytest.Mark]]:
        if self.own is not None:
            yield self, pytest.mark.one_in(self.own).mark
        yield File(), pytest.mark.one_in(1000).mark

    def get_closest_marker(self, name: str) -> bool:
        return self.is_long


def test_a_file_can_be_a_table() -> None:
    """Its tests without a share of their own are the cases, and one of them is always left."""
    rest = [Collected(f"{File.nodeid}::test_{number}") for number in range(5)]
    own = [Collected(f"{File.nodeid}::test_own[{number}]", 1, parameters=(str(number),)) for number in range(3)]
    long = Collected(f"{File.nodeid}::test_long", is_long=True)
    found, without = left_out_of_tables([*rest, *own, long])
    assert len(found) == len(rest) - 1 and all(test in rest for test in found) and without == []
    assert left_out_of_tables([long]) == ([], [File.nodeid])
