"""Faults of Tapeless itself: the message for an exception that no pass should raise."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

from tapeless._mlir import ir
from tapeless.errors import InternalError
from tapeless.passes.diagnostics import Diagnostic, diagnostics_of
from tapeless.passes.driver.faults.fault_places import place_of_fault

# How the bindings begin the message of what a `walk` callback raised, whose class they hide.
HIDDEN_BY_WALK = "Exception raised in callback:"
LONGEST_MESSAGE = 500
BLAME = "this is a fault of Tapeless, not of the program; please report it"


def internal_error(stage: str, cause: Exception, module: ir.Module) -> InternalError:
    """The error for an exception that came while a stage worked on a module; raise it from that exception."""
    shown = diagnostics_of(cause) if isinstance(cause, ir.MLIRError) else []
    place = next((each.place for each in shown if each.place), None) or place_of_fault(cause, module)
    message = f"internal error in {stage}: {message_of(cause)}"
    return _shown_as(Diagnostic("error", message, place, (Diagnostic("note", BLAME),)), stage)


def with_reproducer(error: InternalError, reproducer: Path) -> InternalError:
    """The same error with the same cause, which also says where the reproducer is."""
    (headline,) = error.diagnostics
    note = Diagnostic("note", f"reproduce it with: tapeless-opt --run-reproducer {shlex.quote(str(reproducer))}")
    made = _shown_as(replace(headline, notes=(*headline.notes, note)), error.stage)
    made.reproducer, made.__cause__ = reproducer, error.__cause__
    return made


def _shown_as(headline: Diagnostic, stage: str) -> InternalError:
    error = InternalError(headline.render())
    error.stage, error.diagnostics = stage, [headline]
    return error


def message_of(cause: BaseException) -> str:
    """Class and message in a line or a few; the exception of a `walk` callback as the callback raised it."""
    if isinstance(cause, ir.MLIRError):
        text = "; ".join(each.message for each in diagnostics_of(cause))
    elif str(cause).startswith(HIDDEN_BY_WALK):
        return _shortened(_raised_by_callback(cause))
    else:
        text = str(cause)
    return _shortened(f"{type(cause).__name__}: {text}" if text else type(cause).__name__)


def is_interruption(cause: BaseException) -> bool:
    """Whether Ctrl-C was pressed in a `walk` callback, which hides it as another exception."""
    return str(cause).startswith(HIDDEN_BY_WALK) and _raised_by_callback(cause).startswith("KeyboardInterrupt")


def _raised_by_callback(cause: BaseException) -> str:
    """The end of the traceback, after the last line that names a place in a file."""
    lines = str(cause).rstrip().split("\n")
    last_place = max((k for k, line in enumerate(lines) if line.startswith("  ")), default=0)
    return "\n".join(lines[last_place + 1 :]).lstrip("\n")


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}..."
