"""A flow by the lattice-Boltzmann method with 19 populations a cell (D3Q19) and obstacles, in single precision."""

from __future__ import annotations

import tapeless as tl
from on_gpu.programs.kernel import Kernel

CELLS = tl.f32[19, 120, 120, 150]
SOLID = tl.bool_[120, 120, 150]
INNER = tl.f32[118, 118, 148]
INNER_SOLID = tl.bool_[118, 118, 148]


@tl.function
def collided(
    share: tl.f32, along: INNER, rho: INNER, energy: INNER, to: INNER, fro: INNER, solid: INNER_SOLID, omega: tl.f32
):
    """Two opposite populations after a collision that draws them towards equilibrium; obstacles turn them around."""
    even, odd = share * rho * (1.0 + 4.5 * along * along - 1.5 * energy), 3.0 * share * rho * along
    new_to, new_fro = to + omega * (even + odd - to), fro + omega * (even - odd - fro)
    return tl.where(solid, fro, new_to), tl.where(solid, to, new_fro)


@tl.function
def step(f: CELLS, solid: SOLID, omega: tl.f32) -> CELLS:
    """Streaming and collision; cells on the border keep their populations."""
    rest = f[0, 1:-1, 1:-1, 1:-1]
    e, w = f[1, :-2, 1:-1, 1:-1], f[2, 2:, 1:-1, 1:-1]
    n, s = f[3, 1:-1, :-2, 1:-1], f[4, 1:-1, 2:, 1:-1]
    t, b = f[5, 1:-1, 1:-1, :-2], f[6, 1:-1, 1:-1, 2:]
    ne, sw = f[7, :-2, :-2, 1:-1], f[8, 2:, 2:, 1:-1]
    se, nw = f[9, :-2, 2:, 1:-1], f[10, 2:, :-2, 1:-1]
    te, bw = f[11, :-2, 1:-1, :-2], f[12, 2:, 1:-1, 2:]
    be, tw = f[13, :-2, 1:-1, 2:], f[14, 2:, 1:-1, :-2]
    tn, bs = f[15, 1:-1, :-2, :-2], f[16, 1:-1, 2:, 2:]
    bn, ts = f[17, 1:-1, :-2, 2:], f[18, 1:-1, 2:, :-2]
    rho = rest + e + w + n + s + t + b + ne + sw + se + nw + te + bw + be + tw + tn + bs + bn + ts
    u = (e - w + ne - sw + se - nw + te - bw + be - tw) / rho
    v = (n - s + ne - sw + nw - se + tn - bs + bn - ts) / rho
    q = (t - b + te - bw + tw - be + tn - bs + ts - bn) / rho
    energy = u * u + v * v + q * q
    c = solid[1:-1, 1:-1, 1:-1]
    f[0, 1:-1, 1:-1, 1:-1] = tl.where(c, rest, rest + omega * (rho / 3.0 * (1.0 - 1.5 * energy) - rest))
    f[1, 1:-1, 1:-1, 1:-1], f[2, 1:-1, 1:-1, 1:-1] = collided(1 / 18, u, rho, energy, e, w, c, omega)
    f[3, 1:-1, 1:-1, 1:-1], f[4, 1:-1, 1:-1, 1:-1] = collided(1 / 18, v, rho, energy, n, s, c, omega)
    f[5, 1:-1, 1:-1, 1:-1], f[6, 1:-1, 1:-1, 1:-1] = collided(1 / 18, q, rho, energy, t, b, c, omega)
    f[7, 1:-1, 1:-1, 1:-1], f[8, 1:-1, 1:-1, 1:-1] = collided(1 / 36, u + v, rho, energy, ne, sw, c, omega)
    f[9, 1:-1, 1:-1, 1:-1], f[10, 1:-1, 1:-1, 1:-1] = collided(1 / 36, u - v, rho, energy, se, nw, c, omega)
    f[11, 1:-1, 1:-1, 1:-1], f[12, 1:-1, 1:-1, 1:-1] = collided(1 / 36, u + q, rho, energy, te, bw, c, omega)
    f[13, 1:-1, 1:-1, 1:-1], f[14, 1:-1, 1:-1, 1:-1] = collided(1 / 36, u - q, rho, energy, be, tw, c, omega)
    f[15, 1:-1, 1:-1, 1:-1], f[16, 1:-1, 1:-1, 1:-1] = collided(1 / 36, v + q, rho, energy, tn, bs, c, omega)
    f[17, 1:-1, 1:-1, 1:-1], f[18, 1:-1, 1:-1, 1:-1] = collided(1 / 36, v - q, rho, energy, bn, ts, c, omega)
    return f


@tl.function
def flow(f: CELLS, solid: SOLID, omega: tl.f32, weights: CELLS, steps: tl.i64) -> tl.f32:
    """A weighted sum of the populations after some steps."""
    for _ in range(steps):
        f = step(f, solid, omega)
    return tl.sum(weights * f)


@tl.function
def flow_in_strips(f: CELLS, solid: SOLID, omega: tl.f32, weights: CELLS, steps: tl.i64) -> tl.f32:
    """The same with the square root of the number of states kept."""
    for _ in tl.range(steps, stripmine=2):
        f = step(f, solid, omega)
    return tl.sum(weights * f)


FLOW = (CELLS, SOLID, tl.f32, CELLS, tl.i64)
KERNELS = {
    "flow": Kernel(flow, FLOW),
    "flow gradient": Kernel(tl.grad(flow), FLOW),
    "flow gradient, few states": Kernel(tl.grad(flow_in_strips), FLOW),
}
