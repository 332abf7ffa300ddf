"""Structures as arguments of procedures: their numbers and arrays are cells, and come back in the same structures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)


@dataclass
class Fields:
    a: Any
    b: Any
    c: Any


class Named(NamedTuple):
    a: Any
    b: Any
    c: Any


class Registered:
    def __init__(self, a: Any, b: Any, c: Any) -> None:
        self.a, self.b, self.c = a, b, c


tl.register(Registered, lambda each: ((each.a, each.b, each.c), None), lambda _, parts: Registered(*parts))


@tl.reversible
def on_dict(y, p):
    y += p["a"] * p["b"][0]
    p["b"][1] += y * y
    p["a"], p["c"] = p["c"], p["a"]


@tl.reversible
def on_items(y, p):
    y += p[0] * p[1][0]
    p[1][1] += y * y
    p[0], p[-1] = p[-1], p[0]


@tl.reversible
def on_attributes(y, p):
    y += p.a * p.b[0]
    p.b[1] += y * y
    p.a, p.c = p.c, p.a


def dict_of(a: Any, b: Any, c: Any) -> Any:
    return {"a": a, "b": b, "c": c}


# How a structure is made, the procedure on it, and how its parts are read.
FORMS: dict[str, tuple[Callable[..., Any], Any, Callable[[Any], Any]]] = {
    "dict": (dict_of, on_dict, lambda p: (p["a"], p["b"], p["c"])),
    "tuple": (lambda *parts: parts, on_items, tuple),
    "list": (lambda *parts: [*parts], on_items, tuple),
    "named tuple": (Named, on_attributes, tuple),
    "dataclass": (Fields, on_attributes, lambda p: (p.a, p.b, p.c)),
    "registered class": (Registered, on_attributes, lambda p: (p.a, p.b, p.c)),
}
Y, PARTS = 0.5, (1.5, np.array([2.0, 3.0]), -0.7)


def expected(y: float, a: float, b: np.ndarray, c: float) -> tuple[Any, ...]:
    y = y + a * b[0]
    return y, c, np.array([b[0], b[1] + y * y]), a


def close(found: Any, wanted: Any) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("form", FORMS)
def test_calls_and_inverses(form: str) -> None:
    make, procedure, parts_of = FORMS[form]
    given = make(*PARTS)
    y, p = procedure(Y, given)
    assert type(p) is type(given)
    close((y, *parts_of(p)), expected(Y, *PARTS))
    back, p = (~procedure)(y, p)
    close((back, *parts_of(p)), (Y, *PARTS))
    close(parts_of(given), PARTS)


@pytest.mark.parametrize("form", ["dict", "dataclass"])
@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_derivatives(form: str, method: str) -> None:
    make, procedure, parts_of = FORMS[form]
    slope = tl.grad(procedure, loss=0, argnums=1, method=method)(Y, make(*PARTS))
    close(parts_of(slope), (PARTS[1][0], [PARTS[0], 0.0], 0.0))
    value, adjoints = tl.vjp(procedure, Y, make(*PARTS), method=method)
    y_bar, p_bar = adjoints((1.0, make(0.5, np.array([0.25, 2.0]), -1.0)))
    after = value[0]
    y_bar_expected = 1.0 + 2.0 * 2.0 * after
    close(
        (y_bar, *parts_of(p_bar)),
        (y_bar_expected, -1.0 + y_bar_expected * 2.0, [0.25 + y_bar_expected * 1.5, 2.0], 0.5),
    )


@tl.function
def energy(p: Any, scale: Any) -> Any:
    return scale * p["a"] ** 2 + tl.sum(p["b"])


@tl.reversible
def inner(q, s):
    q["a"] += s[0]


@tl.reversible
def outer(y, p, n: tl.In[tl.i64]):
    y += energy(p["state"], 2.0)
    for _ in range(n):
        inner(p["state"], p["steps"])
    (~inner)(s=p["steps"], q=p["state"])


@tl.reversible
def descend(p, n: tl.In[tl.i64]):
    if n > 0:
        p["a"] += p["b"]
        descend(p, n - 1)


@tl.reversible
def chosen(y, x, act, bias):
    y += act(x)
    if bias is not None:
        y += bias


def test_functions_and_procedures_take_parts_of_structures() -> None:
    given = {"state": {"a": 1.5, "b": PARTS[1]}, "steps": (0.25, 1)}
    y, p, n = outer(Y, given, 3)
    assert (y, p["state"]["a"], p["steps"], n) == (Y + 2.0 * 1.5**2 + 5.0, 2.0, (0.25, 1), 3)
    close((~outer)(y, p, n)[:1], (Y,))
    assert tl.grad(outer, loss=0, argnums=1)(Y, {**given, "steps": (0.25, 1.0)}, 3)["state"]["a"] == 6.0


def test_a_procedure_calls_itself_with_a_structure() -> None:
    assert descend({"a": 1.0, "b": 2.0}, 3) == ({"a": 7.0, "b": 2.0}, 3)
    assert (~descend)({"a": 7.0, "b": 2.0}, 3) == ({"a": 1.0, "b": 2.0}, 3)


def test_functions_strings_and_none_choose_code() -> None:
    assert chosen(1.0, 2.0, tl.function(lambda v: v * 3.0), None)[:2] == (7.0, 2.0)
    assert chosen(1.0, 2.0, lambda v: v * 3.0, 0.5)[0] == 7.5
    assert chosen(1.0, 0.0, tl.cos, None)[0] == 2.0


def test_functions_call_procedures_with_structures() -> None:
    @tl.function
    def after(a: Any, b: Any) -> Any:
        y, p = on_dict(0.0, {"a": a, "b": b, "c": 1.0})
        return y * p["a"]

    assert after(*PARTS[:2]) == 3.0
    np.testing.assert_array_equal(tl.grad(after, argnums=1)(*PARTS[:2]), [1.5, 0.0])


def test_kernels_batches_and_python_itself(tmp_path: Path) -> None:
    kernel = tl.compile(on_dict, (tl.f64, dict_of(tl.f64, tl.f64[:], tl.f64)))
    kernel.save(tmp_path / "on_dict.tlk")
    with tl.disable_jit():
        by_python = on_dict(Y, dict_of(*PARTS))
    for y, p in (kernel(Y, dict_of(*PARTS)), tl.load(tmp_path / "on_dict.tlk")(Y, dict_of(*PARTS)), by_python):
        close((y, *p.values()), expected(Y, *PARTS))
    ys, rows = tl.vmap(on_dict)(np.array([Y, Y]), dict_of(*(np.stack([part, part]) for part in PARTS)))
    close((ys[1], *(row[1] for row in rows.values())), expected(Y, *PARTS))


WEIGHTS = {"w": tl.f64[:], "n": tl.f64}
NUMBER = {"w": tl.f64}
FIXED = {"w": tl.fixed43}


@tl.reversible
def annotated(y: tl.f64, p: tl.In[WEIGHTS]):
    y += tl.sum(p["w"]) * p["n"]


@tl.reversible
def calling_annotated(y, p):
    annotated(y, p)


def test_annotations_fix_structures() -> None:
    given = {"w": np.ones(2), "n": 3}
    y, p = annotated(1.0, given)
    assert y == 7.0 and p["n"] == 3.0
    assert calling_annotated(1.0, {"w": np.ones(2), "n": 3.0})[0] == 7.0
    assert tl.compile(annotated)(1.0, given)[0] == 7.0


@tl.reversible
def unknown_part(y, p):
    y += p["z"]


@tl.reversible
def computed_part(y, p, i: tl.In[tl.i64]):
    y += p[i]


@tl.reversible
def whole(y, p):
    p += y


@tl.reversible
def reading_itself(p):
    p["a"] += p["a"] * 2.0


@tl.reversible
def only_read(y, p: tl.In[NUMBER]):
    p["w"] += y


@tl.reversible
def number(y, x: tl.f64):
    y += x


@tl.reversible
def giving_structure(y, p):
    number(y, p)


SINGLE = np.ones(2, np.float32)
REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str, str]] = {
    "unknown part": (lambda: unknown_part(1.0, {"a": 1.0}), tl.ArgumentError, r"'p\['z'\]' is no part", r"p\['a'\]"),
    "computed part": (lambda: computed_part(1.0, (1.0, 2.0), 1), tl.ArgumentError, "no part of 'p' that is", r"p\[0\]"),
    "as a whole": (lambda: whole(1.0, (1.0, 2.0)), tl.FrontendError, "'p' is no cell", "change its parts"),
    "not reversible": (lambda: reading_itself({"a": 1.0}), tl.NotReversible, r"'p\['a'\]' is read by the", "ancilla"),
    "only read": (lambda: only_read(1.0, {"w": 1.0}), tl.NotReversible, r"'p\['w'\]' is changed here", "tl.In"),
    "another structure": (lambda: annotated(1.0, {"v": 1.0}), tl.TypeMismatch, "'p' is a dict with 'v'", "pass a dict"),
    "so in a procedure": (lambda: calling_annotated(1.0, {"v": 1.0}), tl.TypeMismatch, "is a dict with 'v'", "pass a"),
    "another type": (
        lambda: calling_annotated(1.0, {"w": SINGLE, "n": 1.0}),
        tl.TypeMismatch,
        r"'p\['w'\]' is tl.f64\[:\], and the argument tl.f32\[:\]",
        "pass a cell of the annotated type",
    ),
    "a number": (
        lambda: giving_structure(1.0, {"w": 1.0}),
        tl.TypeMismatch,
        "'x' is a dict with 'w', and annotated",
        "",
    ),
    "in place": (lambda: on_dict(Y, dict_of(*PARTS), inplace=True), tl.ArgumentError, "'p' is a dict", "one by one"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case: str) -> None:
    call, kind, message, instead = REFUSED[case]
    with pytest.raises(kind, match=f"(?s){message}.*{instead}"):
        call()


def test_number_systems_are_those_of_parameters() -> None:
    with pytest.raises(tl.TypeMismatch, match=r"(?s)'p' has parts of a number system.*pass these one by one"):

        @tl.reversible
        def fixed(y: tl.f64, p: FIXED):
            p["w"] += y
