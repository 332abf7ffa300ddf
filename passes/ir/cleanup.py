"""Upstream canonicalization and common-subexpression elimination, run where a pass leaves work for them."""

from __future__ import annotations

from tapeless._mlir import ir, passmanager

PIPELINE = "builtin.module(canonicalize,cse)"


def clean_up(module: ir.Module) -> None:
    """Folds constants and merges equal operations in the whole module; handles of operations are stale afterwards."""
    manager = passmanager.PassManager.parse(PIPELINE, context=module.context)
    manager.enable_verifier(False)  # whoever runs the pass verifies what it leaves
    manager.run(module.operation)
