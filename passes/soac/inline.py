"""`soac-inline`: calls replaced by the bodies of the functions they call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.base import OpRefused


@dataclass(frozen=True)
class Inline:
    """Replaces every `func.call` of a function defined in the module, also inside operators, by the function's body.

    ```mlir
    %y = func.call @square(%x) : (f64) -> f64
    ```
    becomes `%y = arith.mulf %x, %x : f64`. Private functions that nothing names any more are removed; functions marked
    `no_inline` and those with an `ad.custom_rule` are left alone.
    """

    name: ClassVar[str] = "soac-inline"

    def run(self, module: ir.Module) -> None:
        """Inlines callees before callers, then removes the functions that are no longer named."""
        functions = _functions(module)
        finished: set[str] = set()
        for name in functions:
            _inline_into(name, functions, finished, ())
        _remove_unused(module)


def _functions(module: ir.Module) -> dict[str, ir.OpView]:
    return {op.attributes["sym_name"].value: op for op in module.body.operations if op.operation.name == "func.func"}


def _inline_into(name: str, functions: dict[str, ir.OpView], finished: set[str], callers: tuple[str, ...]) -> None:
    if name in finished:
        return
    for call in list(_calls(functions[name])):
        callee = call.attributes["callee"].value
        if callee == name or callee in callers:
            raise OpRefused(call, f"calls '@{callee}' recursively; write the recursion as a loop")
        if callee in functions and _can_inline(functions[callee]):
            _inline_into(callee, functions, finished, (*callers, name))
            inline_call(call, functions[callee])
    finished.add(name)


def _calls(op: ir.OpView) -> Iterator[ir.OpView]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                if inner.operation.name == "func.call":
                    yield inner
                yield from _calls(inner)


def _can_inline(function: ir.OpView) -> bool:
    if "no_inline" in function.attributes or len(function.regions[0].blocks) != 1:
        return False
    return not _has_custom_rule(function)


def _has_custom_rule(function: ir.OpView) -> bool:
    """Whether differentiation will look for the function's own rule at its calls."""
    name = function.attributes["sym_name"].value
    around = function.operation.block.operations
    return any(op.operation.name == "ad.custom_rule" and op.primal.value == name for op in around)


def inline_call(call: ir.OpView, function: ir.OpView) -> None:
    """Puts a copy of the function's body in place of a call."""
    copy = function.operation.clone(ip=ir.InsertionPoint(function))
    block = copy.regions[0].blocks[0]
    for argument, operand in zip(block.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, last = list(block.operations)
    for op in body:
        op.operation.move_before(call.operation)
    for result, value in zip(call.results, last.operands, strict=True):
        result.replace_all_uses_with(value)
    call.operation.erase()
    copy.erase()


def _remove_unused(module: ir.Module) -> None:
    """Removes private functions until every one left is named by something that stays."""
    functions = _functions(module)
    needed = [name for name, op in functions.items() if not _is_private(op)]
    for op in module.body.operations:
        if op.operation.name != "func.func":
            needed += _named_symbols(op)
    reached: set[str] = set()
    while needed:
        name = needed.pop()
        if name in functions and name not in reached:
            reached.add(name)
            needed += _named_symbols(functions[name])
    for name, op in functions.items():
        if name not in reached:
            op.operation.erase()


def _is_private(function: ir.OpView) -> bool:
    return "sym_visibility" in function.attributes and function.attributes["sym_visibility"].value == "private"


def _named_symbols(op: ir.OpView) -> list[str]:
    names: list[str] = []

    def visit(inner: ir.Operation) -> ir.WalkResult:
        for name in inner.attributes:
            names.extend(_symbols_in(inner.attributes[name]))
        return ir.WalkResult.ADVANCE

    op.operation.walk(visit)
    return names


def _symbols_in(attribute: ir.Attribute) -> Iterator[str]:
    if isinstance(attribute, ir.FlatSymbolRefAttr):
        yield attribute.value
    elif isinstance(attribute, ir.ArrayAttr):
        for element in attribute:
            yield from _symbols_in(element)
