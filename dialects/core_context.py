"""Contexts for core IR: what programs without reversible code and paths need, made in half the time."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.ad import Ad
from tapeless.dialects.loading import context_with
from tapeless.dialects.soac import Soac


def make_core_context() -> ir.Context:
    """A fresh context with threads off and the dialects `ad` and `soac` loaded."""
    return context_with((Ad, Soac))
