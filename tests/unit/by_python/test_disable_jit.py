"""`tl.disable_jit`: what users see, what differs between numpy and the language, transformations, errors."""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl

X = np.array([3.0, 1.0, 2.0])
SCALE = 2.0
TABLE = np.array([10.0, 20.0, 30.0])


@tl.function
def inner(v):
    print("inner", v)
    return v * SCALE


@tl.function
def shown(x):
    total = 0
    for i in range(len(x)):
        total += inner(x[i])
        print(f"{i}: {total}")
    return total


def test_functions_print(capsys: pytest.CaptureFixture[str]) -> None:
    with tl.disable_jit():
        assert shown(X) == 12.0
    assert capsys.readouterr().out.splitlines() == [
        "inner 3.0",
        "0: 6.0",
        "inner 1.0",
        "1: 8.0",
        "inner 2.0",
        "2: 12.0",
    ]


def test_what_prints_is_refused_when_compiled() -> None:
    with pytest.raises(tl.FrontendError, match=r"cannot print\n.*\n.*\ncall it inside of 'with tl.disable_jit\(\):'"):
        shown(X)


@tl.function
def stopping(x):
    y = x * 2.0
    breakpoint()
    return tl.sum(y)


def test_debuggers_stop_at_the_line_and_see_names(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def look() -> None:
        frame = sys._getframe(1)
        seen.append((frame.f_code.co_filename, frame.f_lineno, frame.f_locals["y"]))

    monkeypatch.setattr(sys, "breakpointhook", look)
    with tl.disable_jit():
        assert stopping(X) == 12.0
    [(file, line, y)] = seen
    assert Path(file) == Path(__file__)
    assert Path(file).read_text().splitlines()[line - 1].strip() == "breakpoint()"
    np.testing.assert_array_equal(y, 2.0 * X)


def aliases(x):
    y = x
    y[0] = 1.0
    row = x
    row += 1.0
    return x, y, row


def rows(m):
    row = m[0]
    m[0] = 5.0
    m[1][1] = 7.0
    return m, row


def division(n, d):
    return n // d, n % d, n / d, -n // d, (-n) % d, n**2


def promoted(x, n, s):
    return s * 2.5, n * 1.5, x * s, n + 1, len(x) / 2, int(s), round(2.5), s + n


def sliced(x, lo, hi):
    return x[lo:hi], x[-100:100], x[::-1], x[-1], x[1:][:1]


def duplicates(x, index):
    x[index] += 1.0
    np.add.at(x, index, 0.5)
    return x, x[index]


def masked(x):
    x[x > 1.5] = 0.0
    return x, tl.where(x > 0, x, -1)


def swapped(x):
    x[0], x[2] = x[2], x[0]
    a, b, c = x
    return x, a, (b, c)


def leaving(x, limit):
    for k, v in enumerate(x):
        if v < limit:
            return k, v
    return -1, 0.0


def counted(x):
    steps = 0
    while tl.bounded(steps < len(x) and x[steps] != 2.0, 5):
        steps += 1
    return steps, 0 < steps <= 2


def methods(m):
    return m.sum(axis=0), m.T, m.shape[1], m.reshape(2, 3).max(), m.ndim, m.cumsum(), m @ m.T


def captured(x):
    return x * SCALE + TABLE, np.pi * x[0]


def with_functions(x):
    def twice(v, by=2.0):
        return v * by

    return (
        tl.map(lambda v: twice(v) + x[0], x),
        tl.reduce(tl.maximum, -tl.inf, x),
        tl.scan(np.add, 0, x),
        twice(x, by=3),
    )


def written(x, at):
    """A plain function with the language's arrays, which are values."""
    x[at] = 9.0
    return x


def with_helpers(x):
    return written(x, 0), x, tl.map(lambda v: plain(v, 2), x), x[x > 1.5]


def plain(v, n):
    return v // n


def structures(p, kind):
    q = {"sum": p["x"] + p["y"][0], "parts": [p["x"], 1.0]}
    p["x"][0] = 7.0
    listed = q["sum"]
    listed[[0, 1]] = 0.5
    return q if kind == "all" else q["sum"], p, listed[[2, 0]], tl.map(lambda v: {"v": v, "w": (v, 2.0)}, listed)


def annotated(x: tl.f64[:], n: tl.f64):
    return tl.zeros(2, tl.f32), x / n


def derivatives(x):
    value, gradient = tl.value_and_grad(squares)(x)
    return value, gradient, tl.jvp(squares, (x,), (x,))[1], tl.grad(lambda v: tl.sum(v * v * v))(x)


@tl.function
def squares(x):
    return tl.sum(x * x)


SINGLE = np.float32(1.5)
WHOLE = np.array([7, -7, 3])
CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (aliases, (X,)),
    (rows, (np.arange(6.0).reshape(2, 3),)),
    (division, (7, -2)),
    (division, (-7.5, 2.0)),
    (division, (WHOLE, 2)),
    (promoted, (X.astype(np.float32), 3, SINGLE)),
    (promoted, (WHOLE, 3, 2.5)),
    (sliced, (X, -5, 2)),
    (sliced, (X, 2, 1)),
    (duplicates, (X, np.array([0, 0, -1]))),
    (masked, (X,)),
    (swapped, (X,)),
    (leaving, (X, 1.5)),
    (leaving, (X, 0.5)),
    (counted, (X,)),
    (methods, (np.arange(6.0).reshape(2, 3),)),
    (captured, (X,)),
    (with_functions, (X,)),
    (with_helpers, (X,)),
    (structures, ({"x": X, "y": (2.0, WHOLE)}, "all")),
    (annotated, (X, 2)),
    (derivatives, (X,)),
]


def check_same(found: Any, wanted: Any) -> None:
    assert type(found) is type(wanted)
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        check_same(tuple(found.values()), tuple(wanted.values()))
    elif isinstance(wanted, str):
        assert found == wanted
    elif isinstance(wanted, (tuple, list)):
        for pair in zip(found, wanted, strict=True):
            check_same(*pair)
    else:
        assert np.asarray(found).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("function", "arguments"), CASES, ids=[f"{f.__name__}{k}" for k, (f, _) in enumerate(CASES)])
def test_same_as_compiled(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    before = copy.deepcopy(arguments)
    decorated = tl.function(function)
    with tl.disable_jit():
        found = decorated(*arguments)
    check_same(found, decorated(*arguments))
    check_same(arguments, before)


def index(x, i):
    return x[i]


def whole(x, i):
    return int(x[i] * tl.nan)


def asserted(x, i):
    assert i < 0, "too large"
    return x


def refused(x, i):
    if i > 0:
        raise ValueError("not here")
    return x


def narrow(n, i):
    n[0] = 0.5
    return n


def unbounded(x, i):
    while tl.bounded(x[0] > 0, 3):
        i += 1
    return i


def sizes(x, i):
    return x + x[1:]


def of_array(x, i):
    return 1.0 if x > 0 else 0.0


ERRORS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (index, (X, 3)),
    (index, (X, -4)),
    (whole, (X, 0)),
    (asserted, (X, 1)),
    (refused, (X, 1)),
    (narrow, (WHOLE, 0)),
    (unbounded, (X, 0)),
    (sizes, (X, 0)),
    (of_array, (X, 0)),
    (annotated, (WHOLE, 1.0)),
    (annotated, ([1.0], 1.0)),
    (index, (X,)),
]


@pytest.mark.parametrize(("function", "arguments"), ERRORS, ids=[f"{f.__name__}{k}" for k, (f, _) in enumerate(ERRORS)])
def test_same_errors_as_compiled(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    decorated = tl.function(function)
    with pytest.raises(tl.TapelessError) as compiled:
        decorated(*arguments)
    with tl.disable_jit(), pytest.raises(tl.TapelessError) as by_python:
        decorated(*arguments)
    assert by_python.type is compiled.type


def test_the_traceback_shows_the_line_of_the_function() -> None:
    with tl.disable_jit(), pytest.raises(tl.IndexOutOfRange) as caught:
        tl.function(index)(X, 3)
    assert "return x[i]" in [str(entry.statement).strip() for entry in caught.traceback]


def test_batches_and_operators_run_by_python(capsys: pytest.CaptureFixture[str]) -> None:
    with tl.disable_jit():
        batch = tl.vmap(inner)(X)
        mapped = tl.map(lambda v: inner(v) + 1.0, X)
        rows_of = tl.vmap(index, in_axes=(1, None))(np.arange(6.0).reshape(2, 3), 1)
    np.testing.assert_array_equal(batch, 2.0 * X)
    np.testing.assert_array_equal(mapped, 2.0 * X + 1.0)
    np.testing.assert_array_equal(rows_of, [3.0, 4.0, 5.0])
    assert capsys.readouterr().out.count("inner") == 6


def test_functions_run_by_python_before_their_derivatives_do() -> None:
    """Breakpoints of debuggers, which watch lines as this does, are met."""
    lines: list[int] = []

    def watch(frame: Any, event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename == __file__ and event == "line":
            lines.append(frame.f_lineno)
        return watch

    before = sys.gettrace()
    with tl.disable_jit():
        sys.settrace(watch)
        try:
            value, gradient = tl.value_and_grad(squares)(X)
        finally:
            sys.settrace(before)
    assert value == 14.0
    np.testing.assert_array_equal(gradient, 2.0 * X)
    text = Path(__file__).read_text().splitlines()
    assert [text[line - 1].strip() for line in lines] == ["return tl.sum(x * x)"]


@tl.reversible
def doubling(x: tl.f64, y: tl.f64):
    y += 2.0 * x


def test_procedures_run_compiled() -> None:
    with tl.disable_jit():
        assert doubling(1.5, 1.0) == (1.5, 4.0)
        assert (~doubling)(1.5, 4.0) == (1.5, 1.0)


def test_blocks_nest_and_end(capsys: pytest.CaptureFixture[str]) -> None:
    decorated = tl.function(aliases)
    with tl.disable_jit():
        with tl.disable_jit():
            decorated(X)
        inner(1.0)
    assert capsys.readouterr().out == "inner 1.0\n"
    with pytest.raises(tl.FrontendError, match=re.escape("cannot print")):
        inner(1.0)
