"""The signature of the function that a procedure becomes."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects import rev
from tapeless.dialects.rev.cells import is_cell
from tapeless.passes.rev.to_core.state import held_types


def types_of(parameter: ir.Value) -> list[ir.Type]:
    """The types of the values that a parameter stands for."""
    is_state = is_cell(parameter.type) or isinstance(parameter.type, rev.StackType)
    return held_types(parameter.type) if is_state else [parameter.type]


def argument_types(procedure: ir.OpView) -> list[ir.Type]:
    """The types of the arguments: one per parameter, two for stacks."""
    return [type_ for name in procedure.body.blocks[0].arguments for type_ in types_of(name)]


def result_types(procedure: ir.OpView) -> list[ir.Type]:
    """The types of the results: those of the cells that the procedure may change."""
    pairs = zip(procedure.body.blocks[0].arguments, procedure.mode_names, strict=True)
    return [type_ for name, mode in pairs if mode == "inout" for type_ in types_of(name)]
