"""Every operation that is translated, and its rule."""

from __future__ import annotations

from tapeless.passes.imports.stablehlo import composites, control, elementwise, gather, reductions, shapes
from tapeless.passes.imports.stablehlo.translator import Rule

RULES: dict[str, Rule] = {
    **elementwise.RULES,
    **shapes.RULES,
    **reductions.RULES,
    **gather.RULES,
    **control.RULES,
    **composites.RULES,
}
