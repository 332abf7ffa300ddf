"""What is refused about structures: the message names the path and says what is there, and its advice works."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import tapeless as tl

from .forms import FORMS, B, Fields, Named, Registered, S, W, X, value

ONE = FORMS["dict"].make(W, B, S)
NESTED = {"layers": [{"w": W}, {"w": 2.0 * W}]}


class Unknown:
    """A class that nobody registered."""

    def __init__(self, w: Any) -> None:
        self.w = w


@tl.function
def second_layer(params):
    return tl.sum(params["layers"][1]["w"])


@tl.function
def misspelt_key(params):
    return params["layers"][1]["v"]


@tl.function
def misspelt_field(params):
    return params.inner.v


@tl.function
def computed_key(params, k):
    return params[k]


@tl.function
def assigned(params):
    params[0] = 1.0
    return params


@tl.function
def called(params):
    return params(1.0)


REFUSED = {
    "missing key": (
        lambda: misspelt_key(NESTED),
        tl.ArgumentError,
        r"test_errors.py:\d+:.*'params\['layers'\]\[1\]' has no entry 'v'; known are 'w'",
    ),
    "missing field": (
        lambda: misspelt_field(FORMS["frozen"].make(W, B, S)),
        tl.FrontendError,
        "'params.inner' is a Fields, which has no attribute 'v'",
    ),
    "computed key": (lambda: computed_key({0: 1.0}, 0), tl.TypeMismatch, "the key 'k' is a scalar of type tl.i64"),
    "assigned part of a tuple": (
        lambda: assigned((1.0, 2.0)),
        tl.TypeMismatch,
        "'params' is a tuple of 2, which does not change.*make a new one",
    ),
    "called": (lambda: called(NESTED), tl.TypeMismatch, "a dict with 'layers' cannot be called"),
    "unregistered": (
        lambda: second_layer({"layers": [1.0, {"w": Unknown(W)}]}),
        tl.TypeMismatch,
        r"argument 'params\['layers'\]\[1\]\['w'\]' is an? Unknown.*tl.register\(Unknown",
    ),
    "bad leaf": (
        lambda: second_layer({"layers": [1.0, {"w": np.array(["a"])}]}),
        tl.TypeMismatch,
        r"argument 'params\['layers'\]\[1\]\['w'\]': dtype",
    ),
    "many numbers": (
        lambda: second_layer([0.0] * 2000),
        tl.ArgumentError,
        r"'params' has 2000 numbers and arrays.*np.asarray\(params\)",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    work, kind, message = REFUSED[case]
    with pytest.raises(kind, match=f"(?s){message}"):
        work()


def test_a_structure_that_contains_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(tl.ArgumentError, match=r"'params\[0\]' contains itself"):
        second_layer(endless)
    deep: Any = 1.0
    for _ in range(129):
        deep = [deep]
    with pytest.raises(tl.ArgumentError, match="nested more than 128 deep"):
        second_layer(deep)


def test_entries_are_written_and_the_caller_keeps_its_own() -> None:
    @tl.function
    def changed(params, n):
        other = params
        for k in range(n):
            params["w"][k] += 1.0
            params["parts"][0] = params["parts"][0] + k
        params["b"] *= 2.0
        params["new"] = {**other, "b": 1}
        return params

    given = {"w": W, "b": B, "parts": [0, 1]}
    found = changed(given, 2)
    step = np.array([1.0, 1.0, 0.0])
    np.testing.assert_allclose(found["w"], W + step)
    assert found["b"] == 2.0 * B and found["parts"] == [1, 1]
    assert found["new"]["b"] == 1 and found["new"]["parts"] == [0, 1]
    assert list(given) == ["w", "b", "parts"] and given["parts"] == [0, 1]
    moved = tl.grad(lambda params: tl.sum(changed(params, 2)["w"] * params["w"]))({"w": W, "b": B, "parts": [0.0, 1.0]})
    np.testing.assert_allclose(moved["w"], 2.0 * W + step)


def test_the_advice_about_unregistered_classes_works() -> None:
    class Mine(Unknown):
        pass

    tl.register(Mine, lambda each: ((each.w,), None), lambda rest, parts: Mine(*parts))
    assert second_layer({"layers": [1.0, {"w": W}]}) == pytest.approx(np.sum(W))
    found = tl.grad(lambda mine: tl.sum(mine.w * mine.w))(Mine(W))
    assert type(found) is Mine
    np.testing.assert_allclose(found.w, 2.0 * W)


BAD_REGISTRATIONS = {
    "no class": (lambda: tl.register(3, len, len), "tl.register takes a class, not 3"),
    "a list": (lambda: tl.register(list, len, len), "list means something already"),
    "no functions": (lambda: tl.register(Unknown, 1, 2), "tl.register takes two functions"),
}


@pytest.mark.parametrize("case", BAD_REGISTRATIONS)
def test_what_cannot_be_registered(case: str) -> None:
    work, message = BAD_REGISTRATIONS[case]
    with pytest.raises(tl.ArgumentError, match=message):
        work()


def test_what_flatten_gives_is_checked() -> None:
    class Wrong(Unknown):
        pass

    tl.register(Wrong, lambda each: each.w, lambda rest, parts: Wrong(*parts))
    with pytest.raises(tl.TypeMismatch, match="flatten of Wrong gives an array of float64"):
        second_layer(Wrong(W))
    tl.register(Wrong, lambda each: ((), [1]), lambda rest, parts: Wrong(*parts))
    with pytest.raises(tl.TypeMismatch, match="flatten of Wrong gives a list of 1 as what is no part"):
        second_layer(Wrong(W))


def test_a_kernel_takes_the_structures_it_was_compiled_for() -> None:
    kernel = tl.compile(FORMS["dict"].loss, (ONE, X))
    assert kernel(ONE, X) == pytest.approx(value())
    assert kernel({"s": S, "b": B, "w": W}, X) == pytest.approx(value())  # entries in another order
    wrong = {
        r"'p' has no 's'; it has 'w', 'b', and 'w', 'b', 's' are needed": {"w": W, "b": B},
        r"'p' has 'z', which is not taken": {**ONE, "z": 1.0},
        r"'p' is a tuple of 3, and a dict with 'w', 'b', 's' is needed": (W, B, S),
        r"argument 'p\['w'\]' is a list, not an array": {**ONE, "w": list(W)},
        r"argument 'p\['w'\]' is an array of float32": {**ONE, "w": W.astype(np.float32)},
    }
    for message, given in wrong.items():
        with pytest.raises(tl.TypeMismatch, match=message):
            kernel(given, X)


def test_structures_in_bodies() -> None:
    @tl.function
    def body(p, n):
        named = Named(p["w"], b=1.0, s=2)._replace(s=n)
        fields = dataclasses.replace(Fields(named.w, named.b, 0.0), s=named.s)
        total = {"sum": 0.0, "count": 0}
        for _ in range(n):
            total = {"sum": total["sum"] + fields.b, "count": total["count"] + 1}
        state = (fields, [named.w[0]]) if n < 2 else (fields, [named.w[1]])
        size = len(p) + len(state[1])
        last = p.get("none", 5.0)
        for key, each in p.items():
            last = last + tl.sum(each) if key == "w" else last
        return {"total": total, "state": state, "size": size, "last": last, "values": p.values()}

    found = body({"w": W, "b": B}, 3)
    assert found["total"] == {"sum": 3.0, "count": 3}
    assert isinstance(found["state"][0], Fields) and found["state"][0].s == 3 and found["state"][1] == [W[1]]
    assert found["size"] == 3 and found["last"] == pytest.approx(5.0 + np.sum(W))
    assert found["values"][1] == B


def test_other_values_of_what_is_no_part_are_other_versions() -> None:
    loss = FORMS["registered"].loss
    assert loss(Registered(W, B, S, "tanh"), X) == pytest.approx(value())
    assert loss(Registered(W, B, S, "none"), X) == 0.0
    assert loss(Registered(W, B, S, "tanh"), X) == pytest.approx(value())


def test_what_is_no_part_is_told_apart_exactly() -> None:
    class Power:
        def __init__(self, x: Any, n: Any) -> None:
            self.x, self.n = x, n

    tl.register(Power, lambda each: ((each.x,), each.n), lambda n, parts: Power(*parts, n))
    f = tl.function(lambda p: {"x": p.x, "n": p.n // 2, "key": {p.n: p.x}})
    for n in (3, 3.0, True, 1, 1.0, -0.0, 0.0):
        found = f(Power(1.0, n))
        assert found["n"] == n // 2 and type(found["n"]) is type(n // 2)
        assert repr(list(found["key"])) == repr([n])
