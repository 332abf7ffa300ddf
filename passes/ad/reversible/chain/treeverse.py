"""Treeverse: how a chain of steps is run backwards with few kept states (Griewank 1992).

Positions 0 .. n are the states of a chain of n steps. A kept state stands for the steps up to the next kept one; it may
be started from `rounds` more times. Going back, steps are visited once each, last first: whoever visits a step starts
from the newest kept state and keeps further ones on the way, at most `budget` at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

from tapeless.dataclasses_on_use import dataclass


@dataclass(frozen=True)
class Advance:
    """Steps forward from one position to another."""

    start: int
    end: int


@dataclass(frozen=True)
class Keep:
    """Keeps the state at a position beside those kept before."""

    position: int


@dataclass(frozen=True)
class Visit:
    """The step from a position, run back; the state there is the current one."""

    position: int


@dataclass(frozen=True)
class Drop:
    """Forgets the newest kept state."""

    position: int


Action = Advance | Keep | Visit | Drop


def rounds_for(steps: int, budget: int) -> int:
    """The least number of rounds in which a chain of so many steps can be run backwards."""
    rounds, reach = 0, 1
    while reach < steps:
        rounds += 1
        reach = reach * (rounds + budget) // rounds
    return rounds


def split(budget: int, rounds: int, start: int, end: int) -> int:
    """The next checkpoint between a stored state and the end of its stretch; the end: none."""
    if rounds == 0:
        return end
    middle = -(-(budget * start + rounds * end) // (rounds + budget))
    return max(start + 1, end - 1) if middle >= end and budget > 0 else middle


def treeverse(steps: int, budget: int) -> Iterator[Action]:
    """The actions in order; the initial state of the chain is a checkpoint from the beginning."""
    positions, rounds = [0], [rounds_for(steps, budget)]
    for step in reversed(range(steps)):
        at = positions[-1]
        while (position := split(budget - len(positions) + 1, rounds[-1], positions[-1], step + 1)) < step:
            yield from (Advance(at, position), Keep(position))
            at = position
            positions.append(position)
            rounds.append(rounds[-1])
        if at < step:
            yield Advance(at, step)
        yield Visit(step)
        if positions[-1] == step:
            rounds.pop()
            yield Drop(positions.pop())
        if rounds:
            rounds[-1] -= 1


@dataclass(frozen=True)
class Cost:
    """The cost of a schedule: steps forward beside the visited ones, and the states alive at once."""

    forward: int
    peak: int


def treeverse_cost(steps: int, budget: int) -> Cost:
    """Counts a schedule's steps, and its states: those kept and the one that is worked on."""
    forward, kept, peak = 0, {0}, 1
    for action in treeverse(steps, budget):
        match action:
            case Advance(start, end):
                forward += end - start
            case Keep(position):
                kept.add(position)
            case Visit(position):
                peak = max(peak, len(kept | {position}))
            case Drop(position):
                kept.remove(position)
    return Cost(forward, peak)
