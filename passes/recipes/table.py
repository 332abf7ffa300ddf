"""The recipes: what each is for, the pass that has it, and what it was measured to gain."""

from __future__ import annotations

from typing import NamedTuple


class Recipe(NamedTuple):
    """A program's shape, the pass with the field `recipes` that makes it fast, and times without over times with it."""

    shape: str
    by: str
    gains: dict[str, float]


RECIPES: dict[str, Recipe] = {
    "symmetric products": Recipe(
        "`sum over n of w[n, k] * x[n, i] * x[n, j]` (SYRK): a warp computes one triangle",
        "recipes-contractions",
        {"mixture of 200 Gaussians, gradient less value, d = 32": 2.09, "d = 64": 1.82, "d = 128": 1.66},
    ),
    "nearest point": Recipe(
        "the least sum of squared differences in f32: products of halves look, exact sums prove",
        "recipes-contractions",
        {"k-means, 1024 centres, value": 1.92, "gradient": 2.21},
    ),
    "resident operand": Recipe(
        "folds of a product in f64: the columns of a batch stay in shared memory",
        "recipes-contractions",
        {"mixture of 200 Gaussians, d = 32, value": 4.03, "d = 64": 2.93, "d = 128": 3.58},
    ),
    "row moments": Recipe(
        "scaled rows of a table added to that table: the scales are summed first",
        "recipes-moments",
        {"1M look-ups of 8 nuclides, gradient": 3.46, "17M look-ups, gradient": 1.82},
    ),
    "boundary kernels": Recipe(
        "stencils with borders of known sizes: one launch writes interior and border",
        "recipes-borders",
        {"flow, value": 2.03, "flow, gradient": 1.65},
    ),
    "search and sums": Recipe(
        "a search, and rows summed at the place found: one launch with tables in shared memory",
        "soac-distribute-nests",
        {"k-means, 5 centres, gradient": 2.05, "with its Hessian": 2.1},
    ),
}


def page() -> str:
    """The table of the manual."""
    lines = ["| recipe | for | pass | times without over times with it |", "| --- | --- | --- | --- |"]
    for name, recipe in RECIPES.items():
        gains = ", ".join(f"{program} {gain:.2f}" for program, gain in recipe.gains.items())
        lines.append(f"| {name} | {recipe.shape} | `{recipe.by}` | {gains} |")
    return "\n".join(lines) + "\n"
