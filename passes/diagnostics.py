"""Messages with places: reports of MLIR and of passes, shown at the user's own source line."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import PipelineError, TapelessError

SEVERITIES = {
    ir.DiagnosticSeverity.ERROR: "error",
    ir.DiagnosticSeverity.WARNING: "warning",
    ir.DiagnosticSeverity.NOTE: "note",
    ir.DiagnosticSeverity.REMARK: "remark",
}
LOCATIONS = (ir.FileLineColLoc, ir.NameLoc, ir.CallSiteLoc, ir.FusedLoc)
Sources = Mapping[str, Sequence[str]]


class Place(NamedTuple):
    """A position in a source file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Diagnostic:
    """One message, where it belongs, and the notes attached to it."""

    severity: str
    message: str
    place: Place | None = None
    notes: tuple[Diagnostic, ...] = field(default=())

    @staticmethod
    def of(info: ir.Diagnostic | ir.DiagnosticInfo) -> Diagnostic:
        """A copy of a report of MLIR that outlives it."""
        notes = tuple(map(Diagnostic.of, info.notes))
        return Diagnostic(SEVERITIES[info.severity], info.message, place_of(info.location), notes)

    def render(self, sources: Sources | None = None) -> str:
        """`file:line:col: severity: message` with the source line and a caret, then the notes."""
        lines = [self._headline(), *_excerpt(self.place, sources or {})]
        for note in self.notes:
            lines.append(note._headline() if note.place == self.place else note.render(sources))
        return "\n".join(lines)

    def _headline(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}" if self.place else f"{self.severity}: {self.message}"


class Diagnosed(PipelineError):
    """An error that is shown as diagnostics."""

    def __init__(self, diagnostics: Sequence[Diagnostic], summary: str | None = None) -> None:
        rendered = [diagnostic.render() for diagnostic in diagnostics]
        super().__init__("\n".join(rendered if summary is None else [summary, *rendered]))
        self.diagnostics = list(diagnostics)


class PassFailed(Diagnosed):
    """A pass failed; `diagnostics` says why and where."""


class UpstreamFailed(PassFailed):
    """A pass of MLIR failed, or left IR that does not verify."""


def _excerpt(place: Place | None, sources: Sources) -> list[str]:
    """The source line with a caret under the column; nothing if the source is not at hand."""
    if place is None:
        return []
    known = sources.get(place.file)
    if known is None:
        line = linecache.getline(place.file, place.line).rstrip("\n")
    else:
        line = known[place.line - 1] if 0 < place.line <= len(known) else ""
    if not line.strip():
        return []
    before_caret = line.encode()[: place.column - 1].decode(errors="ignore")
    indent = "".join("\t" if char == "\t" else " " for char in before_caret)
    return [line, f"{indent}^"]


def _typed(location: ir.Location) -> ir.Location:
    """The location as its own class; those in exceptions come as plain locations."""
    return next((kind(location) for kind in LOCATIONS if kind.static_typeid == location.typeid), location)


def places_of(location: ir.Location) -> Iterator[Place]:
    """All source positions in a location, the most specific first."""
    location = _typed(location)
    if isinstance(location, ir.FileLineColLoc):
        yield Place(location.filename, location.start_line, location.start_col)
    elif isinstance(location, ir.NameLoc):
        yield from places_of(location.child_loc)
    elif isinstance(location, ir.CallSiteLoc):
        yield from places_of(location.callee)
        yield from places_of(location.caller)
    elif isinstance(location, ir.FusedLoc):
        for part in location.locations:
            yield from places_of(part)


def place_of(location: ir.Location) -> Place | None:
    """The source position that a location stands for, if it has one."""
    return next(places_of(location), None)


@contextmanager
def reporting_to(report: Callable[[Diagnostic], bool], context: ir.Context) -> Iterator[None]:
    """Hands the reports of a context to a callable, which says whether that settles it.

    Errors that MLIR raises as exceptions are not reported: `diagnostics_of` finds them in the exception.
    """
    handler = context.attach_diagnostic_handler(lambda info: report(Diagnostic.of(info)))
    try:
        yield
    finally:
        handler.detach()


def diagnostics_of(error: Exception) -> list[Diagnostic]:
    """An exception as diagnostics: those it carries, or its message at the location it carries."""
    if isinstance(error, Diagnosed) or (isinstance(error, TapelessError) and error.diagnostics):
        return list(error.diagnostics)
    if isinstance(error, ir.MLIRError) and error.error_diagnostics:
        return [Diagnostic.of(info) for info in error.error_diagnostics]
    location = getattr(error, "location", None)
    place = place_of(location) if isinstance(location, ir.Location) else None
    return [Diagnostic("error", str(error), place)]
