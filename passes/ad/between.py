"""Passes that run between two derivatives, and after the last."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.driver.inner import clean_up, run_inner
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.simplify.simplify import Simplify


def simplify(module: ir.Module) -> None:
    """Runs `soac-inline`, `canonicalize`, `cse` and `soac-simplify`."""
    run_inner(Inline(), module)
    clean_up(module)
    run_inner(Simplify(), module)
