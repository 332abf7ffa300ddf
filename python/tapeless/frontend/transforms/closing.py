"""Private functions of the module from blocks built apart: free values of a block become arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Closed:
    """A private function, and the outside values that its last arguments stand for."""

    function: ir.Operation
    captures: tuple[ir.Value, ...]

    @property
    def name(self) -> str:
        return ir.StringAttr(self.function.attributes["sym_name"]).value


def close(t: Translator, title: str, block: ir.Block) -> Closed:
    """The function whose body is a finished block."""
    captures = _captured(block, t.builder.location)
    inputs = [argument.type for argument in block.arguments]
    results = [operand.type for operand in list(block.operations)[-1].operation.operands]
    attributes = {
        "sym_name": ir.StringAttr.get(t.session.fresh_name(title)),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(inputs, results)),
        "sym_visibility": ir.StringAttr.get("private"),
    }
    position = ir.InsertionPoint(t.session.module.body)
    function = ir.Operation.create("func.func", [], [], attributes, regions=1, loc=t.builder.location, ip=position)
    return Closed(t.builder.attach(function, block), tuple(captures))


def _captured(block: ir.Block, location: ir.Location) -> list[ir.Value]:
    """Gives a block arguments for the values it reads from outside, and copies of the constants; the values."""
    inside = set(_defined(block))
    arguments: dict[ir.Value, ir.Value] = {}
    constants: dict[ir.Value, ir.Value] = {}
    for operation in list(_operations(block)):
        for position, operand in enumerate(list(operation.operands)):
            if operand in inside:
                continue
            known = constants if _is_constant(operand) else arguments
            if operand not in known:
                known[operand] = (
                    _copy(operand, block) if known is constants else block.add_argument(operand.type, location)
                )
            operation.operands[position] = known[operand]
    return list(arguments)


def _is_constant(value: ir.Value) -> bool:
    return not isinstance(value.owner, ir.Block) and value.owner.name == "arith.constant"


def _copy(constant: ir.Value, block: ir.Block) -> ir.Value:
    return constant.owner.clone(ip=ir.InsertionPoint.at_block_begin(block)).results[0]


def _operations(block: ir.Block) -> Iterator[ir.Operation]:
    for view in block.operations:
        operation = view.operation
        yield operation
        for region in operation.regions:
            for inner in region.blocks:
                yield from _operations(inner)


def _defined(block: ir.Block) -> Iterator[ir.Value]:
    yield from block.arguments
    for view in block.operations:
        yield from view.operation.results
        for region in view.operation.regions:
            for inner in region.blocks:
                yield from _defined(inner)
