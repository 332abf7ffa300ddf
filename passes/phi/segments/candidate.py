"""A piece of a run as expressions, with its operands and its results that others read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.scopes import ancestor_in, outer_values
from tapeless.passes.phi.exchange.core import CONNECTIVES, CORE, can_read
from tapeless.passes.phi.exchange.read import Reading
from tapeless.passes.phi.exchange.segment import READERS
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.rules.functions import SPECIAL_FUNCTIONS

FLAGS = re.compile(r"#arith.fastmath<(.*)>")
IsActive = Callable[[ir.Value], bool]
# What every operation allows that says nothing.
ALL = frozenset({"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"})


@dataclass(frozen=True)
class Candidate:
    """Operations that may become a segment, with the constants, the other operands, and their results.

    `wanted` and `seeded` are the places of inputs and of results through which derivatives go.
    """

    ops: list[ir.OpView]
    constants: list[ir.OpView]
    inputs: list[ir.Value]
    outs: list[ir.Value]
    wanted: list[int]
    seeded: list[int]
    flags: frozenset[str]

    def expressions(self) -> tuple[Graph, list[Node], list[Node], list[Node]]:
        """The graph, the inputs as symbols, the results, and the node of every value in it."""
        reading = Reading(Graph(self.flags), READERS)
        symbols = [reading.graph.symbol(("argument", k), str(each.type)) for k, each in enumerate(self.inputs)]
        reading.values.update(zip(self.inputs, symbols, strict=True))
        for op in (*self.constants, *self.ops):
            reading.read(op)
        inner = [reading.node(result) for op in self.ops for result in op.operation.results]
        return reading.graph, symbols, reading.nodes(self.outs), inner


def carries_derivatives(value: ir.Value) -> bool:
    """Whether a scalar is a float."""
    return isinstance(value.type, ir.F64Type | ir.F32Type)


def candidate(ops: Sequence[ir.OpView], block: ir.Block, is_active: IsActive = carries_derivatives) -> Candidate:
    """The operands and results of some operations of a block."""
    made = {result for op in ops for result in op.operation.results}
    read = {value: None for op in ops for value in outer_values(op) if value not in made}
    constants = {value: value.owner.opview for value in read if _is_constant(value)}
    inputs = sorted((value for value in read if value not in constants), key=lambda each: str(each.type))
    outs = [value for op in ops for value in op.operation.results if _is_used_outside(value, made, block)]
    outs.sort(key=lambda each: str(each.type))
    flags = [found for op in ops for found in _flags(op)]
    return Candidate(
        list(ops),
        list(constants.values()),
        inputs,
        outs,
        [place for place, each in enumerate(inputs) if is_active(each)],
        [place for place, each in enumerate(outs) if is_active(each)],
        frozenset(ALL.intersection(*flags)) if flags else frozenset(),
    )


def _is_constant(value: ir.Value) -> bool:
    return not isinstance(value, ir.BlockArgument) and is_constant(value.owner.opview)


def _is_used_outside(value: ir.Value, made: set[ir.Value], block: ir.Block) -> bool:
    return any(_user(use.owner, block) not in made for use in value.uses)


def _user(op: ir.OpView, block: ir.Block) -> ir.Value | None:
    """The first result of the operation of a block that holds another one."""
    found = ancestor_in(block, op.operation)
    return found.results[0] if found is not None and len(found.results) else None


def _flags(op: ir.OpView) -> list[frozenset[str]]:
    """The fast-math flags of an operation and of those in its regions."""
    attributes, found = op.operation.attributes, []
    if "fastmath" in attributes:
        match = FLAGS.fullmatch(str(attributes["fastmath"]))
        assert match is not None
        names = frozenset(match[1].split(",")) - {"none"}
        found.append(ALL if "fast" in names else names)
    for region in op.operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                found += _flags(inner)
    return found


CONSTANT = "arith.constant"
# Reads of arrays and integers come in from outside.
OUTSIDE = frozenset({CONSTANT, "tensor.extract", "arith.addi", "arith.subi", "arith.muli", "arith.cmpi"})
PARTS = frozenset(CORE) - OUTSIDE
# How many operations there are in a branch that is part of a segment, in all of its regions.
LARGEST_BRANCH = 64


def is_part(op: ir.OpView) -> bool:
    """Whether an operation may stand in a segment; a branch may with all that is in it, if that is not much."""
    left = LARGEST_BRANCH
    pending = [op]
    while pending:
        current = pending.pop()
        if not _may_stand(current):
            return False
        if current.operation.name == "scf.if":
            regions = list(current.operation.regions)
            if not len(current.operation.results) or any(len(region.blocks) != 1 for region in regions):
                return False
            inner = [each for region in regions for each in list(region.blocks[0].operations)[:-1]]
            left -= len(inner)
            if left < 0:
                return False
            pending += [each for each in inner if not is_constant(each)]
    return True


def _may_stand(op: ir.OpView) -> bool:
    """Whether an operation may stand in a segment, whatever is in its regions."""
    name = op.operation.name
    if name not in PARTS or not all(_is_scalar(result.type) for result in op.operation.results):
        return False
    if name == "scf.if":
        return True
    if name == "soac.fn":
        return op.function.value in SPECIAL_FUNCTIONS
    return can_read(op) and (name in CONNECTIVES or all(_is_scalar(each.type) for each in op.operation.operands))


def _is_scalar(type_: ir.Type) -> bool:
    return isinstance(type_, ir.F64Type | ir.F32Type) or _is_bool(type_)


def _is_bool(type_: ir.Type) -> bool:
    return isinstance(type_, ir.IntegerType) and type_.width == 1


def is_constant(op: ir.OpView) -> bool:
    """Whether an operation is a scalar constant, which every segment has for itself."""
    return op.operation.name == CONSTANT and _is_scalar(op.operation.results[0].type)
