"""Programs that recipes are for give the same without them, on the emulated GPU; without them the code is another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes import PASSES
from tapeless.passes.recipes.table import RECIPES


def spreads(x: tl.f64[:, :], w: tl.f64[:, :]) -> tl.f64[:, :, :]:
    return tl.map(lambda weights: tl.map(lambda p: tl.map(lambda q: tl.sum(weights * p * q), x), x), w)


def nearest(points: tl.f32[:, :], centres: tl.f32[:, :]) -> tl.f32[:]:
    return tl.map(lambda p: tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres)), points)


def folded(p: tl.f64[:, :], c: tl.f64[:, :]) -> tl.f64[:]:
    return tl.map(lambda x: tl.sum(tl.map(lambda y: tl.sum(x * y) ** 2, c)), p)


def interpolated(table: tl.f64[:, 5], places: tl.i64[:], x: tl.f64[:]) -> tl.f64:
    return tl.sum(tl.map(lambda k, share: tl.sum((table[k] + share * (table[k + 1] - table[k])) ** 2), places, x))


def interpolated_bar(table: tl.f64[:, 5], places: tl.i64[:], x: tl.f64[:]) -> tl.f64[:, 5]:
    return tl.grad(interpolated)(table, places, x)


def clusters(points: tl.f32[:, :], centres: tl.f32[:, :]) -> tl.f32[:, :]:
    return tl.grad(lambda p, c: tl.sum(nearest(p, c)), argnums=1)(points, centres)


def smoothed(x: tl.f64[8, 9]) -> tl.f64[8, 9]:
    out = x.copy()
    out[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return out


RANDOM = np.random.default_rng(3)
TABLE, PLACES, SHARES = RANDOM.random((6, 5)), RANDOM.integers(0, 5, 40), RANDOM.random(40)


def drawn(dtype: str, *shapes: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    return tuple(RANDOM.standard_normal(shape).astype(dtype) for shape in shapes)


# A program for each recipe of GPUs.
PROGRAMS: dict[str, tuple[Any, tuple[np.ndarray, ...]]] = {
    "symmetric products": (spreads, drawn("f8", (20, 70), (3, 70))),
    "nearest point": (nearest, drawn("f4", (70, 4), (65, 4))),
    "resident operand": (folded, drawn("f8", (40, 12), (20, 12))),
    "row moments": (interpolated_bar, (TABLE, PLACES, SHARES)),
    "search and sums": (clusters, drawn("f4", (70, 4), (5, 4))),
    "boundary kernels": (smoothed, drawn("f8", (8, 9))),
}
OF_PROCESSORS = {"reciprocal roots"}


def test_every_recipe_of_gpus_has_a_program():
    assert set(PROGRAMS) == set(RECIPES) - OF_PROCESSORS


@pytest.mark.one_in(3)
@pytest.mark.parametrize("recipe", sorted(PROGRAMS))
def test_programs_agree_without_their_recipe(recipe: str) -> None:
    function, arguments = PROGRAMS[recipe]
    expected = tl.compile(function, arguments)(*arguments)
    tolerance = 1e-4 if arguments[0].dtype == np.float32 else 1e-11
    code = []
    for recipes in ("on", "off"):
        with emulated_cuda() as gpu:
            kernel = tl.compile(function, arguments, target="cuda", recipes=recipes)
            np.testing.assert_allclose(np.asarray(kernel(*arguments)), expected, rtol=tolerance, atol=tolerance)
            gpu.check_guards()
        code.append(tl.compile(function, arguments, target="cuda:sm_90", recipes=recipes).ir("lower-launches"))
    assert code[0] != code[1]


@pytest.mark.parametrize("name", sorted({recipe.by for recipe in RECIPES.values()}))
def test_passes_of_recipes_have_the_option(name: str) -> None:
    assert PASSES[name]().recipes and not PASSES[name](recipes=False).recipes


def test_every_pass_of_the_folder_is_in_the_table() -> None:
    own = {name for name in PASSES if name.startswith("recipes-")}
    assert own <= {recipe.by for recipe in RECIPES.values()}
