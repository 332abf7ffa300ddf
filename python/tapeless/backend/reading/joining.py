"""Modules made one: the functions of another module under names of their own."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.symbols import rename_symbols, symbol_name

MAIN = "main"


def join(module: ir.Module, name: str, other: ir.Module) -> None:
    """Adds the functions of a module; its function `main` gets a name, and those that it calls names after that."""
    names = {
        known: name if known == MAIN else f"{name}.{known}"
        for known in map(symbol_name, other.body.operations)
        if known
    }
    for operation in list(other.body.operations):
        copied = operation.operation.clone(ip=ir.InsertionPoint(module.body))
        rename_symbols(copied, names)
        if symbol_name(copied.opview) is not None:
            copied.attributes["sym_visibility"] = ir.StringAttr.get("private")
