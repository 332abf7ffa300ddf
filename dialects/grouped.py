"""Operations whose operand and result groups need no segment attribute unless it carries information.

The stock field classes demand `operandSegmentSizes` (`resultSegmentSizes`) on every operation with a variadic group.
With a single variadic group the sizes follow from the total, so here the attribute exists only for two or more.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tapeless._mlir import ext, ir, irdl

Fields = Sequence[ext.FieldDef]
OPERAND_SIZES = "operandSegmentSizes"
RESULT_SIZES = "resultSegmentSizes"


def _is_single(field: ext.FieldDef) -> bool:
    return field.variadicity == irdl.Variadicity.single


def needs_sizes(fields: Fields) -> bool:
    """Whether the sizes of the groups cannot be told from the total number of values."""
    return sum(not _is_single(field) for field in fields) > 1


def group_sizes(op: ir.OpView, fields: Fields, total: int, attribute: str) -> list[int]:
    """The number of values in each group of an operation."""
    if needs_sizes(fields):
        return list(op.attributes[attribute])
    spare = total - sum(map(_is_single, fields))
    return [1 if _is_single(field) else spare for field in fields]


def _group_property(fields: Fields, position: int, values: str, attribute: str) -> property:
    def get(op: ir.OpView) -> Any:
        everything = getattr(op.operation, values)
        sizes = group_sizes(op, fields, len(everything), attribute)
        start = sum(sizes[:position])
        if _is_single(fields[position]):
            return everything[start]
        return list(everything[start : start + sizes[position]])

    return property(get)


def _flatten(fields: Fields, groups: Sequence[Any]) -> list[Any]:
    """What the generic builder takes: groups as they are when it splits them, one flat list when it does not."""
    if needs_sizes(fields):
        return list(groups)
    pairs = zip(fields, groups, strict=True)
    return [value for field, group in pairs for value in ([group] if _is_single(field) else group)]


class Operation(ext.Operation):
    """Base class of all operations of Tapeless."""

    @classmethod
    def _generate_class_attributes(cls, dialect_name: str, op_name: str, fields: Fields) -> None:
        super()._generate_class_attributes(dialect_name, op_name, fields)
        operands, _, results, _ = ext.partition_fields(fields)
        if not needs_sizes(operands):
            cls._ODS_OPERAND_SEGMENTS = None
        if not needs_sizes(results):
            cls._ODS_RESULT_SEGMENTS = None

    @classmethod
    def _generate_operand_properties(cls, operands: Fields) -> None:
        for position, field in enumerate(operands):
            setattr(cls, field.name, _group_property(operands, position, "operands", OPERAND_SIZES))

    @classmethod
    def _generate_result_properties(cls, results: Fields) -> None:
        for position, field in enumerate(results):
            setattr(cls, field.name, _group_property(results, position, "results", RESULT_SIZES))

    @classmethod
    def _generate_init_method(cls, fields: Fields) -> None:
        cls.__init__ = _builder(cls, fields)


def _builder(cls: type[Operation], fields: Fields) -> Callable[..., None]:
    operands, attributes, results, _ = ext.partition_fields(fields)
    signature = cls._generate_init_signature(fields)

    def build(*args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = bound.arguments
        op = given["self"]
        ir.OpView.__init__(
            op,
            op.OPERATION_NAME,
            op._ODS_REGIONS,
            op._ODS_OPERAND_SEGMENTS,
            op._ODS_RESULT_SEGMENTS,
            attributes={field.name: field.process_attr(given[field.name]) for field in attributes},
            results=_flatten(results, [field.process_type(given[field.name]) for field in results]),
            operands=_flatten(operands, [given[field.name] for field in operands]),
            loc=given["loc"],
            ip=given["ip"],
        )

    build.__signature__ = signature
    return build
