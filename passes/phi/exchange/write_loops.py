"""How loops are written as operations of `phi`. What their bodies take from outside are their last arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tapeless._mlir import ir, tensor
from tapeless.dialects import phi
from tapeless.passes.ir.build import number
from tapeless.passes.phi.exchange.captures import captures
from tapeless.passes.phi.exchange.write import Writer, Writing, written
from tapeless.passes.phi.graph.loops.affine import matrix_size
from tapeless.passes.phi.graph.loops.ranges import PLACES
from tapeless.passes.phi.graph.nodes import Body, Node

Values = list[ir.Value]


def _loop(writing: Writing, node: Node) -> Any:
    """A loop: its value, or its results where there are several."""
    taken = captures(node.bodies)
    own = len(node.args) - len(taken)
    values = writing.of(node.args)
    made = LOOPS[node.name](node, values[:own])
    for region, body in zip(made.operation.regions, node.bodies, strict=True):
        _fill(writing, region, body, dict(zip(taken, values[own:], strict=True)))
    results = list(made.operation.results)
    if node.name == "affine_states":
        return results[1]
    return results if node.type == "parts" else results[0]


def _fill(writing: Writing, region: ir.Region, body: Body, taken: dict[Node, ir.Value]) -> None:
    types = [ir.Type.parse(each.type) for each in body.parameters]
    block = ir.Block.create_at_start(region, types, [ir.Location.unknown()] * len(types))
    with ir.InsertionPoint(block):
        known = {**taken, **dict(zip(body.parameters, block.arguments, strict=True))}
        phi.YieldOp(written(writing.writers, body.results, known))


def _part(writing: Writing, node: Node) -> ir.Value:
    results: Any = writing.value(node.args[0])
    return results[node.data[0]]


def _size(writing: Writing, node: Node) -> ir.Value:
    axis = number(ir.IndexType.get(), node.data[0])  # type: ignore[arg-type]
    return tensor.DimOp(writing.value(node.args[0]), axis).result


def _types(values: Sequence[ir.Value]) -> list[ir.Type]:
    return [value.type for value in values]


def _range(node: Node, args: Values) -> Any:
    return {"sum": phi.SumOp, "prod": phi.ProdOp}[node.name](*args, ir.Type.parse(node.type))


def _fold(node: Node, args: Values) -> Any:
    return phi.FoldOp(*args, ir.Type.parse(node.type), ir.StringAttr.get(node.name))


def _map(node: Node, args: Values) -> Any:
    return phi.MapOp(args[0], ir.Type.parse(node.type))


def _iterate(node: Node, args: Values) -> Any:
    return phi.IterateOp(args[0], args[1:], _types(args[1:]))


def _while(node: Node, args: Values) -> Any:
    return phi.WhileOp(args, _types(args), ir.IndexType.get())


def _power_iteration(node: Node, args: Values) -> Any:
    return phi.PowIterOp(*args, ir.Type.parse(node.type))


def _affine_iter(node: Node, args: Values) -> Any:
    count = matrix_size(node)
    first = 1 + count * count
    inits = args[first + count :]
    return phi.AffineIterOp(args[0], args[1:first], args[first : first + count], inits, _types(inits))


def _affine_pow(node: Node, args: Values) -> Any:
    count: int = node.data[1]  # type: ignore[assignment]
    return phi.AffinePowOp(*args, [args[1].type] * count)


def _matrix_pow(node: Node, args: Values) -> Any:
    half = (len(args) - 1) // 2
    return phi.MatrixPowOp(args[0], args[1 : 1 + half], args[1 + half :], _types(args[1:]))


def _affine_scan(node: Node, args: Values) -> Any:
    is_array = node.name == "affine_states"
    element = args[1].type
    types = [element, ir.Type.parse(node.type)] if is_array else [element]
    return phi.AffineScanOp(args[0], args[1:], types, ir.BoolAttr.get(is_array))


LOOPS: dict[str, Callable[[Node, Values], Any]] = {
    "sum": _range,
    "prod": _range,
    **dict.fromkeys(("max", "min", "and", "or", *PLACES), _fold),
    "map": _map,
    "iterate": _iterate,
    "while": _while,
    "pow_iter": _power_iteration,
    "affine_iter": _affine_iter,
    "affine_pow": _affine_pow,
    "matrix_pow": _matrix_pow,
    "affine_scan": _affine_scan,
    "affine_states": _affine_scan,
}
LOOP_WRITERS: dict[str, Writer] = {"loop": _loop, "part": _part, "size": _size}
