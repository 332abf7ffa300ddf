"""Every operation that is translated, and its rule."""

from __future__ import annotations

from tapeless.passes.imports.linalg import control, scalars, tensors
from tapeless.passes.imports.linalg.generic import generic
from tapeless.passes.imports.linalg.rebuild import Translate

RULES: dict[str, Translate] = {
    "linalg.generic": generic,
    **scalars.RULES,
    **tensors.RULES,
    **control.RULES,
}
