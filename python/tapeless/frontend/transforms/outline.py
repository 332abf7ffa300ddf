"""Functions of the module made from code at a call: what the code reads from around becomes parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import TypeMismatch
from tapeless.frontend import joins
from tapeless.frontend.builder import Scope
from tapeless.frontend.joins import Form
from tapeless.frontend.transforms import custom_rules
from tapeless.frontend.transforms.leaves import Leaf, leaves, ssa, with_ssa
from tapeless.frontend.values import Array, Scalar, Value, describe

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Outlined:
    """A private function, the operands of its call here, and the form of its result as seen from here.

    The first operands are the leaves it was made for, the others what it captures.
    """

    name: str
    operands: tuple[ir.Value, ...]
    form: Form
    result_types: tuple[ir.Type, ...]

    def call(self, t: Translator) -> Value:
        """The result of the function itself."""
        callee = {"callee": ir.FlatSymbolRefAttr.get(self.name)}
        operation = t.builder.operation("func.call", self.result_types, self.operands, callee)
        return joins.rebuild(t, self.form, iter(list(operation.results)))


def outline(t: Translator, title: str, moving: Sequence[Leaf], body: Callable[[list[Value]], Value]) -> Outlined:
    """The function of some leaves that `body` translates."""
    operands = [ssa(t, leaf) for leaf in moving]
    scope = Scope()
    with t.builder.region([operand.type for operand in operands], scope) as block:
        arguments = [with_ssa(t, *pair) for pair in zip(moving, list(block.arguments), strict=True)]
        result = t.held(body(arguments))
    _check_result(t, result)
    form = joins.form_of(t.builder, result)
    with t.builder.inside(block, scope):
        t.builder.operation("func.return", [], joins.flatten(t, result, form))
    captures = _close(block, t.builder.location)
    function = define(t, title, block)
    custom_rules.attach(t, function)
    return Outlined(
        ir.StringAttr(function.attributes["sym_name"]).value,
        (*operands, *captures),
        form,
        tuple(joins.types(t.builder, form)),
    )


def _check_result(t: Translator, result: Value) -> None:
    for leaf in leaves(result):
        if not isinstance(leaf, (Scalar, Array)):
            raise t.error(
                f"the function returns {describe(leaf)}", "return numbers, arrays or tuples of them", TypeMismatch
            )


def define(t: Translator, title: str, block: ir.Block) -> ir.Operation:
    """The private function whose body is a finished block."""
    inputs = [argument.type for argument in block.arguments]
    results = [operand.type for operand in list(block.operations)[-1].operation.operands]
    attributes = {
        "sym_name": ir.StringAttr.get(t.session.fresh_name(title)),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(inputs, results)),
        "sym_visibility": ir.StringAttr.get("private"),
    }
    position = ir.InsertionPoint(t.session.module.body)
    function = ir.Operation.create("func.func", [], [], attributes, regions=1, loc=t.builder.location, ip=position)
    return t.builder.attach(function, block)


def _close(block: ir.Block, location: ir.Location) -> list[ir.Value]:
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
