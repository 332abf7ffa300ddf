"""Random numbers from keys, and integers without a sign that are hashed."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

import tapeless as tl
from programs.program import program

ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def sampled_loss(mean, spread):
    key = tl.random.fold_in(tl.random.key(7), 3)
    noise = tl.random.normal(key, 12)
    return tl.mean((mean + spread * noise - 1.0) ** 2)


def weights_by_hashes(x):
    def weight(k):
        word = tl.astype(k, tl.u32) * 2654435769
        word = (word ^ (word >> 15)) * 2246822519
        return tl.astype((word >> 9) % 1021, tl.f64) / 1021.0

    return tl.sum(tl.sin(x) * tl.map(weight, tl.iota(len(x))))


def threefry(key, counters):
    """The two words of every counter, in integers of Python."""
    keys = [*key, key[0] ^ key[1] ^ 0x1BD11BDA]
    words = []
    for counter in counters:
        first, second = (counter >> 32) + keys[0], counter + keys[1]
        for group in range(5):
            for distance in ROTATIONS[group % 2]:
                first = (first + second) % 2**32
                second %= 2**32
                second = first ^ ((second << distance | second >> (32 - distance)) % 2**32)
            first, second = first + keys[(group + 1) % 3], second + keys[(group + 2) % 3] + group + 1
        words.append((first % 2**32, second % 2**32))
    return words


def sampled_loss_by_python(mean, spread):
    [key] = threefry((0, 7), [3])
    fractions = [(first * 2**20 + (second >> 12)) / 2**52 for first, second in threefry(key, range(12))]
    noise = np.array([NormalDist().inv_cdf(fraction) for fraction in fractions])
    return np.mean((mean + spread * noise - 1.0) ** 2)


def weights_by_python(x):
    total = 0.0
    for k, each in enumerate(x):
        word = k * 2654435769 % 2**32
        word = (word ^ word >> 15) * 2246822519 % 2**32
        total += math.sin(each) * ((word >> 9) % 1021) / 1021.0
    return total


PROGRAMS = [
    program(
        sampled_loss,
        sampled_loss_by_python,
        lambda rng: (0.3, 0.7),
        "f64",
        tolerance=1e-10,
    ),
    program(weights_by_hashes, weights_by_python, lambda rng: (rng.normal(size=9),), "f64"),
]
