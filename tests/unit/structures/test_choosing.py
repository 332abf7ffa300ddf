"""Arguments that choose code: None, strings, functions, partials, methods and objects that can be called."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

X = np.array([0.5, -1.0, 2.0])
METHODS = ("redundant", "reversible", "coarsened")


@tl.function
def layer(x, act, bias=None, mode="sum"):
    y = act(x)
    if bias is not None:
        y = y + bias
    return tl.sum(y) if mode == "sum" else tl.mean(y)


@tl.function
def cubed(x):
    return x * x * x


def scaled(x, factor):
    return factor * x * x


class Scale:
    """An object that can be called; attributes are read at each call."""

    def __init__(self, factor: Any, unused: object = None) -> None:
        self.factor, self.unused = factor, unused

    @tl.function
    def __call__(self, x):
        return self.factor * x * x

    @tl.function
    def shifted(self, x, by=0.0):
        return self(x) + by * self.half

    @property
    def half(self):
        return 0.5 * self.factor

    def plain(self, x):
        return tl.sum(self.factor * x)


class Plain:
    """A class that knows nothing of the language."""

    offset = 10.0

    def __init__(self, w: Any) -> None:
        self.w, self.me = w, self

    def loss(self, x):
        return tl.sum(self.w * x * x) + self.offset

    def __call__(self, x):
        return self.loss(x) * 2.0


# A function, what it does, and its derivative.
FUNCTIONS: dict[str, tuple[Any, Any, Any]] = {
    "operator": (tl.tanh, np.tanh, lambda x: 1.0 - np.tanh(x) ** 2),
    "numpy": (np.exp, np.exp, np.exp),
    "math": (math.sin, np.sin, np.cos),
    "decorated": (cubed, lambda x: x**3, lambda x: 3.0 * x**2),
    "lambda": (lambda x: 2.0 * x, lambda x: 2.0 * x, lambda x: 2.0 + 0.0 * x),
    "partial": (functools.partial(scaled, factor=3.0), lambda x: 3.0 * x**2, lambda x: 6.0 * x),
    "partial of operator": (functools.partial(tl.pow, y=2.0), lambda x: x**2, lambda x: 2.0 * x),
    "object": (Scale(4.0), lambda x: 4.0 * x**2, lambda x: 8.0 * x),
    "method": (Scale(4.0).shifted, lambda x: 4.0 * x**2, lambda x: 8.0 * x),
    "partial of method": (
        functools.partial(Scale(4.0).shifted, by=1.0),
        lambda x: 4.0 * x**2 + 2.0,
        lambda x: 8.0 * x,
    ),
    "transformed": (tl.vmap(tl.grad(cubed)), lambda x: 3.0 * x**2, lambda x: 6.0 * x),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", METHODS)
def test_functions_as_arguments_in_transformations(method: str) -> None:
    """All functions are arguments of one call, so that one version is compiled for each method."""
    both = {name: given for name, (given, _, _) in FUNCTIONS.items()}

    @tl.function
    def everything(functions, x):
        found = {}
        for name, f in functions.items():
            found[name] = tl.value_and_grad(lambda y, f=f: layer(y, f), method=method)(x)
        return found

    found = everything(both, X)
    for name, (_, value, slope) in FUNCTIONS.items():
        np.testing.assert_allclose(found[name][0], np.sum(value(X)), rtol=1e-12)
        np.testing.assert_allclose(found[name][1], slope(X), rtol=1e-12)


def test_one_version_for_each_value() -> None:
    f = tl.jit(layer)
    for _ in range(2):
        assert f(X, tl.tanh) == pytest.approx(np.sum(np.tanh(X)))
        assert f(X, tl.tanh, 1.0) == pytest.approx(np.sum(np.tanh(X)) + 3.0)
        assert f(X, tl.tanh, 2.0) == pytest.approx(np.sum(np.tanh(X)) + 6.0)
        assert f(X, cubed, None, mode="mean") == pytest.approx(np.mean(X**3))
    assert len(f._by_key) == 3
    gradient = tl.grad(layer)(X, cubed, mode="mean")
    np.testing.assert_allclose(gradient, X**2)


def test_what_is_held_is_read_at_each_call() -> None:
    scale = Scale(2.0, unused=object())
    method, slope = scale.shifted, tl.grad(scale.shifted)
    assert method(3.0) == 18.0 and method(3.0, by=2.0) == 20.0 and slope(3.0) == 12.0
    scale.factor = 5.0
    assert method(3.0) == 45.0 and slope(3.0) == 30.0
    assert tl.grad(Scale(1.0).shifted).whole is slope.whole and tl.grad(Scale(1.0).shifted)(3.0) == 6.0
    assert len(slope.whole._by_key) == 2  # `unused` is an object, or None
    array = np.array([1.0, 2.0, 3.0])
    held = functools.partial(scaled, factor=array)
    total = tl.grad(lambda x: tl.sum(held(x)))  # captured when it is read
    outer = tl.function(held)
    np.testing.assert_allclose(outer(X), array * X * X)
    array[:] = 1.0
    np.testing.assert_allclose(outer(X), X * X)
    with pytest.warns(RuntimeWarning, match="'held' has changed since"):
        np.testing.assert_allclose(total(X), 2.0 * np.array([1.0, 2.0, 3.0]) * X)


class Endless:
    """An object that is an attribute of itself, twice."""

    def __init__(self) -> None:
        self.w, self.one, self.other = X, self, self

    @tl.function
    def loss(self, x):
        return tl.sum(self.w * x)


ENDLESS = Endless()


def test_objects_that_contain_themselves() -> None:
    assert ENDLESS.loss(X) == pytest.approx(np.sum(X * X))
    np.testing.assert_allclose(tl.grad(ENDLESS.loss)(X), X)
    captured = tl.function(lambda x: ENDLESS.loss(x))
    for _ in range(2):
        assert captured(X) == pytest.approx(np.sum(X * X))


FACTOR = 2.0


def by_factor(x):
    return FACTOR * x


def test_changes_of_what_given_functions_capture_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    f = tl.jit(layer)
    held = tl.grad(functools.partial(layer, act=by_factor))
    assert f(X, by_factor) == pytest.approx(3.0)
    np.testing.assert_allclose(held(X), 2.0)
    monkeypatch.setitem(globals(), "FACTOR", 4.0)
    with pytest.warns(RuntimeWarning, match="'FACTOR' was 2.0 when by_factor"):
        assert f(X, by_factor) == pytest.approx(3.0)
    f.recapture()
    assert f(X, by_factor) == pytest.approx(6.0)
    held.recapture()
    np.testing.assert_allclose(held(X), 4.0)


def test_all_transformations_of_what_holds_arguments() -> None:
    f = functools.partial(scaled, factor=3.0)
    assert tl.value_and_grad(f)(2.0) == (12.0, 12.0)
    assert tl.grad(tl.grad(f))(2.0) == 6.0
    assert tl.hessian(f)(2.0) == 6.0 and tl.jacfwd(f)(2.0) == 12.0 and tl.jacrev(f)(2.0) == 12.0
    assert tl.jvp(f, (2.0,), (1.0,)) == (12.0, 12.0) and tl.hvp(f, 2.0, 1.0) == 6.0
    out, pullback = tl.vjp(f, 2.0)
    assert out == 12.0 and pullback(1.0) == (12.0,)
    np.testing.assert_allclose(tl.vmap(f)(X), 3.0 * X * X)
    np.testing.assert_allclose(tl.vmap(tl.grad(Scale(2.0)))(X), 4.0 * X)
    assert tl.jit(f, checks="off")(2.0) == 12.0
    tl.check_grads(f, 2.0)
    kernel = tl.compile(Scale(2.0).shifted, (1.0, 2.0))
    assert kernel(3.0, 1.0) == 19.0  # the factor is a constant of the kernel


def test_objects_in_gradients() -> None:
    found = tl.grad(lambda scale, x: scale(x))(Scale(2.0, object()), 3.0)
    assert type(found) is Scale and found.factor == 9.0 and found.unused is None
    assert tl.grad(Scale.shifted, argnums=1)(Scale(2.0), 3.0) == 12.0


def test_methods_of_plain_classes() -> None:
    plain = Plain(X)
    assert tl.function(plain.loss)(X) == pytest.approx(np.sum(X**3) + 10.0)
    np.testing.assert_allclose(tl.grad(plain.loss)(X), 2.0 * X * X)
    with pytest.raises(tl.TypeMismatch, match=r"argument 'x' is a Plain, not an array; .*tl.register\(Plain"):
        tl.function(lambda x: x.w)(plain)


def test_annotations_leave_structures_to_the_call() -> None:
    @tl.function
    def annotated(
        p: dict[str, Any],
        scale: Scale,
        pair: tuple[float, float],
        f: Callable[..., Any],
        mode: str | float | None,
        x: tl.f64,
    ):
        return f(p["w"] * scale.factor * pair[0] * x) if mode is None else x

    given = {"w": 2.0}, Scale(3.0), (5.0, 0.0)
    assert annotated(*given, lambda x: x + 1.0, None, 1) == 31.0
    assert annotated(*given, lambda x: x + 1.0, "x", 1) == 1.0
    assert tl.grad(annotated, argnums="x")(*given, abs, None, 1.0) == 30.0
    with pytest.raises(tl.FrontendError, match="the annotation of 'x' is not a type of the language"):

        @tl.function
        def bad(x: complex):
            return x


def test_partials_with_names_in_the_middle() -> None:
    def weighted(a, b, c, *, d=1.0):
        return a + 10.0 * b + 100.0 * c + 1000.0 * d

    held = tl.function(functools.partial(weighted, b=2.0))
    assert held(1.0, 3.0) == weighted(1.0, 2.0, 3.0) and held(1.0, c=3.0, d=2.0) == weighted(1.0, 2.0, 3.0, d=2.0)
    assert tl.grad(functools.partial(weighted, b=2.0), argnums=("c", "a"))(1.0, 3.0) == (100.0, 1.0)


REFUSED = {
    "unusable attribute": (
        lambda: tl.function(lambda s: s.unused)(Scale(1.0, object())),
        tl.TypeMismatch,
        "'s.unused' is an object, which means nothing in the language",
    ),
    "no such method": (
        lambda: tl.function(lambda s: s.missing(1.0))(Scale(1.0)),
        tl.FrontendError,
        r"'s' is a Scale, which has no attribute 'missing'.*it has factor, unused, shifted, half, plain",
    ),
    "too many held": (
        lambda: tl.function(functools.partial(cubed, 1.0, 2.0)),
        tl.ArgumentError,
        r"cubed\(\) takes 1 positional arguments, and 2 are held",
    ),
    "too many given": (
        lambda: tl.grad(functools.partial(scaled, factor=1.0))(1.0, 2.0),
        tl.ArgumentError,
        r"takes 1 argument but 2 were given",
    ),
    "another string in an order": (
        lambda: tl.function(lambda x, mode: x if mode < "a" else -x)(1.0, "b"),
        tl.TypeMismatch,
        "strings and None are compared with == and != only",
    ),
    "a string as a number": (lambda: tl.function(lambda x, y: x + y)(1.0, "b"), tl.TypeMismatch, "the string 'b'"),
    "gradient in a string": (lambda: tl.grad(layer, argnums="mode")(X, tl.tanh), tl.TypeMismatch, "tl.grad in 'mode'"),
    "gradient in None": (lambda: tl.grad(layer, argnums="bias")(X, tl.tanh), tl.TypeMismatch, "tl.grad in 'bias'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    work, kind, message = REFUSED[case]
    with pytest.raises(kind, match=f"(?s){message}"):
        work()


def test_many_versions_are_warned_of() -> None:
    f = tl.jit(layer)
    f._by_key.update({(np.float64, str(k), None, "sum"): None for k in range(64)})  # as if compiled so often
    with pytest.warns(
        RuntimeWarning, match=r"layer\(\) has been compiled 65 times: the argument 'act' had 65"
    ) as caught:
        f(X, tl.tanh)
    assert caught[0].filename == __file__
    f(X, tl.tanh)


def test_objects_that_know_nothing_of_the_language_can_be_called() -> None:
    plain, x = Plain(np.array([1.0, 2.0])), np.array([3.0, -1.0])
    assert tl.function(plain)(x) == plain(x) == 42.0
    for method in ("redundant", "reversible", "coarsened"):
        np.testing.assert_allclose(tl.grad(plain, method=method)(x), 4.0 * plain.w * x, rtol=1e-14)
    plain.w = np.array([0.0, 1.0])
    assert tl.function(plain)(x) == 22.0
