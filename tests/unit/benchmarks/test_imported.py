# ruff: noqa: RUF001 (factors are written with a sign of multiplication)
"""`benchmarks/imported`: what is read from JAX and what is written by hand agree with JAX, and how both are shown."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

from imported.programs import BY_HAND, IMPORTED, PROGRAMS
from report.imports import imported_tables
from report.row import Row
from untuned.quantities import deviation, of_jax, of_tapeless
from untuned.summary import text_of
from untuned.task import Contestant, Task, bundle_file, contestants, empty_row, has_fixed_sizes, programs_of

MODULE = "imported.programs"
# Of the largest element.
AT_MOST = 1e-8


@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", PROGRAMS)
def test_all_spellings_agree_with_jax(name):
    jax = pytest.importorskip("jax")
    program = PROGRAMS[name]
    arguments = program.arguments("tiny", "f64")
    with jax.enable_x64(True):
        expected = jax.jit(of_jax(program))(*arguments)
        for spelling in program.spellings:
            found = tl.jit(of_tapeless(program, spelling, "redundant", arguments))(*arguments)
            assert deviation(found, expected) < AT_MOST, spelling


def test_there_are_at_least_twenty_programs_and_those_of_the_second_table():
    by_hand = {name for name, program in PROGRAMS.items() if BY_HAND in program.spellings}
    assert len(PROGRAMS) >= 20 and all(IMPORTED in program.spellings for program in PROGRAMS.values())
    assert by_hand >= {
        "multilayer perceptron",
        "product of matrices",
        "convolution",
        "attention head",
        "lstm",
        "convolutional network",
        "layer norm",
        "sinkhorn",
    }
    assert programs_of(MODULE) is PROGRAMS


def test_kernels_of_imported_programs_are_kept_by_size():
    program = PROGRAMS["lstm"]
    imported, by_hand = contestants(program, ("tapeless",), ("redundant",))
    assert has_fixed_sizes(program, imported) and not has_fixed_sizes(program, by_hand)
    files = {
        bundle_file(Path(), program, each, "f32", size).name
        for each in (imported, by_hand)
        for size in ("small", "large")
    }
    assert files == {
        "lstm-imported-redundant-f32-small.tlk",
        "lstm-imported-redundant-f32-large.tlk",
        "lstm-by_hand-redundant-f32.tlk",
    }


def row(contestant: str, spelling: str | None, seconds: float, target: str = "cpu") -> Row:
    place = {"program": "lstm", "field": "imported from JAX", "dtype": "f64", "size": "small", "target": target}
    return Row(**place, contestant=contestant, spelling=spelling, seconds=seconds)


def test_tables_have_what_is_imported_beside_jax_and_beside_the_same_by_hand():
    rows = [
        row("tapeless", IMPORTED, 3e-6),
        row("tapeless", BY_HAND, 2e-6),
        row("jax", None, 6e-6),
        row("tapeless", IMPORTED, 1e-6, "cuda"),
        row("jax", None, 1e-5, "cuda"),
    ]
    text = "\n".join(imported_tables(rows))
    beside_jax, by_hand = text.split("### ")[1:]
    assert "On `cpu`, 0.500× in the mean of 1 places, 0 of them" in beside_jax
    assert "On `cuda`, 0.100× in the mean" in beside_jax
    assert "| lstm, gradient, f64, small, cpu | 0.500× | 3.00 µs | 6.00 µs |" in beside_jax
    assert "On `cpu`, 1.50× in the mean of 1 places, 1 of them more than 1.1 times as slow." in by_hand
    assert "cuda" not in by_hand
    assert not list(imported_tables(rows[1:3]))


def test_the_summary_has_a_mean_for_each_spelling_and_of_imported_by_hand():
    program = PROGRAMS["lstm"]
    who = (*contestants(program, ("tapeless",), ("redundant",)), Contestant("jax"))
    task = Task("lstm", "f64", "small", "cpu", 1, who, seconds=0.1, checks="off", module=MODULE)
    assert Task.from_json(task.to_json()).record is program
    rows = [
        empty_row(program, task, each) | {"processor_seconds_min": seconds, "seconds_min": seconds}
        for each, seconds in zip(who, (2e-6, 1e-6, 8e-6), strict=True)
    ]
    text = text_of(rows)
    assert "spelling 'imported': 0.250 of 1 rows, 0 slower" in text
    assert "time of imported / by hand: 2.000 of 1 rows" in text


def test_arguments_have_the_types_of_jax():
    jax = pytest.importorskip("jax")
    from untuned.quantities import as_in_jax

    before = jax.config.jax_enable_x64
    try:
        for dtype, expected in (("f64", (np.int64, np.float64)), ("f32", (np.int32, np.float32))):
            given = (np.arange(3), np.ones(2, expected[1]), 0.5)
            found = as_in_jax(given, dtype)
            assert (found[0].dtype, found[1].dtype, found[2]) == (*expected, 0.5)
    finally:
        jax.config.update("jax_enable_x64", before)
