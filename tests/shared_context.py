"""One context for all modules that tests read from text: making one takes longer than most of them."""

from __future__ import annotations

from functools import cache

from tapeless._mlir import ir
from tapeless.dialects.context import make_context


@cache
def shared_context() -> ir.Context:
    """The context with every dialect; modules in it do not see each other."""
    return make_context()
