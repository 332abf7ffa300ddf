"""One loss, s * sum(tanh(w * x + b)), whose parameters come in every kind of structure, and its derivatives by hand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import tapeless as tl

W, B, S = np.array([0.3, -0.7, 1.1]), 0.2, 1.5
X = np.array([0.5, 1.0, -0.4])


class Named(NamedTuple):
    w: Any
    b: Any
    s: Any


@dataclass
class Fields:
    w: Any
    b: Any
    s: Any

    @tl.function
    def inner(self, x):
        return tl.tanh(self.w * x + self.b)


@dataclass(frozen=True, slots=True)
class Frozen:
    inner: Fields
    name: str


class Registered:
    """A class of the user's own: `kind` is no part."""

    def __init__(self, w: Any, b: Any, s: Any, kind: str) -> None:
        self.w, self.rest, self.kind = w, (b, s), kind


tl.register(
    Registered,
    lambda each: ((each.w, *each.rest), each.kind),
    lambda kind, parts: Registered(*parts, kind),
)


@tl.function
def loss_of_dict(p, x):
    return p["s"] * tl.sum(tl.tanh(p["w"] * x + p["b"]))


@tl.function
def loss_of_nested(p, x):
    inner = p["layers"][1]
    total = 0.0
    for key in p["layers"][0]:
        total += p["layers"][0][key]
    return total * tl.sum(tl.tanh(inner[0] * x + inner[1]))


@tl.function
def loss_of_sequence(p, x):
    w, b, s = p
    return s * tl.sum(tl.tanh(w * x + b))


@tl.function
def loss_of_attributes(p, x):
    return p.s * tl.sum(tl.tanh(p.w * x + p.b))


@tl.function
def loss_of_frozen(p, x):
    scale = p.inner.s if p.name == "tanh" else 0.0
    return scale * tl.sum(p.inner.inner(x))


@tl.function
def loss_of_registered(p, x):
    b, s = p.rest
    return s * tl.sum(tl.tanh(p.w * x + b)) if p.kind == "tanh" else 0.0


class Form(NamedTuple):
    """How a structure is made from its three leaves, how they are found again, and the loss."""

    make: Callable[[Any, Any, Any], Any]
    take: Callable[[Any], tuple[Any, Any, Any]]
    loss: Any


FORMS = {
    "dict": Form(lambda w, b, s: {"w": w, "b": b, "s": s}, lambda p: (p["w"], p["b"], p["s"]), loss_of_dict),
    "ordered": Form(lambda w, b, s: OrderedDict(s=s, w=w, b=b), lambda p: (p["w"], p["b"], p["s"]), loss_of_dict),
    "nested": Form(
        lambda w, b, s: {"layers": [{7: s}, (w, b, None, "x")]},
        lambda p: (*p["layers"][1][:2], p["layers"][0][7]),
        loss_of_nested,
    ),
    "tuple": Form(lambda w, b, s: (w, b, s), lambda p: p, loss_of_sequence),
    "list": Form(lambda w, b, s: [w, b, s], lambda p: tuple(p), loss_of_sequence),
    "named": Form(Named, lambda p: (p.w, p.b, p.s), loss_of_attributes),
    "dataclass": Form(Fields, lambda p: (p.w, p.b, p.s), loss_of_attributes),
    "frozen": Form(
        lambda w, b, s: Frozen(Fields(w, b, s), "tanh"),
        lambda p: (p.inner.w, p.inner.b, p.inner.s),
        loss_of_frozen,
    ),
    "registered": Form(lambda w, b, s: Registered(w, b, s, "tanh"), lambda p: (p.w, *p.rest), loss_of_registered),
}


def value() -> float:
    return S * np.sum(np.tanh(W * X + B))


def gradient() -> tuple[np.ndarray, float, float]:
    """In w, b and s."""
    t = np.tanh(W * X + B)
    d = 1.0 - t * t
    return S * d * X, S * np.sum(d), np.sum(t)


def second() -> tuple[tuple[np.ndarray, ...], ...]:
    """The blocks of the Hessian."""
    t = np.tanh(W * X + B)
    d = 1.0 - t * t
    c = -2.0 * S * t * d
    return (
        (np.diag(c * X * X), c * X, d * X),
        (c * X, np.sum(c), np.sum(d)),
        (d * X, np.sum(d), np.float64(0.0)),
    )


def check_leaves(found: Any, expected: Any) -> None:
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
