"""Calls between functions: specialisation, defaults, keywords, closures, sizes across calls."""

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check, compare, run, text
from tapeless.errors import ArgumentError, FrontendError, TypeMismatch

X = np.array([3.0, -1.0, 4.0])


@tl.function
def scaled(x, by=2.0, *, plus=1):
    return x * by + plus


@tl.function
def annotated(x: tl.f64[:], n: tl.i64, scale: tl.f64) -> tl.f64:
    return tl.sum(x) * scale + n


@tl.function
def pair(x):
    return x + 1, (tl.sum(x), x[0])


@tl.function
def padded(x, n):
    return tl.concat((x, tl.zeros(n)))


@tl.function
def fixed(x: tl.f64[3]):
    return x[2] + x[0]


@tl.function
def applied(f, x):
    return f(x) + f(1.0)


@tl.function
def ping(x):
    return pong(x)


@tl.function
def pong(x):
    return ping(x)


@tl.function
def defined_below(x):
    return further_down(x) * 2


@tl.function
def further_down(x):
    return x + OFFSET


OFFSET = 10.0


def test_defaults_and_keywords():
    def f(x):
        return scaled(x), scaled(x, 3), scaled(x, plus=2), scaled(by=4.0, x=x)

    compare(run(f, X), (X * 2 + 1, X * 3 + 1, X * 2 + 2, X * 4 + 1))


def test_one_private_function_per_combination_of_types():
    def f(x, y):
        return scaled(x) + scaled(x) + scaled(y), scaled(2)

    ir = text(f, X, X)
    assert ir.count("func.func private @scaled") == 2
    assert ir.count("func.call") + ir.count(" call @") == 4


def test_annotated_parameters_convert_integers():
    compare(run(lambda x: annotated(x, 2, 3), X), 6.0 * 3 + 2)


def test_several_results():
    def f(x):
        a, (b, c) = pair(x)
        return a, b, c

    compare(run(f, X), (X + 1, 6.0, 3.0))


def test_functions_in_operators():
    compare(run(lambda x: tl.map(scaled, x), X), X * 2 + 1)


def test_functions_as_arguments():
    compare(run(lambda x, k: applied(lambda v: v * k, x), 2.0, 3.0), 9.0)


def test_functions_further_down_are_found():
    compare(run(lambda x: defined_below(x), 1.0), 22.0)


def test_sizes_are_known_across_calls():
    assert "soac.assert" not in text(lambda x: scaled(x) + x, X)
    ir = text(lambda x: padded(x, len(x)) + padded(x, len(x)), X)
    assert ir.count("ShapeMismatch") == 1
    compare(run(lambda x: padded(x, 2) + 1, X), np.append(X, [0.0, 0.0]) + 1)


def test_static_sizes_of_parameters_are_checked():
    assert run(lambda x: fixed(x), X) == 7.0
    with pytest.raises(tl.ShapeMismatch, match="sizes 2 and 3 of axis 0 do not match"):
        run(lambda x: fixed(x), X[:2])


def test_weak_arguments_stay_weak():
    assert run(lambda x: scaled(2.0) * x, np.float32(1.5)).dtype == np.float32


@pytest.mark.parametrize(
    ("function", "message", "kind"),
    [
        (lambda x: scaled(), "'scaled' lacks the argument 'x'", ArgumentError),
        (lambda x: scaled(x, 1, 2), "'scaled' takes 2 positional arguments, not 3", ArgumentError),
        (lambda x: scaled(x, z=1), "'scaled' has no parameter 'z'", ArgumentError),
        (lambda x: scaled(x, x=x), "'scaled' gets 'x' twice", ArgumentError),
        (lambda x: annotated(x[0], 1, 1), r"'x' is tl.f64\[:\], and the argument tl.f64", TypeMismatch),
        (lambda x: annotated(x > 0, 1, 1), r"'x' is tl.f64\[:\], and the argument tl.bool_\[:\]", TypeMismatch),
        (lambda x: annotated(x, x[0], 1), "'n' is tl.i64, and the argument tl.f64", TypeMismatch),
        (lambda x: ping(x), "'ping' calls itself, and how deep is known only when running", FrontendError),
    ],
)
def test_refused_calls(function, message, kind):
    with pytest.raises(kind, match=message):
        run(function, X)


def test_recursion_of_nested_functions_is_refused():
    def f(x):
        def g(v):
            return g(v - 1)

        return g(x)

    with pytest.raises(FrontendError, match="'g' calls itself, and how deep"):
        run(f, 1.0)


def test_result_annotations():
    def widened(n) -> tl.f64:
        return n + 1

    def several(x) -> tuple[tl.f64, tl.f64[:]]:
        return 1, x

    assert run(widened, 2).dtype == np.float64
    compare(run(several, X), (1.0, X))

    def wrong(x) -> tl.i64:
        return x

    with pytest.raises(TypeMismatch, match=r"the function returns tl.f64, and is annotated with tl.i64"):
        run(wrong, 1.0)


def test_arguments_are_never_changed():
    def f(x):
        def clear(v):
            v[0] = 0.0
            return v

        y = clear(x)
        return x, y

    check(f, X, expected=(X, np.array([0.0, -1.0, 4.0])))
