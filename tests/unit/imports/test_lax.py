"""Functions of `jax.lax` in every dtype: values, and gradients by every method, are those of JAX."""

from __future__ import annotations

import inspect
from functools import cache

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

jax = pytest.importorskip("jax")
pytest.importorskip("jax.extend.core.primitives")

from unit.imports.lax import arrays, combining, control, elementwise, primitives, refused, rows  # noqa: E402

TABLES = rows.tables(
    {
        "elementwise": elementwise.ROWS,
        "arrays": arrays.ROWS,
        "combining": combining.ROWS,
        "control": control.ROWS,
        "primitives": primitives.ROWS,
        "refused": refused.ROWS,
    }
)
TRANSLATED = [name for name in TABLES if not name.startswith("refused")]
VALUES = {"f32": 4e-6, "f64": 1e-13, "f16": 4e-3, "bf16": 3e-2}
SLOPES = {"f32": 4e-5, "f64": 1e-11, "f16": 2e-2, "bf16": 0.1}
WITHOUT_ARRAYS = {
    *("after_all", "axis_index", "axis_size", "broadcast_shapes", "conv_dimension_numbers"),
    *("conv_general_permutations", "conv_general_shape_tuple", "conv_shape_tuple", "conv_transpose_shape_tuple"),
    *("create_token", "dce_sink", "dtype", "padtype_to_pads", "reduce_window_shape_tuple", "shape_as_value", "stage"),
}
OF_SEVERAL_DEVICES = {
    *("all_gather", "all_to_all", "pbroadcast", "pcast", "pmax", "pmean", "pmin", "ppermute", "precv", "psend"),
    *("pshuffle", "psum", "psum_scatter", "pswapaxes", "ragged_all_to_all", "with_sharding_constraint"),
}
MORE_GENERAL = {"broadcast_like", "ragged_dot_general", "scaled_dot"}
"""Functions whose simpler forms are in the table."""

PRIMITIVES_OF_DEVICES = {
    *("all_gather", "all_to_all", "axis_index", "pmax", "pmin", "ppermute", "psum", "ragged_all_to_all"),
    "sharding_constraint",
}
INSIDE_OF_JAX = {
    *("call", "closed_call", "custom_lin"),  # in the course of transformations only
    *("eq_to", "le_to", "lt_to", "empty2"),  # while comparators and results are lowered
    *("after_all", "create_token", "get", "swap"),  # tokens and references, which have no arrays as values
    *("select_and_scatter", "random_gamma", "threefry2x32"),  # taken apart before anybody sees them
}


@pytest.fixture(autouse=True)
def _with_64_bits():
    with jax.enable_x64(True):
        yield


def translated(table, dtype, *, smooth=False):
    return [row for row in TABLES[table] if row.translated(dtype) and (row.smooth or not smooth)]


@cache
def together(table, dtype):
    """The programs of a table that a dtype has as one function, with a list of results for each."""
    chosen = translated(table, dtype)
    return (tl.from_jax(program_of(chosen), *rows.arguments(chosen, dtype)) if chosen else None), chosen


def program_of(chosen, *, for_jax=False):
    def program(xs, ys):
        programs = [row.twin if for_jax and row.twin else row.program for row in chosen]
        return [jax.tree.leaves(each(xs[k], ys[k])) for k, each in enumerate(programs)]

    return program


def loss_of(chosen, *, for_jax=False):
    """A number to which each element of what programs give adds with a weight of its own."""

    def weighed(result):
        if not jax.numpy.issubdtype(result.dtype, jax.numpy.floating):
            return 0.0
        return jax.numpy.sum(result * np.cos(np.arange(result.size)).reshape(result.shape).astype(result.dtype))

    def loss(xs, ys):
        return sum(weighed(each) for results in program_of(chosen, for_jax=for_jax)(xs, ys) for each in results)

    return loss


@cache
def slopes_of_jax(table, dtype):
    chosen = translated(table, dtype, smooth=True)
    xs, ys = rows.arguments(chosen, dtype)
    found = []
    backwards = [k for k, row in enumerate(chosen) if row.name != "while_loop"]
    slopes = jax.jit(jax.grad(loss_of([chosen[k] for k in backwards], for_jax=True), (0, 1)))(
        xs[backwards], ys[backwards]
    )
    for place, k in enumerate(backwards):
        found.append((k, [np.asarray(each[place]) for each in slopes]))
    for k in set(range(len(chosen))) - set(backwards):  # JAX goes through these forward only
        slopes = jax.jacfwd(loss_of([chosen[k]]), (0, 1))(xs[k : k + 1], ys[k : k + 1])
        found.append((k, [np.asarray(each[0]) for each in slopes]))
    return found


@pytest.mark.one_in(20)
@pytest.mark.parametrize("dtype", rows.DTYPES)
@pytest.mark.parametrize("table", TRANSLATED)
def test_values_are_those_of_jax(table, dtype):
    function, chosen = together(table, dtype)
    if not chosen:
        pytest.skip("no function here takes the dtype")
    given = rows.arguments(chosen, dtype)
    wanted = jax.jit(program_of(chosen))(*given)
    for row, found, expected in zip(chosen, function(*given), wanted, strict=True):
        for one, other in zip(found, expected, strict=True):
            assert not np.shape(one) or one.dtype == other.dtype, row.name
            tolerance = VALUES.get(dtype, 0)
            one, other = (np.asarray(each, np.float32 if dtype in rows.HALVES else None) for each in (one, other))
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance, err_msg=row.name)


@pytest.mark.one_in(30)
@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("dtype", [*rows.FLOATS, *rows.HALVES])
@pytest.mark.parametrize("table", TRANSLATED)
def test_gradients_are_those_of_jax(table, dtype, method):
    chosen = translated(table, dtype, smooth=True)
    if not chosen:
        pytest.skip("no function here has a derivative")
    given = rows.arguments(chosen, dtype)
    slopes = tl.grad(tl.from_jax(loss_of(chosen), *given), argnums=(0, 1), method=method)(*given)
    for k, expected in slopes_of_jax(table, dtype):
        tolerance = SLOPES[dtype]
        for found, wanted in zip(slopes, expected, strict=True):
            wanted = wanted.astype(np.float64)
            found_here = found[k].astype(np.float64)
            np.testing.assert_allclose(found_here, wanted, rtol=tolerance, atol=tolerance, err_msg=chosen[k].name)


@pytest.mark.parametrize("dtype", rows.DTYPES)
def test_functions_without_translation_are_refused_by_name(dtype):
    refusals = [row for table in TABLES.values() for row in table if dtype in row.refused]
    for row in refusals:
        (x,), (y,) = rows.arguments([row], dtype)
        with pytest.raises(tl.PipelineError, match=row.refused[dtype]):
            tl.from_jax(row.program, x, y)


def test_every_function_of_lax_is_in_a_table():
    functions = {name for name, each in vars(jax.lax).items() if inspect.isfunction(each) and not name.startswith("_")}
    shown = {row.name for table in TABLES.values() for row in table}
    assert functions - shown - WITHOUT_ARRAYS - OF_SEVERAL_DEVICES - MORE_GENERAL == set()


def reached(jaxpr):
    """The names of the primitives of a program."""
    names = {equation.primitive.name for equation in jaxpr.eqns}
    inner = (each for equation in jaxpr.eqns for each in jax.extend.core.jaxprs_in_params(equation.params))
    return names.union(*map(reached, inner))


def test_every_primitive_is_reached_by_a_row():
    found = set()
    for row in (row for table in TABLES.values() for row in table):
        (x,), (y,) = rows.arguments([row], row.dtypes[0])
        found |= reached(jax.make_jaxpr(row.program)(x, y).jaxpr)
    known = {each.name for name, each in vars(jax.extend.core.primitives).items() if name.endswith("_p")}
    assert known - found == PRIMITIVES_OF_DEVICES | INSIDE_OF_JAX
