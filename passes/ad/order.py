"""Which requests for derivatives can be expanded now: those whose function waits for no other request."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import ASLEEP
from tapeless.passes.ad.custom import RULE, module_of
from tapeless.passes.ir.search import ops_named

REQUESTS = ("ad.vjp", "ad.jvp")


def ready_requests(module: ir.Module) -> list[ir.OpView]:
    """The requests on functions that neither hold a request nor reach one through calls and custom rules.

    A rule may ask for a derivative of the function it belongs to; then only requests in the function itself count.
    Requests in functions that are asleep wait.
    """
    if not ops_named(module, *REQUESTS):
        return []
    reach = Reach.of(module)
    awake = {name: op for name, op in reach.functions.items() if ASLEEP not in op.operation.attributes}
    waiting = {name: ops for name, op in awake.items() if (ops := ops_named(op, *REQUESTS))}
    requests = [op for ops in waiting.values() for op in ops]
    ready = [op for op in requests if waiting.keys().isdisjoint(reach.closure(op.callee.value))]
    return ready or [op for op in requests if op.callee.value not in waiting]


def is_differentiated_again(request: ir.OpView) -> bool:
    """Whether reverse mode is asked for of a function that reaches this request."""
    reach = Reach.of(module_of(request))
    around = request.operation
    while around.name != "func.func":
        around = around.parent.operation
    others = [op for function in reach.functions.values() for op in ops_named(function, "ad.vjp")]
    return any(_name(around) in reach.closure(op.callee.value) for op in others)


@dataclass(frozen=True)
class Reach:
    """The functions of a module, which others each of them calls, itself or in its rules, and those with rules."""

    functions: dict[str, ir.OpView]
    called: dict[str, set[str]]
    customised: set[str]

    @staticmethod
    def of(module: ir.Module | ir.Operation) -> Reach:
        """The callees of the functions of a module."""
        operations = list(module.operation.regions[0].blocks[0].operations)
        functions = {_name(op): op for op in operations if op.operation.name == "func.func"}
        called = {name: set(_callees(op)) for name, op in functions.items()}
        rules = [op for op in operations if op.operation.name == RULE]
        for rule in rules:
            called[rule.primal.value] |= {function.value for function in rule.functions}
        return Reach(functions, called, {rule.primal.value for rule in rules})

    def closure(self, name: str) -> set[str]:
        """A function and everything that can be reached from it by calls."""
        return _closure(name, lambda each: self.called.get(each, set()))

    def closure_with_requests(self, name: str) -> set[str]:
        """A function and everything that can be reached from it by calls and requests."""
        return _closure(name, lambda each: self.called.get(each, set()) | set(self._asked(each)))

    def _asked(self, name: str) -> Iterator[str]:
        if name in self.functions:
            yield from (op.callee.value for op in ops_named(self.functions[name], *REQUESTS))


def _closure(name: str, following: Callable[[str], set[str]]) -> set[str]:
    found, pending = {name}, [name]
    while pending:
        new = following(pending.pop()) - found
        found |= new
        pending += new
    return found


def _name(function: ir.OpView) -> str:
    return ir.StringAttr(function.operation.attributes["sym_name"]).value


def _callees(function: ir.OpView) -> Iterator[str]:
    for call in ops_named(function, "func.call"):
        yield ir.FlatSymbolRefAttr(call.operation.attributes["callee"]).value
