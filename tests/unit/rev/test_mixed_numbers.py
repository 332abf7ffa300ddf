"""Gradients of procedures that compute with floats and fixed-point numbers at once."""

from __future__ import annotations

import numpy as np

import tapeless as tl


@tl.reversible
def mixed(y: tl.f64, q: tl.fixed43, x: tl.In[tl.f64], xs: tl.f64[:]):
    for i in range(len(xs)):
        q += tl.sin(x * xs[i])
        y += q * x
        xs[i] += tl.cos(q)


def test_shadows_of_fixed_point_cells_are_floats():
    arguments = (0.1, 0.2, 0.7, np.array([0.3, 0.5, 0.9]))
    found = tl.grad(mixed, loss=0, argnums=(1, 2, 3))(*arguments)
    step = 1e-4
    for position, gradient in zip((1, 2), found, strict=False):
        after, before = (
            mixed(*(value + sign * step * (k == position) for k, value in enumerate(arguments)))[0] for sign in (1, -1)
        )
        np.testing.assert_allclose(gradient, (after - before) / (2 * step), rtol=1e-6)
    for k in range(3):
        change = np.eye(3)[k] * step
        after, before = (mixed(*arguments[:3], arguments[3] + sign * change)[0] for sign in (1, -1))
        np.testing.assert_allclose(found[2][k], (after - before) / (2 * step), rtol=1e-6)
