"""Procedures whose ancillas hold something else at the end than they began with, unless `by` is 10, or `x` is 0."""

from __future__ import annotations

import tapeless as tl


@tl.reversible
def leaves(y: tl.f64, by: tl.In[tl.f64]):
    with tl.ancilla(0.0) as z:
        z += by
        z -= 10.0
        y += 1.0


@tl.reversible
def leaves_each(y: tl.f64[:], x: tl.In[tl.f64[:]]):
    for i in range(len(x)):
        with tl.ancilla(0.0) as z:
            z += x[i]
            y[i] += z
