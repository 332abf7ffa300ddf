"""Every producer of an array with every consumer: value, jvp and vjp against numpy.

A pair has twelve forms: a value or a derivative, with sizes known or not, in a loop or not. They take turns, so that
each pair is run in one form; where TAPELESS_PAIRS is `all`, every pair is run in every form.
"""

from __future__ import annotations

import os

import pytest

from pairs.check import CHECKS, faults
from pairs.table import FAMILIES, Pair, all_pairs

FORMS = 4 * len(CHECKS)
PER_PROGRAM = 16
PRODUCERS = [(family, producer) for family, (producers, _) in FAMILIES.items() for producer in producers]


def chosen(family: str, producer: str, mode: str) -> list[Pair]:
    """The pairs of a producer to run in this mode."""
    pairs = all_pairs(family, producer)
    if os.environ.get("TAPELESS_PAIRS") == "all":
        return pairs
    consumers, turn = len(FAMILIES[family][1]), PRODUCERS.index((family, producer))
    first = 4 * list(CHECKS).index(mode)
    return [pair for n, pair in enumerate(pairs) if (n % consumers + turn) % FORMS == first + n // consumers]


@pytest.mark.parametrize("mode", CHECKS)
@pytest.mark.parametrize(("family", "producer"), PRODUCERS)
def test_pairs(family: str, producer: str, mode: str) -> None:
    pairs = chosen(family, producer, mode)
    programs = [pairs[start : start + PER_PROGRAM] for start in range(0, len(pairs), PER_PROGRAM)]
    assert [line for program in programs for line in faults(mode, program)] == []


def test_every_pair_has_its_turn() -> None:
    for family, producer in PRODUCERS:
        run = [pair.consumer for mode in CHECKS for pair in chosen(family, producer, mode)]
        assert set(run) == set(FAMILIES[family][1])
