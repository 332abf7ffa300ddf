"""Random numbers from keys."""

from __future__ import annotations

from tapeless.lang.operator import operator, table
from tapeless.types import f64, u32

RANDOM = table(
    "random.",
    key=operator(lambda seed: None, "The key of a seed, an integer: an array of two tl.u32."),
    split=operator(lambda key, num=2: None, "New keys, as rows; num is how many, or a shape."),
    fold_in=operator(lambda key, data: None, "A new key from a key and an integer."),
    bits=operator(lambda key, shape=(), dtype=u32: None, "Integers of 32 random bits."),
    uniform=operator(
        lambda key, shape=(), dtype=f64, minval=0.0, maxval=1.0: None,
        "Numbers between two bounds, all places as likely; the lower bound itself may be one.",
    ),
    normal=operator(lambda key, shape=(), dtype=f64: None, "Numbers of the normal distribution."),
)
"""The operators of `tl.random`."""
