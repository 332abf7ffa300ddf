"""Reports of a kernel's calls that do not end them, kept for the last call of each thread."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence

from tapeless.abi import DRIFT, Site
from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.failure import MAX_VALUES, filled
from tapeless.runtime.library import load_library
from tapeless.runtime.owned import address_of, new_book

# What the largest value is before the first one.
NOTHING = -1.0


class Record(ctypes.Structure):
    """`tl_record` of runtime/tapeless_runtime.h: the reports at one site."""

    _fields_ = (("failures", ctypes.c_int64), ("largest", ctypes.c_double))


class Head(ctypes.Structure):
    """`tl_page`, without the records that follow it."""

    _fields_ = (
        ("count", ctypes.c_int64),
        ("call", ctypes.c_int64),
        ("first", ctypes.c_int64),
        ("values", ctypes.c_int64 * MAX_VALUES),
    )


@dataclass(frozen=True)
class Page:
    """The reports of a call. `call` is greater for later calls, of whatever kernel."""

    call: int
    first_failed: int | None
    values: tuple[int, ...]
    records: tuple[Record, ...]


class Book:
    """Keeps for each thread the reports of its last call of a kernel; `address` is for the runtime."""

    def __init__(self, sites: int) -> None:
        self._owner = new_book(sites)
        self.address: int = address_of(self._owner, None)

    def last(self) -> Page | None:
        """A copy of the reports of the last call of this thread, or None before the first."""
        place = load_library().tl_read_book(self.address)
        if not place:
            return None
        head = Head.from_address(place)
        records = (Record * head.count).from_address(place + ctypes.sizeof(Head))
        copies = tuple(Record(each.failures, each.largest) for each in records)
        return Page(head.call, head.first - 1 if head.first else None, tuple(head.values), copies)


def can_report(sites: Sequence[Site]) -> bool:
    """Whether calls of a kernel may report something without ending."""
    return not all(site.ends for site in sites)


def drift_lines(sites: Sequence[Site], last: Page | None) -> Iterator[str]:
    """The drift of reversed loops in a call, a line for each place of the source."""
    places: dict[tuple[str, int, str], list[Record]] = {}
    records = [Record()] * len(sites) if last is None else last.records
    for site, record in zip(sites, records, strict=True):
        if site.kind == DRIFT:
            places.setdefault((site.file, site.line, site.message), []).append(record)
    for (file, line, message), found in places.items():
        yield f"{file}:{line}: {'no call on this thread yet' if last is None else _drift(message, found)}"


def _drift(message: str, records: Sequence[Record]) -> str:
    errors = [record.largest for record in records if record.largest != NOTHING]
    if not errors:
        return "did not run backwards in the last call"
    largest = max(errors) if all(error == error for error in errors) else float("nan")
    return "in the last call, " + filled(message, (f"{largest:.2g}", sum(record.failures for record in records)))
