"""Bennett's scheme: how a chain of steps is run reversibly, leaving its first and its last state (Bennett 1989).

A step makes the state at the next position out of nothing, and the same step run back takes it away again: both need
the state before. A stretch is cut into `parts` shorter ones; when the last of them is done, all but its end are undone.
"""

from __future__ import annotations

from collections.abc import Iterator

from tapeless.dataclasses_on_use import dataclass


@dataclass(frozen=True)
class Step:
    """Makes the state after a position, or takes it away."""

    position: int
    undo: bool

    def inverse(self) -> Step:
        """The step that takes this one back."""
        return Step(self.position, not self.undo)


@dataclass(frozen=True)
class Cost:
    """The cost of a schedule: steps that make states, steps that undo them, and the states alive at once."""

    forward: int
    inverse: int
    peak: int


def bennett(steps: int, parts: int, *, keep_outer: bool = False) -> Iterator[Step]:
    """The actions in order; with `keep_outer` the states between the outermost parts stay, for a run back."""
    assert parts > 1, "a stretch in one part never gets shorter"
    yield from _stretch(0, steps, parts, keep=keep_outer, undo=False)


def _stretch(base: int, steps: int, parts: int, *, keep: bool, undo: bool) -> Iterator[Step]:
    """One stretch, or its inverse, which is the same list turned round."""
    if steps == 0:
        return
    if steps == 1:
        yield Step(base, undo)
        return
    part = -(-steps // parts)
    starts = range(0, steps, part)
    there = [(start, min(part, steps - start), False) for start in starts]
    back = [] if keep else [(start, part, True) for start in reversed(starts[:-1])]
    pieces = [*there, *back]
    if undo:
        pieces = [(start, length, not back) for start, length, back in reversed(pieces)]
    for start, length, inverse in pieces:
        yield from _stretch(base + start, length, parts, keep=False, undo=inverse)


@dataclass(frozen=True)
class Visit:
    """The step from a position, run back; the state after it is gone then."""

    position: int


def bennett_back(steps: int, parts: int) -> Iterator[Step | Visit]:
    """Visits every step, the last one first, from the first state alone."""
    yield from _visited_stretch(0, steps, parts)


def _visited_stretch(base: int, steps: int, parts: int) -> Iterator[Step | Visit]:
    """The states between the parts are made first, each with all before it undone."""
    if steps <= 1:
        yield from (Visit(base + k) for k in range(steps))
        return
    part = -(-steps // parts)
    starts = range(0, steps, part)
    for start in starts[:-1]:
        yield from _stretch(base + start, part, parts, keep=False, undo=False)
    for start in reversed(starts):
        yield from _visited_stretch(base + start, min(part, steps - start), parts)


def bennett_cost(steps: int, parts: int, *, keep_outer: bool = False) -> Cost:
    """Counts a schedule's steps, and its states, the first and the last included."""
    counts, alive, peak = {False: 0, True: 0}, {0}, 1
    for step in bennett(steps, parts, keep_outer=keep_outer):
        counts[step.undo] += 1
        alive ^= {step.position + 1}
        peak = max(peak, len(alive))
    return Cost(counts[False], counts[True], peak)
