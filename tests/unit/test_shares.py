"""The share of a table of tests that is run each time."""

from __future__ import annotations

from itertools import product

import pytest

from shares import TABLES_WITHOUT_CASES, left_out


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
