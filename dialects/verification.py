"""Verification: the problem of an operation, said as `'dialect.op' op <problem>; <remedy>`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.groups import Groups
from tapeless.dialects.missing_sizes import add_missing_sizes, problem_of_all

Problems = Iterator[str]

ATTRIBUTES: dict[Any, tuple[Any, str]] = {
    Any: (ir.Attribute, "<attribute>"),
    ir.ArrayAttr: (ir.ArrayAttr, "[...]"),
    ir.IntegerAttr: ((ir.IntegerAttr, ir.BoolAttr), "<integer or bool>"),
    ir.StringAttr: (ir.StringAttr, '"..."'),
    ir.FlatSymbolRefAttr: (ir.FlatSymbolRefAttr, "@name"),
}
"""Per class of declared attributes: the classes it may be read as, and how to write one."""

OPERAND_TYPES: dict[Any, str] = {ir.IndexType: "index", ir.IntegerType[1]: "i1"}
"""Operand constraints that name one type."""


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
    yield from _group_problems(op, op.operand_groups, len(op.operation.operands))
    yield from _group_problems(op, op.result_groups, len(op.operation.results))
    yield from _attribute_problems(op, op.attribute_fields)
    regions = len(op.operation.regions)
    if regions != len(op.region_fields):
        names = ", ".join(field.name for field in op.region_fields) or "none"
        yield f"has {regions} regions but needs {len(op.region_fields)}; give them in the order: {names}"
    yield from _operand_type_problems(op)


def same_type_problems(operand: ir.Value, out: ir.Value) -> Problems:
    """A result must have the type of the only operand."""
    if out.type != operand.type:
        yield f"has result {out.type}; make it the type of the operand {operand.type}"


def _group_problems(op: ir.OpView, groups: Groups, total: int) -> Problems:
    if total < groups.fewest or (total > groups.fewest and all(groups.singles)):
        yield f"has {total} {groups.kind} but needs {groups.fewest}; give them in the order: {groups}"
    if not groups.needs_sizes:
        return
    name, count = groups.sizes_attribute, len(groups.fields)
    if name not in op.attributes:
        fitting = add_missing_sizes(op, groups)
        if not fitting and (problem := problem_of_all(op, groups)):
            yield problem
        if fitting != 1:
            reason = ", and more than one split fits" if fitting else ""
            yield f"lacks {name}{reason}; add {name} = array<i32: ...> with the sizes of: {groups}"
    attribute = op.attributes[name]
    if not isinstance(attribute, ir.DenseI32ArrayAttr):
        yield f"has {name} = {attribute}; make it array<i32: ...> with the sizes of: {groups}"
    sizes = groups.sizes_in(attribute)
    if len(sizes) != count or sum(sizes) != total or min(sizes) < 0:
        yield f"has {name} = {sizes} for {total} {groups.kind}; give {count} sizes that sum to it, for: {groups}"
    for field, single, size in zip(groups.fields, groups.singles, sizes, strict=True):
        if single and size != 1:
            yield f"has {size} values for {field.name}; give exactly one"


def _attribute_problems(op: ir.OpView, fields: Sequence[ext.FieldDef]) -> Problems:
    for field in fields:
        accepted, wanted = ATTRIBUTES[field.constraint]
        if field.name not in op.attributes:
            yield f"lacks the attribute {field.name}; add {field.name} = {wanted}"
        if not isinstance(op.attributes[field.name], accepted):
            yield f"has {field.name} = {op.attributes[field.name]}; make it {wanted}"


def _operand_type_problems(op: ir.OpView) -> Problems:
    operands = op.operation.operands
    for field, value in zip(op.operand_groups.owners(op), operands, strict=True):
        wanted = OPERAND_TYPES.get(field.constraint)
        if wanted is not None and str(value.type) != wanted:
            yield f"has {field.name} of type {value.type}; give {wanted}"
