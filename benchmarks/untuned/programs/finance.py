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


# The delta and vega of an Asian call, from paths of a geometric Brownian motion whose shocks are given.
def asian(size, dtype, rng):
    paths, steps = size
    return 100.0, 0.25, 0.03, 105.0, 1.0, rng.normal(size=(paths, steps)).astype(dtype)


def asian_loops(spot, vol, rate, strike, years, shocks):
    paths, steps = shocks.shape
    dt = years / steps
    payoff = 0.0
    for p in range(paths):
        price = spot
        mean = 0.0
        for t in range(steps):
            price *= tl.exp((rate - 0.5 * vol**2) * dt + vol * tl.sqrt(dt) * shocks[p, t])
            mean += price / steps
        payoff += max(mean - strike, 0.0)
    return tl.exp(-rate * years) * payoff / paths


def asian_maps(spot, vol, rate, strike, years, shocks):
    dt = years / shocks.shape[1]

    def payoff(path):
        logs = tl.cumsum((rate - 0.5 * vol**2) * dt + vol * tl.sqrt(dt) * path)
        return tl.maximum(spot * tl.mean(tl.exp(logs)) - strike, 0.0)

    return tl.exp(-rate * years) * tl.mean(tl.map(payoff, shocks))


def asian_axes(spot, vol, rate, strike, years, shocks):
    dt = years / shocks.shape[1]
    logs = np.cumsum((rate - 0.5 * vol**2) * dt + vol * np.sqrt(dt) * shocks, axis=1)
    means = spot * np.mean(np.exp(logs), axis=1)
    return np.exp(-rate * years) * np.mean(np.maximum(means - strike, 0.0))


def asian_jax(jnp):
    def value(spot, vol, rate, strike, years, shocks):
        dt = years / shocks.shape[1]
        logs = jnp.cumsum((rate - 0.5 * vol**2) * dt + vol * jnp.sqrt(dt) * shocks, axis=1)
        means = spot * jnp.mean(jnp.exp(logs), axis=1)
        return jnp.exp(-rate * years) * jnp.mean(jnp.maximum(means - strike, 0.0))

    return value


def asian_torch(torch):
    def value(spot, vol, rate, strike, years, shocks):
        dt = years / shocks.shape[1]
        logs = torch.cumsum((rate - 0.5 * vol**2) * dt + vol * dt**0.5 * shocks, dim=1)
        means = spot * torch.mean(torch.exp(logs), dim=1)
        return torch.exp(-rate * years) * torch.mean(torch.relu(means - strike))

    return value


# A call under Heston's model: Euler steps with variance cut at zero, all parameters' sensitivities.
def heston(size, dtype, rng):
    paths, steps = size
    parameters = np.array([1.5, 0.04, 0.3, -0.7, 0.04], dtype)
    return (
        parameters,
        100.0,
        100.0,
        rng.normal(size=(steps, paths)).astype(dtype),
        rng.normal(size=(steps, paths)).astype(dtype),
    )


def heston_loops(parameters, spot, strike, z1, z2):
    steps, paths = z1.shape
    kappa, theta, xi, rho, start = parameters[0], parameters[1], parameters[2], parameters[3], parameters[4]
    dt = 1.0 / steps
    total = 0.0
    for p in range(paths):
        log_price = tl.log(spot)
        variance = start
        for t in range(steps):
            v = max(variance, 0.0)
            shock = rho * z1[t, p] + tl.sqrt(1.0 - rho**2) * z2[t, p]
            log_price += -0.5 * v * dt + tl.sqrt(v * dt + 1e-12) * z1[t, p]
            variance += kappa * (theta - v) * dt + xi * tl.sqrt(v * dt + 1e-12) * shock
        total += max(tl.exp(log_price) - strike, 0.0)
    return total / paths


def heston_arrays(parameters, spot, strike, z1, z2):
    kappa, theta, xi, rho, start = parameters
    dt = 1.0 / len(z1)
    log_price = np.log(spot) + 0.0 * z1[0]
    variance = start + 0.0 * z1[0]
    for t in range(len(z1)):
        v = np.maximum(variance, 0.0)
        spread = np.sqrt(v * dt + 1e-12)
        log_price = log_price - 0.5 * v * dt + spread * z1[t]
        variance = variance + kappa * (theta - v) * dt + xi * spread * (rho * z1[t] + np.sqrt(1.0 - rho**2) * z2[t])
    return np.mean(np.maximum(np.exp(log_price) - strike, 0.0))


def heston_jax(jnp):
    from jax import lax

    def value(parameters, spot, strike, z1, z2):
        kappa, theta, xi, rho, start = parameters
        dt = 1.0 / len(z1)

        def step(state, z):
            log_price, variance = state
            v = jnp.maximum(variance, 0.0)
            spread = jnp.sqrt(v * dt + 1e-12)
            shock = rho * z[0] + jnp.sqrt(1 - rho**2) * z[1]
            return (
                log_price - 0.5 * v * dt + spread * z[0],
                variance + kappa * (theta - v) * dt + xi * spread * shock,
            ), None

        begin = jnp.full_like(z1[0], jnp.log(spot)), jnp.full_like(z1[0], start)
        (log_price, _), _ = lax.scan(step, begin, (z1, z2))
        return jnp.mean(jnp.maximum(jnp.exp(log_price) - strike, 0.0))

    return value


def heston_torch(torch):
    def value(parameters, spot, strike, z1, z2):
        kappa, theta, xi, rho, start = parameters
        dt = 1.0 / len(z1)
        log_price, variance = torch.zeros_like(z1[0]), start * torch.ones_like(z1[0])
        for t in range(len(z1)):
            v = torch.relu(variance)
            spread = torch.sqrt(v * dt + 1e-12)
            shock = rho * z1[t] + torch.sqrt(1 - rho**2) * z2[t]
            log_price = log_price - 0.5 * v * dt + spread * z1[t]
            variance = variance + kappa * (theta - v) * dt + xi * spread * shock
        return torch.mean(torch.relu(spot * torch.exp(log_price) - strike))

    return value


# Discount factors bootstrapped from par swap rates, and the Jacobian of zero rates by quotes.
def quotes(n, dtype, rng):
    return ((0.02 + 0.01 * np.linspace(0, 1, n) + 0.001 * rng.normal(size=n)).astype(dtype),)


def bootstrap_loops(rates):
    n = len(rates)
    zero_rates = tl.zeros_like(rates)
    annuity = 0.0
    for i in range(n):
        discount = (1.0 - rates[i] * annuity) / (1.0 + rates[i])
        annuity += discount
        zero_rates[i] = -tl.log(discount) / (i + 1)
    return zero_rates


def bootstrap_sums(rates):
    n = len(rates)
    discounts = np.zeros_like(rates)
    for i in range(n):
        discounts[i] = (1.0 - rates[i] * np.sum(discounts[:i])) / (1.0 + rates[i])
    return -np.log(discounts) / np.arange(1, n + 1)


def bootstrap_jax(jnp):
    from jax import lax

    def zero_rates(rates):
        def step(annuity, rate):
            discount = (1 - rate * annuity) / (1 + rate)
            return annuity + discount, discount

        _, discounts = lax.scan(step, jnp.zeros_like(rates[0]), rates)
        return -jnp.log(discounts) / jnp.arange(1, len(rates) + 1, dtype=rates.dtype)

    return zero_rates


# Conditional value at risk of a portfolio by Rockafellar and Uryasev, with a smooth budget.
def scenarios(size, dtype, rng):
    n, assets = size
    returns = (0.001 + 0.02 * rng.standard_t(4, size=(n, assets))).astype(dtype)
    return rng.normal(size=assets).astype(dtype), 0.03, returns, 0.95


def cvar_loops(logits, threshold, returns, level):
    n, assets = returns.shape
    weights = tl.softmax(logits)
    excess = 0.0
    for i in range(n):
        loss = 0.0
        for j in range(assets):
            loss -= weights[j] * returns[i, j]
        excess += max(loss - threshold, 0.0)
    return threshold + excess / (n * (1.0 - level))


def cvar_arrays(logits, threshold, returns, level):
    losses = -(returns @ tl.softmax(logits))
    return threshold + np.mean(np.maximum(losses - threshold, 0.0)) / (1.0 - level)


def cvar_jax(jnp):
    import jax

    def risk(logits, threshold, returns, level):
        losses = -(returns @ jax.nn.softmax(logits))
        return threshold + jnp.mean(jnp.maximum(losses - threshold, 0.0)) / (1 - level)

    return risk


def cvar_torch(torch):
    def risk(logits, threshold, returns, level):
        losses = -(returns @ torch.softmax(logits, 0))
        return threshold + torch.mean(torch.relu(losses - threshold)) / (1 - level)

    return risk


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
    Program(
        name="Asian option by paths",
        field="finance",
        sizes={"small": (10, 20), "middle": (500, 100), "large": (20_000, 250)},
        data=asian,
        spellings={"loops": asian_loops, "maps": asian_maps, "axis": asian_axes},
        jax=asian_jax,
        torch=asian_torch,
        wrt=(0, 1, 2),
        tiny=(4, 5),
    ),
    Program(
        name="Heston paths",
        field="finance",
        sizes={"small": (10, 20), "middle": (500, 100), "large": (20_000, 200)},
        data=heston,
        spellings={"loops": heston_loops, "arrays": heston_arrays},
        jax=heston_jax,
        torch=heston_torch,
        tiny=(4, 5),
    ),
    Program(
        name="yield curve bootstrap, Jacobian",
        field="finance",
        sizes={"small": 10, "middle": 60, "large": 600},
        data=quotes,
        spellings={"loops": bootstrap_loops, "sums": bootstrap_sums},
        jax=bootstrap_jax,
        quantity="jacobian",
        tiny=5,
    ),
    Program(
        name="portfolio CVaR",
        field="finance",
        sizes={"small": (60, 5), "middle": (5000, 20), "large": (100_000, 50)},
        data=scenarios,
        spellings={"loops": cvar_loops, "arrays": cvar_arrays},
        jax=cvar_jax,
        torch=cvar_torch,
        wrt=(0, 1),
        tiny=(6, 3),
    ),
)
