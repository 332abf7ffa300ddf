"""How loops of core IR are read: `scf.for`, `scf.while`, reductions and maps over arrays, and sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.phi.exchange.core import can_read
from tapeless.passes.phi.exchange.read import Reader, Reading
from tapeless.passes.phi.graph.elementary import cast, function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.array_terms import INDEX, array_of, element, is_array, size
from tapeless.passes.phi.graph.loops.ranges import length, nothing, reduction
from tapeless.passes.phi.graph.loops.recurrences import iterate, run_while
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import add
from tapeless.passes.phi.graph.walk import applied, bind

COMBINED = {"arith.addf": "sum", "arith.mulf": "prod", "arith.maximumf": "max", "arith.minimumf": "min"}


def _for(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    """A loop over a range in steps of one: counted from zero."""
    g, block = reading.graph, op.operation.regions[0].blocks[0]
    low, high, _, *inits = reading.nodes(op.operation.operands)
    step, values = g.fresh(INDEX), [g.fresh(each.type) for each in inits]
    reading.values.update(zip(block.arguments, [add(g, low, step), *values], strict=True))
    return iterate(g, length(g, low, high), inits, bind(g, [step, *values], reading.block(block)))


def _while(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    """The condition's region may hand on other values than are carried: they are made of those at the end."""
    g, (before, after) = reading.graph, (region.blocks[0] for region in op.operation.regions)
    inits = reading.nodes(op.operation.operands)
    values = [g.fresh(each.type) for each in inits]
    reading.values.update(zip(before.arguments, values, strict=True))
    condition, *handed = reading.block(before)
    reading.values.update(zip(after.arguments, handed, strict=True))
    following = reading.block(after)
    ends, _ = run_while(g, inits, bind(g, values, [condition]), bind(g, values, following))
    return applied(g, bind(g, values, handed), ends)


def _reduce(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    g = reading.graph
    width, array, neutral = reading.nodes([op.width, op.inputs[0], op.neutral[0]])
    index = g.fresh(INDEX)
    name = COMBINED[_combining(op).operation.name]
    found = reduction(g, name, g.constant(0, INDEX), width, bind(g, [index], [_at(g, array, index)]))
    if neutral is nothing(g, name, neutral.type):
        return [found]
    return [COMBINE[name](g, neutral, found)]


def _map(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    g, block = reading.graph, op.operation.regions[0].blocks[0]
    width, inputs = reading.node(op.width), reading.nodes(op.inputs)
    index = g.fresh(INDEX)
    reading.values.update(zip(block.arguments, [index, *(_at(g, each, index) for each in inputs)], strict=True))
    results = reading.block(block)
    types = [str(out.type) for out in op.outs]
    return [array_of(g, width, bind(g, [index], [each]), type_) for each, type_ in zip(results, types, strict=True)]


def _at(g: Graph, array: Node, index: Node) -> Node:
    """The element of an array; of one that was just made of values, the value."""
    if array.kind == "loop" and array.name == "map":
        return applied(g, array.bodies[0], [index])[0]
    return element(g, array, index)


def _dim(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    array, axis = reading.nodes(op.operation.operands)
    return [size(reading.graph, array, int(axis.constant))]


def _cast(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    (value,) = reading.nodes(op.operation.operands)
    return [cast(reading.graph, value, str(op.operation.results[0].type))]


def _extreme(name: str) -> Reader:
    def read(reading: Reading, op: ir.OpView) -> Sequence[Node]:
        return [function(reading.graph, name, *reading.nodes(op.operation.operands))]

    return read


def _combining(op: ir.OpView) -> ir.OpView:
    return op.combine.blocks[0].operations[0]


def can_read_loop(op: ir.OpView, can_read: Callable[[ir.OpView], bool]) -> bool:
    """Whether a loop of core IR has an expression that means the same; `can_read` says so of operations inside."""
    test = CAN_READ.get(op.operation.name)
    return (
        test is not None
        and test(op)
        and all(
            _ends(inner) or can_read(inner) for region in op.operation.regions for inner in region.blocks[0].operations
        )
    )


def _ends(op: ir.OpView) -> bool:
    return op.operation.name in ("scf.yield", "scf.condition", "soac.yield")


def _carries_scalars(op: ir.OpView) -> bool:
    return not any(is_array(str(each.type)) for each in (*op.operation.operands, *op.operation.results))


def _is_counted(op: ir.OpView) -> bool:
    return constant_int(op.operation.operands[2]) == 1 and _carries_scalars(op)


def _is_plain_reduction(op: ir.OpView) -> bool:
    inner = list(op.combine.blocks[0].operations)
    arguments = list(op.combine.blocks[0].arguments)
    return (
        len(op.inputs) == 1
        and not is_array(str(op.neutral[0].type))
        and len(inner) == 2
        and inner[0].operation.name in COMBINED
        and list(inner[0].operation.operands) == arguments
        and list(inner[1].operation.operands) == [inner[0].operation.results[0]]
    )


def _is_plain_map(op: ir.OpView) -> bool:
    return len(op.accs) == 0 and all(each.type.rank == 1 for each in (*op.inputs, *op.outs))


def _always(op: ir.OpView) -> bool:
    return True


COMBINE: dict[str, Callable[[Graph, Node, Node], Node]] = {
    "sum": add,
    "prod": multiply,
    "max": lambda g, a, b: function(g, "max", a, b),
    "min": lambda g, a, b: function(g, "min", a, b),
}
CAN_READ: dict[str, Callable[[ir.OpView], bool]] = {
    "scf.for": _is_counted,
    "scf.while": _carries_scalars,
    "soac.reduce": _is_plain_reduction,
    "soac.map": _is_plain_map,
    "tensor.dim": lambda op: constant_int(op.operation.operands[1]) is not None,
    **dict.fromkeys(("arith.index_cast", "arith.sitofp", "arith.extsi", "arith.trunci"), _always),
    **dict.fromkeys(("arith.maxsi", "arith.minsi"), _always),
}
CORE_LOOPS: dict[str, Reader] = {
    "scf.for": _for,
    "scf.while": _while,
    "soac.reduce": _reduce,
    "soac.map": _map,
    "tensor.dim": _dim,
    **dict.fromkeys(("arith.index_cast", "arith.sitofp", "arith.extsi", "arith.trunci"), _cast),
    "arith.maxsi": _extreme("max"),
    "arith.minsi": _extreme("min"),
}


def is_readable(op: ir.OpView) -> bool:
    """Whether an operation, with all that it holds, has an expression that means the same."""
    name = op.operation.name
    if name in CAN_READ:
        return can_read_loop(op, is_readable)
    inner = [each for region in op.operation.regions for block in region.blocks for each in list(block.operations)[:-1]]
    return can_read(op) and all(is_readable(each) for each in inner)
