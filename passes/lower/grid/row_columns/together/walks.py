"""Loops whose iterations have places in memory at equal distances, which are added up instead of multiplied out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter


@dataclass(frozen=True)
class Walk:
    """From `start`, which is less than `step`, to `high`; places begin at `origins` and go on by `strides`.

    A place belongs to a number: it is the origin for zero.
    """

    start: Index
    high: Index
    step: Index
    origins: Sequence[Index]
    strides: Sequence[Index]


@dataclass(frozen=True)
class Stop:
    """An iteration: its number and its places."""

    number: ir.Value
    places: list[ir.Value]


def walk(emitter: Emitter, way: Walk, at_once: int, run: Callable[[list[Stop]], None]) -> None:
    """A loop that runs several iterations at a time, and one over those that are left."""
    builder = emitter.builder
    strides = [1, *way.strides]
    starts = [
        builder.as_value(builder.add(origin, builder.mul(way.start, stride)))
        for origin, stride in zip([0, *way.origins], strides, strict=True)
    ]
    steps = [builder.mul(way.step, stride) for stride in strides]
    end = builder.sub(way.high, builder.mul(way.step, at_once - 1))
    loop = builder.begin_for(way.start, end, builder.mul(way.step, at_once), starts)
    stops = []
    for turn in range(at_once):
        at = [builder.add(value, builder.mul(step, turn)) for value, step in zip(loop.carried, steps, strict=True)]
        number, *places = map(builder.as_value, at)
        stops.append(Stop(number, places))
    run(stops)
    further = [builder.add(value, builder.mul(step, at_once)) for value, step in zip(loop.carried, steps, strict=True)]
    end_region(emitter, [builder.as_value(value) for value in further])
    first, *places = loop.op.results
    rest = builder.begin_for(first, way.high, way.step, places)
    run([Stop(rest.variable, rest.carried)])
    further = [builder.add(value, step) for value, step in zip(rest.carried, steps[1:], strict=True)]
    end_region(emitter, [builder.as_value(value) for value in further])
