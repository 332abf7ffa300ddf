"""Reversible procedures to `rev` IR; nothing of it is loaded before a program calls a procedure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapeless._mlir import ir
    from tapeless.errors import TapelessError
    from tapeless.frontend.syntax.procedures import Procedure
    from tapeless.frontend.translator import Translator
    from tapeless.frontend.values.value import Value


def call(t: Translator, procedure: Procedure, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """All parameters of a procedure after a call of it."""
    from tapeless.frontend.reversible import function_calls

    return function_calls.call(t, procedure, arguments, keywords)


def refusal(error: ir.MLIRError) -> TapelessError | None:
    """The refusal of a statement that an error of a verifier stands for, if it is one."""
    from tapeless.frontend.reversible import verification

    return verification.refusal(error)
