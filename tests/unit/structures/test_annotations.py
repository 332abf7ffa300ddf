"""Annotations that fix the structure and the types of an argument, in calls, transformations and kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

import numpy as np
import pytest

import tapeless as tl

METHODS = ("redundant", "reversible", "coarsened")


@dataclass
class Layer:
    """Fields that are fixed, and one that is left to the call."""

    w: tl.f64[:]
    b: tl.f64
    name: str = "layer"


@dataclass
class Wider(Layer):
    """A class derived from an annotated one."""

    extra: Any = None


class Pair(NamedTuple):
    w: tl.f64[:]
    b: tl.f64


class Entries(TypedDict):
    w: tl.f64[:]
    b: tl.f64


@dataclass
class Net:
    layers: list[Layer]
    scale: tl.f64


@dataclass
class Chain:
    """A class that contains itself."""

    value: tl.f64
    rest: list[Chain]


W, X = np.array([0.5, -1.0, 2.0]), np.array([1.0, 2.0, 0.25])


def of_dict(p: {"w": tl.f64[:], "b": tl.f64}, x: tl.f64[:]):  # noqa: F821, UP037
    return np.sum(np.tanh(p["w"] * x) + p["b"])


def of_tuple(p: (tl.f64[:], tl.f64), x: tl.f64[:]):
    w, b = p
    return np.sum(np.tanh(w * x) + b)


def of_list(p: [tl.f64[:], float], x: tl.f64[:]):
    return np.sum(np.tanh(p[0] * x) + p[1])


def of_python_tuple(p: tuple[tl.f64[:], tl.f64], x: tl.f64[:]):
    return np.sum(np.tanh(p[0] * x) + p[1])


def of_dataclass(p: Layer, x: tl.f64[:]):
    return np.sum(np.tanh(p.w * x) + p.b)


def of_named_tuple(p: Pair, x: tl.f64[:]):
    return np.sum(np.tanh(p.w * x) + p.b)


def of_typed_dict(p: Entries, x: tl.f64[:]):
    return np.sum(np.tanh(p["w"] * x) + p["b"])


def of_nested(p: {"layers": [Pair, Any]}, x: tl.f64[:]):  # noqa: F821, UP037
    return np.sum(np.tanh(p["layers"][0].w * x) + p["layers"][0].b) + 0.0 * p["layers"][1]


def of_each(p: list[tl.f64[:]], x: tl.f64[:]):
    return np.sum(np.tanh(p[0] * x) + p[1][0])


def of_each_value(p: dict[str, tl.f64[:]], x: tl.f64[:]):
    return np.sum(np.tanh(p["w"] * x) + p["b"][0])


def of_classes(p: Net, x: tl.f64[:]):
    return np.sum(np.tanh(p.layers[0].w * x) + p.layers[0].b) + 0.0 * p.scale


# Functions, an argument for each of them made of `w` and `b`, and where these are in a gradient.
FORMS: dict[str, tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]] = {
    "dict": (of_dict, lambda w, b: {"w": w, "b": b}, lambda g: (g["w"], g["b"])),
    "dict in another order": (of_dict, lambda w, b: {"b": b, "w": w}, lambda g: (g["w"], g["b"])),
    "tuple": (of_tuple, lambda w, b: (w, b), lambda g: g),
    "list": (of_list, lambda w, b: [w, b], lambda g: g),
    "tuple[...]": (of_python_tuple, lambda w, b: (w, b), lambda g: g),
    "dataclass": (of_dataclass, lambda w, b: Layer(w, b), lambda g: (g.w, g.b)),
    "derived class": (of_dataclass, lambda w, b: Wider(w, b), lambda g: (g.w, g.b)),
    "named tuple": (of_named_tuple, Pair, lambda g: (g.w, g.b)),
    "typed dict": (of_typed_dict, lambda w, b: {"w": w, "b": b}, lambda g: (g["w"], g["b"])),
    "nested": (
        of_nested,
        lambda w, b: {"layers": [Pair(w, b), np.float32(1.0)]},
        lambda g: (g["layers"][0].w, g["layers"][0].b),
    ),
    "list[...]": (of_each, lambda w, b: [w, np.ones(1) * b], lambda g: (g[0], g[1][0])),
    "dict[...]": (of_each_value, lambda w, b: {"w": w, "b": np.ones(1) * b}, lambda g: (g["w"], g["b"][0])),
    "classes": (of_classes, lambda w, b: Net([Layer(w, b)], 1.0), lambda g: (g.layers[0].w, g.layers[0].b)),
}


@pytest.mark.one_in(19)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", FORMS)
def test_transformations(form: str, method: str) -> None:
    function, make, parts = FORMS[form]
    f, p = tl.function(function), make(W, 0.3)
    value = np.sum(np.tanh(W * X) + 0.3)
    slope = X / np.cosh(W * X) ** 2
    np.testing.assert_allclose(f(p, X), value, rtol=1e-12)
    w_bar, b_bar = parts(tl.grad(f, method=method)(p, X))
    np.testing.assert_allclose(w_bar, slope, rtol=1e-12)
    np.testing.assert_allclose(b_bar, 3.0, rtol=1e-12)
    np.testing.assert_allclose(tl.jvp(f, (p, X), (p, X), method=method)[1], np.sum(slope * 2 * W) + 0.9, rtol=1e-12)
    many = tl.vmap(f, in_axes=(None, 0))(p, np.stack([X, X]))
    np.testing.assert_allclose(many, [value, value], rtol=1e-12)
    with tl.disable_jit():
        np.testing.assert_allclose(f(p, X), value, rtol=1e-12)


def test_stacked_structures() -> None:
    """Types of parts have one more axis where `tl.vmap` stacks them."""
    stacked = {"w": np.stack([W, W]), "b": np.array([0.3, 0.4])}
    expected = [np.sum(np.tanh(W * X) + b) for b in (0.3, 0.4)]
    f = tl.function(of_dict)
    np.testing.assert_allclose(tl.vmap(f, in_axes=(0, None))(stacked, X), expected)
    some = {"w": W, "b": stacked["b"]}
    np.testing.assert_allclose(tl.vmap(f, in_axes=({"b": 0, "w": None}, None))(some, X), expected)
    with pytest.raises(tl.TypeMismatch, match=r"'p\['w'\]' is tl\.f64\[:\], and annotated as tl\.f64\[:, :\]"):
        tl.vmap(f, in_axes=(0, None))(some, X)
    lists = tl.vmap(tl.function(of_each), in_axes=(0, None))([np.stack([W, W]), np.ones((2, 1))], X)
    np.testing.assert_allclose(lists, [np.sum(np.tanh(W * X)) + 3.0] * 2)


def test_second_derivatives() -> None:
    f = tl.function(of_named_tuple)
    curve = tl.hessian(f)(Pair(W, 0.3), X).w.w
    slope = np.tanh(W * X)
    np.testing.assert_allclose(curve, np.diag(-2 * slope * (1 - slope**2) * X**2), rtol=1e-12, atol=1e-12)


def test_numbers_become_those_of_the_annotation() -> None:
    f = tl.function(of_dict)
    gradient = tl.grad(f)({"w": W, "b": 1}, X)
    assert isinstance(gradient["b"], float) and gradient["b"] == 3.0
    assert tl.function(of_dict)({"w": W, "b": 1}, X) == f({"w": W, "b": 1.0}, X)


def test_calls_inside_of_functions() -> None:
    f = tl.function(of_dict)
    g = tl.function(lambda w, x: tl.grad(f)({"b": 1, "w": w}, x))
    assert g(W, X)["b"] == 3.0
    with pytest.raises(tl.TypeMismatch, match=r"'p' is a dict with 'w', and annotated as a dict with 'w', 'b'"):
        tl.function(lambda w, x: f({"w": w}, x))(W, X)
    with pytest.raises(tl.TypeMismatch, match=r"'p\['w'\]' is tl\.f64\[:\], and the argument tl\.f64"):
        tl.function(lambda w, x: f({"w": w, "b": 1.0}, x))(1.0, X)
    with pytest.raises(tl.TypeMismatch, match=r"'p' is an array of type tl\.f64\[:\], and annotated as a dict"):
        tl.function(lambda w, x: f(w, x))(W, X)


# Functions, arguments that they do not take, and messages.
REFUSED: list[tuple[Callable[..., Any], Any, str]] = [
    (of_dict, {"w": W}, "argument 'p' is a dict with 'w', and annotated as a dict with 'w', 'b'; pass a dict with"),
    (of_dict, {"w": W, "b": 1.0, "c": 2.0}, "argument 'p' is a dict with 'w', 'b', 'c', and annotated as"),
    (of_dict, W, r"argument 'p' is tl\.f64\[:\], and annotated as a dict with 'w', 'b'"),
    (of_dict, (W, 1.0), "argument 'p' is a tuple of 2, and annotated as a dict"),
    (
        of_dict,
        {"w": 1.0, "b": 1.0},
        r"argument 'p\['w'\]' is tl\.f64, and annotated as tl\.f64\[:\]; pass tl\.f64\[:\]",
    ),
    (of_dict, {"w": None, "b": 1.0}, r"argument 'p\['w'\]' is None, and annotated as tl\.f64\[:\]"),
    (of_dict, {"w": [W], "b": 1.0}, r"argument 'p\['w'\]' is a list of 1, and annotated as tl\.f64\[:\]"),
    (of_dict, {"w": W.astype(np.float32), "b": 1.0}, r"argument 'p\['w'\]'.* float32"),
    (of_tuple, (W,), "argument 'p' is a tuple of 1, and annotated as a tuple of 2"),
    (of_tuple, [W, 1.0], "argument 'p' is a list of 2, and annotated as a tuple of 2"),
    (of_dataclass, Pair(W, 1.0), "argument 'p' is a Pair, and annotated as a Layer"),
    (of_dataclass, Layer(W, W), r"argument 'p\.b' is tl\.f64\[:\], and annotated as tl\.f64"),
    (of_named_tuple, Pair(1.0, 1.0), r"argument 'p\.w' is tl\.f64, and annotated as tl\.f64\[:\]"),
    (of_typed_dict, {"w": W, "b": W}, r"argument 'p\['b'\]' is tl\.f64\[:\], and annotated as tl\.f64"),
    (of_classes, Net([Layer(W, 1.0), Layer(W, W)], 1.0), r"argument 'p\.layers\[1\]\.b' is tl\.f64\[:\], and"),
    (of_each, [W, 1.0], r"argument 'p\[1\]' is tl\.f64, and annotated as tl\.f64\[:\]"),
    (of_each, (W, W), r"argument 'p' is a tuple of 2, and annotated as a list of tl\.f64\[:\] each"),
    (of_nested, {"layers": [Pair(W, W), 1.0]}, r"argument 'p\['layers'\]\[0\]\.b' is tl\.f64\[:\], and annotated as"),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("position", range(len(REFUSED)))
def test_refused(position: int) -> None:
    function, argument, message = REFUSED[position]
    f = tl.function(function)
    with pytest.raises(tl.TypeMismatch, match=message):
        f(argument, X)
    with pytest.raises(tl.TypeMismatch, match=message), tl.disable_jit():
        f(argument, X)


def test_refused_after_a_call_that_was_right() -> None:
    f = tl.function(of_dict)
    f({"w": W, "b": 1.0}, X)
    with pytest.raises(tl.TypeMismatch, match="argument 'p' is a dict with 'w', and annotated as"):
        f({"w": W}, X)


def test_kernels() -> None:
    p = {"w": W, "b": 0.3}
    expected = of_dict(p, X)
    complete = tl.compile(of_dict)
    by_types = tl.compile(of_dict, ({"w": tl.f64[3], "b": tl.f64}, tl.f64[:]))
    by_example = tl.compile(of_dict, ({"w": W, "b": 1}, X))
    for kernel in (complete, by_types, by_example):
        np.testing.assert_allclose(kernel(p, X), expected)
        with pytest.raises(tl.TapelessError, match="p"):
            kernel({"w": W}, X)
    of_class = tl.compile(of_classes, (Net([Layer(tl.f64[:], tl.f64)], tl.f64), tl.f64[:]))
    np.testing.assert_allclose(of_class(Net([Layer(W, 0.3)], 1.0), X), expected)
    with pytest.raises(tl.TypeMismatch, match=r"'p\['w'\]' is annotated tl\.f64\[:\], but the signature says tl\.f32"):
        tl.compile(of_dict, ({"w": tl.f32[:], "b": tl.f64}, tl.f64[:]))
    with pytest.raises(tl.TypeMismatch, match="argument 'p' is a dict with 'w', and annotated as"):
        tl.compile(of_dict, ({"w": tl.f64[:]}, tl.f64[:]))
    with pytest.raises(tl.ArgumentError, match=r"no annotation for 'p'; give tl\.compile a type or an example"):
        tl.compile(of_classes)


def test_annotations_that_mean_nothing() -> None:
    def f(p: {"w": 3.0}):  # noqa: F821, UP037
        return p["w"]

    with pytest.raises(tl.FrontendError, match=r"the annotation of 'p\['w'\]' is not a type") as error:
        tl.function(f)
    assert "or with Any, which leaves them to the call" in str(error.value)

    def with_any(p: {"w": Any}):  # noqa: F821, UP037
        return p["w"]

    assert tl.function(with_any)({"w": 2.0}) == 2.0


def test_classes_that_contain_themselves() -> None:
    f = tl.function(lambda p: p.value * p.rest[0].value)

    def annotated(p: Chain):
        return p.value * p.rest[0].value

    chain = Chain(2.0, [Chain(3.0, [])])
    assert tl.function(annotated)(chain) == f(chain) == 6.0
    assert tl.grad(tl.function(annotated))(chain).value == 3.0
    with pytest.raises(tl.TypeMismatch, match=r"'p\.value' is tl\.f64\[:\]"):
        tl.function(annotated)(Chain(W, []))
