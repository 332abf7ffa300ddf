"""Looking up functions by name: operations defined in Python cannot take part in MLIR's own symbol tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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


def rename_symbols(operation: ir.Operation, names: Mapping[str, str]) -> None:
    """Gives an operation, and all that is in it, other names: those that they define and those that they refer to."""
    for name in list(operation.attributes):
        attribute = operation.attributes[name]
        renamed = _renamed(attribute, names)
        if renamed is not attribute:
            operation.attributes[name] = renamed
    if "sym_name" in operation.attributes:
        known = ir.StringAttr(operation.attributes["sym_name"]).value
        operation.attributes["sym_name"] = ir.StringAttr.get(names.get(known, known))
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                rename_symbols(inner.operation, names)


def _renamed(attribute: ir.Attribute, names: Mapping[str, str]) -> ir.Attribute:
    if isinstance(attribute, ir.FlatSymbolRefAttr):
        return ir.FlatSymbolRefAttr.get(names.get(attribute.value, attribute.value))
    if isinstance(attribute, ir.ArrayAttr) and any(isinstance(each, ir.FlatSymbolRefAttr) for each in attribute):
        return ir.ArrayAttr.get([_renamed(each, names) for each in attribute])
    return attribute
