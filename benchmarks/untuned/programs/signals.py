"""Signal processing: filters with and without feedback, spectra, compressors, delays and envelopes."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


# The taps of a filter, fitted to what it should give.
def taps(size, dtype, rng):
    n, k = size
    signal = rng.normal(size=n).astype(dtype)
    return rng.normal(size=k).astype(dtype), signal, rng.normal(size=n - k + 1).astype(dtype)


def filter_loops(taps, signal, target):
    loss = 0.0
    for i in range(len(target)):
        out = 0.0
        for k in range(len(taps)):
            out += taps[k] * signal[i + k]
        loss += (out - target[i]) ** 2
    return loss


def filter_maps(taps, signal, target):
    k = len(taps)
    places = tl.iota(len(target))
    out = tl.map(lambda i: tl.dot(taps, signal[i : i + k]), places)
    return tl.sum((out - target) ** 2)


def filter_convolve(taps, signal, target):
    return np.sum((np.convolve(signal, taps[::-1], mode="valid") - target) ** 2)


def filter_jax(jnp):
    def loss(taps, signal, target):
        return jnp.sum((jnp.convolve(signal, taps[::-1], mode="valid") - target) ** 2)

    return loss


def filter_torch(torch):
    def loss(taps, signal, target):
        return torch.sum((torch.nn.functional.conv1d(signal[None, None], taps[None, None])[0, 0] - target) ** 2)

    return loss


def filter_numpy(taps, signal, target):
    residual = np.convolve(signal, taps[::-1], mode="valid") - target
    return np.sum(residual**2), (2 * np.correlate(signal, residual, mode="valid"),)


# A filter of second order with feedback: its coefficients, fitted to a recording.
def recording(n, dtype, rng):
    coefficients = np.array([0.2, 0.3, 0.2, -0.6, 0.25], dtype)
    return coefficients, rng.normal(size=n).astype(dtype), rng.normal(size=n).astype(dtype)


def biquad_loops(c, signal, target):
    n = len(signal)
    y = tl.zeros_like(signal)
    for i in range(2, n):
        y[i] = c[0] * signal[i] + c[1] * signal[i - 1] + c[2] * signal[i - 2] - c[3] * y[i - 1] - c[4] * y[i - 2]
    return tl.mean((y - target) ** 2)


def biquad_jax(jnp):
    from jax import lax

    def loss(c, signal, target):
        fed = c[0] * signal[2:] + c[1] * signal[1:-1] + c[2] * signal[:-2]

        def step(state, x):
            y = x - c[3] * state[0] - c[4] * state[1]
            return (y, state[0]), y

        zero = jnp.zeros_like(signal[0])
        _, y = lax.scan(step, (zero, zero), fed)
        return (jnp.sum((y - target[2:]) ** 2) + jnp.sum(target[:2] ** 2)) / len(signal)

    return loss


def biquad_scan(c, signal, target):
    fed = c[0] * signal[2:] + c[1] * signal[1:-1] + c[2] * signal[:-2]
    y1, y2, loss = 0.0, 0.0, 0.0
    for i in range(len(fed)):
        y = fed[i] - c[3] * y1 - c[4] * y2
        loss += (y - target[i + 2]) ** 2
        y1, y2 = y, y1
    return (loss + tl.sum(target[:2] ** 2)) / len(signal)


# An autoregressive model of a series: its likelihood, Hessian times vector.
def series(size, dtype, rng):
    n, order = size
    return (
        (rng.normal(size=order) / order).astype(dtype),
        rng.normal(size=n).astype(dtype),
        rng.normal(size=order).astype(dtype),
    )


def autoregression_loops(a, y):
    order = len(a)
    total = 0.0
    for t in range(order, len(y)):
        mean = 0.0
        for k in range(order):
            mean += a[k] * y[t - 1 - k]
        total += tl.log1p((y[t] - mean) ** 2)
    return total


def autoregression_slices(a, y):
    order = len(a)
    n = len(y)
    mean = np.zeros(n - order, dtype=y.dtype)
    for k in range(order):
        mean = mean + a[k] * y[order - 1 - k : n - 1 - k]
    return np.sum(np.log1p((y[order:] - mean) ** 2))


def autoregression_jax(jnp):
    def likelihood(a, y):
        order, n = len(a), len(y)
        mean = sum(a[k] * y[order - 1 - k : n - 1 - k] for k in range(order))
        return jnp.sum(jnp.log1p((y[order:] - mean) ** 2))

    return likelihood


# Powers of a signal's frames by the matrix of Fourier, compared on a logarithmic scale, by the signal.
def frames(size, dtype, rng):
    n, window = size
    angles = 2 * np.pi * np.outer(np.arange(window // 2 + 1), np.arange(window)) / window
    count = (n - window) // (window // 2) + 1
    target = rng.normal(size=(count, window // 2 + 1)).astype(dtype)
    return rng.normal(size=n).astype(dtype), np.cos(angles).astype(dtype), np.sin(angles).astype(dtype), target


def spectrogram_loops(signal, cosines, sines, target):
    hop = cosines.shape[1] // 2
    loss = 0.0
    for f in range(target.shape[0]):
        frame = signal[f * hop : f * hop + 2 * hop]
        power = (cosines @ frame) ** 2 + (sines @ frame) ** 2
        loss += tl.sum((tl.log(power + 1e-3) - target[f]) ** 2)
    return loss


def spectrogram_arrays(signal, cosines, sines, target):
    window = cosines.shape[1]
    places = window // 2 * np.arange(len(target))[:, None] + np.arange(window)[None, :]
    cut = signal[places]
    power = (cut @ cosines.T) ** 2 + (cut @ sines.T) ** 2
    return np.sum((np.log(power + 1e-3) - target) ** 2)


def spectrogram_jax(jnp):
    def loss(signal, cosines, sines, target):
        window = cosines.shape[1]
        cut = signal[window // 2 * jnp.arange(len(target))[:, None] + jnp.arange(window)]
        spectrum = jnp.fft.rfft(cut, axis=1)
        power = spectrum.real**2 + spectrum.imag**2
        return jnp.sum((jnp.log(power + 1e-3) - target) ** 2)

    return loss


def spectrogram_torch(torch):
    def loss(signal, cosines, sines, target):
        window = cosines.shape[1]
        power = torch.fft.rfft(signal.unfold(0, window, window // 2), dim=1).abs() ** 2
        return torch.sum((torch.log(power + 1e-3) - target) ** 2)

    return loss


# A compressor with attack and release: loud parts made quieter, by threshold, ratio and the two times.
def loud(n, dtype, rng):
    return np.array([-1.5, 0.4, -3.0, -5.0], dtype), rng.normal(size=n).astype(dtype), rng.normal(size=n).astype(dtype)


def compressor_loops(settings, signal, target):
    attack, release = tl.sigmoid(settings[2]), tl.sigmoid(settings[3])
    envelope, loss = 0.0, 0.0
    for i in range(len(signal)):
        level = abs(signal[i])
        if level > envelope:
            envelope += attack * (level - envelope)
        else:
            envelope += release * (level - envelope)
        over = max(tl.log(envelope + 1e-6) - settings[0], 0.0)
        loss += (signal[i] * tl.exp(-settings[1] * over) - target[i]) ** 2
    return loss / len(signal)


def compressor_where(settings, signal, target):
    attack, release = tl.sigmoid(settings[2]), tl.sigmoid(settings[3])
    levels = np.abs(signal)
    envelopes = np.zeros_like(signal)
    envelope = 0.0 * settings[0]
    for i in range(len(signal)):
        rate = np.where(levels[i] > envelope, attack, release)
        envelope = envelope + rate * (levels[i] - envelope)
        envelopes[i] = envelope
    gain = np.exp(-settings[1] * np.maximum(np.log(envelopes + 1e-6) - settings[0], 0.0))
    return np.mean((signal * gain - target) ** 2)


def compressor_jax(jnp):
    import jax

    def loss(settings, signal, target):
        attack, release = jax.nn.sigmoid(settings[2]), jax.nn.sigmoid(settings[3])

        def step(envelope, level):
            envelope = envelope + jnp.where(level > envelope, attack, release) * (level - envelope)
            return envelope, envelope

        _, envelopes = jax.lax.scan(step, jnp.zeros_like(signal[0]), jnp.abs(signal))
        gain = jnp.exp(-settings[1] * jnp.maximum(jnp.log(envelopes + 1e-6) - settings[0], 0))
        return jnp.mean((signal * gain - target) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="filter taps",
        field="signal processing",
        sizes={"small": (200, 8), "middle": (20_000, 32), "large": (500_000, 64)},
        data=taps,
        spellings={"loops": filter_loops, "maps": filter_maps, "convolve": filter_convolve},
        jax=filter_jax,
        torch=filter_torch,
        numpy=filter_numpy,
        tiny=(9, 3),
    ),
    Program(
        name="filter with feedback",
        field="signal processing",
        sizes={"small": 100, "middle": 10_000, "large": 500_000},
        data=recording,
        spellings={"loops": biquad_loops, "carried": biquad_scan},
        jax=biquad_jax,
        tiny=6,
    ),
    Program(
        name="autoregression, Hessian times vector",
        field="signal processing",
        sizes={"small": (100, 3), "middle": (10_000, 8), "large": (300_000, 16)},
        data=series,
        spellings={"loops": autoregression_loops, "slices": autoregression_slices},
        jax=autoregression_jax,
        torch=autoregression_jax,
        quantity="hvp",
        tiny=(7, 2),
    ),
    Program(
        name="log spectrogram",
        field="signal processing",
        sizes={"small": (128, 16), "middle": (8192, 64), "large": (131_072, 256)},
        data=frames,
        spellings={"loops": spectrogram_loops, "arrays": spectrogram_arrays},
        jax=spectrogram_jax,
        torch=spectrogram_torch,
        tiny=(12, 4),
    ),
    Program(
        name="dynamic range compressor",
        field="signal processing",
        sizes={"small": 100, "middle": 10_000, "large": 500_000},
        data=loud,
        spellings={"loops": compressor_loops, "where": compressor_where},
        jax=compressor_jax,
        tiny=6,
    ),
)
