"""Functions given as arguments that call what they are given to; `is None`; bound methods."""

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check
from tapeless.errors import FrontendError

METHODS = ("redundant", "reversible", "coarsened")


@tl.function
def newton(f, x):
    """Two steps towards a zero; the nested function is made anew in each activation."""

    def step(v):
        return v - f(v) / 3.0

    return step(step(x))


@tl.function
def nested(x, y):
    return newton(lambda a: a * a - newton(lambda b: b * b * b - a * y, x), x)


def test_a_function_in_its_own_argument():
    def newton_in_python(f, x):
        first = x - f(x) / 3.0
        return first - f(first) / 3.0

    expected = newton_in_python(lambda a: a * a - newton_in_python(lambda b: b**3 - a * 0.7, 1.2), 1.2)
    assert nested(1.2, 0.7) == pytest.approx(expected, rel=1e-13)
    tl.check_grads(nested, (1.2, 0.7), order=1, methods=METHODS)


@tl.function
def endless(f, x):
    return endless(lambda v: f(v) + 1.0, x)


@tl.function
def again(f, x):
    return again(f, x)


@pytest.mark.parametrize("function", [endless, again])
def test_recursion_stays_refused(function):
    with pytest.raises(FrontendError, match=r"calls itself(.|\n)*write a loop"):
        tl.jit(lambda x: function(tl.sin, x))(1.0)


@tl.function
def scaled(x, w=None, *, power=None):
    if w is not None:
        x = x * w
    return x if power is None else x**power


def test_none_is_known_when_compiling():
    def f(x):
        return scaled(x), scaled(x, 2.0), scaled(x, 2.0, power=3), x is None, None is None

    expected = (np.ones(2) * 3, np.ones(2) * 6, np.ones(2) * 216, False, True)
    check(f, np.ones(2) * 3, expected=expected)


class Model:
    factor = 2.0

    def reads(self, x):
        return x * self.factor

    def reads_not(self, x):
        return x * 3.0


def test_bound_methods():
    model = Model()
    assert tl.jit(model.reads_not)(2.0) == 6.0
    assert tl.jit(model.reads)(2.0) == 4.0
