"""Refuses groups of values whose types change more often than an operation can hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dialects.groups import has_more_runs

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def check_runs(t: Translator, what: str, types: Sequence[ir.Type], most: int) -> None:
    """Refuses values whose types, in order, form more than `most` runs of equal ones."""
    if has_more_runs(types, most):
        raise t.error(f"{what} change their type more than {most - 1} times", "order them by type")
