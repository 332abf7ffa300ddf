"""Procedures that call procedures, on cells, elements, rows and expressions."""

import numpy as np
import pytest
from tests.unit.reversible.test_statements import check

import tapeless as tl


@tl.reversible
def add_twice(a, b: tl.In[tl.f64]):
    a += b * 2


def test_cells_elements_and_inverses():
    @tl.reversible
    def caller(y, x):
        add_twice(y[0], x)
        (~add_twice)(y[1], y[0])
        for i in range(1, len(y)):
            add_twice(b=y[i - 1], a=y[i])

    expected = np.arange(1.0, 5)
    expected[0] += 4
    expected[1] -= 2 * expected[0]
    for i in range(1, 4):
        expected[i] += 2 * expected[i - 1]
    check(caller, (np.arange(1.0, 5), 2.0), (expected, 2.0))


def test_expressions_for_parameters_that_are_only_read():
    @tl.reversible
    def caller(y, x):
        add_twice(x, 3.0)
        add_twice(x, y[0] * y[1])

    check(caller, (np.array([2.0, 5.0]), 1.0), ([2.0, 5.0], 27.0))


def test_rows_and_columns():
    @tl.reversible
    def shift(row, s: tl.In[tl.f64]):
        row += s
        row[0] += row[1]

    @tl.reversible
    def caller(m, s):
        for i in range(m.shape[0]):
            shift(m[i], s)
        shift(m[:, 1], s)

    m = np.arange(6.0).reshape(2, 3)
    expected = m + 2
    expected[:, 0] += expected[:, 1]
    expected[:, 1] += 2
    expected[0, 1] += expected[1, 1]
    check(caller, (m, 2.0), (expected, 2.0))


def test_stacks_are_passed_on():
    @tl.reversible
    def put(s, x):
        tl.push(s, x)

    @tl.reversible
    def caller(x, y):
        with tl.ancilla(tl.new_stack(tl.f64, 1)) as s:
            put(s, x)
            y += 1.0
            (~put)(s, x)

    check(caller, (2.0, 3.0), (2.0, 4.0))


def test_elements_that_turn_out_to_be_the_same_are_found_when_running():
    @tl.reversible
    def caller(y, i: tl.In[tl.i64], j: tl.In[tl.i64]):
        add_twice(y[i], y[j])

    check(caller, (np.array([1.0, 2.0]), 0, 1), ([5.0, 2.0], 0, 1))
    with pytest.raises(tl.InvertibilityError, match="same element"):
        caller(np.array([1.0, 2.0]), 1, 1)


def test_types_are_as_annotated():
    @tl.reversible
    def caller(n):
        add_twice(n, n)

    with pytest.raises(tl.TypeMismatch, match=r"'b' is tl\.f64, and the argument tl\.i64"):
        caller(1)


@tl.reversible
def shift(y, x: tl.In):
    y += tl.exp(x)


def test_a_routine_undoes_what_it_calls():
    @tl.reversible
    def through(y, a: tl.In[tl.f64], b: tl.In[tl.f64]):
        with tl.ancilla(0.0) as z:
            with tl.routine() as r:
                shift(z, a)
                shift(z, a * b)
                (~shift)(z, b)
            y += z
            ~r

    expected = np.exp(0.5) + np.exp(1.0) - np.exp(2.0)
    assert through(0.0, 0.5, 2.0)[0] == pytest.approx(expected, rel=1e-15)
    assert (~through)(*through(0.25, 0.5, 2.0))[0] == pytest.approx(0.25, abs=1e-15)
    assert tl.grad(through, loss=0, argnums=1)(0.0, 0.5, 2.0) == pytest.approx(np.exp(0.5) + 2.0 * np.exp(1.0))
