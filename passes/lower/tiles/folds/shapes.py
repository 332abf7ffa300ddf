"""How large the tiles of folds are."""

from __future__ import annotations

from tapeless.passes.lower.tiles.folds.fold import Fold
from tapeless.passes.lower.tiles.shapes import Shape, fitting_shapes, words


def shapes_for_fold(fold: Fold) -> list[Shape]:
    """The shapes that fit, the larger one first; a thread carries something for each of its rows beside the pairs."""
    each_row = sum(words(value.type) for value in fold.carried)
    return fitting_shapes(fold.contraction, False, lambda shape: each_row * shape.each)
