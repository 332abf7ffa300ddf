"""Slices that select nothing of axes of known size, also of size 0: read, written, differentiated."""

import numpy as np
import pytest

import tapeless as tl


def at_the_end(m: tl.f64[:, 2]):
    m[:, 2:] -= 0.5
    return m, m[:, 2:], tl.sum(m[:, 2:], axis=1)


def beyond_the_end(m: tl.f64[:, 2]):
    m[:, 5:] = 1.0
    return m[:, 7:9], m[:, 2:5:2], m


def of_backward_and_parts(m: tl.f64[:, 2]):
    part = m[:, ::-1]
    return part[:, 2:], part[:, 1:][:, 1:], m[:, 2:1], m


def of_nothing(m: tl.f64[:, 2]):
    nothing, columns = tl.zeros((0, 3)), tl.zeros((3, 0))
    nothing[1:] = 2.0
    nothing[:, ::2] += 1.0
    columns[:, :-1] = m[0, 0]
    columns[0] = 1.0
    return nothing, nothing[1:], nothing[:, 1], columns, columns[2], tl.sum(columns[:, 1:]) + m


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [at_the_end, beyond_the_end, of_backward_and_parts, of_nothing])
def test_empty_slice(function):
    m = np.arange(6.0).reshape(3, 2)
    found, pullback = tl.vjp(tl.function(function), m)
    wanted = with_numpy(function)(m.copy())
    for part, reference in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(part, reference)
    [adjoint] = pullback(tuple(np.ones_like(part) for part in found))
    np.testing.assert_array_equal(adjoint, np.ones((3, 2)))


def with_numpy(function):
    """The same code with numpy's functions."""
    return type(function)(function.__code__, {"tl": np})
