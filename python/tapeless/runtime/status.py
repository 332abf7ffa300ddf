"""Failed checks of a call that went on, for `checks="status"`."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.abi import DRIFT, Site
from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.failure import CHECK_FAILED, MAX_VALUES, Failure, to_exception
from tapeless.runtime.reports import Page


@dataclass(frozen=True)
class Status:
    """How many checks of reversibility failed in a call, and the first of them: its line and the
    error it would raise.
    """

    count: int
    file: str | None = None
    line: int | None = None
    error: Exception | None = None

    def __bool__(self) -> bool:
        return self.count > 0

    def check(self) -> None:
        """Raises the first failure, if there is any."""
        if self.error is not None:
            raise self.error


def status_of(sites: Sequence[Site], page: Page) -> Status:
    """The status of a call by the reports on its page."""
    if page.first_failed is None:
        return Status(0)
    site = sites[page.first_failed]
    values = (*page.values, *[0] * MAX_VALUES)[:MAX_VALUES]
    failure = Failure(CHECK_FAILED, page.first_failed, len(site.types), values)
    error = to_exception(failure, {page.first_failed: site})
    assert isinstance(error, Exception)
    return Status(_failures(sites, page), site.file, site.line, error)


def _failures(sites: Sequence[Site], page: Page) -> int:
    return sum(each.failures for site, each in zip(sites, page.records, strict=True) if site.kind != DRIFT)
