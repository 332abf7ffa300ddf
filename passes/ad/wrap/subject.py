"""The function to differentiate, and its active arguments; unsupported ones are refused at their place."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import func, ir
from tapeless.dialects.ad.signatures import is_differentiable, signature
from tapeless.dialects.symbols import symbol_name
from tapeless.dialects.verification import types_text
from tapeless.passes.driver.base import OpRefused
from tapeless.spelling import nearest_or_all


def primal(module: ir.Module, name: str) -> func.FuncOp:
    """The function to differentiate: the one named, or the only public one."""
    functions = {symbol_name(op): op for op in module.body.operations if op.operation.name == "func.func"}
    if name and name not in functions:
        known = nearest_or_all(name, list(filter(None, functions))) if functions else "; it has no functions"
        raise OpRefused(module.operation, f"has no function @{name}{known}")
    public = [op for op in functions.values() if "sym_visibility" not in op.attributes and not op.is_external]
    if not name and len(public) != 1:
        found = ", ".join(f"@{symbol_name(op)}" for op in public) or "none"
        raise OpRefused(module.operation, f"has {len(public)} public functions ({found}); name one, as in infn=f")
    function = functions[name] if name else public[0]
    if function.is_external:
        raise OpRefused(function, f"@{name} is only declared; give it a body, or differentiate another function")
    return function


def check_types(function: func.FuncOp) -> None:
    """Refuses types of other producers, which are made core IR first."""
    type_ = signature(function)
    for each in (*type_.inputs, *type_.results):
        is_array = isinstance(each, ir.RankedTensorType)
        if (isinstance(each, ir.ShapedType) and not is_array) or (is_array and each.rank == 0):
            reason = f"has a value of type {each}, which core IR has not"
            raise OpRefused(function, f"{reason}; run --stablehlo-to-core or --linalg-to-core first")


def positions(function: func.FuncOp, wrt: Sequence[int]) -> list[int]:
    """The arguments to differentiate by: those given, or all that are floats."""
    inputs = signature(function).inputs
    floats = [position for position, type_ in enumerate(inputs) if is_differentiable(type_)]
    if not floats:
        raise OpRefused(function, f"has arguments {types_text(inputs)}, none of them a float or an array of floats")
    seen: set[int] = set()
    for position in wrt:
        if not 0 <= position < len(inputs):
            raise OpRefused(function, f"has {len(inputs)} arguments, and wrt names {position}; count from 0")
        if position not in floats:
            known = ", ".join(map(str, floats))
            reason = f"has argument {position} of type {inputs[position]}, which has no derivative"
            raise OpRefused(function, f"{reason}; choose wrt from {known}")
        if position in seen:
            raise OpRefused(function, f"has argument {position} twice in wrt; name each argument once")
        seen.add(position)
    return list(wrt) or floats
