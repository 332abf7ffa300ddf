"""`for` loops: an `scf.for`, or an `scf.while` when the body can break."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.control import carried, choices, iterables, unpacking, unrolled
from tapeless.frontend.control.carried import Body, Carried
from tapeless.frontend.control.hints import Hints
from tapeless.frontend.control.iterables import Iteration
from tapeless.frontend.control.ranges import Range
from tapeless.frontend.syntax.scoping import own_nodes
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.frame import Delayed, Unbound
from tapeless.frontend.values.value import Value, is_list
from tapeless.types import bool_

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def execute(t: Translator, loop: ast.For) -> None:
    """A `for` over a range, over the leading axis of an array, or, unrolled, over a tuple."""
    found = iterables.iteration(t, loop.iter)
    if found.range is None:
        unrolled.execute(t, loop, found.items)
        return
    if _grows_a_list(t, loop):
        unrolled.execute(t, loop, _values(t, found))
        return
    run, hints = found.range, found.hints
    state = carried.carried_by(t, loop)
    before = dict(t.frame.names)
    count = _breaking(t, loop, run, state, hints) if loop.stop_flag else _plain(t, loop, run, state, hints)
    carried.leave(t, state, lambda: _has_run(t, run, count))
    assigned = t.frame.prepared.analysis.assigned(loop.body)
    for name, find in unpacking.names(t, loop.target):
        if name not in assigned:
            _leave(t, name, _part(run, find), count, before.get(name))


def _grows_a_list(t: Translator, loop: ast.For) -> bool:
    """Whether the body makes a list longer that is there before: each length is a form of its own."""
    updates = [node for node in own_nodes(loop.body) if isinstance(node, ast.AugAssign)]
    names = {each.target.id for each in updates if isinstance(each.target, ast.Name) and isinstance(each.op, ast.Add)}
    return any(is_list(t.frame.names.get(name)) for name in names)


def _values(t: Translator, found: Iteration) -> tuple[Value, ...]:
    """The values of a loop in which a list grows: as many as are known when compiling."""
    count = found.count(t)
    if not count.is_constant or count.constant > iterables.MOST_UNROLLED:
        times = f"{count.constant} times" if count.is_constant else "as often as is known only when running"
        raise t.error(
            f"a list grows in a loop that runs {times}, not at most {iterables.MOST_UNROLLED}",
            "make an array with np.zeros(n) before the loop and write out[i] = ... in it, or np.array([... for ...])",
        )
    return tuple(found.at(Affine(position)) for position in range(count.constant))


def _part(run: Range, find: Callable[[Value], Value]) -> Range:
    """The range of one name of a loop variable."""
    return Range(run.lower, run.upper, run.step, lambda index: find(run.variable(index)))


def _leave(t: Translator, name: str, run: Range, count: Affine, before: object) -> None:
    t.frame.names[name] = Delayed(lambda: _last(t, name, run, count, before))


def _enter(t: Translator, loop: ast.For, run: Range, index: ir.Value) -> None:
    """Binds the loop variable and runs the body."""
    count = integers.opaque(t.builder, index, lower=(run.lower,), upper=(run.upper - 1,))
    unpacking.bind(t, loop.target, run.variable(count))
    t.execute(loop.body)


def _plain(t: Translator, loop: ast.For, run: Range, state: Carried, hints: Hints) -> Affine:
    """An `scf.for`; returns the count one after the last."""
    builder = t.builder

    def attempt() -> Body:
        scope = Scope(facts=[run.upper - run.lower - 1])
        with builder.region([builder.types.index, *state.types(t)], scope) as block:
            index, *values = block.arguments
            state.bind(t, values)
            _enter(t, loop, run, index)
        return Body(block, scope, t.frame.names)

    body, finals = carried.stabilise(t, state, attempt)
    with builder.inside(body.block, body.scope):
        builder.operation("scf.yield", [], state.flat(t, finals))
    bounds = [integers.index_value(builder, each) for each in (run.lower, run.upper, Affine(run.step))]
    operands = [*bounds, *state.initial_values(t)]
    operation = builder.operation("scf.for", state.types(t), operands, hints.attributes(t, state), regions=1)
    builder.attach(operation, body.block)
    state.bind(t, list(operation.results))
    return run.upper


def _breaking(t: Translator, loop: ast.For, run: Range, state: Carried, hints: Hints) -> Affine:
    """An `scf.while` over the counter, the flag that ends it, and what the loop carries."""
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
