"""What is done to functions of core IR before their memory is planned."""

from __future__ import annotations

from tapeless._mlir import func, ir
from tapeless.abi import ATTRIBUTE
from tapeless.passes.ir.array_selects import branch_on_arrays
from tapeless.passes.ir.calls import is_recursive
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.storage.accepted import check_body, check_signature
from tapeless.passes.lower.storage.large_constants import fill_large_constants


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
