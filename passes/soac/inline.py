"""`soac-inline`: calls replaced by the bodies of the functions they call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
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
        if _calls(module.operation.opview):
            inliner = Inliner.of(module)
            for name in list(inliner.functions):
                inliner.inline_into(name, ())
        _remove_unused(module)


@dataclass
class Inliner:
    """The functions of a module, how often each is named, which have rules of their own, and which are done."""

    functions: dict[str, ir.OpView]
    uses: Counter[str]
    customised: set[str]
    finished: set[str] = field(default_factory=set)

    @staticmethod
    def of(module: ir.Module) -> Inliner:
        """What there is to know before anything is inlined."""
        rules = [op for op in module.body.operations if op.operation.name == "ad.custom_rule"]
        uses = Counter(_named_symbols(module.operation.opview))
        return Inliner(_functions(module), uses, {rule.primal.value for rule in rules})

    def inline_into(self, name: str, callers: tuple[str, ...]) -> None:
        """Inlines what a function calls, after what that calls in turn."""
        if name in self.finished:
            return
        for call in _calls(self.functions[name]):
            callee = call.attributes["callee"].value
            if callee == name or callee in callers:
                raise OpRefused(call, f"calls '@{callee}' recursively; write the recursion as a loop")
            if self._can_inline(callee):
                self.inline_into(callee, (*callers, name))
                self._inline(call, callee)
        self.finished.add(name)

    def _can_inline(self, name: str) -> bool:
        """Whether calls of the function become its body; its own rule, if any, will be looked for at its calls."""
        function = self.functions.get(name)
        if function is None or "no_inline" in function.attributes or len(function.regions[0].blocks) != 1:
            return False
        return name not in self.customised

    def _inline(self, call: ir.OpView, name: str) -> None:
        """The last call of a function that nothing else names takes its body, every other one a copy."""
        self.uses[name] -= 1
        function = self.functions[name]
        if self.uses[name] == 0 and _is_private(function):
            del self.functions[name]
            _replace_by_body(call, function.operation)
        else:
            _replace_by_body(call, function.operation.clone(ip=ir.InsertionPoint(function)))


def _functions(module: ir.Module) -> dict[str, ir.OpView]:
    return {op.attributes["sym_name"].value: op for op in module.body.operations if op.operation.name == "func.func"}


def _calls(root: ir.OpView) -> list[ir.OpView]:
    calls: list[ir.OpView] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "func.call":
            calls.append(op.opview)
        return ir.WalkResult.ADVANCE

    root.operation.walk(visit)
    return calls


def _replace_by_body(call: ir.OpView, function: ir.Operation) -> None:
    """Moves the body of a function, which is gone afterwards, to the place of a call."""
    block = function.regions[0].blocks[0]
    for argument, operand in zip(block.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, last = list(block.operations)
    for op in body:
        op.operation.move_before(call.operation)
    for result, value in zip(call.results, last.operands, strict=True):
        result.replace_all_uses_with(value)
    call.operation.erase()
    function.erase()


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
