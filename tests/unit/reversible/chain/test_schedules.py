"""The schedules of chains: published counts, and what every schedule must keep to."""

from __future__ import annotations

import pytest

from tapeless.passes.ad.reversible.chain import bennett, treeverse
from tapeless.passes.ad.reversible.chain.treeverse import Advance, Drop, Keep, Visit

# steps, budget, rounds, steps forward, states at once
TREEVERSE = (
    (10, 3, 2, 15, 4),
    (20, 3, 3, 45, 4),
    (30, 5, 3, 67, 6),
    (100, 5, 4, 317, 6),
    (1000, 10, 4, 3636, 11),
    (100000, 9, 11, 940950, 10),
    (9999, 5, 14, 113095, 6),
    (9999, 10, 7, 60227, 11),
    (9999, 20, 4, 37972, 21),
    (9999, 40, 3, 29128, 41),
    (9999, 80, 3, 27138, 78),
    (9999, 160, 2, 19837, 160),
    (9999, 320, 2, 19681, 316),
)

# steps, parts, (forward, inverse), the same when the outer states stay, states at once
BENNETT = (
    (16, 2, (41, 40), (28, 26), 6),
    (64, 4, (172, 171), (100, 96), 11),
    (256, 4, (1201, 1200), (688, 684), 14),
    (100, 4, (424, 423), (244, 240), 12),
    (1024, 2, (29525, 29524), (19684, 19682), 12),
    (1000, 10, (3430, 3429), (1810, 1800), 29),
)

# parts, forward and inverse together, states at once: 9999 steps, the outer states stay
BENNETT_9999 = (
    (5, 178601, 24),
    (10, 68588, 38),
    (20, 56936, 53),
    (40, 36758, 82),
    (80, 29836, 143),
    (160, 19839, 221),
)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("steps", "budget", "rounds", "forward", "peak"), TREEVERSE)
def test_treeverse_takes_the_published_counts(steps: int, budget: int, rounds: int, forward: int, peak: int) -> None:
    assert treeverse.rounds_for(steps, budget) == rounds
    assert treeverse.treeverse_cost(steps, budget) == treeverse.Cost(forward, peak)


@pytest.mark.parametrize(("steps", "parts", "full", "outer_kept", "peak"), BENNETT)
def test_bennett_takes_the_published_counts(
    steps: int, parts: int, full: tuple[int, int], outer_kept: tuple[int, int], peak: int
) -> None:
    assert bennett.bennett_cost(steps, parts) == bennett.Cost(*full, peak)
    assert bennett.bennett_cost(steps, parts, keep_outer=True) == bennett.Cost(*outer_kept, peak)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("parts", "total", "peak"), BENNETT_9999)
def test_bennett_takes_the_published_sums(parts: int, total: int, peak: int) -> None:
    cost = bennett.bennett_cost(9999, parts, keep_outer=True)
    assert (cost.forward + cost.inverse, cost.peak) == (total, peak)


@pytest.mark.parametrize("budget", range(1, 9))
@pytest.mark.parametrize("steps", [*range(30), 64, 100, 257])
def test_treeverse_visits_every_step_once_from_states_that_it_has(steps: int, budget: int) -> None:
    kept, at, visited = [0], 0, []
    for action in treeverse.treeverse(steps, budget):
        match action:
            case Advance(start, end):
                assert start in (at, kept[-1])
                at = end
            case Keep(position):
                assert position == at
                kept.append(position)
            case Visit(position):
                assert position in (at, kept[-1])
                visited.append(position)
            case Drop(position):
                assert kept.pop() == position
        assert len(kept) <= budget
    assert visited == list(reversed(range(steps)))


@pytest.mark.parametrize("parts", range(2, 6))
@pytest.mark.parametrize("steps", [*range(30), 64, 100])
def test_bennett_leaves_the_first_and_the_last_state(steps: int, parts: int) -> None:
    alive = {0}
    schedule = list(bennett.bennett(steps, parts))
    for step in schedule:
        assert step.position in alive
        assert (step.position + 1 in alive) == step.undo
        alive ^= {step.position + 1}
    assert alive == {0, steps}
    for step in reversed(schedule):
        assert step.position in alive
        alive ^= {step.inverse().position + 1}
    assert alive == {0}
