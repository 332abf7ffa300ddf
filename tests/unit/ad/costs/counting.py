"""Gradients after simplification and fusion, and how many operations and loop nests they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from derivatives import CORE, compiled, from_python, only, vjp

from tapeless._mlir import ir

FUSED = CORE + ",canonicalize,cse,soac-simplify,fuse,canonicalize,cse,soac-simplify,canonicalize,cse"
LOOPS = frozenset({"soac.map", "soac.reduce", "soac.scan", "soac.fused", "soac.hist", "scf.for"})


def gradient(function: Callable[..., Any], *arguments: Any) -> ir.Module:
    """A module of one function, which gives the adjoints of all float arguments."""
    primal = from_python(function, *arguments)
    derivative = vjp(primal)
    wanted = only(derivative, *range(len(primal.results), len(derivative.results)))
    return alone(compiled(wanted, FUSED), wanted.name)


def alone(module: ir.Module, name: str) -> ir.Module:
    """The module without its other functions."""
    for op in list(module.body.operations):
        if ir.StringAttr(op.operation.attributes["sym_name"]).value != name:
            op.operation.erase()
    return module


def counts(module: ir.Module) -> Counter[str]:
    """How often each operation occurs."""
    found: Counter[str] = Counter()

    def visit(op: ir.Operation) -> ir.WalkResult:
        found[op.name] += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def depths(op: ir.Operation, depth: int = 0) -> list[int]:
    """The depth of every innermost loop nest."""
    depth += op.name in LOOPS
    inner = [
        d
        for region in op.regions
        for block in region.blocks
        for o in block.operations
        for d in depths(o.operation, depth)
    ]
    nested = [d for d in inner if d > depth]
    return nested or ([depth] if op.name in LOOPS else [])


def depths_of(module: ir.Module) -> list[int]:
    """The depth of every loop nest of a module, deepest first."""
    return sorted(depths(module.operation), reverse=True)
