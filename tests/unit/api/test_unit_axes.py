"""Axes that have size 1 only at run time broadcast as in numpy, in versions compiled for them."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

COLUMN, ROW = np.arange(1.0, 4.0)[:, None], np.arange(2.0, 6.0)[None, :]
FULL = np.arange(12.0).reshape(3, 4)


def product(x: tl.f64[:, :], y: tl.f64[:, :]):
    return x * y + 1.0


def product_of_anything(x, y):
    return x * y + 1.0


def weighted_sum(x: tl.f64[:, :], y: tl.f64[:, :]) -> tl.f64:
    return tl.sum(x * y)


PAIRS = [(COLUMN, ROW), (FULL, ROW), (COLUMN, FULL), (FULL, np.ones((1, 1))), (FULL, FULL), (ROW, ROW)]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("python_function", [product, product_of_anything])
@pytest.mark.parametrize("options", [{}, {"checks": "off"}])
def test_every_mix_of_unit_axes_broadcasts_in_any_order_of_calls(python_function, options) -> None:
    f = tl.jit(python_function, **options)
    for x, y in [*PAIRS, *PAIRS[::-1]]:
        result = f(x, y)
        assert result.shape == (x * y).shape
        np.testing.assert_array_equal(result, x * y + 1.0)


def test_later_calls_with_the_same_unit_axes_go_to_the_version_directly(monkeypatch) -> None:
    f = tl.function(product)
    f(COLUMN, ROW)
    monkeypatch.setattr(f, "_broadcast", None)
    for x, y in ((COLUMN[:2], ROW), (FULL, FULL), (COLUMN, ROW)):
        np.testing.assert_array_equal(f(x, y), x * y + 1.0)
    assert len(f._by_types) == 2


def test_sizes_that_do_not_broadcast_raise_the_first_error() -> None:
    f = tl.function(product)
    for _ in range(2):
        with pytest.raises(tl.ShapeMismatch, match=r"sizes 3 and 1 of axis 0 do not match") as raised:
            f(FULL[:, :2], ROW)
        assert raised.value.__suppress_context__
    np.testing.assert_array_equal(f(FULL, ROW), FULL * ROW + 1.0)


def test_calls_without_unit_axes_compile_nothing_more() -> None:
    f = tl.function(product)
    with pytest.raises(tl.ShapeMismatch, match="sizes 3 and 2 of axis 0"):
        f(FULL, FULL[:2])
    assert len(f._by_types) == 1


@tl.function
def fixed(x: tl.f64[:, 4], y: tl.f64[:]):
    return x * y


def test_sizes_that_an_annotation_fixes_stay_fixed() -> None:
    with pytest.raises(tl.ShapeMismatch, match="argument 'x' has size 3 in dimension 1"):
        fixed(np.ones((1, 3)), np.ones(1))
    np.testing.assert_array_equal(fixed(FULL, np.full(1, 2.0)), FULL * 2.0)


def test_compiled_kernels_keep_their_signature() -> None:
    with pytest.raises(tl.ShapeMismatch, match="do not match"):
        tl.compile(product)(COLUMN, ROW)
    refined = tl.compile(product, (tl.f64[:, 1], tl.f64[1, :]))
    np.testing.assert_array_equal(refined(COLUMN, ROW), COLUMN * ROW + 1.0)


def test_arrays_that_are_not_contiguous_and_other_buffers_broadcast() -> None:
    f = tl.function(product)
    np.testing.assert_array_equal(f(FULL.T, memoryview(ROW.T.copy())), FULL.T * ROW.T + 1.0)


def test_transformed_functions_broadcast() -> None:
    f = tl.function(weighted_sum)
    value, (x_bar, y_bar) = tl.value_and_grad(f, argnums=(0, 1))(COLUMN, ROW)
    assert value == np.sum(COLUMN * ROW)
    np.testing.assert_array_equal(x_bar, np.full_like(COLUMN, ROW.sum()))
    np.testing.assert_array_equal(y_bar, np.full_like(ROW, COLUMN.sum()))
    out, tangent = tl.jvp(f, (COLUMN, ROW), (COLUMN, np.zeros_like(ROW)))
    assert out == tangent == value
    out, pullback = tl.vjp(product, COLUMN, ROW)
    np.testing.assert_array_equal(out, COLUMN * ROW + 1.0)
    x_bar, y_bar = pullback(FULL)
    np.testing.assert_array_equal(x_bar, (FULL * ROW).sum(axis=1, keepdims=True))
    np.testing.assert_array_equal(y_bar, (FULL * COLUMN).sum(axis=0, keepdims=True))


def repeated(x: tl.f64[:], y: tl.f64[:]):
    for _ in range(2):
        x = x + y
    return x


def test_an_argument_that_grows_to_the_size_that_it_is_broadcast_to() -> None:
    f = tl.function(repeated)
    np.testing.assert_array_equal(f(np.ones(1), np.ones(4)), np.full(4, 3.0))
    np.testing.assert_array_equal(f(np.ones(4), np.ones(1)), np.full(4, 3.0))


def grown_by_rows(x: tl.f64[:], y: tl.f64[:]):
    return tl.map(lambda v: tl.sum(x + y * v), y)


def test_a_mismatch_stands_where_no_version_broadcasts() -> None:
    with pytest.raises(tl.ShapeMismatch, match="sizes 1 and 4 of axis 0 do not match"):
        tl.function(lambda x, y: tl.map(lambda a, b: a * b, x, y))(np.ones(1), np.ones(4))
    np.testing.assert_array_equal(tl.function(grown_by_rows)(np.ones(1), np.ones(2)), np.full(2, 4.0))


def test_other_errors_of_a_broadcasting_version_are_its_own() -> None:
    @tl.function
    def product_at(x: tl.f64[:, :], y: tl.f64[:, :], i: tl.i64) -> tl.f64:
        return (x * y)[i, 0]

    assert product_at(COLUMN, ROW, 2) == 6.0
    with pytest.raises(tl.IndexOutOfRange):
        product_at(COLUMN, ROW, 3)
