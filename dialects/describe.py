"""The dialects as text: a reference made of the doc strings, and IRDL definitions for other MLIR tools."""

from __future__ import annotations

import inspect

from tapeless._mlir import ext, ir, irdl
from tapeless.dialects.ad import loop_hints
from tapeless.dialects.context import DIALECTS
from tapeless.errors import PipelineError
from tapeless.spelling import suggestion


def describe(name: str = "") -> str:
    """Every dialect with its types, attributes and operations, as Markdown; or the dialect or operation of a name."""
    if not name:
        return "\n".join(map(_describe_dialect, DIALECTS)) + _loop_hints()
    dialects = {dialect.DIALECT_NAMESPACE: dialect for dialect in DIALECTS}
    operations = {each.OPERATION_NAME: each for dialect in DIALECTS for each in dialect.operations}
    if name in operations:
        return _describe_operation(operations[name])
    if name not in dialects:
        hint, known = suggestion(name, [*dialects, *operations]), ", ".join(dialects)
        raise PipelineError(f"Tapeless has no dialect or operation '{name}'{hint}; its dialects are {known}")
    return _describe_dialect(dialects[name]) + (_loop_hints() if name == "ad" else "")


def _loop_hints() -> str:
    return f"\n## Attributes on loops\n\n{inspect.getdoc(loop_hints)}\n"


def _describe_dialect(dialect: type[ext.Dialect]) -> str:
    parts = [f"# {dialect.DIALECT_NAMESPACE}\n\n{inspect.getdoc(dialect)}\n"]
    parts += [_describe_class(f"!{type_.type_name}", type_) for type_ in dialect.types]
    parts += [_describe_class(f"#{attribute.attr_name}", attribute) for attribute in dialect.attributes]
    operations = sorted(dialect.operations, key=lambda operation: operation.OPERATION_NAME)
    parts += [_describe_operation(operation) for operation in operations]
    return "\n".join(parts)


def _describe_class(name: str, documented: type) -> str:
    return f"## {name}\n\n{inspect.getdoc(documented)}\n"


def _describe_operation(operation: type[ext.Operation]) -> str:
    rows = {
        "operands": str(operation.operand_groups),
        "results": str(operation.result_groups),
        "attributes": ", ".join(field.name for field in operation.attribute_fields) or "none",
        "regions": ", ".join(field.name for field in operation.region_fields) or "none",
    }
    fields = "; ".join(f"{kind}: {names}" for kind, names in rows.items() if names != "none")
    return _describe_class(operation.OPERATION_NAME, operation) + (f"\n{fields}\n" if fields else "")


def irdl_text() -> str:
    """The dialects in IRDL, for `mlir-opt --irdl-file`.

    A stock tool loads all of it, regions included, and parses, prints and checks operations without bodies. IRDL cannot
    say that an operation is a terminator, or that one group holds values of several types: operations with bodies are
    read with verification off (docs/tapeless-opt.md).
    """
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            for dialect in DIALECTS:
                _emit_stock_definition(dialect)
        return str(module)


def _emit_stock_definition(dialect: type[ext.Dialect]) -> None:
    definition = irdl.dialect(dialect.DIALECT_NAMESPACE)
    with ir.InsertionPoint(definition.body):
        for type_ in dialect.types:
            type_._emit_type()
        for attribute in dialect.attributes:
            attribute._emit_attr()
        for operation in dialect.operations:
            ext.Operation._emit_operation.__func__(operation)
