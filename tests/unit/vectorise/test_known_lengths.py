"""Sums of known, short lengths run in vectors, in the order of the sums of the same loop elsewhere."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tapeless as tl

ROWS, WIDTH = 9, 64


@tl.function
def squares_of_picked(rows: tl.f32[ROWS, WIDTH], picked: tl.i64[5]):
    """Sums that code around parts makes; what stands beside them differs."""
    total = 0.0
    for k in picked:
        total += tl.exp(-np.sum(rows[k] * rows[0]))
    return total, np.sum(rows[3] * rows[4])


@pytest.mark.parametrize("lanes", ["zmm", "ymm"])
def test_sums_of_rows_of_known_length_are_made_in_vectors(lanes: str) -> None:
    kernel = tl.compile(squares_of_picked)
    machine = {"zmm": "x86_64-avx512", "ymm": "x86_64-avx2"}[lanes]
    code = kernel.emit("asm", machine).decode()
    assert re.search(rf"(?:mulps|add(?:ps)|fmadd\d+ps)[^\n]*%{lanes}", code)


@pytest.mark.parametrize("threads", [1, 2])
def test_their_order_does_not_depend_on_threads(threads: int) -> None:
    rng = np.random.default_rng(5)
    rows, picked = rng.normal(size=(ROWS, WIDTH)).astype(np.float32), np.array([1, 0, 8, 2, 2])
    one = tl.compile(squares_of_picked)(rows, picked)
    assert one == tl.compile(tl.jit(squares_of_picked, threads=threads))(rows, picked)
    np.testing.assert_allclose(one[1], np.sum(rows[3].astype(float) * rows[4]), rtol=1e-4, atol=1e-4)
