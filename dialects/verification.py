"""Verification: what is wrong with an operation, said as `'dialect.op' op <what is wrong>; <what to do>`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from tapeless._mlir import ext, ir
from tapeless.dialects.groups import OPERAND_SIZES, RESULT_SIZES, Fields, group_sizes, is_single, needs_sizes

Problems = Iterator[str]


def report(op: ir.OpView, problems: Problems) -> bool:
    """Emits the first problem at the operation's location; True when there is none."""
    message = next(problems, None)
    if message is None:
        return True
    op.operation.location.emit_error(f"'{op.operation.name}' op {message}")
    return False


def types_text(types: Sequence[ir.Type]) -> str:
    """A list of types as it stands in a signature: `(index, f64)`."""
    return f"({', '.join(map(str, types))})"


def field_problems(op: ir.OpView) -> Problems:
    """Numbers of operands, results and regions, attributes, and segment sizes against the declared fields."""
    operands, attributes, results, regions = ext.partition_fields(op._fields)
    yield from _group_problems(op, "operand", operands, len(op.operation.operands), OPERAND_SIZES)
    yield from _group_problems(op, "result", results, len(op.operation.results), RESULT_SIZES)
    yield from _attribute_problems(op, attributes)
    if len(op.operation.regions) != len(regions):
        names = ", ".join(field.name for field in regions) or "none"
        yield f"has {len(op.operation.regions)} regions but needs {len(regions)}; give them in the order: {names}"
    sizes = group_sizes(op, operands, len(op.operation.operands), OPERAND_SIZES)
    values = iter(op.operation.operands)
    for field, size in zip(operands, sizes, strict=True):
        for value in islice(values, size):
            yield from _type_problems(field, value)


def _group_problems(op: ir.OpView, kind: str, fields: Fields, total: int, sizes_name: str) -> Problems:
    names = ", ".join(field.name if is_single(field) else f"{field.name}..." for field in fields) or "none"
    fewest = sum(map(is_single, fields))
    if total < fewest or (total > fewest and all(map(is_single, fields))):
        yield f"has {total} {kind}s but needs {fewest}; give them in the order: {names}"
    if not needs_sizes(fields):
        return
    if sizes_name not in op.attributes:
        yield f"lacks {sizes_name}; add {sizes_name} = array<i32: ...> with the sizes of: {names}"
    sizes = list(op.attributes[sizes_name])
    if len(sizes) != len(fields) or sum(sizes) != total:
        yield f"has {sizes_name} = {sizes} for {total} {kind}s; give {len(fields)} sizes that sum to it, for: {names}"
    for field, size in zip(fields, sizes, strict=True):
        if is_single(field) and size != 1:
            yield f"has {size} values for {field.name}; give exactly one"


def _attribute_problems(op: ir.OpView, fields: Fields) -> Problems:
    for field in fields:
        wanted = field.constraint.__name__.removesuffix("Attr").lower() if isinstance(field.constraint, type) else "any"
        if field.name not in op.attributes:
            yield f"lacks the attribute {field.name}; add {field.name} = <{wanted} attribute>"
        if wanted != "any" and not isinstance(op.attributes[field.name], field.constraint):
            yield f"has {field.name} = {op.attributes[field.name]}; make it a {wanted} attribute"


def _type_problems(field: ext.FieldDef, value: ir.Value) -> Problems:
    wanted = field.constraint
    if isinstance(wanted, type) and issubclass(wanted, ir.Type) and not isinstance(value.type, wanted):
        yield f"has {field.name} of type {value.type}; give {wanted.type_name.removeprefix('builtin.')}"
