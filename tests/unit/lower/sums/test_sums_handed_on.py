"""Adjoint sums of what all rows share, handed through the sums of loops and branches inside of them."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def slices_in_a_loop(v: tl.f64[:], m: tl.f64[:, :], n: tl.i64):
    def run(p):
        for _ in range(n):
            p[:3] = tl.max(tl.outer(v, p), axis=1)
        return p

    return tl.map(run, m)


@tl.function
def every_other_element(v: tl.f64[:], m: tl.f64[:, :], n: tl.i64):
    def run(p):
        for _ in range(n):
            p[1::2] = tl.sum(tl.map(lambda e: tl.max(tl.outer(v, p), axis=1), v), axis=0)
        return p

    return tl.map(run, m)


@tl.function
def in_a_branch(v: tl.f64[:], m: tl.f64[:, :], n: tl.i64):
    def run(p):
        for i in range(n):
            if i != 1:
                p[3:] = tl.sum(tl.outer(v, tl.tanh(p)), axis=1)
        return p

    return tl.map(run, m)


@tl.function
def while_it_is_small(v: tl.f64[:], m: tl.f64[:, :], n: tl.i64):
    def run(p):
        count = 0
        while count < n and p[0] < 1e6:
            p[:3] = tl.sum(tl.outer(v, tl.sin(p)), axis=1)
            count += 1
        return p

    return tl.map(run, m)


@tl.function
def loops_in_loops(v: tl.f64[:], m: tl.f64[:, :], n: tl.i64):
    def run(p):
        for _ in range(n):
            for k in range(2):
                p[k : k + 3] = tl.min(tl.outer(v, p), axis=1)
        return p

    return tl.map(run, m)


PROGRAMS = (slices_in_a_loop, every_other_element, in_a_branch, while_it_is_small, loops_in_loops)


@pytest.mark.one_in(10)
@pytest.mark.parametrize("method", ["redundant", "reversible"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_adjoints_agree_with_tangents(program, method):
    rng = np.random.default_rng(3)
    v, m = rng.normal(size=3), rng.normal(size=(4, 6))
    dv, dm = rng.normal(size=3), rng.normal(size=(4, 6))
    result, pullback = tl.vjp(program, v, m, 3, method=method)
    weights = rng.normal(size=result.shape)
    v_bar, m_bar, _ = pullback(weights)
    step = 1e-6
    up, down = (program(v + sign * step * dv, m + sign * step * dm, 3) for sign in (1.0, -1.0))
    wanted = np.sum(weights * (up - down)) / (2.0 * step)
    assert np.sum(v_bar * dv) + np.sum(m_bar * dm) == pytest.approx(wanted, rel=1e-6)
