"""Errors about an operation that cannot be differentiated, shown at the user's source."""

from __future__ import annotations

from typing import TypeVar

from tapeless._mlir import ir
from tapeless.errors import TapelessError
from tapeless.passes.diagnostics import Diagnostic, place_of
from tapeless.passes.driver.base import known_location

Kind = TypeVar("Kind", bound=TapelessError)


def refusal(kind: type[Kind], op: ir.OpView, reason: str) -> Kind:
    """An error of a class of its own: `'dialect.op' op <problem>; <remedy>` with the source line."""
    diagnostic = Diagnostic("error", f"'{op.operation.name}' op {reason}", place_of(known_location(op)))
    error = kind(diagnostic.render())
    error.diagnostics = [diagnostic]
    return error
