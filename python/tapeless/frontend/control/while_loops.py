"""`while` loops: an `scf.while` over the names that the body changes, with a counter when the loop is bounded."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.control import carried, choices
from tapeless.frontend.control.carried import Body
from tapeless.frontend.control.hints import BoundedCall, bounded_call
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.value import Scalar, Value, literal
from tapeless.types import bool_, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def execute(t: Translator, loop: ast.While) -> None:
    """`while condition:`; the loop holds a stop flag if its body can break, then a counter if it is bounded."""
    test = bounded_call(t, loop.test)
    state, builder = carried.carried_by(t, loop), t.builder
    flags = [builder.types.i1] if loop.stop_flag else []
    counters = [builder.types.i64] if test.limit is not None else []
    leading = len(flags) + len(counters)

    def attempt() -> Body:
        scope = Scope()
        with builder.region([*flags, *counters, *state.types(t)], scope) as block:
            state.bind(t, list(block.arguments)[leading:])
            if counters:
                _check_bound(t, block.arguments[len(flags)], test.limit)
            t.execute(loop.body)
        return Body(block, scope, t.frame.names)

    body, finals = carried.stabilise(t, state, attempt)
    with builder.inside(body.block, body.scope):
        stops = [promotion.ssa(builder, body.names[loop.stop_flag], bool_)] if flags else []
        steps = [_next_count(t, body.block.arguments[len(flags)])] if counters else []
        builder.operation("scf.yield", [], [*stops, *steps, *state.flat(t, finals)])
    types = [*flags, *counters, *state.types(t)]
    saved = dict(t.frame.names)
    with builder.region(types) as before:
        state.bind(t, list(before.arguments)[leading:])
        condition = _condition(t, before.arguments[0] if flags else None, test)
        builder.operation("scf.condition", [], [condition, *before.arguments])
    t.frame.names = saved
    first = [builder.constant(False, each) for each in flags] + [builder.constant(0, each) for each in counters]
    attributes = test.hints.attributes(t, state, leading)
    operation = builder.operation("scf.while", types, [*first, *state.initial_values(t)], attributes, regions=2)
    builder.attach(operation, before, body.block)
    state.bind(t, list(operation.results)[leading:])
    carried.leave(t, state, lambda: promotion.ssa(builder, t.frame.names.pop(carried.RAN), bool_))


def _condition(t: Translator, stopped: ir.Value | None, test: BoundedCall) -> ir.Value:
    def evaluate() -> Value:
        with t.at(test.condition):
            known = t.truth(t.evaluate(test.condition))
        return literal(known) if isinstance(known, bool) else Scalar(bool_, known, weak=True)

    if stopped is None:
        return promotion.ssa(t.builder, evaluate(), bool_)
    chosen = choices.choose(t, stopped, lambda: literal(False), evaluate)
    return promotion.ssa(t.builder, chosen, bool_)


def _check_bound(t: Translator, count: ir.Value, limit: Scalar) -> None:
    wanted = promotion.ssa(t.builder, limit, i64)
    is_within = integers.compare(t.builder, "slt", count, wanted)
    t.builder.check(is_within, "TapelessError", "the loop ran more than {} iterations; raise its bound", wanted)


def _next_count(t: Translator, count: ir.Value) -> ir.Value:
    return integers.integer_value(t.builder, integers.opaque(t.builder, count) + Affine(1))
