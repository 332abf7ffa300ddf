"""`soac-inline`: calls replaced by the bodies of the functions they call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.calls import mark_recursive, recursive_functions


@dataclass(frozen=True)
class Inline:
    """Inlines every `func.call` of a function defined in the module, also inside operators.

    ```mlir
    %y = func.call @square(%x) : (f64) -> f64
    ```
    becomes `%y = arith.mulf %x, %x : f64`. Private functions that nothing names any more are removed; functions marked
    `no_inline`, those with an `ad.custom_rule` and those that call themselves are left alone. The last and their calls
    get `tapeless.sizes`, which says which result has the sizes of which argument.
    """

    name: ClassVar[str] = "soac-inline"

    def run(self, module: ir.Module) -> None:
        """Inlines every call, then removes the functions that are no longer named."""
        if _calls(module.operation):
            inliner = Inliner.of(module)
            inliner.keep_recursive(module)
            inliner.inline_all()
        _remove_unused(module)


@dataclass
class Inliner:
    """The functions of a module, how often each is named, and which have rules of their own."""

    functions: dict[str, ir.OpView]
    uses: Counter[str]
    customised: set[str]
    recursive: set[str] = field(default_factory=set)

    @staticmethod
    def of(module: ir.Module) -> Inliner:
        """The facts to know before anything is inlined."""
        rules = [op for op in module.body.operations if op.operation.name == "ad.custom_rule"]
        uses = Counter(_named_symbols(module.operation.opview))
        return Inliner(_functions(module), uses, {rule.primal.value for rule in rules})

    def keep_recursive(self, module: ir.Module) -> None:
        """Finds the functions on cycles of calls, which stay functions, and tells later passes of them."""
        callees = {name: {_callee(call) for call in _calls(op.operation)} for name, op in self.functions.items()}
        self.recursive = recursive_functions(callees)
        for name in self.recursive:
            _refuse_public_recursion(name, self.functions[name])
        if self.recursive:
            mark_recursive(module, {name: self.functions[name] for name in self.recursive})

    def inline_all(self) -> None:
        """Inlines callers before callees, so that no operation moves twice; functions that stay come first."""
        for name in sorted(self.functions, key=lambda name: _is_private(self.functions[name])):
            if name in self.functions:
                self._inline_into(self.functions[name].operation)

    def _inline_into(self, function: ir.Operation) -> None:
        pending = _calls(function)
        while pending:
            call = pending.pop()
            if self._can_inline(_callee(call)):
                pending += self._inline(call)

    def _can_inline(self, name: str) -> bool:
        """Whether calls of the function become its body; its own rule, if any, will be looked for at its calls."""
        function = self.functions.get(name)
        if function is None or "no_inline" in function.attributes or len(function.regions[0].blocks) != 1:
            return False
        return name not in self.customised and name not in self.recursive

    def _inline(self, call: ir.Operation) -> list[ir.Operation]:
        """Gives the last call of a function that nothing else names its body, others a copy; the calls in there."""
        name = _callee(call)
        self.uses[name] -= 1
        body = self.functions[name].operation
        is_last = self.uses[name] == 0 and _is_private(self.functions[name])
        if is_last:
            del self.functions[name]
        else:
            body = body.clone(ip=ir.InsertionPoint(body))
        calls = _calls(body)
        if not is_last:
            self.uses.update(_callee(each) for each in calls)
        _replace_by_body(call, body)
        return calls


def _functions(module: ir.Module) -> dict[str, ir.OpView]:
    return {op.attributes["sym_name"].value: op for op in module.body.operations if op.operation.name == "func.func"}


def _calls(root: ir.Operation) -> list[ir.Operation]:
    calls: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "func.call":
            calls.append(op)
        return ir.WalkResult.ADVANCE

    root.walk(visit)
    return calls


def _callee(call: ir.Operation) -> str:
    return ir.FlatSymbolRefAttr(call.attributes["callee"]).value


def _replace_by_body(call: ir.Operation, function: ir.Operation) -> None:
    """Moves the body of a function, which is gone afterwards, to the place of a call."""
    block = function.regions[0].blocks[0]
    for argument, operand in zip(block.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, last = list(block.operations)
    for op in body:
        op.operation.move_before(call)
    for result, value in zip(call.results, last.operands, strict=True):
        result.replace_all_uses_with(value)
    call.erase()
    function.erase()


def _refuse_public_recursion(name: str, function: ir.OpView) -> None:
    """Refuses recursive functions that are called from outside, or that have more than one block."""
    if not _is_private(function):
        call = next(call for call in _calls(function.operation))
        raise OpRefused(
            call.opview, f"makes the public function '@{name}' recursive; let it call a private one instead"
        )
    if len(function.regions[0].blocks) != 1:
        raise OpRefused(function, "is recursive and has several blocks; write it as one")


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
