"""The passes of Tapeless: `PASSES` and `PIPELINES` are tables, loaded when first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapeless.passes.tables import PASSES, PIPELINES

__all__ = ["PASSES", "PIPELINES"]


def __getattr__(name: str) -> object:
    if name in __all__:
        return getattr(importlib.import_module("tapeless.passes.tables"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
