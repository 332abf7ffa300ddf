"""Looking up functions by name: operations defined in Python cannot take part in MLIR's own symbol tables."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir


def module_operations(op: ir.OpView) -> Iterator[ir.OpView]:
    """The operations directly in the nearest module around an operation."""
    parent = op.operation.parent
    while parent is not None and parent.name != "builtin.module":
        parent = parent.parent
    if parent is not None:
        yield from parent.regions[0].blocks[0].operations


def symbol_name(op: ir.OpView) -> str | None:
    """The name that an operation defines, if it has one."""
    return op.attributes["sym_name"].value if "sym_name" in op.attributes else None


def find_function(op: ir.OpView, name: str) -> ir.OpView | None:
    """The `func.func` of that name in the nearest module around an operation."""
    functions = (found for found in module_operations(op) if found.operation.name == "func.func")
    return next((found for found in functions if symbol_name(found) == name), None)
