"""Derivative rules of the user's own: `ad.custom_rule` operations for the functions that have some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapeless._mlir import ir

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass
class Customised:
    """A function of the module whose source has rules."""


def attach(t: Translator, function: ir.Operation) -> None:
    """Makes the rules of all functions that a function about to be differentiated can call."""
