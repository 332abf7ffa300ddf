"""Diagnostics that a test expects, written as comments: `// expected-error @+1 {{message}}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.diagnostics import Diagnostic, Place

DESIGNATOR = re.compile(
    r"expected-(?P<severity>error|note|remark|warning)(?P<regex>-re)?"
    r"\s*(?:@(?P<where>[+-]\d+|above|below|unknown))?\s*\{\{(?P<message>.*)\}\}\s*$"
)
PRINTED_OP = "see current operation: "
UNKNOWN = None


@dataclass(frozen=True)
class Expectation:
    """A message that must be reported on a line; the line is None for messages without a place."""

    severity: str
    pattern: re.Pattern[str]
    line: int | None
    shown: str
    written_at: Place

    def matches(self, diagnostic: Diagnostic) -> bool:
        """Whether the diagnostic is the expected one."""
        is_there = _is_at(diagnostic.place, self.written_at.file, self.line)
        is_right_kind = diagnostic.severity == self.severity
        return is_there and is_right_kind and self.pattern.search(diagnostic.message) is not None

    def missing(self) -> Diagnostic:
        """The report if nothing matched."""
        return Diagnostic("error", f'expected {self.severity} "{self.shown}" was not produced', self.written_at)


def _is_at(place: Place | None, file: str, line: int | None) -> bool:
    return line is UNKNOWN if place is None else (place.file, place.line) == (file, line)


def _pattern(message: str, is_regex: bool) -> re.Pattern[str]:
    """Plain text is matched as it is; in the regex form the parts in double braces are regular expressions."""
    if not is_regex:
        return re.compile(re.escape(message))
    parts = re.split(r"\{\{(.*?)\}\}", message)
    return re.compile("".join(f"(?:{part})" if i % 2 else re.escape(part) for i, part in enumerate(parts)))


def _line(where: str | None, line: int, designator_lines: set[int]) -> int | None:
    if where == "unknown":
        return UNKNOWN
    if where in ("above", "below"):
        step = -1 if where == "above" else 1
        line += step
        while line in designator_lines:
            line += step
        return line
    return line + int(where or 0)


def expectations(name: str, lines: Sequence[str]) -> Iterator[Expectation]:
    """The expectations written in the lines of a source."""
    found = {number: match for number, text in enumerate(lines, 1) if (match := DESIGNATOR.search(text))}
    for number, match in found.items():
        line = _line(match["where"], number, set(found))
        place = Place(name, number, match.start() + 1)
        pattern = _pattern(match["message"], match["regex"] is not None)
        yield Expectation(match["severity"], pattern, line, match["message"], place)


def _flatten(diagnostics: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    for diagnostic in diagnostics:
        yield diagnostic
        yield from (note for note in diagnostic.notes if not note.message.startswith(PRINTED_OP))


def mismatches(
    name: str, lines: Sequence[str], reported: Sequence[Diagnostic], only_expected: bool = False
) -> list[Diagnostic]:
    """Errors for everything reported but not expected, then for everything expected but not reported."""
    open_expectations = list(expectations(name, lines))
    wrong = []
    for diagnostic in _flatten(reported):
        match = next((e for e in open_expectations if e.matches(diagnostic)), None)
        if match:
            open_expectations.remove(match)
        elif not only_expected:
            message = f"unexpected {diagnostic.severity}: {diagnostic.message}"
            wrong.append(Diagnostic("error", message, diagnostic.place))
    return wrong + [expectation.missing() for expectation in open_expectations]
