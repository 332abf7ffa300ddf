"""Running a pipeline over a source: parse, transform, verify, print."""

from __future__ import annotations

import traceback
from dataclasses import field, replace
from typing import TextIO

from tapeless._mlir import ir
from tapeless.backend.own_stack import with_room
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad import verify_loop_hints
from tapeless.dialects.context import make_context
from tapeless.errors import TapelessError
from tapeless.interrupts import interrupts_kept
from tapeless.optimizer.expectations import mismatches
from tapeless.optimizer.roundtrip import verify_roundtrip
from tapeless.optimizer.settings import Settings
from tapeless.optimizer.source import DEFAULT_MARKER, TEXT_BUFFER, Piece, Source
from tapeless.optimizer.work import Work
from tapeless.passes.diagnostics import Diagnosed, Diagnostic, PassFailed, diagnostics_of, reporting_to
from tapeless.passes.driver.assembly import bytecode
from tapeless.passes.driver.faults.reproducer import UNKNOWN_RESOURCE, CrashReproducer
from tapeless.passes.driver.steps import Instrument
from tapeless.passes.driver.timing import Timer


@dataclass(frozen=True)
class Outcome:
    """The text to write, and whether everything went as it should."""

    output: bytes
    succeeded: bool


@with_room
def optimize(source: Source, settings: Settings, log: TextIO) -> Outcome:
    """Runs the pipeline on every piece of the source; diagnostics, IR dumps and times go to the log."""
    timer = Timer()
    runs = [_Run(piece, settings, log, timer) for piece in source.pieces(settings.split_marker)]
    with interrupts_kept():
        outputs = [run.execute() for run in runs]
    if settings.timing:
        log.write(timer.report(settings.timing_as_list))
    written = [output for output in outputs if output is not None]
    separator = b"" if settings.emit_bytecode else f"{DEFAULT_MARKER}\n".encode()
    return Outcome(separator.join(written), all(run.succeeded for run in runs))


@dataclass
class _Run:
    """The work on one piece of a source."""

    piece: Piece
    settings: Settings
    log: TextIO
    timer: Timer
    succeeded: bool = True
    reported: list[Diagnostic] = field(default_factory=list)

    def execute(self) -> bytes | None:
        """The output of the piece, or None if it failed."""
        work = Work.of(self.settings, self.piece)
        with self.timer.measure("Context"):
            context = make_context()
        context.allow_unregistered_dialects = self.settings.allow_unregistered
        with context, reporting_to(self._report, context):
            output = self._attempt(context, work)
        if self.settings.verify_diagnostics:
            self._check_expectations()
        else:
            self.succeeded = output is not None
        return output

    def _attempt(self, context: ir.Context, work: Work) -> bytes | None:
        try:
            return self._transform(context, work)
        except (ir.MLIRError, TapelessError) as error:
            self._explain(error)
        return None

    def _transform(self, context: ir.Context, work: Work) -> bytes:
        with self.timer.measure("Parser"):
            module = self.piece.parse(context, implicit_module=self.settings.implicit_module)
            self._check_loop_hints(module)
            if self.settings.verify_roundtrip:
                verify_roundtrip(module)
        self._run_passes(module, work)
        with self.timer.measure("Output"):
            return self._emit(module)

    def _check_loop_hints(self, module: ir.Module) -> None:
        """MLIR accepts any attribute on a loop; those of `ad` are checked when the source mentions the dialect."""
        if self.piece.mentions("ad.") and not verify_loop_hints(module):
            raise Diagnosed([])

    def _emit(self, module: ir.Module) -> bytes:
        if self.settings.emission is not None:
            return self.settings.emission.code(module, self.piece.name)
        if self.settings.emit_bytecode:
            return bytecode(module.operation)
        return self.settings.style.text(module.operation).encode()

    def _run_passes(self, module: ir.Module, work: Work) -> None:
        crash = self._crash_reproducer(work)
        if crash:
            crash.start(module)
        try:
            work.run(module, self._instruments(crash))
        except TapelessError as error:
            if crash:
                raise PassFailed([*diagnostics_of(error), crash.note()]) from error
            raise
        if crash:
            crash.finish()

    def _crash_reproducer(self, work: Work) -> CrashReproducer | None:
        if self.settings.reproducer is None:
            return None
        return CrashReproducer(self.settings.reproducer, work.reproducer, self.settings.local_reproducer)

    def _instruments(self, crash: CrashReproducer | None) -> list[Instrument]:
        printing = self.settings.printing
        found: list[Instrument] = [crash] if crash else []
        if printing.is_wanted:
            found.append(printing.printer(self.log, self.settings.style))
        return [*found, self.timer] if self.settings.timing else found

    def _report(self, diagnostic: Diagnostic) -> bool:
        """Shows a diagnostic, or keeps it to be compared with the expected ones."""
        if diagnostic.message == UNKNOWN_RESOURCE:
            return True
        diagnostic = _with_name(diagnostic, self.piece.name)
        self.reported.append(diagnostic)
        if not self.settings.verify_diagnostics:
            self._show(diagnostic)
        return True

    def _show(self, diagnostic: Diagnostic) -> None:
        self.log.write(diagnostic.render({self.piece.name: self.piece.lines()}) + "\n")

    def _explain(self, error: Exception) -> None:
        for diagnostic in diagnostics_of(error):
            self._report(diagnostic)
        if self.settings.debug:
            self.log.write("".join(traceback.format_exception(error)))

    def _check_expectations(self) -> None:
        wrong = mismatches(self.piece.name, self.piece.lines(), self.reported, self.settings.only_expected)
        for diagnostic in wrong:
            self._show(diagnostic)
        self.succeeded = not wrong


def _with_name(diagnostic: Diagnostic, name: str) -> Diagnostic:
    """The diagnostic with MLIR's name for text buffers replaced by the name of the source."""
    notes = tuple(_with_name(note, name) for note in diagnostic.notes)
    place = diagnostic.place
    if place is not None and place.file == TEXT_BUFFER:
        place = place._replace(file=name)
    return replace(diagnostic, place=place, notes=notes)
