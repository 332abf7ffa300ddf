"""Gradients of procedures run backwards: where they do not arrive at the start, an error names the parameter."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)


@tl.reversible
def standard_map(q: tl.f64, p: tl.f64, n: tl.In[tl.i64]):
    for _ in range(n):
        p += 5.0 * tl.sin(q)
        q += p


@tl.reversible
def on_the_grid(q: tl.fixed43, p: tl.fixed43, n: tl.In[tl.i64]):
    for _ in range(n):
        p += 5.0 * tl.sin(q)
        q += p


@tl.reversible
def of_arrays(q: tl.f64[:], p: tl.f64[:], s: tl.f64, n: tl.In[tl.i64]):
    for _ in range(n):
        p += 5.0 * tl.sin(q)
        q += p
    s += tl.sum(q)


@tl.reversible
def in_single(q: tl.f32, p: tl.f32, n: tl.In[tl.i64]):
    for _ in range(n):
        p += tl.sin(q) * 0.01
        q += p * 0.01


@tl.function
def as_function(q, p, n):
    for _ in range(n):
        p += 5.0 * tl.sin(q)
        q += p
    return q


@tl.reversible
def swallowed(s: tl.f64, x: tl.f64, y: tl.f64):
    x += 1e16
    s += x * y


@tl.reversible
def only_added_to(s: tl.f64, t: tl.f64, y: tl.In[tl.f64]):
    s += 1e16 * y * y
    t += tl.sin(y)


@tl.reversible
def added_to_by_a_call(s: tl.f64, t: tl.f64, y: tl.In[tl.f64]):
    only_added_to(s, t, y)


def gradient(procedure, arguments, argnums=(0, 1), loss=0, **options):
    derivative = tl.grad(procedure, loss=loss, argnums=argnums)
    return tl.compile(derivative, arguments, **options)(*arguments)


def test_what_comes_back_is_not_refused():
    found = gradient(standard_map, (0.1, 0.2, 8))
    np.testing.assert_allclose(found, tl.grad(as_function, argnums=(0, 1))(0.1, 0.2, 8), rtol=1e-9)


def test_drift_names_the_parameter_and_how_far_it_is_off():
    with pytest.raises(tl.InvertibilityError) as raised:
        gradient(standard_map, (0.1, 0.2, 60))
    said = re.search(r"ran 'standard_map' backwards and found 'q' again off by (\S+) of its size", str(raised.value))
    assert float(said.group(1)) > 1e-9
    assert "and 1e-09 is tolerated; use tl.fixed43 cells" in str(raised.value)
    assert __file__ in str(raised.value)


def test_any_element_of_an_array():
    q, p = np.zeros(50), np.zeros(50)
    gradient(of_arrays, (q, p, 0.0, 60), loss="s")
    q[37] = 0.1
    with pytest.raises(tl.InvertibilityError, match="found 'q' again off by"):
        gradient(of_arrays, (q, p, 0.0, 60), loss="s")


def test_derivatives_of_derivatives_are_looked_at_too():
    with pytest.raises(tl.InvertibilityError, match=r"found '.' again off by"):
        tl.hessian(standard_map, loss=0)(0.1, 0.2, 60)
    found = tl.hessian(standard_map, loss=0)(0.1, 0.2, 6)
    np.testing.assert_allclose(found, tl.hessian(as_function)(0.1, 0.2, 6), rtol=1e-8)


def test_without_checks_nothing_is_compared():
    assert len(gradient(standard_map, (0.1, 0.2, 60), checks="off")) == 2


def test_fixed_point_comes_back_exactly():
    found = gradient(on_the_grid, (0.125, 0.25, 60))
    assert np.all(np.isfinite(found))
    np.testing.assert_allclose(
        gradient(on_the_grid, (0.125, 0.25, 6)), tl.grad(as_function, argnums=(0, 1))(0.125, 0.25, 6), rtol=1e-8
    )


def test_single_precision_has_a_wider_tolerance():
    assert len(gradient(in_single, (np.float32(1.0), np.float32(0.2), 1000))) == 2


def test_a_digit_that_was_lost():
    with pytest.raises(tl.InvertibilityError, match=r"found 'x' again off by 1\.0 of its size"):
        gradient(swallowed, (0.0, 1.0, 2.0), argnums=2)


@pytest.mark.parametrize("procedure", [only_added_to, added_to_by_a_call])
def test_what_is_only_added_to_may_lose_digits(procedure):
    assert gradient(procedure, (1.0, 1.0, 3.0), argnums=2) == pytest.approx(6e16)
    assert gradient(procedure, (1.0, 1e-20, 3.0), argnums=2, loss="t") == pytest.approx(np.cos(3.0))


@tl.reversible
def through_a_stack(s: tl.f64, x: tl.f64, n: tl.In[tl.i64]):
    with tl.ancilla(tl.new_stack(tl.f64, 8)) as stack:
        for _ in range(n):
            s += x * x
            tl.push(stack, s)
        for _ in range(n):
            tl.pop(stack, s)


def test_stacks_inside_do_no_harm():
    assert gradient(through_a_stack, (0.0, 3.0, 1), argnums=1) == pytest.approx(6.0)
