"""Which requests for derivatives can be expanded now: those whose function waits for no other request."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.passes.ad.custom import RULE
from tapeless.passes.ir.search import ops_named

REQUESTS = ("ad.vjp", "ad.jvp")


def ready_requests(module: ir.Module) -> list[ir.OpView]:
    """The requests on functions that neither hold a request nor reach one through calls and custom rules.

    A rule may ask for a derivative of the function it belongs to; then only requests in the function itself count.
    """
    functions = {_name(op): op for op in module.body.operations if op.operation.name == "func.func"}
    waiting = {name: ops for name, op in functions.items() if (ops := ops_named(op, *REQUESTS))}
    requests = [op for ops in waiting.values() for op in ops]
    if not requests:
        return []
    reached = _reached(module, functions)
    ready = [op for op in requests if waiting.keys().isdisjoint(_closure(op.callee.value, reached))]
    return ready or [op for op in requests if op.callee.value not in waiting]


def _name(function: ir.OpView) -> str:
    return ir.StringAttr(function.operation.attributes["sym_name"]).value


def _reached(module: ir.Module, functions: dict[str, ir.OpView]) -> dict[str, set[str]]:
    """The functions that each one calls, and those of its rules."""
    reached = {name: set(_callees(op)) for name, op in functions.items()}
    for op in module.body.operations:
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
