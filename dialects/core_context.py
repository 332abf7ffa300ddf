"""Contexts for core IR, without reversible code and paths, made in half the time."""

from __future__ import annotations

from importlib import import_module

from tapeless._mlir import ir
from tapeless.dialects.ad import Ad
from tapeless.dialects.loading import context_with, load
from tapeless.dialects.soac import Soac

ON_DEMAND = {"rev": ("tapeless.dialects.rev", "Rev"), "phi": ("tapeless.dialects.phi", "Phi")}


def make_core_context() -> ir.Context:
    """A fresh context with threads off and the dialects `ad` and `soac` loaded."""
    return context_with((Ad, Soac))


def require_dialect(context: ir.Context, name: str) -> None:
    """Loads `rev` or `phi` into a context that lacks it; programs that never ask do not even import its classes."""
    if not context.is_dialect_loaded(name):
        module, dialect = ON_DEMAND[name]
        load(context, (getattr(import_module(module), dialect),))
