"""One function at a time: modules that hold a single function, for passes anchored on `func.func`."""

from __future__ import annotations

from collections.abc import Generator

from tapeless._mlir import func, ir


def isolated_functions(module: ir.Module) -> Generator[ir.Module, None, None]:
    """For every function with a body, a module with that function and declarations of the others.

    What the consumer leaves in that module, functions added by it included, takes the function's place when the
    consumer asks for the next one or closes the generator. The declarations go away, so a pass sees and changes one
    function only.
    """
    functions = [op for op in module.body.operations if isinstance(op, func.FuncOp) and not op.is_external]
    for function in functions:
        place = ir.InsertionPoint(function)
        marker = ir.Operation.create("builtin.module", regions=1, loc=function.location, ip=place)
        marker.regions[0].blocks.append()
        alone = _module_of(function, module)
        try:
            yield alone
        finally:
            _move_back(alone, marker)


def _module_of(function: func.FuncOp, module: ir.Module) -> ir.Module:
    alone = ir.Module.create(module.operation.location)
    for name, attribute in module.operation.attributes.items():
        alone.operation.attributes[name] = attribute
    for other in module.body.operations:
        if isinstance(other, func.FuncOp) and other != function:
            alone.body.append(_declaration(other))
    alone.body.append(function)
    return alone


def _declaration(function: func.FuncOp) -> ir.Operation:
    attributes = dict(function.operation.attributes.items())
    attributes["sym_visibility"] = ir.StringAttr.get("private")
    return ir.Operation.create("func.func", attributes=attributes, regions=1, loc=function.location)


def _move_back(alone: ir.Module, marker: ir.Operation) -> None:
    for op in list(alone.body.operations):
        if not (isinstance(op, func.FuncOp) and op.is_external):
            op.operation.move_before(marker)
    marker.erase()
