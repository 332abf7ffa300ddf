"""What every scheduler decides for every kind of operator, by where it stands and how large it is known to be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tapeless.dialects.soac.schedules import IN_ORDER, OPERATORS, Blocks, Copies, Deferred, Parts, Pieces, Schedule
from tapeless.passes.lower.blocks.histograms import Histogram
from tapeless.passes.lower.emission.forms import FORMS, OPEN
from tapeless.passes.lower.emission.lower_loops import RULES
from tapeless.passes.lower.loops.combinators import Reduction
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.updates import Scatter
from tapeless.passes.lower.scans.scan_steps import Scan
from tapeless.passes.lower.schedule.cpu import DECISIONS, CpuScheduler
from tapeless.passes.lower.schedule.gpu import DECISIONS as GPU_DECISIONS
from tapeless.passes.lower.schedule.gpu import GpuScheduler
from tapeless.passes.lower.schedule.kinds import KINDS, Kind
from tapeless.passes.lower.schedule.options import Options
from tapeless.passes.lower.schedule.schedule import SCHEDULERS, OracleScheduler, scheduler_for
from tapeless.passes.lower.storage.accepted import STRUCTURAL

from . import scheduled as programs
from .scheduled import decisions

# One thread, four, and four without the promise that results do not depend on them.
CPUS = (CpuScheduler(1), CpuScheduler(4), CpuScheduler(4, deterministic=False))
ALWAYS_IN_ORDER = (IN_ORDER,) * 3

# The kinds of the operators in a program, outer ones first, and what the CPU decides.
TABLE: dict[Callable[..., Any], list[tuple[Kind, tuple[Schedule, ...]]]] = {
    programs.squares: [(Kind.MAP, (IN_ORDER, Parts(16384), Parts(16384)))],
    programs.few_squares: [(Kind.MAP, ALWAYS_IN_ORDER)],
    programs.squares_in_steps: [(Kind.MAP, (IN_ORDER, Parts(16384), Parts(16384)))],
    programs.sums_of_rows: [(Kind.MAP, (Parts(1024),) * 3), (Kind.REDUCTION, ALWAYS_IN_ORDER)],
    programs.gradient: [
        (
            Kind.ACCUMULATION,
            (
                Copies(64, are_fixed=True, asks_first=False),
                Copies(64, are_fixed=True, asks_first=False),
                Copies(16, are_fixed=False, may_share=True, asks_first=False),
            ),
        ),
        (Kind.REDUCTION, ALWAYS_IN_ORDER),
        (Kind.ACCUMULATION, ALWAYS_IN_ORDER),
    ],
    programs.descent: [
        (
            Kind.ACCUMULATION,
            (
                Copies(64, are_fixed=True),
                Copies(64, are_fixed=True),
                Copies(16, are_fixed=False, may_share=True),
            ),
        ),
        (Kind.REDUCTION, ALWAYS_IN_ORDER),
        (Kind.ACCUMULATION, ALWAYS_IN_ORDER),
        (Kind.MAP, (IN_ORDER, Parts(16384), Parts(16384))),
    ],
    programs.total: [(Kind.REDUCTION, (Blocks(16384, asks_first=False),) * 3)],
    programs.total_of_few: [(Kind.REDUCTION, ALWAYS_IN_ORDER)],
    programs.total_of_more: [(Kind.REDUCTION, (Blocks(16384, asks_first=False),) * 3)],
    programs.total_in_steps: [(Kind.REDUCTION, (Blocks(8192, asks_first=True),) * 3)],
    programs.total_of_rows: [
        (
            Kind.ROW_REDUCTION,
            (Copies(64, are_fixed=True), Copies(64, are_fixed=True), Copies(16, are_fixed=False)),
        ),
        (Kind.MAP, ALWAYS_IN_ORDER),
    ],
    programs.prefixes: [
        (
            Kind.SCAN,
            (
                Pieces(8032, 512, in_one_pass=True),
                Pieces(8032, 512, in_one_pass=False),
                Pieces(8032, 512, in_one_pass=False),
            ),
        )
    ],
    programs.few_prefixes: [(Kind.SCAN, ALWAYS_IN_ORDER)],
    programs.costly_prefixes: [(Kind.SCAN, ALWAYS_IN_ORDER)],
    programs.prefixes_of_rows: [(Kind.MAP, (IN_ORDER, Parts(1024), Parts(1024))), (Kind.SCAN, ALWAYS_IN_ORDER)],
    programs.prefixes_of_squares: [(Kind.FUSED_SCAN, ALWAYS_IN_ORDER)],
    programs.counts: [
        (
            Kind.HISTOGRAM,
            (
                Copies(64, are_fixed=True, strands=4),
                Copies(64, are_fixed=True, strands=4),
                Copies(16, are_fixed=False, strands=4),
            ),
        )
    ],
    programs.odd_counts: [
        (
            Kind.HISTOGRAM,
            (Copies(64, are_fixed=True), Copies(64, are_fixed=True), Copies(16, are_fixed=False)),
        )
    ],
    programs.counts_of_rows: [(Kind.HISTOGRAM, ALWAYS_IN_ORDER), (Kind.MAP, ALWAYS_IN_ORDER)],
    programs.scattered: [(Kind.SCATTER, ALWAYS_IN_ORDER)],
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", TABLE, ids=[program.__name__ for program in TABLE])
def test_decisions(program: Callable[..., Any]) -> None:
    found = decisions(program, [*CPUS, OracleScheduler()])
    assert found == [(kind, [*schedules, IN_ORDER]) for kind, schedules in TABLE[program]]


def test_every_kind_is_in_the_table() -> None:
    assert {kind for rows in TABLE.values() for kind, _ in rows} == set(Kind) == set(DECISIONS) == set(GPU_DECISIONS)
    assert set(KINDS) == set(OPEN)


def test_every_form_of_an_operator_can_be_emitted() -> None:
    """But for the form of those that another operator computes."""
    made = {Map: ("soac.map",), Reduction: ("soac.reduce", "soac.fused"), Scan: ("soac.scan",)}
    made |= {Histogram: ("soac.hist", "soac.fused_hist"), Scatter: ("soac.scatter",)}
    by_name = {opened.__name__: names for opened, names in made.items()}
    emitted = {(name, form) for opened, form in FORMS for name in by_name[opened]}
    declared = {(name, form.__name__) for name, forms in OPERATORS.items() for form in forms if form is not Deferred}
    assert declared <= emitted


def test_only_what_has_a_rule_is_accepted() -> None:
    assert set(RULES) == STRUCTURAL


def test_the_scheduler_is_chosen_by_the_options() -> None:
    assert scheduler_for(Options(sequential=True, threads=4)) == OracleScheduler()
    assert scheduler_for(Options(4, deterministic=False)) == CpuScheduler(4, deterministic=False)
    assert scheduler_for(Options(vector_bits=128)) == CpuScheduler(vector_bits=128)
    assert scheduler_for(Options(deterministic=False, target="cuda")) == GpuScheduler(deterministic=False)
    assert set(SCHEDULERS) == {"oracle", "cpu", "cuda"}


@pytest.mark.parametrize(("register", "vector"), [(128, 512), (256, 512), (512, 512), (1024, 1024), (2048, 2048)])
def test_scans_work_on_whole_registers(register: int, vector: int) -> None:
    ((_, schedules),) = decisions(programs.prefixes, [CpuScheduler(vector_bits=register)])
    assert schedules == [Pieces(8032, vector, in_one_pass=True)]


@pytest.mark.parametrize(("threads", "most"), [(1, 64), (2, 8), (100, 64), (0, 64)])
def test_as_many_copies_as_threads_need(threads: int, most: int) -> None:
    assert CpuScheduler(threads, deterministic=False).most_copies == most
    assert CpuScheduler(threads).most_copies == 64
