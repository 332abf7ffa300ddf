"""`for` loops: an `scf.for`, or an `scf.while` when the body can break."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.control import carried, choices, growing, iterables, unpacking, unrolled
from tapeless.frontend.control.carried import Body, Carried
from tapeless.frontend.control.hints import Hints
from tapeless.frontend.control.iterables import Iteration
from tapeless.frontend.control.ranges import Range
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.frame import Delayed, Unbound
from tapeless.frontend.values.value import Probe, Value
from tapeless.types import bool_

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


Places = Mapping[str, Affine]
NO_PLACES: Places = {}


def execute(t: Translator, loop: ast.For) -> None:
    """A `for` over a range, over the leading axis of an array, or, unrolled, over a tuple."""
    found = iterables.iteration(t, loop.iter)
    if found.range is None:
        unrolled.execute(t, loop, found.items)
        return
    grown = growing.lists(t, loop)
    if grown and growing.is_unrolled(t, found):
        unrolled.execute(t, loop, tuple(found.at(Affine(position)) for position in range(found.count(t).constant)))
        return
    run, hints = found.range, found.hints
    places = NO_PLACES
    if grown:
        run = growing.counted(t, found)
        places = _make_rows(t, loop, found, run, grown)
    state = carried.carried_by(t, loop)
    before = dict(t.frame.names)
    count = _breaking(t, loop, run, state, hints) if loop.stop_flag else _plain(t, loop, run, state, hints, places)
    carried.leave(t, state, lambda: _has_run(t, run, count))
    assigned = t.frame.prepared.analysis.assigned(loop.body)
    for name, find in unpacking.names(t, loop.target):
        if name not in assigned:
            _leave(t, name, _part(run, find), count, before.get(name))


def _make_rows(t: Translator, loop: ast.For, found: Iteration, run: Range, names: Sequence[str]) -> Places:
    """Gives lists that grow room for their items, whose types are found by a translation that is thrown away.

    Returns how many items each list has before the loop.
    """
    growing.check(t, loop, found, names)
    initial = {name: t.frame.names[name] for name in names}
    probes = {name: Probe([]) for name in names}
    t.frame.names |= probes
    state = carried.carried_by(t, loop)
    body, _ = carried.stabilise(t, state, lambda: _attempted(t, loop, run, state, {}))
    t.builder.discard(body.block)
    places = {}
    for name in names:
        t.frame.names[name], places[name] = growing.with_room(t, name, initial[name], probes[name], run.upper)
    return places


def _attempted(t: Translator, loop: ast.For, run: Range, state: Carried, places: Places) -> Body:
    """A translation of the body of a plain loop."""
    builder = t.builder
    scope = Scope(facts=[run.upper - run.lower - 1])
    with builder.region([builder.types.index, *state.types(t)], scope) as block:
        index, *values = block.arguments
        state.bind(t, values)
        _enter(t, loop, run, index, places)
    return Body(block, scope, t.frame.names)


def _part(run: Range, find: Callable[[Value], Value]) -> Range:
    """The range of one name of a loop variable."""
    return Range(run.lower, run.upper, run.step, lambda index: find(run.variable(index)))


def _leave(t: Translator, name: str, run: Range, count: Affine, before: object) -> None:
    t.frame.names[name] = Delayed(lambda: _last(t, name, run, count, before))


def _enter(t: Translator, loop: ast.For, run: Range, index: ir.Value, places: Places = NO_PLACES) -> None:
    """Binds the loop variable and runs the body; lists that grow have a place for the item of this iteration."""
    count = integers.opaque(t.builder, index, lower=(run.lower,), upper=(run.upper - 1,))
    for name, first in places.items():
        t.frame.names[name] = growing.growing(t.frame.names[name], first + count)
    unpacking.bind(t, loop.target, run.variable(count))
    t.execute(loop.body)


def _plain(
    t: Translator, loop: ast.For, run: Range, state: Carried, hints: Hints, places: Places = NO_PLACES
) -> Affine:
    """An `scf.for`; returns the count one after the last."""
    builder = t.builder

    body, finals = carried.stabilise(t, state, lambda: _attempted(t, loop, run, state, places))
    with builder.inside(body.block, body.scope):
        builder.operation("scf.yield", [], state.flat(t, finals))
    bounds = [integers.index_value(builder, each) for each in (run.lower, run.upper, Affine(run.step))]
    operands = [*bounds, *state.initial_values(t)]
    operation = builder.operation("scf.for", state.types(t), operands, hints.attributes(t, state), regions=1)
    builder.attach(operation, body.block)
    state.bind(t, list(operation.results))
    return run.upper


def _breaking(t: Translator, loop: ast.For, run: Range, state: Carried, hints: Hints) -> Affine:
    """An `scf.while` over the counter, the flag that ends it, and the carried values."""
    hints.check_without_break(t)
    builder = t.builder
    index, i1 = builder.types.index, builder.types.i1

    def attempt() -> Body:
        scope = Scope(facts=[run.upper - run.lower - 1])
        with builder.region([index, i1, *state.types(t)], scope) as block:
            counter, _, *values = block.arguments
            state.bind(t, values)
            _enter(t, loop, run, counter)
        return Body(block, scope, t.frame.names)

    body, finals = carried.stabilise(t, state, attempt)
    with builder.inside(body.block, body.scope):
        after = builder.value("arith.addi", index, [body.block.arguments[0], builder.index(run.step)])
        stop = promotion.ssa(builder, body.names[loop.stop_flag], bool_)
        builder.operation("scf.yield", [], [after, stop, *state.flat(t, finals)])
    with builder.region([index, i1, *state.types(t)]) as before:
        counter, stopped, *_ = before.arguments
        is_left = integers.compare(builder, "slt", counter, integers.index_value(builder, run.upper))
        is_going = builder.value("arith.xori", i1, [stopped, builder.constant(True, i1)])
        condition = builder.value("arith.andi", i1, [is_left, is_going])
        builder.operation("scf.condition", [], [condition, *before.arguments])
    first = [integers.index_value(builder, run.lower), builder.constant(False, i1)]
    types = [index, i1, *state.types(t)]
    operands = [*first, *state.initial_values(t)]
    operation = builder.operation("scf.while", types, operands, hints.attributes(t, state, leading=2), regions=2)
    builder.attach(operation, before, body.block)
    end, _, *results = operation.results
    state.bind(t, results)
    return integers.opaque(builder, end)


def _has_run(t: Translator, run: Range, end: Affine) -> ir.Value | bool:
    """Whether there was an iteration: True where that is known."""
    if integers.is_nonnegative(t.builder, end - run.lower - 1):
        return True
    return integers.compare(t.builder, "sgt", *(integers.index_value(t.builder, each) for each in (end, run.lower)))


def _last(t: Translator, name: str, run: Range, end: Affine, before: object) -> Value:
    """The loop variable after the loop: its last value, or the one from before when there was no iteration."""
    builder = t.builder
    is_whole = end == run.upper
    remaining = end - run.lower - 1
    final = run.last(t) if is_whole else end - run.step
    has_run = _has_run(t, run, end)
    if has_run is True:
        return run.variable(final)
    if isinstance(before, Delayed):
        before = before.compute()
    if before is None or isinstance(before, Unbound):
        builder.check(
            has_run,
            "FrontendError",
            f"'{name}' has no value: its loop ran no iteration; {carried.BEFORE}",
        )
        integers.assume(builder, remaining)
        return run.variable(final)
    return choices.choose(t, has_run, lambda: run.variable(final), lambda: before)
