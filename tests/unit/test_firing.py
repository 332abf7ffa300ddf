"""The tool that counts which pass changes which programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tapeless as tl
from firing.cases import cases
from firing.table import page
from firing.watched import passes_that_fire


@tl.function
def halved(x: tl.f64[:]):
    for _ in tl.range(3, unroll=True):
        x = x * 0.5
    return tl.sum(x)


def test_passes_that_change_a_program_are_told_from_others(tmp_path, monkeypatch):
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))
    firing = passes_that_fire(tl.grad(halved), (np.ones(30),), "cpu")
    assert {"ad-expand", "ad-unroll", "lower-loops", "lower-to-llvm"} <= firing.fired
    assert firing.fired < firing.ran
    assert {"lower-sections", "ad-stripmine"} <= firing.ran - firing.fired


def test_the_table_begins_with_passes_that_change_nothing():
    counts = {"busy": {"redundant-cpu": {"b", "a", "c"}}, "idle": {"redundant-cuda": set()}}
    *_, idle, busy = page(counts, 3).splitlines()
    assert idle == "| `idle` | - | - | - | 0 | - | - |  |"
    assert busy == "| `busy` | 3 | - | - | - | - | - | a, b |"


def test_all_programs_are_watched(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    assert len(cases()) > 350
