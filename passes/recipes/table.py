"""The recipes: what each is for, the pass that has it, and what it was measured to gain."""

from __future__ import annotations

from typing import NamedTuple


class Recipe(NamedTuple):
    """A program's shape, the pass with the field `recipes` that makes it fast, and times without over times with it."""

    shape: str
    by: str
    gains: dict[str, float]


RECIPES: dict[str, Recipe] = {
    "two products into one sum": Recipe("`x @ v + h @ w`: one launch makes a tile of both", "recipes-contractions", {}),
    "symmetric products": Recipe(
        "`sum over n of w[n, k] * x[n, i] * x[n, j]` (SYRK): a warp computes one triangle", "recipes-contractions", {}
    ),
    "nearest point": Recipe(
        "the least sum of squared differences in f32: products of halves look, exact sums prove",
        "recipes-contractions",
        {},
    ),
    "resident operand": Recipe(
        "folds of a product in f64: the columns of a batch stay in shared memory", "recipes-contractions", {}
    ),
    "row moments": Recipe(
        "scaled rows of a table added to that table: the scales are summed first", "recipes-moments", {}
    ),
    "boundary kernels": Recipe(
        "stencils with borders of known sizes: one launch writes interior and border", "recipes-borders", {}
    ),
    "search and sums": Recipe(
        "a search, and rows summed at the place found: one launch with tables in shared memory",
        "soac-distribute-nests",
        {},
    ),
    "reciprocal roots": Recipe(
        "loops whose iterations LLVM does not group: eight reciprocal roots at a time", "recipes-vector-rsqrt", {}
    ),
}


def page() -> str:
    """The table of the manual."""
    lines = ["| recipe | for | pass | times without over times with it |", "| --- | --- | --- | --- |"]
    for name, recipe in RECIPES.items():
        gains = ", ".join(f"{program} {gain:.2f}" for program, gain in recipe.gains.items())
        lines.append(f"| {name} | {recipe.shape} | `{recipe.by}` | {gains} |")
    return "\n".join(lines) + "\n"
