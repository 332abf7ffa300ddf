"""Procedures that call themselves, and each other."""

import numpy as np
import pytest
from tests.unit.reversible.test_statements import check

import tapeless as tl


@tl.reversible
def sum_below(y, n: tl.In[tl.i64]):
    if n > 0:
        y += n
        sum_below(y, n - 1)


@tl.reversible
def fibonacci(x, y, n: tl.In[tl.i64]):
    if n > 0:
        x += y
        x, y = y, x
        fibonacci(x, y, n - 1)


@tl.reversible
def tree(y, n: tl.In[tl.i64]):
    if n > 0:
        tree(y[: len(y) // 2], n - 1)
        y += 1.0
        (~tree)(y[len(y) // 2 :], n - 1)


@tl.reversible
def even(y, n: tl.In[tl.i64]):
    if n > 0:
        odd(y, n - 1)
    else:
        y += 1.0


@tl.reversible
def odd(y, n: tl.In[tl.i64]):
    if n > 0:
        even(y, n - 1)
    else:
        y -= 1.0


@tl.reversible
def haar(x):
    if len(x) > 1:
        x[::2] += x[1::2]
        x[1::2] -= x[::2] * 0.5
        haar(x[::2])


def test_calls_from_python_know_the_depth():
    check(sum_below, (0, 4), (10, 4))
    check(sum_below, (0, 7), (28, 7))
    check(fibonacci, (0, 1, 10), (55, 89, 10))


def test_trees_of_calls():
    expected = np.zeros(8)

    def plain(y, n, sign):
        if n > 0:
            half = len(y) // 2
            plain(y[:half], n - 1, sign)
            y += sign
            plain(y[half:], n - 1, -sign)

    plain(expected, 3, 1.0)
    check(tree, (np.zeros(8), 3), (expected, 3))


def test_procedures_that_call_each_other():
    check(even, (0.0, 4), (1.0, 4))
    check(even, (0.0, 5), (-1.0, 5))


def test_recursion_on_sizes():
    check(haar, (np.array([1.0, 2.0, 3.0, 4.0]),), ([10.0, 0.5, 2.0, 0.5],))


def test_procedures_and_functions_know_constants():
    @tl.reversible
    def procedure(y: tl.f64[4]):
        haar(y)
        sum_below(y[0], 3)

    @tl.function
    def function(y):
        return sum_below(y, 3)[0]

    check(procedure, (np.ones(4),), ([4.0 + 6, 0, 0, 0],))
    assert function(1) == 7


def test_arguments_are_checked_first():
    with pytest.raises(tl.TypeMismatch, match="'n'"):
        sum_below(0, 2.5)


def test_depths_that_are_not_known_are_refused():
    @tl.function
    def caller(y, n):
        return sum_below(y, n)[0]

    with pytest.raises(tl.FrontendError, match="'sum_below' calls itself to a depth that is known only at run time"):
        caller(0, 3)


def test_recursion_without_an_end_is_refused():
    @tl.reversible
    def forever(y, n: tl.In[tl.i64]):
        y += 1.0
        forever(y, n + 1)

    with pytest.raises(tl.FrontendError, match="more than 64 levels deep"):
        forever(0.0, 0)
