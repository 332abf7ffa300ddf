"""What tests cost, as processor time, which a busy machine at most doubles; and when no more of them are begun."""

from __future__ import annotations

import os
import time
import zlib

import pytest

# What one test may take of a processor where it is run each time: three times what the dearest one takes on an idle
# machine, since others that keep caches and memory busy double it.
LIMIT_SECONDS = 30.0
PROPERTY = "processor seconds"
SHOWN = 10


def processor_seconds() -> float:
    """What this process has used, and those that it started and waited for."""
    return sum(os.times()[:4])


def complaint(seconds: float) -> str | None:
    """What is wrong with a test that is run each time."""
    if seconds <= LIMIT_SECONDS:
        return None
    return (
        f"this took {seconds:.0f} s of processor time, and tests that are run each time may take {LIMIT_SECONDS:.0f}; "
        "mark a table with one_in(n), or a test with thorough beside a shorter one"
    )


class Costs:
    """A plugin that adds up what tests took, and shows the dearest of them."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.seconds.update((report.nodeid, given) for name, given in report.user_properties if name == PROPERTY)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if sum(self.seconds.values()) < 60.0:
            return
        terminalreporter.write_sep("=", f"{sum(self.seconds.values()) / 60:.1f} minutes of processor time; the dearest")
        for test in sorted(self.seconds, key=self.seconds.__getitem__, reverse=True)[:SHOWN]:
            terminalreporter.write_line(f"{self.seconds[test]:6.1f} s {test}")


class Deadline:
    """A plugin that skips what was not begun in time, so that a slow machine shows fewer faults but no false ones.

    Each run begins at another test, so that those that were skipped are run another time.
    """

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        # Processes that share the tests agree on their order, and on the name of the run.
        first = zlib.crc32(os.environ.get("PYTEST_XDIST_TESTRUNUID", "").encode()) % max(1, len(items))
        items[:] = items[first:] + items[:first]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        if time.monotonic() > self.end:
            pytest.skip("no time was left to begin it")
