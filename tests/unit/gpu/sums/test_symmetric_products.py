"""Sums of products of which rows and columns can be exchanged, half of them computed, on the emulated GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless._mlir import arith
from tapeless.passes.lower.tiles.index_arithmetic import number
from tapeless.passes.recipes import contractions
from tapeless.passes.recipes.symmetric import launch
from tapeless.passes.soac.spread import flat_nests

# Batches, rows and steps: around triangles of 32 and 64 rows and eight or sixteen steps, more rows than there are forms
# for, and nothing at all.
SIZES = [
    (2, 16, 9),
    (1, 17, 16),
    (3, 31, 8),
    (2, 32, 33),
    (1, 33, 15),
    (2, 64, 24),
    (1, 65, 17),
    (1, 128, 8),
    (1, 129, 8),
    (2, 20, 0),
    (0, 20, 20),
    (5, 0, 20),
    (2, 15, 9),
]
A_WARP_EACH = (128, 1, 1)


@tl.function
def spreads(x, w, centres):
    """What points are spread around centres, with weights."""

    def of(weights, centre):
        def element(p, a, q, b):
            return tl.sum(2.0 * (weights * (p - a)) * (q - b))

        return tl.map(lambda p, a: tl.map(lambda q, b: element(p, a, q, b), x, centre), x, centre)

    return tl.map(of, w, centres)


def spreads_reference(x: np.ndarray, w: np.ndarray, centres: np.ndarray) -> np.ndarray:
    around = x[None] - centres[:, :, None]
    return np.einsum("kn,kin,kjn->kij", 2 * w, around, around)


def arguments(size: tuple[int, int, int]) -> tuple[np.ndarray, ...]:
    batches, rows, steps = size
    rng = np.random.default_rng(sum(size))
    return tuple(rng.standard_normal(shape) for shape in ((rows, steps), (batches, steps), (batches, rows)))


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """One warp is enough, a part of few steps is not too short, and few sums of short rows have no warps."""
    monkeypatch.setattr(flat_nests, "FEW", 0)
    monkeypatch.setattr(contractions, "FEWEST_WARPS", 1)
    monkeypatch.setattr(contractions, "FEWEST_MIRRORED_STEPS", 8)


def _parts(symmetric: Any, _: Any) -> tuple[Any, Any]:
    """Parts of 24 steps."""
    length = number(24)
    return arith.ceildivsi(symmetric.contraction.reduction.operands[1], length), length


def test_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements above the diagonal have the bits of those below it."""
    monkeypatch.setattr(launch, "parts_for", _parts)
    with emulated_cuda() as gpu:
        kernel = tl.jit(spreads, target="cuda:sm_90")
        for size in SIZES:
            given = arguments(size)
            gpu.calls.clear()
            found = kernel(*given)
            np.testing.assert_allclose(found, spreads_reference(*given), rtol=0, atol=1e-12 * max(1, size[2]))
            is_taken = min(size) >= 1 and 16 <= size[1] <= 128 and size[2] >= 8
            assert (A_WARP_EACH in [call[3] for call in gpu.calls if call[0] == "launch"]) == is_taken, size
            if is_taken:
                np.testing.assert_array_equal(found[:, 16:, :16], found[:, :16, 16:].transpose(0, 2, 1))
        gpu.check_guards()
