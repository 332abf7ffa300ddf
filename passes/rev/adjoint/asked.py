"""The requests of a module for its procedures: how often they are differentiated in reverse, and by which method."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.methods import DEFAULT
from tapeless.passes.ir.search import ops_named

REVERSE = "ad.vjp"
# Methods that say how an expression is differentiated; any other is about what is stored, and procedures store nothing.
OF_EXPRESSIONS = frozenset({"coarsened"})


@dataclass(frozen=True)
class Asked:
    """How deep requests for adjoints are nested, and the method for right-hand sides of statements."""

    depth: int
    method: str


def asked_of(module: ir.Module, procedures: Collection[str]) -> Asked:
    """The requests of a module, those for the method as far as they reach one of some functions.

    Right-hand sides are differentiated by a method only if all these requests name it.
    """
    functions = {op.name.value: op for op in module.body.operations if isinstance(op, func.FuncOp)}
    edges = {name: list(_edges(function)) for name, function in functions.items()}
    methods = {
        ir.StringAttr(op.operation.attributes["method"]).value
        for function in functions.values()
        for op in ops_named(function, REVERSE)
        if not _reached(_callee(op), edges).isdisjoint(procedures)
    }
    method = methods.pop() if len(methods) == 1 else DEFAULT
    return Asked(_depth(edges), method if method in OF_EXPRESSIONS else DEFAULT)


Edges = dict[str, list[tuple[str, bool]]]


def _edges(function: func.FuncOp) -> Iterator[tuple[str, bool]]:
    """The functions that one calls or asks a derivative of, and whether that is an adjoint."""
    for op in ops_named(function, "func.call", REVERSE, "ad.jvp"):
        yield _callee(op), op.operation.name == REVERSE


def _callee(op: ir.OpView) -> str:
    return ir.FlatSymbolRefAttr(op.operation.attributes["callee"]).value


def _depth(edges: Edges) -> int:
    known: dict[str, int] = {}

    def depth(name: str) -> int:
        if name not in known:
            known[name] = 0
            known[name] = max((depth(callee) + is_adjoint for callee, is_adjoint in edges.get(name, ())), default=0)
        return known[name]

    return max(map(depth, edges), default=0)


def _reached(name: str, edges: Edges) -> set[str]:
    found, pending = {name}, [name]
    while pending:
        new = {callee for callee, _ in edges.get(pending.pop(), ())} - found
        found |= new
        pending += new
    return found
