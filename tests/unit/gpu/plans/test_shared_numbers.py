"""A plan computes equal numbers once, where both places see the name."""

from __future__ import annotations

from typing import Any

from tapeless.passes.lower.launches.plan.plan import Plan

SUM = ["addi", "index", "a0.0", 1]


def test_equal_expressions_have_one_name() -> None:
    plan = Plan()
    first = plan.let(list(SUM))
    assert plan.let(list(SUM)) == first
    assert plan.let(["addi", "index", "a0.0", 2]) != first
    assert plan.let(["addi", "i64", "a0.0", 1]) != first


def test_names_of_a_branch_are_not_seen_beside_it() -> None:
    plan = Plan()
    then: list[dict[str, Any]] = []
    other: list[dict[str, Any]] = []
    with plan.within(then):
        inside = plan.let(list(SUM))
    with plan.within(other):
        beside = plan.let(list(SUM))
    behind = plan.let(list(SUM))
    with plan.within(other):
        seen = plan.let(list(SUM))
    assert len({inside, beside, behind}) == 3
    assert seen == behind
