"""Minimum cuts against the best of all sets of vertices."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tapeless.passes.soac.cut.minimum_cut import minimum_cut

Graph = dict[int, list[int]]


def is_cut(edges: Graph, removed: set[int], sources: list[int], sinks: list[int]) -> bool:
    reached = {source for source in sources if source not in removed}
    pending = list(reached)
    while pending:
        for follower in edges.get(pending.pop(), []):
            if follower not in removed and follower not in reached:
                reached.add(follower)
                pending.append(follower)
    return not reached & set(sinks)


def least(edges: Graph, capacities: dict[int, int | None], sources: list[int], sinks: list[int]) -> int | None:
    """What the cheapest set costs that may be cut."""
    free = [vertex for vertex, capacity in capacities.items() if capacity is not None]
    sets = [set(chosen) for count in range(len(free) + 1) for chosen in combinations(free, count)]
    costs = [sum(capacities[v] or 0 for v in chosen) for chosen in sets if is_cut(edges, chosen, sources, sinks)]
    return min(costs, default=None)


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 9))
    edges = {a: [b for b in range(a + 1, count) if rng.random() < 0.45] for a in range(count)}
    capacities = {v: None if rng.random() < 0.15 else int(rng.integers(1, 9)) for v in range(count)}
    sources, sinks = [0, 1], [count - 1, count - 2]
    found = minimum_cut(edges, capacities, sources, sinks)
    wanted = least(edges, capacities, sources, sinks)
    assert (found is None) == (wanted is None)
    if found is not None:
        assert is_cut(edges, set(found), sources, sinks)
        assert sum(capacities[v] or 0 for v in found) == wanted


def test_of_equal_cuts_the_last() -> None:
    chain: Graph = {0: [1], 1: [2], 2: [3]}
    assert minimum_cut(chain, dict.fromkeys(range(4), 2), [0], [3]) == [3]
    assert minimum_cut(chain, {0: 2, 1: 1, 2: 1, 3: None}, [0], [3]) == [2]
