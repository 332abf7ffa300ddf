"""`fallback=` of transformations: what it demands, and where it is refused."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def chaotic(x: tl.f64, y: tl.f64, n: tl.i64):
    for _ in range(n):
        x, y = 1.0 - 1.4 * x * x + y, 0.3 * x
    return x * x + y


POINT = (0.1, 0.2, 200)
STRICT = {
    "grad": lambda **how: tl.grad(chaotic, **how)(*POINT),
    "value_and_grad": lambda **how: tl.value_and_grad(chaotic, **how)(*POINT)[1],
    "jacrev": lambda **how: tl.jacrev(chaotic, **how)(*POINT),
    "hessian": lambda **how: tl.hessian(chaotic, **how)(*POINT),
    "vjp": lambda **how: tl.vjp(chaotic, *POINT, **how)[1](1.0)[0],
    "hvp": lambda **how: tl.hvp(lambda x: chaotic(x, 0.2, 200), 0.1, 1.0, **how),
    "inside": lambda **how: _inside(how)(*POINT),
}
FORWARD = {
    "jacfwd": lambda **how: tl.jacfwd(chaotic, **how)(*POINT),
    "jvp": lambda **how: tl.jvp(lambda x: chaotic(x, 0.2, 200), 0.1, 1.0, **how)[1],
}


def _inside(how):
    def doubled(x, y, n):
        return 2.0 * tl.grad(chaotic, method="reversible", fallback=False)(x, y, n)

    def plain(x, y, n):
        return 2.0 * tl.grad(chaotic, method="reversible", fallback=True)(x, y, n)

    return tl.function(plain if how.get("fallback") else doubled)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("derivative", STRICT.values(), ids=STRICT)
def test_without_a_fallback_reverse_mode_raises(derivative):
    with pytest.raises(tl.InvertibilityError, match="a loop that ran backwards is off by"):
        derivative(method="reversible", fallback=False)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["grad", "value_and_grad", "jacrev", "vjp"])
def test_with_one_it_runs_again(name):
    found = STRICT[name](method="reversible", fallback=True)
    np.testing.assert_allclose(found, STRICT[name](method="redundant"), rtol=1e-12)


@pytest.mark.parametrize("derivative", FORWARD.values(), ids=FORWARD)
def test_forward_mode_never_runs_backwards(derivative):
    found = derivative(method="reversible", fallback=False)
    np.testing.assert_allclose(found, derivative(method="redundant"), rtol=1e-12)


def test_a_transformation_says_more_than_the_compilation():
    gradient = tl.grad(chaotic, method="reversible", fallback=True)
    found = tl.compile(gradient, POINT, fallback=False)(*POINT)
    np.testing.assert_allclose(found, tl.grad(chaotic)(*POINT), rtol=1e-12)
    with pytest.raises(tl.InvertibilityError):
        tl.compile(tl.grad(chaotic, method="reversible", fallback=False), POINT)(*POINT)


def test_the_method_may_be_that_of_the_compilation():
    gradient = tl.grad(chaotic, fallback=False)
    with pytest.raises(tl.InvertibilityError):
        tl.compile(gradient, POINT, method="reversible")(*POINT)
    with pytest.raises(tl.ArgumentError, match="and the method is 'redundant'; leave it out, or give method='reversi"):
        gradient(*POINT)


@pytest.mark.parametrize("fallback", [True, False])
@pytest.mark.parametrize("derivative", [*STRICT.values()][:-1], ids=[*STRICT][:-1])
def test_other_methods_have_no_use_for_it(derivative, fallback):
    with pytest.raises(tl.ArgumentError, match=f"fallback={fallback} is an option of method='reversible'"):
        derivative(method="redundant", fallback=fallback)


def test_it_is_a_bool():
    with pytest.raises(tl.ArgumentError, match="fallback='no' is not a bool; give True or False"):
        tl.grad(chaotic, method="reversible", fallback="no")

    def inside(x):
        return tl.grad(chaotic, method="reversible", fallback=x)(x, x, 3)

    with pytest.raises(tl.ArgumentError, match="is not a bool; give True or False"):
        tl.function(inside)(0.1)
