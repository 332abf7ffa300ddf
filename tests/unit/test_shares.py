"""The share of a table of tests that is run each time."""

from __future__ import annotations

import pytest

from shares import left_out


def names(count: int) -> list[str]:
    return [f"tests/unit/test_table.py::test_case[{number}]" for number in range(count)]


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("one_in", [1, 2, 24])
def test_some_case_is_always_run(count: int, one_in: int) -> None:
    assert len(left_out(names(count), one_in)) < count


def test_the_share_is_about_one_in_so_many() -> None:
    assert 700 < len(left_out(names(900), 5)) < 740


def test_cases_that_join_a_long_table_change_nothing_for_others() -> None:
    assert left_out(names(300), 3) == left_out(names(400), 3) & set(names(300))
