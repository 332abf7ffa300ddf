"""The base class of every operation of Tapeless: typed fields, a builder, and a verifier that explains itself."""

from collections.abc import Callable
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.groups import OPERAND_SIZES, RESULT_SIZES, Fields, flatten, group_property, needs_sizes
from tapeless.dialects.verification import Problems, field_problems, report


class Operation(ext.Operation):
    """An operation declared by its annotated fields; `problems` says what else must hold.

    Reading a variadic field gives a list, whether or not the text carried segment sizes. The constructor takes
    operands, results (as types) and attributes in the order of the fields; regions start empty.
    """

    def verify_invariants(self) -> bool:
        return report(self, field_problems(self))

    def verify_region_invariants(self) -> bool:
        return report(self, self.problems())

    def problems(self) -> Problems:
        """What is wrong beyond the fields, as `<what is wrong>; <what to do>`; only the first is reported."""
        return iter(())

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
            setattr(cls, field.name, group_property(operands, position, "operands", OPERAND_SIZES))

    @classmethod
    def _generate_result_properties(cls, results: Fields) -> None:
        for position, field in enumerate(results):
            setattr(cls, field.name, group_property(results, position, "results", RESULT_SIZES))

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
            results=flatten(results, [field.process_type(given[field.name]) for field in results]),
            operands=flatten(operands, [given[field.name] for field in operands]),
            loc=given["loc"],
            ip=given["ip"],
        )

    build.__signature__ = signature
    return build
