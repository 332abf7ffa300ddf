"""Structures in every transformation by every method, against derivatives by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

from .forms import FORMS, B, Form, Frozen, Registered, S, W, X, check_leaves, gradient, second, value

METHODS = ("redundant", "reversible", "coarsened")
DIRECTION = (np.array([0.1, 0.2, -0.3]), 0.5, -0.25)


def everything(loss: Any, method: str) -> Any:
    """All transformations in one function, so that each structure is compiled once for each method."""

    @tl.function
    def apply(p, x, v):
        out, pullback = tl.vjp(loss, p, x, method=method)
        return {
            "value and grad": tl.value_and_grad(loss, method=method)(p, x),
            "both": tl.grad(loss, argnums=("p", "x"), method=method)(p, x),
            "jvp": tl.jvp(lambda q: loss(q, x), (p,), (v,), method=method),
            "vjp": [out, pullback(2.0)],
            "jacfwd": tl.jacfwd(loss, method=method)(p, x),
            "jacrev": tl.jacrev(loss, method=method)(p, x),
            "hessian": tl.hessian(loss, method=method)(p, x),
            "hvp": tl.hvp(lambda q: loss(q, x), (p,), (v,), method=method)[0],
        }

    return apply


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", FORMS)
@pytest.mark.one_in(14)
def test_every_transformation_of_every_structure(name: str, method: str) -> None:
    form: Form = FORMS[name]
    p, v = form.make(W, B, S), form.make(*DIRECTION)
    found = everything(form.loss, method)(p, X, v)
    expected = gradient()
    assert found["value and grad"][0] == pytest.approx(value())
    gradients = [found["value and grad"][1], found["both"][0], found["jacfwd"], found["jacrev"]]
    for each in gradients:
        assert type(each) is type(p)
        check_leaves(form.take(each), expected)
    t = np.tanh(W * X + B)
    np.testing.assert_allclose(found["both"][1], S * (1.0 - t * t) * W)
    slope = sum(np.sum(g * d) for g, d in zip(expected, DIRECTION, strict=True))
    check_leaves(found["jvp"], (value(), slope))
    assert type(found["vjp"]) is list and found["vjp"][0] == pytest.approx(value())
    check_leaves(form.take(found["vjp"][1][0]), [2.0 * each for each in expected])
    for row, blocks in zip(form.take(found["hessian"]), second(), strict=True):
        assert type(row) is type(p)
        check_leaves(form.take(row), blocks)
    product = [sum(np.dot(block, d) for block, d in zip(row, DIRECTION, strict=True)) for row in second()]
    check_leaves(form.take(found["hvp"]), product)


@pytest.fixture(scope="module")
def form() -> Form:
    return FORMS["registered"]


def test_transformations_called_from_python(form: Form) -> None:
    p, v = form.make(W, B, S), form.make(*DIRECTION)
    loss, expected = form.loss, gradient()
    assert loss(p, X) == pytest.approx(value())
    slope = sum(np.sum(g * d) for g, d in zip(expected, DIRECTION, strict=True))
    check_leaves(tl.jvp(loss, (p, X), (v, 0.0 * X)), (value(), slope))
    _, pullback = tl.vjp(loss, p, X)
    p.w[...] = 0.0  # the pullback keeps the arrays as they were
    try:
        check_leaves(form.take(pullback(2.0)[0]), [2.0 * each for each in expected])
    finally:
        p.w[...] = [0.3, -0.7, 1.1]
    tl.check_grads(loss, (p, X), order=1)
    product = tl.hvp(loss, (p, X), (v, 0.0 * X))[0]
    assert isinstance(product, Registered) and product.kind == "tanh"


def test_results_are_structures_and_so_are_cotangents() -> None:
    @tl.function
    def split(p):
        return {"w": p.inner.w * 2.0, "rest": [p.inner.b * p.inner.s, (3, None)], "p": p}

    p = FORMS["frozen"].make(W, B, S)
    out, pullback = tl.vjp(split, p)
    assert list(out) == ["w", "rest", "p"] and out["rest"][1] == (3, None)
    assert isinstance(out["p"], Frozen) and out["p"].name == "tanh"
    (adjoint,) = pullback({"rest": [2.0, (0, None)], "p": p, "w": np.ones(3)})  # entries in any order
    check_leaves(FORMS["frozen"].take(adjoint), (2.0 + W, 2.0 * S + B, 2.0 * B + S))
    with pytest.raises(tl.ArgumentError, match=r"'the cotangent' has no 'rest'; it has 'w', 'p'"):
        pullback({"w": np.ones(3), "p": p})
    with pytest.raises(tl.ArgumentError, match=r"'the cotangent\['rest'\]\[1\]' is a float, and a tuple of 2 is"):
        pullback({"w": np.ones(3), "p": p, "rest": [1.0, 2.0]})
    with pytest.raises(tl.ShapeMismatch, match=r"the cotangent of result\['w'\] has shape \(2,\)"):
        pullback({"w": np.ones(2), "p": p, "rest": [1.0, (0, None)]})
    with pytest.raises(tl.ArgumentError, match=r"the tangent of p.inner' is None, and a Fields is needed"):
        tl.jvp(split, (p,), (Frozen(None, "tanh"),))


def test_integers_in_structures() -> None:
    @tl.function
    def scaled(p):
        return {"n": p["n"] + 1, "y": p["w"] * p["n"]}

    p = {"n": 3, "w": W}
    _, pullback = tl.vjp(scaled, p)
    (adjoint,) = pullback({"n": 0, "y": np.ones(3)})
    assert adjoint["n"] == 0 and type(adjoint["n"]) is int
    np.testing.assert_allclose(adjoint["w"], 3.0 * np.ones(3))
    _, tangent = tl.jvp(scaled, (p,), ({"n": 0, "w": X},))
    assert tangent["n"] == 0
    np.testing.assert_allclose(tangent["y"], 3.0 * X)
    with pytest.raises(tl.ArgumentError, match=r"the tangent of 'p\['n'\]', which is no float, is not zero"):
        tl.jvp(scaled, (p,), ({"n": 1, "w": X},))
    with pytest.raises(tl.TypeMismatch, match=r"tl.grad in 'p\['n'\]', which is a scalar of type tl.i64"):
        tl.grad(lambda p: tl.sum(p["w"]) * p["n"])(p)
