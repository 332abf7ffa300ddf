"""Text, bytecode and files as modules of MLIR; unreadable ones are refused at their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tapeless._mlir import ir
from tapeless.backend.reading.bytecode import BYTECODE, check_bytecode, damaged
from tapeless.backend.reading.core_form import GIVE_KNOWN
from tapeless.backend.reading.crashes import check_crashes
from tapeless.backend.reading.nesting import check_nesting
from tapeless.dialects.foreign import is_artifact, load_mentioned, read_artifact
from tapeless.errors import ArgumentError, PipelineError
from tapeless.passes.diagnostics import Diagnostic, diagnostics_of, place_of, reporting_to

TEXT = "<mlir>"
"""What messages call a text that came from no file."""

BUFFER = "-"
"""What MLIR calls such a text."""

UNKNOWN = re.compile(r"Dialect `(\w+)' not found")
"""What MLIR says of an operation of a dialect that it does not know, before it lists those that it does."""

Content = str | bytes | Path


def read_module(content: Content, context: ir.Context, *, is_trusted: bool = False) -> ir.Module:
    """The module of a text, of bytecode, or of a file with one of them.

    Bytecode is read in another process first, unless it `is_trusted`: because this process wrote it.
    """
    name = TEXT
    if isinstance(content, Path):
        name, content = str(content), content.read_bytes()
    text = as_text(content)
    try:
        if text is None:
            assert isinstance(content, bytes)
            if not is_trusted:
                check_bytecode(name, content)
            return _from_bytecode(content, context, name)
        load_mentioned(text, context)
        check_nesting(name, text)
        check_crashes(name, text)
        module = ir.Module.parse(text, context)
    except ir.MLIRError as error:
        raise _refusal(diagnostics_of(error), name, text) from None
    _name_places(module, name)
    return module


def _from_bytecode(content: bytes, context: ir.Context, name: str) -> ir.Module:
    """The module of bytecode, or of a portable artifact of StableHLO, of which errors are only reported."""
    if not is_artifact(content):
        load_mentioned(content, context)
        try:
            return ir.Module.parse(content, context)
        except ir.MLIRError:
            raise
        except RuntimeError:  # what MLIR says of it has names that are no text
            raise damaged(name, content, "it has names that are no text") from None
    reported: list[Diagnostic] = []

    def report(diagnostic: Diagnostic) -> bool:
        reported.append(diagnostic)
        return True

    try:
        with reporting_to(report, context):
            return read_artifact(content, context)
    except ValueError:
        raise _refusal(reported, name, None) from None


def as_text(content: str | bytes) -> str | None:
    """The content as text; None for bytecode."""
    if isinstance(content, str):
        return content
    if content.startswith(BYTECODE):
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise ArgumentError("the bytes are neither text nor bytecode of MLIR; give what the producer wrote") from None


def _refusal(diagnostics: Sequence[Diagnostic], name: str, text: str | None) -> PipelineError:
    """The report of MLIR on a text that it cannot read, with the lines."""
    lines = {name: [] if text is None else text.split("\n")}
    unknown = UNKNOWN.search(diagnostics[0].message) if diagnostics else None
    if unknown:
        message = f"the dialect '{unknown[1]}' has no translation to core IR; {GIVE_KNOWN}"
        return PipelineError(_named(replace(diagnostics[0], message=message, notes=()), name).render(lines))
    shown = "\n".join(_named(each, name).render(lines) for each in diagnostics)
    return PipelineError(f"the module cannot be read; give one that its producer verifies:\n{shown}")


def _named(diagnostic: Diagnostic, name: str) -> Diagnostic:
    place, notes = diagnostic.place, tuple(_named(each, name) for each in diagnostic.notes)
    is_text = place is not None and place.file == BUFFER
    return replace(diagnostic, place=place._replace(file=name) if place and is_text else place, notes=notes)


def put_at(module: ir.Module, file: str, line: int) -> None:
    """Has operations that are at no line of a source be at this one."""
    with module.context:
        there = ir.Location.file(file, line, 1)

    def visit(operation: ir.Operation) -> ir.WalkResult:
        if place_of(operation.location) is None:
            operation.location = there
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)


def _name_places(module: ir.Module, name: str) -> None:
    """Has operations whose place is in the text itself say which text."""
    known: dict[ir.Location, ir.Location] = {}

    def visit(operation: ir.Operation) -> ir.WalkResult:
        place = operation.location
        if isinstance(place, ir.FileLineColLoc) and place.filename == BUFFER:
            if place not in known:
                known[place] = ir.Location.file(name, place.start_line, place.start_col)
            operation.location = known[place]
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(visit)
