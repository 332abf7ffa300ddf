"""Finance: options by formula and by simulated paths, curves of interest, and the risk of portfolios."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


# Prices of European calls by the formula of Black and Scholes, all Greeks of a book of options.
def book(n, dtype, rng):
    spot, strike = rng.uniform(80, 120, n).astype(dtype), rng.uniform(80, 120, n).astype(dtype)
    vol, years = rng.uniform(0.1, 0.5, n).astype(dtype), rng.uniform(0.2, 2.0, n).astype(dtype)
    return spot, vol, strike, years, 0.03


def normal_cdf(x):
    return 0.5 * (1.0 + tl.erf(x / np.sqrt(2.0)))


def call_price(s, sigma, k, t, rate):
    spread = sigma * tl.sqrt(t)
    d1 = (tl.log(s / k) + (rate + 0.5 * sigma**2) * t) / spread
    return s * normal_cdf(d1) - k * tl.exp(-rate * t) * normal_cdf(d1 - spread)


def black_scholes_loop(spot, vol, strike, years, rate):
    total = 0.0
    for i in range(len(spot)):
        total += call_price(spot[i], vol[i], strike[i], years[i], rate)
    return total


def black_scholes_map(spot, vol, strike, years, rate):
    return tl.sum(tl.map(lambda s, v, k, t: call_price(s, v, k, t, rate), spot, vol, strike, years))


def black_scholes_arrays(spot, vol, strike, years, rate):
    spread = vol * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * vol**2) * years) / spread
    return np.sum(spot * normal_cdf(d1) - strike * np.exp(-rate * years) * normal_cdf(d1 - spread))


def black_scholes_jax(jnp):
    from jax.scipy.stats import norm

    def value(spot, vol, strike, years, rate):
        spread = vol * jnp.sqrt(years)
        d1 = (jnp.log(spot / strike) + (rate + 0.5 * vol**2) * years) / spread
        return jnp.sum(spot * norm.cdf(d1) - strike * jnp.exp(-rate * years) * norm.cdf(d1 - spread))

    return value


def black_scholes_torch(torch):
    def cdf(x):
        return 0.5 * (1.0 + torch.erf(x / np.sqrt(2.0)))

    def value(spot, vol, strike, years, rate):
        spread = vol * torch.sqrt(years)
        d1 = (torch.log(spot / strike) + (rate + 0.5 * vol**2) * years) / spread
        return torch.sum(spot * cdf(d1) - strike * torch.exp(-rate * years) * cdf(d1 - spread))

    return value


PROGRAMS = (
    Program(
        name="Black-Scholes book",
        field="finance",
        sizes={"small": 100, "middle": 20_000, "large": 1_000_000},
        data=book,
        spellings={"loops": black_scholes_loop, "maps": black_scholes_map, "arrays": black_scholes_arrays},
        jax=black_scholes_jax,
        torch=black_scholes_torch,
        wrt=(0, 1),
        tiny=7,
    ),
)
