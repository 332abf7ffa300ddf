"""MLIR contexts with the dialects of Tapeless in them."""

from __future__ import annotations

from tapeless._mlir import ext, ir
from tapeless.dialects.soac import Soac

DIALECTS: tuple[type[ext.Dialect], ...] = (Soac,)

# Without this the bindings look for the module of a dialect on disk each time they wrap one of its operations.
ext._cext.globals.append_dialect_search_prefix("tapeless.dialects")


def make_context() -> ir.Context:
    """A fresh context with threads off and every dialect of Tapeless loaded.

    Threads stay off because verifiers and effects written in Python deadlock under MLIR's thread pool. Any number of
    contexts can be alive at once, and the operation classes work in all of them; types and attributes belong to one.
    """
    context = ir.Context()
    context.enable_multithreading(False)
    with context:
        for dialect in DIALECTS:
            dialect.load()
    return context
