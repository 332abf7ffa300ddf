"""A return sweep with two accumulators, of which a second loop over the same array carries on only one."""

from __future__ import annotations

import numpy as np

import tapeless as tl


@tl.function
def raised(v: tl.f64[:], w: tl.f64[:], m: tl.f64[:, :]) -> tl.f64[:, :]:
    def steps(row):
        for _ in range(4):
            row = row + w * v @ tl.sort(w)
        return row

    return tl.map(steps, m)


def test_both_sums_reach_their_arrays() -> None:
    rng = np.random.default_rng(3)
    v, w, m, seed = rng.normal(size=20), rng.normal(size=20), rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    order, total = np.argsort(w), 4.0 * seed.sum()
    through_sort = np.zeros(20)
    through_sort[order] = v * w
    wanted = (total * w * w[order], total * (v * w[order] + through_sort), seed)
    for found, expected in zip(tl.vjp(raised, v, w, m)[1](seed), wanted, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
