"""Contexts with every dialect of Tapeless in them."""

from __future__ import annotations

from tapeless._mlir import ext, ir
from tapeless.dialects.ad import Ad
from tapeless.dialects.loading import context_with
from tapeless.dialects.phi import Phi
from tapeless.dialects.rev import Rev
from tapeless.dialects.soac import Soac

DIALECTS: tuple[type[ext.Dialect], ...] = (Ad, Soac, Rev, Phi)


def make_context() -> ir.Context:
    """A fresh context with threads off and every dialect of Tapeless loaded."""
    return context_with(DIALECTS)
