"""Upstream canonicalization and common-subexpression elimination, run where a pass leaves work for them."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.driver.base import Upstream
from tapeless.passes.driver.inner import run_inner_upstream

PASSES = (Upstream("canonicalize"), Upstream("cse"))


def clean_up(module: ir.Module) -> None:
    """Folds constants and merges equal operations in the whole module; handles of operations are stale afterwards."""
    run_inner_upstream(PASSES, module)
