"""Recursive procedures: what they compute, that their inverses restore it, and how deep they may go."""

import threading

import numpy as np
import pytest

import tapeless as tl
from tapeless.runtime.counters import memory_counters

from .procedures import (
    even_steps,
    fibonacci,
    forth_and_back,
    hadamard_matrix,
    hadamard_transform,
    nested,
    numbers_of_fibonacci,
    steps,
    sum_of_sines,
)

X = np.linspace(-2.0, 3.0, 33)
TOO_DEEP = 10**7


@pytest.mark.parametrize("n", [0, 1, 2, 9, 20])
def test_a_branch_on_a_number(n):
    assert fibonacci(3, n) == (3 + numbers_of_fibonacci(n), n)
    assert (~fibonacci)(*fibonacci(3, n)) == (3, n)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", [1, 2, 7, 33])
def test_parts_of_an_array_by_their_bounds(size):
    total = sum_of_sines(0.5, X, 0, size)[0]
    assert total == pytest.approx(0.5 + np.sin(X[:size]).sum(), rel=1e-14)
    assert (~sum_of_sines)(total, X, 0, size)[0] == pytest.approx(0.5, rel=1e-14)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", [1, 2, 16, 256])
@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"checks": "off"}], ids=str)
def test_butterflies_in_place(size, options):
    x = np.random.default_rng(size).normal(size=size)
    given = x.copy()
    transform = tl.jit(hadamard_transform, **options)
    y = transform(x, 0, size)[0]
    np.testing.assert_array_equal(x, given)
    np.testing.assert_allclose(y, hadamard_matrix(size) @ x, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose((~hadamard_transform)(y, 0, size)[0], x, rtol=1e-12, atol=1e-12)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("n", [0, 1, 2, 7, 8])
def test_procedures_that_call_each_other(n):
    assert even_steps(0.5, 1.5, n)[:2] == pytest.approx(steps(0.5, 1.5, n), rel=1e-14)
    assert (~even_steps)(*even_steps(0.5, 1.5, n))[:2] == pytest.approx((0.5, 1.5), rel=1e-12)


def test_inverses_of_recursive_calls():
    for n in (1, 2, 5):
        y = forth_and_back(0.0, X, n)[0]
        assert y == pytest.approx(np.sin(X[0]), rel=1e-12)
        assert (~forth_and_back)(y, X, n)[0] == pytest.approx(0.0, abs=1e-12)


def test_a_function_calls_a_recursive_procedure_in_a_map():
    @tl.function
    def sums(x: tl.f64[:, :]):
        return tl.map(lambda row: sum_of_sines(0.0, row, 0, len(row))[0], x)

    x = X.reshape(3, 11)
    for f in (sums, tl.jit(sums, threads=2)):
        np.testing.assert_allclose(f(x), np.sin(x).sum(axis=1), rtol=1e-13)


def test_thousands_of_nested_calls():
    n = 10_000
    out = nested(np.zeros(2), n)[0]
    assert list(out) == [n, n * n * (n + 1) / 2]
    np.testing.assert_array_equal((~nested)(out, n)[0], [0.0, 0.0])


def test_too_deep_a_recursion_is_an_error_and_leaves_nothing_behind():
    before = memory_counters().live_bytes
    message = r"procedures.py:\d+: calls of 'nested\w*' are nested too deeply"
    with pytest.raises(tl.RecursionTooDeep, match=message) as error:
        nested(np.zeros(2), TOO_DEEP)
    assert isinstance(error.value, RecursionError)
    assert isinstance(error.value, tl.InvertibilityError)
    assert memory_counters().live_bytes == before
    assert nested(np.zeros(2), 3)[0][0] == 3


def test_a_thread_with_a_small_stack_is_stopped_earlier():
    found = []

    def work():
        found.append(nested(np.zeros(2), 100)[0][0])
        try:
            nested(np.zeros(2), TOO_DEEP)
        except tl.RecursionTooDeep:
            found.append("too deep")

    nested(np.zeros(2), 1)
    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert found == [100.0, "too deep"]


def test_checks_fail_inside():
    @tl.reversible
    def spoils(y: tl.f64, n: tl.In[tl.i64]):
        with tl.ancilla(0.0) as z:
            if n == 0:
                z += y
            else:
                with tl.ancilla(0) as m:
                    m += n - 1
                    spoils(y, m)
                    m -= n - 1

    with pytest.raises(tl.InvertibilityError, match=r"test_procedures.py:\d+: an ancilla does not hold its last value"):
        spoils(2.0, 5)
    assert spoils(0.0, 5)[0] == 0.0
