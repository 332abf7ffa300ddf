"""Rules that users give for their own functions, and calls of such functions."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC
from tapeless.errors import NoRuleError
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.refusals import refusal
from tapeless.passes.ir.build import dim, is_array

RULE = "ad.custom_rule"


@dataclass(frozen=True)
class CustomRule:
    """The functions that differentiate another one; absent ones are `None`."""

    primal: ir.OpView
    forward: ir.OpView | None = None
    backward: ir.OpView | None = None
    push: ir.OpView | None = None


def module_of(op: ir.OpView) -> ir.Operation:
    """The module that holds an op."""
    parent = op.operation
    while parent.name != "builtin.module":
        parent = parent.parent.operation
    return parent


def function_named(module: ir.Operation, name: str) -> ir.OpView:
    """The function with this symbol."""
    for op in module.regions[0].blocks[0].operations:
        if op.operation.name == "func.func" and ir.StringAttr(op.operation.attributes["sym_name"]).value == name:
            return op
    raise AssertionError(f"no function @{name}")


def rule_for(call: ir.OpView, *wanted: str) -> CustomRule:
    """The rule of the function that `call` calls; one without parts when it has none.

    `wanted` are the parts that a mode uses where they are there; these must have a body.
    """
    module = module_of(call)
    callee = ir.FlatSymbolRefAttr(call.operation.attributes["callee"]).value
    parts: dict[str, ir.OpView] = {}
    for op in module.regions[0].blocks[0].operations:
        if op.operation.name == RULE and op.primal.value == callee:
            names = ("forward", "backward") if op.kind.value == "vjp" else ("push",)
            parts |= {name: function_named(module, f.value) for name, f in zip(names, op.functions, strict=True)}
    for function in [parts[name] for name in wanted if name in parts] or parts.values():
        require_body(call, function)
    return CustomRule(function_named(module, callee), **parts)


def check_sizes(what: str, derivatives: Sequence[ir.Value], primals: Sequence[ir.Value]) -> None:
    """Checks at run time that the results of a user's rule have the sizes of their primal values."""
    for derivative, primal in zip(derivatives, primals, strict=True):
        if not is_float(primal.type) or not is_array(primal):
            continue
        for axis in range(primal.type.rank):
            if DYNAMIC in (derivative.type.shape[axis], primal.type.shape[axis]):
                sizes = [dim(derivative, axis), dim(primal, axis)]
                is_equal = arith.CmpIOp(arith.CmpIPredicate.eq, *sizes).result
                message = f"a rule gives {what} of size {{}} in axis {axis}, where the value has {{}}"
                soac.AssertOp(
                    is_equal, sizes, kind=ir.StringAttr.get("ShapeMismatch"), message=ir.StringAttr.get(message)
                )


def body_of(function: ir.OpView) -> ir.Block:
    """The only block of a function."""
    return function.operation.regions[0].blocks[0]


def require_body(user: ir.OpView, function: ir.OpView) -> None:
    """Refuses an operation that needs the statements of a function which is only declared, or has several blocks."""
    count = len(function.operation.regions[0].blocks)
    if count != 1:
        name = ir.StringAttr(function.operation.attributes["sym_name"]).value
        lack = f"has {count} blocks; write it as one" if count else "has no body; define it in this module"
        raise refusal(NoRuleError, user, f"needs the body of '@{name}', which {lack}")
