"""Calls that read one cell through several parameters: the adjoint of each reaches the cell."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

X = np.array([0.3, 0.7, 1.1, 0.2, 0.9])


@tl.reversible
def product(y: tl.f64, a: tl.In[tl.f64], b: tl.In[tl.f64]):
    y += tl.sin(a) * b * b


@tl.reversible
def of_elements(y: tl.f64, x: tl.In[tl.f64[:]], i: tl.In[tl.i64], j: tl.In[tl.i64]):
    product(y, x[i], x[j])


@tl.reversible
def taken_back(y: tl.f64, x: tl.In[tl.f64[:]], i: tl.In[tl.i64], j: tl.In[tl.i64]):
    (~product)(y, x[j], x[i])


@tl.function
def elements(y, x, i, j):
    return y + tl.sin(x[i]) * x[j] * x[j]


@tl.reversible
def triple(y: tl.f64, a: tl.In[tl.f64[:]], b: tl.In[tl.f64[:]], c: tl.In[tl.f64[:]]):
    y += tl.sum(a * b * c)


@tl.reversible
def of_parts(y: tl.f64, x: tl.f64[:], k: tl.In[tl.i64]):
    triple(y, x, x, x)
    x = -x
    triple(y, x[0:3], x[k : k + 3], x[1:4])


@tl.function
def parts(y, x, k):
    return y + tl.sum(x * x * x) - tl.sum(x[0:3] * x[k : k + 3] * x[1:4])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("pair", [(1, 1), (1, 2), (0, -1)])
def test_elements_that_may_be_one(pair):
    arguments = (0.5, X, *pair)
    np.testing.assert_allclose(of_elements(*arguments)[0], elements(*arguments))
    found = tl.grad(of_elements, loss=0, argnums=1)(*arguments)
    np.testing.assert_allclose(found, tl.grad(elements, argnums=1)(*arguments))
    found = tl.hessian(of_elements, loss=0, argnums=1)(*arguments)
    np.testing.assert_allclose(found, tl.hessian(elements, argnums=1)(*arguments))


def test_inverse_calls():
    found = tl.grad(taken_back, loss=0, argnums=1)(0.5, X, 2, 2)
    np.testing.assert_allclose(found, -tl.grad(elements, argnums=1)(0.5, X, 2, 2))


def twice(gradient):
    return tl.grad(lambda y, x, k: tl.sum(tl.sin(gradient(y, x, k))), argnums=1)


@pytest.mark.one_in(7)
@pytest.mark.parametrize("k", [0, 1, 2])
def test_parts_that_overlap(k):
    arguments = (0.5, X, k)
    found, wanted = tl.grad(of_parts, loss=0, argnums=1), tl.grad(parts, argnums=1)
    np.testing.assert_allclose(found(*arguments), wanted(*arguments))
    np.testing.assert_allclose(twice(found)(*arguments), twice(wanted)(*arguments))


def test_fixed_point_numbers():
    @tl.reversible
    def square(y: tl.fixed43, a: tl.In[tl.fixed43], b: tl.In[tl.fixed43]):
        y += a * b

    @tl.reversible
    def of_one(y: tl.fixed43, x: tl.In[tl.fixed43]):
        square(y, x, x)

    assert tl.grad(of_one, loss=0, argnums=1)(0.0, 1.5) == pytest.approx(3.0)
