"""Tests that take long are told to be marked, and tests that nobody has time for are skipped."""

from __future__ import annotations

import time

import pytest

from costs import LIMIT_SECONDS, PROPERTY, Costs, Deadline, complaint, processor_seconds


def test_a_long_test_is_told_what_to_do() -> None:
    assert complaint(LIMIT_SECONDS) is None
    told = complaint(LIMIT_SECONDS + 5.0)
    assert told is not None and f"{LIMIT_SECONDS + 5.0:.0f} s of processor time" in told and "one_in" in told


def test_processor_time_stands_still_in_sleep() -> None:
    before = processor_seconds()
    time.sleep(0.3)
    assert processor_seconds() - before < 0.2


def test_costs_are_added_up() -> None:
    costs = Costs()
    for seconds, when in ((1.5, "call"), (7.0, "teardown")):
        report = pytest.TestReport(
            "a test", ("", 0, ""), {}, "passed", None, when, user_properties=[(PROPERTY, seconds)]
        )
        costs.pytest_runtest_logreport(report)
    assert costs.seconds == {"a test": 1.5}


def test_what_is_not_begun_in_time_is_skipped() -> None:
    Deadline(1e6).pytest_runtest_setup()
    with pytest.raises(pytest.skip.Exception, match="no time was left"):
        Deadline(-1.0).pytest_runtest_setup()


def test_each_run_begins_at_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = set()
    for run in "abcdefgh":
        monkeypatch.setenv("PYTEST_XDIST_TESTRUNUID", run)
        orders = [list(range(100)) for _ in range(2)]
        for order in orders:
            Deadline(1.0).pytest_collection_modifyitems(order)
        assert orders[0] == orders[1]
        assert sorted(orders[0]) == list(range(100))
        begun.add(orders[0][0])
    assert len(begun) > 4
    Deadline(1.0).pytest_collection_modifyitems([])
