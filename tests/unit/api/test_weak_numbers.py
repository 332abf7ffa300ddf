"""Numbers of Python as arguments are as weak as literals, numpy's are not: results have the types of numpy's own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

import tapeless as tl
from tapeless.api.number_origins import number_origins
from tapeless.runtime.calling.numbers import Origin

pytestmark = pytest.mark.one_in(3)

ARRAYS = [np.array([1, 2, 3], dtype) for dtype in (np.float32, np.float64, np.int32, np.int64, np.bool_)]
NUMBERS = [2.5, 2, True, *(kind(2) for kind in (np.float32, np.float64, np.int32, np.int64, np.bool_))]
METHODS = ("redundant", "reversible", "coarsened")


@dataclass
class Scale:
    by: object
    offset: float = 1.0


def product_of(x, s):
    return x * s


def with_loop(x, s):
    for v in x:
        s = s * 0.5 + v
    return s


def with_branch(x, s):
    y = x * s if s > 1 else x + s
    return y + s


def named(x: np.ndarray, s: float, n: int = 2):
    return x * s + n


def in_structures(p, x):
    return p["scale"].by * x + p["scale"].offset + p["list"][0]


FUNCTIONS = (product_of, with_loop, with_branch)


def same(got: object, wanted: object) -> None:
    assert np.asarray(got).dtype == np.asarray(wanted).dtype
    np.testing.assert_allclose(got, wanted, rtol=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_calls_have_the_types_of_numpy(function) -> None:
    f = tl.function(function)
    is_float = function is with_loop  # which Python begins with whatever type there is
    for x, s in product(ARRAYS[:2] if is_float else ARRAYS[:4], NUMBERS[:1] if is_float else NUMBERS):
        same(f(x, s), function(x, s))
        with tl.disable_jit():
            same(f(x, s), function(x, s))


def test_every_call_finds_its_own_version() -> None:
    f, x = tl.function(product_of), ARRAYS[0]
    for s in (2.0, np.float64(2.0), 2.0, np.array(2.0), 2.0, np.float32(2.0)):
        same(f(x, s), x * s)


def test_annotations_of_python_are_its_numbers() -> None:
    f, x = tl.function(named), ARRAYS[0]
    same(f(x, 2.5), named(x, 2.5))
    same(f(x, 3, 4), named(x, 3, 4))
    same(tl.jit(lambda x: named(x, 0.5))(x), named(x, 0.5))
    same(tl.vmap(f, in_axes=(None, 0))(x, np.ones(2)), np.stack([x * 1.0 + 2] * 2))
    with tl.disable_jit():
        same(f(x, 2.5), named(x, 2.5))
    assert tl.compile(f, (tl.f32[:], tl.f64, tl.i64))(x, 2.5, 2).dtype == np.float64


def test_parts_of_structures() -> None:
    f, x = tl.function(in_structures), ARRAYS[0]
    for by, number in ((x, 2.0), (2.0, 0.5), (np.float64(2), 0.5), (2, x[0])):
        p = {"scale": Scale(by), "list": [number]}
        same(f(p, x), in_structures(p, x))
    slope = tl.grad(lambda p, x: tl.sum(in_structures(p, x)))({"scale": Scale(2.0), "list": [0.5]}, x)
    assert (slope["scale"].by, slope["scale"].offset, slope["list"]) == (6.0, 3.0, [3.0])


@pytest.mark.parametrize("method", METHODS)
def test_transformations(method: str) -> None:
    x, s = ARRAYS[0], 2.5
    wanted = {"x": np.full(3, s, np.float32), "s": x.sum(dtype=np.float64)}
    slopes = tl.grad(lambda x, s: tl.sum(x * s), argnums=(0, 1), method=method)(x, s)
    same(slopes[0], wanted["x"])
    same(slopes[1], wanted["s"])
    out, tangent = tl.jvp(product_of, (x, s), (x, 1.0), method=method)
    same(out, x * s)
    same(tangent, x * s + x)
    out, pullback = tl.vjp(product_of, x, s, method=method)
    same(out, x * s)
    same(pullback(np.ones(3, np.float32))[0], wanted["x"])
    same(
        tl.hessian(lambda x, s: tl.sum(x * x * s), method=method)(x, s), 2 * np.float32(s) * np.eye(3, dtype=np.float32)
    )
    same(tl.jacfwd(product_of, method=method)(x, s), np.diag(np.full(3, s, np.float32)))
    same(tl.vmap(product_of, in_axes=(0, None))(x, s), x * s)


def test_kernels_of_examples_and_of_types() -> None:
    x = ARRAYS[0]
    assert tl.compile(product_of, (x, 2.5))(x, 2.5).dtype == np.float32
    assert tl.compile(product_of, (x, np.float64(2.5)))(x, 2.5).dtype == np.float64
    assert tl.compile(product_of, (tl.f32[:], tl.f64))(x, 2.5).dtype == np.float64


def test_versions_with_the_same_code_are_one() -> None:
    f, x = tl.function(product_of), ARRAYS[1]
    f(x, 2.5)
    f(x, np.float64(2.5))
    [first, second] = f._by_types.values()
    assert first.code == second.code
    latest = next(reversed(f._by_types))
    assert number_origins(f.source.parameters, latest, f._by_types) == {1: Origin.EITHER}


def test_versions_with_other_code_are_two() -> None:
    f, x = tl.function(product_of), ARRAYS[0]
    f(x, 2.5)
    f(x, np.float64(2.5))
    origins = [number_origins(f.source.parameters, types, f._by_types) for types in f._by_types]
    assert origins == [{1: Origin.PYTHON}, {1: Origin.NUMPY}]


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 5_000_000_000, -(2**63)])
def test_integers_that_do_not_fit_what_they_meet(number: int) -> None:
    k = ARRAYS[2]
    with pytest.raises(OverflowError):
        product_of(k, number)
    with pytest.raises(tl.TypeMismatch, match=rf"the integer {number} does not fit tl\.i32; use a smaller one, or"):
        tl.function(product_of)(k, number)
    wide = tl.function(lambda k, n: tl.astype(k, tl.i64) * n)(k, number)
    assert np.array_equal(wide, k.astype(np.int64) * number)


def test_sizes_that_do_not_fit_what_they_meet() -> None:
    with pytest.raises(tl.TypeMismatch, match=r"the integer 3000000000 does not fit tl\.i32"):
        tl.function(lambda k: k * (len(k) * 10**9))(ARRAYS[2])
    assert tl.function(lambda k: k * (len(k) * 10**8))(ARRAYS[2]).dtype == np.int32


def test_integers_of_any_size_are_compared() -> None:
    k, big = ARRAYS[2], 5_000_000_000

    def compared(k, n):
        return k < n, n <= k, k == n, k < 5_000_000_000, k > -3_000_000_000, k[0] < n, k < 2, k >= len(k)

    for found, wanted in zip(tl.function(compared)(k, big), compared(k, big), strict=True):
        assert np.array_equal(found, wanted)


@pytest.mark.parametrize("method", METHODS)
def test_rules_may_give_adjoints_of_the_type_of_what_a_number_met(method: str) -> None:
    f = tl.custom_vjp(tl.function(product_of))
    f.defvjp(lambda x, s: (x * s, (x, s)), lambda kept, ct: (ct * kept[1], tl.sum(ct * kept[0])))
    slopes = tl.grad(lambda x, s: tl.sum(f(x, s)), argnums=(0, 1), method=method)(ARRAYS[0], 2.5)
    same(slopes[0], np.full(3, 2.5, np.float32))
    same(slopes[1], 6.0)
