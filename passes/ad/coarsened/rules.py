"""The rules of `phi.segment`: code runs as it is going forward, its derivative is one expression."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tapeless._mlir import ir, scf
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.coarsened.explained import Form, note_derivative
from tapeless.passes.ad.coarsened.finite import are_finite
from tapeless.passes.ad.coarsened.guarded import (
    Guarded,
    adjoints_op_by_op,
    opposite_adjoints,
    tangents_op_by_op,
)
from tapeless.passes.ad.coarsened.steps import adjoints_step_by_step, has_steps
from tapeless.passes.ad.copying import copy_op
from tapeless.passes.ad.forward.push import Push
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.segmented import body_of_segment, is_raised, yielded_by
from tapeless.passes.ir.guards import OPERATIONS, STEPS
from tapeless.passes.phi.differentiate.derivative import Derivative, adjoint, pulled_back, pushed_forward
from tapeless.passes.phi.differentiate.finish import finished
from tapeless.passes.phi.differentiate.stepwise import may_overflow, safe_adjoints, safe_tangents
from tapeless.passes.phi.exchange.attributes import flags_attribute, flags_of
from tapeless.passes.phi.exchange.segment import Expressions, expressions, rewrite
from tapeless.passes.phi.graph.graph import DERIVATIVE
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.solve.solver import solved


def segment_forward(sweep: Sweep, op: ir.OpView) -> None:
    """The operations of a segment, but for those whose values were kept; a loop as it is."""
    if is_raised(op):
        sweep.copy(op)
        return
    sweep.bind(body_of_segment(op).arguments, sweep.primals(op.inputs))
    for inner in list(body_of_segment(op).operations)[:-1]:
        sweep.step(inner)
    sweep.bind(op.operation.results, sweep.primals(yielded_by(op)))


def segment_solved(sweep: Sweep, op: ir.OpView) -> None:
    """A segment whose values only derivatives read: a loop in its closed form, like the code that reads it."""
    if not is_raised(op):
        segment_forward(sweep, op)
        return
    sweep.copy(op)
    sweep.bind(op.operation.results, solved_values(sweep.primal(op.operation.results[0]).owner.opview))


def segment_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of a segment's operands, for those of all its results together."""
    found = expressions(op)
    seeded = [k for k, result in enumerate(op.outs) if sweep.bars.has(result)]
    wanted = [k for k, value in enumerate(op.inputs) if value in sweep.activity]
    derivative = pulled_back(found.graph, found.symbols, [found.roots[k] for k in seeded], wanted)
    seeds = [sweep.bars.of(op.outs[k]) for k in seeded]
    values = _written(derivative, found, op, Form("vjp", seeded, wanted), seeds, sweep.primals)
    if may_overflow(derivative.graph.flags):
        if not is_raised(op):
            guarded = Guarded(values, seeds, opposite_adjoints(derivative, found, seeded, wanted))
            values = guarded.where_finite(partial(adjoints_op_by_op, sweep, op, seeded, seeds, wanted))
        elif has_steps(op):
            steps = partial(adjoints_step_by_step, sweep, op, seeded, seeds, wanted, values)
            values = Guarded(values, seeds, exact=STEPS).where_finite(steps)
    for k, value in zip(wanted, values, strict=True):
        sweep.bars.add(op.inputs[k], value)


def segment_jvp(push: Push, op: ir.OpView) -> None:
    """The tangents of a segment's results, for those of all its operands together."""
    copy_op(op, push.values)
    _push_tangents(push, op)


def segment_jvp_solved(push: Push, op: ir.OpView) -> None:
    """The same where only tangents read the values: loops in their closed forms."""
    copy_op(op, push.values)
    if is_raised(op):
        push.bind(op.operation.results, solved_values(push.primal(op.operation.results[0]).owner.opview))
    _push_tangents(push, op)


def _push_tangents(push: Push, op: ir.OpView) -> None:
    found = expressions(op)
    for direction in push.directions:
        moving = [k for k, value in enumerate(op.inputs) if push.tangent(direction, value) is not None]
        floats = [k for k, root in enumerate(found.roots) if root.is_float]
        if not moving:
            continue
        derivative = pushed_forward(found.graph, found.symbols, [found.roots[k] for k in floats], moving)
        seeds = [push.tangent_or_zeros(direction, op.inputs[k]) for k in moving]
        values = _written(derivative, found, op, Form("jvp", moving, floats), seeds, push.primals)
        if not is_raised(op) and may_overflow(derivative.graph.flags):
            values = Guarded(values, seeds).where_finite(partial(tangents_op_by_op, push, direction, op, floats))
        for k, value in zip(floats, values, strict=True):
            if value is not None:
                push.tangents[direction][op.outs[k]] = value


def _written(
    derivative: Derivative,
    found: Expressions,
    op: ir.OpView,
    form: Form,
    seeds: Sequence[ir.Value],
    primals: Callable[[Sequence[ir.Value]], list[ir.Value]],
) -> list[ir.Value | None]:
    """The roots of a derivative; nothing for those that are zero."""
    inner = _inner_values(op, found)
    done = finished(derivative, inner)
    note_derivative(op, form, derivative, done)
    saved = dict(zip(done.saved.values(), primals([inner[node] for node in done.saved]), strict=True))
    given = dict(zip(derivative.seeds, seeds, strict=True))
    wanted = _safe(done.derivative, found, form)
    roots = [root for root in wanted if not _is_zero(root) and root not in given]
    made = iter(adjoint(done.derivative, roots, op, form.name, primals(op.inputs), seeds, saved) if roots else ())
    return [None if _is_zero(root) else given[root] if root in given else next(made) for root in wanted]


def _safe(derivative: Derivative, found: Expressions, form: Form) -> list[Node]:
    """The requested form of a derivative: closed forms of loops where they are finite, tangents elsewhere."""
    if form.name == "vjp":
        return safe_adjoints(derivative, derivative.roots, [found.roots[k] for k in form.given], form.wanted)
    return safe_tangents(derivative, derivative.roots, [found.roots[k] for k in form.wanted], form.given)


def _inner_values(op: ir.OpView, found: Expressions) -> dict[Node, ir.Value]:
    """The values that the operations of a segment have computed, by their nodes."""
    values: dict[Node, ir.Value] = {}
    if is_raised(op):
        return values
    for inner in list(body_of_segment(op).operations)[:-1]:
        for result in inner.operation.results:
            values.setdefault(found.values[result], result)
    return values


def _is_zero(node: Node) -> bool:
    return node.kind == "constant" and node.constant == 0


def solved_values(steps: ir.OpView) -> list[ir.Value]:
    """The results of a segment that is a loop in closed form; the segment itself becomes the second way of a branch."""
    whole = steps.operation.clone().opview
    whole.operation.attributes["fm"] = flags_attribute(DERIVATIVE | flags_of(whole.fm))
    found = expressions(whole)
    closed = solved(found.graph, found.roots)
    if list(closed) == list(found.roots):
        whole.operation.erase()
        return list(steps.outs)
    rewrite(whole, found.symbols, closed)
    floats = [each for each in whole.outs if is_float(each.type)]
    if not floats or not may_overflow(found.graph.flags):
        steps.operation.erase()
        return list(whole.outs)
    choice = scf.IfOp(are_finite(floats, OPERATIONS), [each.type for each in whole.outs], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp(list(whole.outs))
    with ir.InsertionPoint(choice.else_block):
        end = scf.YieldOp(list(steps.outs))
    steps.operation.move_before(end.operation)
    return list(choice.results)
