"""Groups of values with mixed types, under a verifier that allows one type per group.

IRDL, which defines our operations, binds each constraint to one type, so that all values of a variadic group would need
the same type. So IRDL is told of many variadic groups instead, one per run of values of equal type. The IR itself
knows only the sizes per field: the sizes of the runs replace them (`show_runs`) right before IRDL checks an
operation, and give way again (`hide_runs`) after it. Both forms can be read at any time, so an operation whose check
failed in between stays usable.
"""

from __future__ import annotations

from tapeless._mlir import ext, ir, irdl
from tapeless.dialects.groups import Groups, run_lengths
from tapeless.dialects.verification import Problems


def declare(groups: Groups) -> tuple[list[ir.Value], list[str], list[irdl.Variadicity]]:
    """The constraints, names and variadicities that IRDL is told for the groups."""
    names = [
        name for field, width in zip(groups.fields, groups.run_widths, strict=True) for name in _names(field, width)
    ]
    kinds = [
        field.variadicity for field, width in zip(groups.fields, groups.run_widths, strict=True) for _ in range(width)
    ]
    return [irdl.any() for _ in names], names, kinds


def _names(field: ext.FieldDef, width: int) -> list[str]:
    return [field.name] if width == 1 else [f"{field.name}_{run}" for run in range(width)]


def show_runs(op: ir.OpView, groups: Groups) -> Problems:
    """Replaces the sizes per field by the sizes of runs of equal type; too many runs are a problem."""
    if all(groups.singles):
        return
    types = iter([value.type for value in getattr(op.operation, groups.kind)])
    sizes: list[int] = []
    for field, size, width in zip(groups.fields, groups.sizes(op), groups.run_widths, strict=True):
        runs = run_lengths([next(types) for _ in range(size)])
        if len(runs) > width:
            yield f"changes type more than {width - 1} times within {field.name}; group the values by type"
        sizes += runs + [0] * (width - len(runs))
    op.attributes[groups.sizes_attribute] = ir.DenseI32ArrayAttr.get(sizes, op.context)


def hide_runs(op: ir.OpView, groups: Groups) -> None:
    """Puts the sizes per field back, where they carry information."""
    if groups.needs_sizes:
        op.attributes[groups.sizes_attribute] = ir.DenseI32ArrayAttr.get(groups.sizes(op), op.context)
    elif not all(groups.singles):
        del op.attributes[groups.sizes_attribute]
