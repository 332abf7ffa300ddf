"""A loop, with the operations that only it uses, as a segment."""

from __future__ import annotations

import re

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import phi
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.phi.exchange.attributes import flags_attribute
from tapeless.passes.phi.exchange.core_loops import is_readable
from tapeless.passes.phi.exchange.read import Reading
from tapeless.passes.phi.exchange.segment import READERS
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node

COPIED = ("arith.constant", "tensor.dim", "arith.index_cast")
FLAGS = re.compile(r"#arith.fastmath<(.*)>")
ALL = frozenset({"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"})
FLOATS = (ir.F64Type, ir.F32Type)


@dataclass(frozen=True)
class Piece:
    """A loop, constants and sizes that it reads, and all else that it reads."""

    loop: ir.OpView
    copied: list[ir.OpView]
    inputs: list[ir.Value]
    flags: frozenset[str]

    def expressions(self) -> tuple[Graph, list[Node], list[Node]]:
        """The graph, the inputs as symbols, and the results."""
        reading = Reading(Graph(self.flags), READERS)
        given = [reading.graph.symbol(("argument", k), str(each.type)) for k, each in enumerate(self.inputs)]
        reading.values.update(zip(self.inputs, given, strict=True))
        for op in (*self.copied, self.loop):
            reading.read(op)
        return reading.graph, given, [reading.node(each) for each in self.loop.operation.results]


def is_float(type_: ir.Type) -> bool:
    """Whether values of a type are differentiated."""
    return isinstance(type_, FLOATS) or (
        isinstance(type_, ir.RankedTensorType) and isinstance(type_.element_type, FLOATS)
    )


def piece_of(loop: ir.OpView) -> Piece | None:
    """A loop as a piece, if all of it can be read."""
    if not is_readable(loop):
        return None
    copied: dict[ir.Value, ir.OpView] = {}
    inputs: dict[ir.Value, None] = {}
    _collect(loop, copied, inputs)
    flags = _flags(loop)
    order = sorted(inputs, key=lambda value: str(value.type))
    return Piece(loop, list(copied.values()), order, ALL.intersection(*flags) if flags else frozenset())


def _collect(op: ir.OpView, copied: dict[ir.Value, ir.OpView], inputs: dict[ir.Value, None]) -> None:
    for value in outer_values(op):
        if value in copied or value in inputs:
            continue
        maker = None if isinstance(value, ir.BlockArgument) else value.owner.opview
        if maker is not None and maker.operation.name in COPIED and is_readable(maker) and not _is_dense(value):
            _collect(maker, copied, inputs)
            copied[value] = maker
        else:
            inputs[value] = None


def _is_dense(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType)


def outline(piece: Piece, label: str) -> ir.OpView:
    """Moves a piece into a segment where its loop stands."""
    loop = piece.loop
    results = list(loop.operation.results)
    with ir.InsertionPoint(loop), loop.location:
        activity = [_activity(values) for values in (piece.inputs, results)]
        types = [each.type for each in results]
        flags = flags_attribute(piece.flags)
        made = phi.SegmentOp(piece.inputs, types, ir.StringAttr.get(label), *activity, flags)
    types = [each.type for each in piece.inputs]
    block = ir.Block.create_at_start(made.operation.regions[0], types, [loop.location] * len(types))
    values: Values = dict(zip(piece.inputs, block.arguments, strict=True))
    with ir.InsertionPoint(block):
        for op in (*piece.copied, loop):
            with op.location:
                copy_op(op, values)
        with loop.location:
            phi.YieldOp([values[each] for each in results])
    for old, new in zip(results, made.outs, strict=True):
        old.replace_all_uses_with(new)
    loop.operation.erase()
    return made


def _activity(values: list[ir.Value]) -> ir.ArrayAttr:
    return ir.ArrayAttr.get([ir.BoolAttr.get(is_float(value.type)) for value in values])


def _flags(op: ir.OpView) -> list[frozenset[str]]:
    """The fast-math flags of the operations in a loop."""
    found = []
    for region in op.operation.regions:
        for inner in region.blocks[0].operations:
            attributes = inner.operation.attributes
            if "fastmath" in attributes:
                match = FLAGS.fullmatch(str(attributes["fastmath"]))
                assert match is not None
                names = frozenset(match[1].split(",")) - {"none"}
                found.append(ALL if "fast" in names else names)
            found += _flags(inner)
    return found
