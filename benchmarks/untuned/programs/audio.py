"""Audio: a synthesiser that reads a table of waves, and a cascade of filters."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program

RATE = 16000.0


def wavetable_data(size, dtype, rng):
    table, samples = size
    return (
        rng.normal(size=table).astype(dtype),
        rng.uniform(200.0, 800.0, samples).astype(dtype),
        rng.normal(size=samples).astype(dtype),
    )


def wavetable_loops(table, pitch, wanted):
    n = len(table)
    phase = 0.0
    loss = 0.0
    for t in range(len(pitch)):
        place = phase * n
        i = int(place)
        part = place - i
        sound = (1.0 - part) * table[i % n] + part * table[(i + 1) % n]
        loss += (sound - wanted[t]) ** 2
        phase += pitch[t] / RATE
        phase -= np.floor(phase)
    return loss / len(pitch)


def wavetable_maps(table, pitch, wanted):
    n = len(table)
    cycles = tl.scan(lambda a, b: a + b, 0.0, pitch / RATE, exclusive=True)

    def error(turns, target):
        place = (turns - tl.floor(turns)) * n
        i = int(place)
        part = place - i
        return ((1.0 - part) * table[i % n] + part * table[(i + 1) % n] - target) ** 2

    return tl.mean(tl.map(error, cycles, wanted))


def wavetable_arrays(table, pitch, wanted):
    steps = pitch / RATE
    cycles = np.cumsum(steps) - steps
    place = (cycles % 1.0) * len(table)
    i = np.floor(place).astype(np.int64)
    part = place - i
    sound = (1.0 - part) * table[i % len(table)] + part * table[(i + 1) % len(table)]
    return np.mean((sound - wanted) ** 2)


def wavetable_jax(jnp):
    def loss(table, pitch, wanted):
        steps = pitch / RATE
        place = ((jnp.cumsum(steps) - steps) % 1.0) * len(table)
        i = jnp.floor(place).astype(int)
        part = place - jnp.floor(place)
        sound = (1.0 - part) * table[i % len(table)] + part * table[(i + 1) % len(table)]
        return jnp.mean((sound - wanted) ** 2)

    return loss


def biquad_data(size, dtype, rng):
    sections, samples = size
    poles = np.stack((rng.uniform(-0.5, 0.5, sections), rng.uniform(0.1, 0.5, sections)), axis=1)
    return (
        rng.normal(size=(sections, 3)).astype(dtype),
        poles.astype(dtype),
        rng.normal(size=samples).astype(dtype),
        rng.normal(size=samples).astype(dtype),
    )


def biquad_sections(b, a, sound, wanted):
    signal = sound
    for k in range(len(b)):
        z1, z2 = 0.0, 0.0
        out = np.zeros_like(signal)
        for t in range(len(signal)):
            y = b[k, 0] * signal[t] + z1
            z1 = b[k, 1] * signal[t] - a[k, 0] * y + z2
            z2 = b[k, 2] * signal[t] - a[k, 1] * y
            out[t] = y
        signal = out
    return np.mean((signal - wanted) ** 2)


def biquad_samples(b, a, sound, wanted):
    z1, z2 = np.zeros_like(b[:, 0]), np.zeros_like(b[:, 0])
    loss = 0.0
    for t in range(len(sound)):
        x = sound[t]
        for k in range(len(b)):
            y = b[k, 0] * x + z1[k]
            z1[k] = b[k, 1] * x - a[k, 0] * y + z2[k]
            z2[k] = b[k, 2] * x - a[k, 1] * y
            x = y
        loss += (x - wanted[t]) ** 2
    return loss / len(sound)


def biquad_jax(jnp):
    from jax import lax

    def loss(b, a, sound, wanted):
        def section(signal, coefficients):
            (b0, b1, b2), (a1, a2) = coefficients

            def sample(state, x):
                y = b0 * x + state[0]
                return (b1 * x - a1 * y + state[1], b2 * x - a2 * y), y

            zero = jnp.zeros((), signal.dtype)
            return lax.scan(sample, (zero, zero), signal)[1], None

        signal, _ = lax.scan(section, sound, (b, a))
        return jnp.mean((signal - wanted) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="wavetable",
        field="audio",
        sizes={"small": (16, 50), "middle": (512, 10000), "large": (2048, 500000)},
        data=wavetable_data,
        spellings={"loops": wavetable_loops, "maps": wavetable_maps, "arrays": wavetable_arrays},
        jax=wavetable_jax,
        in_f32=dict.fromkeys(("maps", "arrays", "jax"), "sums of cycles grow, and lose what is behind the point"),
    ),
    Program(
        name="biquad cascade",
        field="audio",
        sizes={"small": (2, 50), "middle": (4, 2000), "large": (4, 50000)},
        data=biquad_data,
        spellings={"sections": biquad_sections, "samples": biquad_samples},
        jax=biquad_jax,
        wrt=(0, 1),
    ),
)
