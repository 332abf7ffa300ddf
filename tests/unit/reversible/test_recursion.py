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


def test_recursion_on_numbers():
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


def test_procedures_and_functions_call_recursive_ones():
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


def test_functions_hand_on_the_depth():
    @tl.function
    def caller(y, n):
        return sum_below(y, n)[0]

    assert caller(0, 3) == 6
    assert caller(0, 100) == 5050


def test_sizes_that_are_known_make_a_version_each_up_to_a_limit():
    @tl.reversible
    def down(x: tl.f64[100]):
        shorter(x)

    with pytest.raises(tl.FrontendError, match="'shorter' calls itself with more than 64 sizes"):
        down(np.zeros(100))
    check(shorter, (np.zeros(3),), ([1.0, 2.0, 3.0],))


@tl.reversible
def shorter(x):
    if len(x) > 0:
        x += 1.0
        shorter(x[1:])
