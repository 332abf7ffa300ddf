"""What is done to functions of core IR before their memory is planned."""

from __future__ import annotations

import math

from tapeless._mlir import arith, func, ir, tensor
from tapeless.abi import ATTRIBUTE
from tapeless.passes.ir.array_selects import branch_on_arrays
from tapeless.passes.ir.calls import is_recursive
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.storage.accepted import check_body, check_signature

# Elements of a constant that are stored with the code: a guess that fits the programs.
MOST_STORED = 1 << 16


def prepare(module: ir.Module, *, has_launches: bool) -> None:
    """Refuses what cannot be lowered; fills large constants, and for launches the arrays that each sum starts from."""
    branch_on_arrays(module.operation.opview)
    for function in functions_to_lower(module):
        if is_public(function):
            check_signature(function)
        check_body(function)
        with function.operation.context, function.location:
            fill_large_constants(function)
            if has_launches and not is_recursive(function):
                separate_starts(function)


def functions_to_lower(module: ir.Module) -> list[func.FuncOp]:
    """The functions of core IR that are lowered, by themselves or for their callers."""
    return [op for op in module.body.operations if is_core(op) and (is_public(op) or is_recursive(op))]


def is_public(function: func.FuncOp) -> bool:
    visibility = function.attributes.get("sym_visibility", None)
    return visibility is None or ir.StringAttr(visibility).value == "public"


def is_core(op: ir.OpView) -> bool:
    """Whether an operation of the module is a function that has a body and is not lowered yet."""
    return isinstance(op, func.FuncOp) and ATTRIBUTE not in op.attributes and not op.is_external


def separate_starts(function: ir.OpView) -> None:
    """Gives every sum that starts from a fill a fill of its own, right before it."""
    for op in ops_named(function, "soac.with_acc"):
        for number, dest in enumerate(op.operands):
            if not isinstance(dest, ir.BlockArgument) and dest.owner.name == "tensor.splat":
                own = dest.owner.operation.clone(ip=ir.InsertionPoint(op))
                op.operation.operands[number] = own.results[0]
                if not list(dest.uses):
                    dest.owner.operation.erase()


def fill_large_constants(function: ir.OpView) -> None:
    """Turns constant arrays of one value with many elements into `tensor.splat`."""
    for op in list(function.regions[0].blocks[0].operations):
        if op.operation.name == "arith.constant" and _is_large_fill(op.results[0].type, op.attributes["value"]):
            with ir.InsertionPoint(op), op.location:
                element = ir.DenseElementsAttr(op.attributes["value"]).get_splat_value()
                value = arith.constant(op.results[0].type.element_type, element)
                replace_op(op, [tensor.splat(op.results[0].type, value, [])])


def _is_large_fill(type_: ir.Type, value: ir.Attribute) -> bool:
    if not isinstance(type_, ir.RankedTensorType) or math.prod(type_.shape) <= MOST_STORED:
        return False
    return isinstance(value, ir.DenseElementsAttr) and value.is_splat
