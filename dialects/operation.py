"""The base class of every operation of Tapeless: typed fields, a builder, and a verifier that explains itself."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from tapeless._mlir import ext, ir, irdl
from tapeless.dialects.groups import FEW_RUNS, Groups, operand_groups, result_groups
from tapeless.dialects.mixed_groups import declare, hide_runs, show_runs
from tapeless.dialects.verification import Problems, field_problems, report


class Operation(ext.Operation):
    """An operation declared by its annotated fields; `problems` gives further constraints.

    Reading a variadic field gives a list, whether or not the text carried segment sizes. The constructor takes
    operands, results (as types) and attributes in the order of the fields; regions start empty. A class whose variadic
    fields hold many values of mixed types asks for more `runs`.
    """

    runs = FEW_RUNS

    def verify_invariants(self) -> bool:
        """Runs before the check of IRDL."""
        self.add_defaults()
        runs = (show_runs(self, groups) for groups in (self.operand_groups, self.result_groups))
        return report(self, chain(field_problems(self), *runs))

    def verify_region_invariants(self) -> bool:
        """Runs after the check of IRDL and after everything in the regions was verified."""
        hide_runs(self, self.operand_groups)
        hide_runs(self, self.result_groups)
        return report(self, chain(self.problems(), self.schedule_problems()))

    def add_defaults(self) -> None:
        """Adds attributes that a text may leave out and that follow from the rest of it."""

    def problems(self) -> Problems:
        """The problems beyond the fields, as `<problem>; <remedy>`; only the first is reported."""
        return iter(())

    def schedule_problems(self) -> Problems:
        """The problems of what says how the operation runs, if anything does."""
        return iter(())

    @classmethod
    def _generate_class_attributes(cls, dialect_name: str, op_name: str, fields: Sequence[ext.FieldDef]) -> None:
        super()._generate_class_attributes(dialect_name, op_name, fields)
        cls.operand_groups = operand_groups(fields, cls.runs)
        cls.result_groups = result_groups(fields, cls.runs)
        _, cls.attribute_fields, _, cls.region_fields = ext.partition_fields(fields)
        if not cls.operand_groups.needs_sizes:
            cls._ODS_OPERAND_SEGMENTS = None
        if not cls.result_groups.needs_sizes:
            cls._ODS_RESULT_SEGMENTS = None

    @classmethod
    def _emit_operation(cls) -> None:
        op = irdl.operation_(cls._op_name)
        with ir.InsertionPoint(op.body):
            if cls.operand_groups.fields:
                irdl.operands_(*declare(cls.operand_groups))
            if cls.attribute_fields:
                irdl.attributes_([irdl.any() for _ in cls.attribute_fields], [f.name for f in cls.attribute_fields])
            if cls.result_groups.fields:
                irdl.results_(*declare(cls.result_groups))
            if cls.region_fields:
                irdl.regions_([irdl.region([]) for _ in cls.region_fields], [f.name for f in cls.region_fields])

    @classmethod
    def _generate_operand_properties(cls, operands: Sequence[ext.FieldDef]) -> None:
        _set_accessors(cls, cls.operand_groups)

    @classmethod
    def _generate_result_properties(cls, results: Sequence[ext.FieldDef]) -> None:
        _set_accessors(cls, cls.result_groups)

    @classmethod
    def _generate_init_method(cls, fields: Sequence[ext.FieldDef]) -> None:
        setattr(cls, "__init__", _builder(cls, fields))  # noqa: B010


def _set_accessors(cls: type[Operation], groups: Groups) -> None:
    for position, field in enumerate(groups.fields):
        setattr(cls, field.name, groups.accessor(position))


def _builder(cls: type[Operation], fields: Sequence[ext.FieldDef]) -> Callable[..., None]:
    operands, results, attributes = cls.operand_groups, cls.result_groups, cls.attribute_fields
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
            attributes={field.name: _attribute(field, given[field.name]) for field in attributes},
            results=results.flatten([_result_type(field, given[field.name]) for field in results.fields]),
            operands=operands.flatten([given[field.name] for field in operands.fields]),
            loc=given["loc"],
            ip=given["ip"],
        )

    setattr(build, "__signature__", signature)  # noqa: B010
    return build


def _result_type(field: ext.FieldDef, given: Any) -> Any:
    # A group without values is an empty list, which is falsy, so only None means that nothing was given.
    return field.process_type(None) if given is None else given


def _attribute(field: ext.FieldDef, given: ir.Attribute | None) -> ir.Attribute:
    # A false `BoolAttr` is falsy, so only None means that nothing was given.
    return field.default_factory() if given is None and field.default_factory else given
