"""The tool that counts which pass changes which programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tapeless as tl
from firing.cases import cases
from firing.table import page
from firing.watched import passes_that_fire

PAGE = Path(__file__).parents[2] / "docs" / "firing.md"


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
    assert {"lower-outline-sections", "ad-stripmine"} <= firing.ran - firing.fired


def test_the_table_begins_with_passes_that_change_nothing():
    counts = {"busy": {"redundant-cpu": {"b", "a", "c"}}, "idle": {"redundant-cuda": set()}}
    *_, idle, busy = page(counts, 3).splitlines()
    assert idle == "| `idle` | - | - | - | 0 | - | - |  |"
    assert busy == "| `busy` | 3 | - | - | - | - | - | a, b |"


# Steps of procedures that `tests/unit/reversible` enters.
CHANGE_NO_PROGRAM = {
    "rev-skip-zero-adjoints",
    "rev-expand-chains",
    "rev-expand-compute",
    "rev-mark-exact",
    "rev-merge-computes",
    "rev-normalise",
}


ONLY_CHECK = {"soac-core-only", "lower-check-storage"}


def test_every_pass_changes_some_program():
    """A pass that changes none gets a program that it was written for, or goes."""
    rows = (line.split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| `"))
    idle = {name.strip("| `") for name, *counts, _ in rows if not {"-", "0"} ^ {"-", "0", *counts}}
    assert idle - ONLY_CHECK == CHANGE_NO_PROGRAM


def test_all_programs_are_watched(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    assert len(cases()) > 350
