"""Which requests for derivatives can be expanded now: those whose function waits for no other request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless._mlir import ir
from tapeless.passes.ad.custom import RULE, module_of
from tapeless.passes.ir.search import ops_named

REQUESTS = ("ad.vjp", "ad.jvp")


def ready_requests(module: ir.Module) -> list[ir.OpView]:
    """The requests on functions that neither hold a request nor reach one through calls and custom rules.

    A rule may ask for a derivative of the function it belongs to; then only requests in the function itself count.
    """
    operations = list(module.body.operations)
    functions = _functions(operations)
    waiting = {name: ops for name, op in functions.items() if (ops := ops_named(op, *REQUESTS))}
    requests = [op for ops in waiting.values() for op in ops]
    if not requests:
        return []
    reached = _reached(operations, functions)
    ready = [op for op in requests if waiting.keys().isdisjoint(_closure(op.callee.value, reached))]
    return ready or [op for op in requests if op.callee.value not in waiting]


def is_differentiated_again(request: ir.OpView) -> bool:
    """Whether reverse mode is asked for of a function that reaches this request."""
    operations = list(module_of(request).regions[0].blocks[0].operations)
    functions = _functions(operations)
    reached = _reached(operations, functions)
    around = request.operation
    while around.name != "func.func":
        around = around.parent.operation
    others = [op for function in functions.values() for op in ops_named(function, "ad.vjp")]
    return any(_name(around) in _closure(op.callee.value, reached) for op in others)


def _functions(operations: Sequence[ir.OpView]) -> dict[str, ir.OpView]:
    return {_name(op): op for op in operations if op.operation.name == "func.func"}


def _name(function: ir.OpView) -> str:
    return ir.StringAttr(function.operation.attributes["sym_name"]).value


def _reached(operations: Sequence[ir.OpView], functions: dict[str, ir.OpView]) -> dict[str, set[str]]:
    """The functions that each one calls, and those of its rules."""
    reached = {name: set(_callees(op)) for name, op in functions.items()}
    for op in operations:
        if op.operation.name == RULE:
            reached[op.primal.value] |= {function.value for function in op.functions}
    return reached


def _callees(function: ir.OpView) -> Iterator[str]:
    for call in ops_named(function, "func.call"):
        yield ir.FlatSymbolRefAttr(call.operation.attributes["callee"]).value


def _closure(name: str, reached: dict[str, set[str]]) -> set[str]:
    """A function and everything that can be reached from it."""
    found, pending = {name}, [name]
    while pending:
        new = reached.get(pending.pop(), set()) - found
        found |= new
        pending += new
    return found
