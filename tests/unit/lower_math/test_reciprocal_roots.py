"""Reciprocal roots that are looked at: exact where they are finite, and finite wherever a number is normal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from map_kernel import DTYPES, compiled
from mpmath import mp, mpf, sqrt

from tapeless._mlir import ir
from tapeless.passes.lower.math.math import Math
from tapeless.passes.marks import NORMAL
from tapeless.runtime import library as runtime

# As processors without estimates have it, and as LLVM makes it of those of this one, if there are any.
WAYS = (Math(), Math(root_steps=True))
KINDS = ("f64", "f32")


@dataclass(frozen=True)
class LookedAt:
    """Marks all reciprocal roots."""

    name: ClassVar[str] = "looked-at"

    def run(self, module: ir.Module) -> None:
        with module.context:

            def mark(op: ir.Operation) -> ir.WalkResult:
                if op.name == "math.rsqrt":
                    op.attributes[NORMAL] = ir.UnitAttr.get()
                return ir.WalkResult.ADVANCE

            module.operation.walk(mark)


def reciprocal_root(way: Math, kind: str, lanes: int = 1):
    return compiled("math.rsqrt", 1, kind, lanes, LookedAt(), way)


def normal_numbers(kind: str, count: int) -> np.ndarray:
    """Numbers of all sizes, more of them between 1 and 4, and those next to powers of two."""
    rng, bounds = np.random.default_rng(5), np.finfo(DTYPES[kind])
    powers = np.ldexp(1.0, np.arange(bounds.minexp + 1, bounds.maxexp))
    everywhere = np.exp2(rng.uniform(bounds.minexp, bounds.maxexp - 1e-3, count))
    found = np.concatenate([everywhere, rng.uniform(1.0, 4.0, count), powers]).astype(DTYPES[kind])
    ends = np.array([bounds.smallest_normal, bounds.max], DTYPES[kind])
    return np.concatenate([found, np.nextafter(found, 0, dtype=found.dtype), np.nextafter(found, 9), ends])


def units_off(found: np.ndarray, x: np.ndarray) -> np.ndarray:
    """How far results are from 1 / sqrt(x), in units in the last place."""
    if x.dtype == np.float32:
        exact = 1.0 / np.sqrt(x.astype(np.float64))
        return np.abs(found - exact) / np.spacing(exact.astype(np.float32))
    with mp.workdps(40):
        exact = [1 / sqrt(mpf(float(each))) for each in x]
        off = [float(abs(mpf(float(each)) - there)) for each, there in zip(found, exact, strict=True)]
    return np.array(off) / np.spacing(np.array(exact, float))


@pytest.mark.one_in(18)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", WAYS, ids=("by bits", "by steps"))
def test_less_than_a_unit_off(way: Math, kind: str) -> None:
    x = normal_numbers(kind, 8_000 if kind == "f64" else 300_000)
    assert units_off(reciprocal_root(way, kind)(x), x).max() < 1.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", WAYS, ids=("by bits", "by steps"))
def test_the_same_in_lanes(way: Math, kind: str) -> None:
    x = normal_numbers(kind, 50_000)
    x = x[: len(x) // 8 * 8]
    np.testing.assert_array_equal(reciprocal_root(way, kind, 8)(x), reciprocal_root(way, kind)(x))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", WAYS, ids=("by bits", "by steps"))
def test_other_numbers_show(way: Math, kind: str) -> None:
    """What is not right is not finite, and the processor notes it, unless a root is no number there anyway."""
    bounds, library = np.finfo(DTYPES[kind]), runtime.load_library()
    small = np.exp2(np.random.default_rng(2).uniform(bounds.minexp - bounds.nmant, bounds.minexp, 300))
    sizes = np.array([0.0, bounds.smallest_subnormal, *small, 1.0, bounds.max, np.inf], DTYPES[kind])
    for x in (*sizes, *-sizes, DTYPES[kind](np.nan)):
        given, found = np.full(8, x), np.empty(8, DTYPES[kind])
        call = reciprocal_root(way, kind, 8)
        call(given, out=found)
        library.tl_watch_floats()
        call(given, out=found)
        seen = library.tl_saw_infinite()
        if np.isfinite(found).all():
            assert x > 0
            assert units_off(found, given).max() < 1.0
        else:
            assert not np.isfinite(found).any()
            assert not bounds.smallest_normal <= x <= bounds.max
            assert seen or np.isnan(x) or x < 0
