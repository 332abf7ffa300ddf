"""Every producer of an array with every consumer: value, jvp and vjp against numpy.

A pair has twelve forms: a value or a derivative, with sizes known or not, in a loop or not. They take turns, so that
each pair is run in one form; where TAPELESS_PAIRS is `all`, every pair is run in every form. One pair of forty is run
each time, the others by `make thorough`.
"""

from __future__ import annotations

import os

import pytest

from pairs.check import CHECKS, faults
from pairs.table import FAMILIES, Pair, all_pairs

IS_WHOLE = os.environ.get("TAPELESS_PAIRS") == "all"
FORMS = 4 * len(CHECKS)
SHARES = 8
FIRST, OTHERS = range(1), range(1, SHARES)
PER_PROGRAM = 16
PRODUCERS = [(family, producer) for family, (producers, _) in FAMILIES.items() for producer in producers]

every_producer = pytest.mark.parametrize(("family", "producer"), PRODUCERS)
every_mode = pytest.mark.parametrize("mode", CHECKS)


def chosen(family: str, producer: str, mode: str, shares: range) -> list[Pair]:
    """The pairs of a producer to run in this mode."""
    pairs = all_pairs(family, producer)
    if IS_WHOLE:
        return pairs
    consumers, turn = len(FAMILIES[family][1]), PRODUCERS.index((family, producer))
    first = 4 * list(CHECKS).index(mode)
    return [
        pair
        for n, pair in enumerate(pairs)
        if (n % consumers + turn) % FORMS == first + n // consumers
        and (n % consumers + turn - turn // SHARES) % SHARES in shares
    ]


def faults_of(mode: str, pairs: list[Pair]) -> list[str]:
    programs = [pairs[start : start + PER_PROGRAM] for start in range(0, len(pairs), PER_PROGRAM)]
    return [line for program in programs for line in faults(mode, program)]


@pytest.mark.one_in(1 if IS_WHOLE else 5)
@every_mode
@every_producer
def test_pairs(family: str, producer: str, mode: str) -> None:
    assert faults_of(mode, chosen(family, producer, mode, FIRST)) == []


@pytest.mark.thorough
@every_mode
@every_producer
def test_the_other_pairs(family: str, producer: str, mode: str) -> None:
    assert faults_of(mode, chosen(family, producer, mode, OTHERS)) == []


def test_every_pair_has_its_turn() -> None:
    for family, producer in PRODUCERS:
        run = [pair.consumer for mode in CHECKS for pair in chosen(family, producer, mode, range(SHARES))]
        assert set(run) == set(FAMILIES[family][1])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_first_share_has_every_consumer_in_every_form(family: str) -> None:
    producers, consumers = FAMILIES[family]
    run = [(mode, pair) for mode in CHECKS for each in producers for pair in chosen(family, each, mode, FIRST)]
    assert {pair.consumer for _, pair in run} == set(consumers)
    assert len({(mode, pair.is_static, pair.in_loop) for mode, pair in run}) == FORMS
    for producer in producers:
        assert {mode for mode, pair in run if pair.producer == producer} == set(CHECKS)
