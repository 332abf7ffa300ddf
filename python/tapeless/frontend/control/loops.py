"""`for` loops: an `scf.for`, or an `scf.while` when the body can break."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import TypeMismatch
from tapeless.frontend.control import carried, choices, ranges
from tapeless.frontend.control.carried import Body, Carried
from tapeless.frontend.control.hints import Hints, range_call
from tapeless.frontend.control.ranges import Range
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.frame import Delayed, Unbound
from tapeless.frontend.values.value import Array, Pending, Value, describe
from tapeless.types import bool_

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def execute(t: Translator, loop: ast.For) -> None:
    """A `for` over a range or over the leading axis of an array."""
    if not isinstance(loop.target, ast.Name):
        raise t.error(
            "a loop variable must be one name", "write for i in range(len(x)): and take what you need from x[i]"
        )
    run, hints = _iteration(t, loop.iter)
    state = carried.carried_by(t, loop)
    before = t.frame.names.get(loop.target.id)
    count = _breaking(t, loop, run, state, hints) if loop.stop_flag else _plain(t, loop, run, state, hints)
    carried.forget_locals(t, state)
    if loop.target.id not in t.frame.prepared.analysis.assigned(loop.body):
        t.frame.names[loop.target.id] = Delayed(lambda: _last(t, loop, run, count, before))


def _iteration(t: Translator, node: ast.expr) -> tuple[Range, Hints]:
    bounds = range_call(t, node)
    if bounds is not None:
        return ranges.over_bounds(t, bounds), bounds.hints
    value = t.evaluate(node)
    if not isinstance(value, (Array, Pending)):
        raise t.error(
            f"a loop cannot run over {describe(value)}", "loop over range(...), tl.range(...) or an array", TypeMismatch
        )
    return ranges.over_array(t, t.array(value)), Hints()


def _enter(t: Translator, loop: ast.For, run: Range, index: ir.Value) -> None:
    """Binds the loop variable and runs the body."""
    count = integers.opaque(t.builder, index, lower=(run.lower,), upper=(run.upper - 1,))
    t.frame.names[loop.target.id] = run.variable(count)
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


def _last(t: Translator, loop: ast.For, run: Range, end: Affine, before: object) -> Value:
    """The loop variable after the loop: its last value, or the one from before when there was no iteration."""
    builder = t.builder
    is_whole = end == run.upper
    remaining = end - run.lower - 1
    final = run.last(t) if is_whole else end - run.step
    if integers.is_nonnegative(builder, remaining):
        return run.variable(final)
    has_run = integers.compare(builder, "sgt", *(integers.index_value(builder, each) for each in (end, run.lower)))
    if isinstance(before, Delayed):
        before = before.compute()
    if before is None or isinstance(before, Unbound):
        builder.check(
            has_run,
            "FrontendError",
            f"'{loop.target.id}' has no value: its loop ran no iteration; assign it before the loop",
        )
        integers.assume(builder, remaining)
        return run.variable(final)
    return choices.choose(t, has_run, lambda: run.variable(final), lambda: before)
