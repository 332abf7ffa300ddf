"""Loops that carry values, and arrays."""

from __future__ import annotations

from tapeless._mlir import arith, ir, math, scf, tensor
from tapeless.dialects import soac
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.lower.loops.code import Code, Values, counted, index


def iterated(code: Code, node: Node, args: Values) -> Values:
    """A counted loop."""
    steps, *inits = args
    return counted(index(0), steps, inits, lambda step, carried: code.body(node.bodies[0], [step, *carried]))


def run_while(code: Code, node: Node, args: Values) -> Values:
    """A loop with a condition, which also counts its steps."""
    condition, body = node.bodies
    inits = [*args, index(0)]
    types = [each.type for each in inits]
    made = scf.WhileOp(types, inits)
    places = [ir.Location.unknown()] * len(types)
    before = ir.Block.create_at_start(made.before, types, places)
    with ir.InsertionPoint(before):
        *values, count = before.arguments
        (holds,) = code.body(condition, values)
        scf.ConditionOp(holds, [*values, count])
    after = ir.Block.create_at_start(made.after, types, places)
    with ir.InsertionPoint(after):
        *values, count = after.arguments
        scf.YieldOp([*code.body(body, values), arith.AddIOp(count, index(1)).result])
    return list(made.results)


def scanned(code: Code, node: Node, args: Values) -> Values:
    """The last state of x = a(k) x + b(k)."""
    steps, first = args
    return counted(index(0), steps, [first], lambda step, carried: [_next_state(code, node, step, carried[0])])


def all_states(code: Code, node: Node, args: Values) -> Values:
    """All states of x = a(k) x + b(k), written one after the other."""
    steps, first = args
    width = arith.AddIOp(arith.MaxSIOp(steps, index(0)).result, index(1)).result
    empty = tensor.EmptyOp([width], first.type).result
    started = tensor.InsertOp(first, empty, [index(0)]).result

    def step(place: ir.Value, carried: Values) -> Values:
        state = _next_state(code, node, place, carried[0])
        after = arith.AddIOp(place, index(1)).result
        return [state, tensor.InsertOp(state, carried[1], [after]).result]

    return counted(index(0), steps, [first, started], step)[1:]


def _next_state(code: Code, node: Node, step: ir.Value, state: ir.Value) -> ir.Value:
    factor, given = code.body(node.bodies[0], [step])
    return code.add(code.multiply(factor, state), given)


def power_iterated(code: Code, node: Node, args: Values) -> Values:
    """d = a * d^b; the power is written by the kind of its exponent."""
    steps, factor, exponent, first = args
    return counted(
        index(0), steps, [first], lambda step, carried: [_next_power(code, node, factor, exponent, carried[0])]
    )


def _next_power(code: Code, node: Node, factor: ir.Value, exponent: ir.Value, value: ir.Value) -> ir.Value:
    if node.args[2].kind == "constant" and node.args[2].constant == 2:
        return code.multiply(factor, code.multiply(value, value))
    return code.multiply(factor, math.PowFOp(value, exponent, fastmath=code.flags).result)


def array(code: Code, node: Node, args: Values) -> Values:
    """An array of values, as a map."""
    (width,) = args
    type_ = ir.Type.parse(node.type)
    made = soac.MapOp(width, [], [], [type_])
    block = ir.Block.create_at_start(made.body, [ir.IndexType.get()], [ir.Location.unknown()])
    with ir.InsertionPoint(block):
        soac.YieldOp(code.body(node.bodies[0], list(block.arguments)))
    return list(made.outs)
