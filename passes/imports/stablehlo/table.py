"""Every operation that is translated, and its rule."""

from __future__ import annotations

from tapeless.passes.imports.stablehlo import (
    composites,
    control,
    convolution,
    elementwise,
    gather,
    normalisation,
    reductions,
    scatter,
    shapes,
    sort,
    windows,
)
from tapeless.passes.imports.stablehlo.translator import Rule

RULES: dict[str, Rule] = {
    **elementwise.RULES,
    **shapes.RULES,
    **reductions.RULES,
    **windows.RULES,
    **convolution.RULES,
    **gather.RULES,
    **scatter.RULES,
    **sort.RULES,
    **normalisation.RULES,
    **control.RULES,
    **composites.RULES,
}
