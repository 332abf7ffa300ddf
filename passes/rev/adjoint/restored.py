"""Whether a gradient that ran a procedure backwards arrived where the procedure began."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from tapeless._mlir import arith, func, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import ad, rev
from tapeless.dialects.rev.cells import base, holds_fixed, operations_in, read
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.reversible.drift import largest, magnitude, reported, start_error, tolerance
from tapeless.passes.ir.build import dim, element_type, is_array, map_, number
from tapeless.passes.rev.checks.checks import is_on, require
from tapeless.passes.rev.checks.returning import returning
from tapeless.passes.rev.to_core.peaks import PEAKS, Peaked, has_peak
from tapeless.passes.rev.to_core.signature import result_types

Held = Mapping[ir.Value, Sequence[ir.Value]]
ASTRAY = (
    "the gradient ran {procedure} backwards and found {parameter} again off by {{}} of its size, and {{}} is "
    "tolerated; use tl.fixed43 cells, which come back exactly, or differentiate a tl.function instead"
)
CHANGED = (
    "the gradient ran {procedure} backwards and did not find {parameter} again; "
    "a statement before has no inverse at these values"
)
FOUND = (
    "the gradient ran {procedure} backwards and found {parameter} off by at most {{}} of its size; "
    "beyond TOLERATED the check fails: {{}} times"
)


def compared(procedure: ir.OpView) -> list[ir.Value]:
    """The parameters that are compared: the statements of the procedure depend on their values.

    What is only added to may lose its digits, and derivatives are right.
    """
    if not is_on(procedure):
        return []
    needed = _needed(procedure, ())
    pairs = zip(procedure.body.blocks[0].arguments, procedure.mode_names, strict=True)
    return [argument for argument, mode in pairs if mode == "inout" and argument in needed]


def _needed(procedure: ir.OpView, callers: tuple[str, ...]) -> set[ir.Value]:
    """The cells of a procedure whose values matter; for calls of a caller, all that they change."""
    found = read(procedure.body)
    callers = (*callers, procedure.procedure_name)
    known = {op.procedure_name: op for op in procedure.parent.regions[0].blocks[0].operations if _is_procedure(op)}
    for op in operations_in(procedure.body):
        if isinstance(op, rev.CallOp) and op.callee.value in known and op.callee.value not in callers:
            callee = known[op.callee.value]
            wanted = _needed(callee, callers)
            pairs = zip(op.arguments, callee.body.blocks[0].arguments, strict=True)
            found |= {base(cell) for cell, parameter in pairs if parameter in wanted}
        elif isinstance(op, rev.Operation) and not isinstance(op, rev.AccumOp):
            found |= {base(cell) for cell in op.written_cells()}
    return found


def _is_procedure(op: ir.OpView) -> bool:
    return isinstance(op, rev.FuncOp)


@dataclass(frozen=True)
class Ends:
    """The initial value of a parameter, the recovered one, and the final one."""

    first: ir.Value
    found: ir.Value
    last: ir.Value

    def error(self, peak: ir.Value | None = None) -> ir.Value:
        """The relative error of the recovered value."""
        return start_error(self.first, self.found, self.last, peak)

    @property
    def tolerated(self) -> float:
        """The largest error that counts as rounding."""
        return tolerance(self.first.type)


def require_restored(procedure: ir.OpView, first: Held, found: Held, last: Held, inverse: str) -> None:
    """Ends the call unless the recovered values are those that the procedure was given; `last` are its final ones.

    A parameter that starts with zeros and is brought back to them, up to rounding, has no size at either end: where it
    seems off, `inverse` runs once more to find how large it was on the way.
    """
    with procedure.location:
        floats: dict[ir.Value, Ends] = {}
        for parameter in compared(procedure):
            values = [held[parameter][0] for held in (first, found, last)]
            if isinstance(parameter.type, rev.StackType):
                _require_nothing(procedure, parameter, first[parameter][1], found[parameter][1])
                values = [_entries(array, first[parameter][1]) for array in values]
            if holds_fixed(parameter.type) or not is_float(values[0].type):
                _require_nothing(procedure, parameter, values[0], values[1])
            else:
                floats[parameter] = Ends(*values)
        for parameter, error in _errors(procedure, floats, last, inverse).items():
            _require_small(procedure, parameter, error, floats[parameter].tolerated)


def _errors(
    procedure: ir.OpView, floats: Mapping[ir.Value, Ends], last: Held, inverse: str
) -> dict[ir.Value, ir.Value]:
    """The relative errors of parameters, by their sizes at the ends and, if that is too much, on the way."""
    errors = {parameter: ends.error() for parameter, ends in floats.items()}
    coming = returning(procedure)
    cells = [cell for cell in floats if cell in coming and has_peak(cell)]
    if not cells:
        return errors
    answers = [_is_small(errors[cell], floats[cell].tolerated) for cell in cells]
    choice = scf.IfOp(
        reduce(lambda a, b: arith.AndIOp(a, b).result, answers), [ir.F64Type.get()] * len(cells), has_else=True
    )
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([errors[cell] for cell in cells])
    with ir.InsertionPoint(choice.else_block):
        peaks = _peaks(procedure, cells, last, inverse)
        scf.YieldOp([floats[cell].error(peak) for cell, peak in zip(cells, peaks, strict=True)])
    return {**errors, **dict(zip(cells, choice.results, strict=True))}


def _peaks(procedure: ir.OpView, cells: Sequence[ir.Value], last: Held, inverse: str) -> list[ir.Value]:
    """The largest magnitudes of cells, from a run of the inverse on the final cells and those only read."""
    names = list(procedure.body.blocks[0].arguments)
    peaked = Peaked(inverse, tuple(names.index(cell) for cell in cells))
    given = [_constant(value) for name in names for value in last[name]]
    types = [*result_types(procedure), *(cell.type.element_type for cell in cells)]
    with ir.InsertionPoint(procedure):
        signature = ir.FunctionType.get([value.type for value in given], types)
        declared = func.FuncOp(peaked.name, signature, visibility="private")
        declared.operation.attributes[PEAKS] = ir.DenseI64ArrayAttr.get(list(peaked.parameters))
    peaks = list(func.CallOp(types, peaked.name, given).results)[-len(cells) :]
    return [magnitude(peak) for peak in peaks]


def _constant(value: ir.Value) -> ir.Value:
    """A value without a derivative: peaks have none."""
    return ad.StopGradientOp(value, value.type).result if is_float(value.type) else value


def _is_small(error: ir.Value, tolerated: float) -> ir.Value:
    return arith.CmpFOp(arith.CmpFPredicate.OLE, error, number(error.type, tolerated)).result


def _require_small(procedure: ir.OpView, parameter: ir.Value, error: ir.Value, tolerated: float) -> None:
    names = _names(procedure, parameter)
    is_right = reported(_is_small(error, tolerated), error, FOUND.format(**names), tolerated)
    require(procedure, is_right, ASTRAY.format(**names), [error, number(error.type, tolerated)])


def _require_nothing(procedure: ir.OpView, parameter: ir.Value, true: ir.Value, found: ir.Value) -> None:
    """Ends the call where there is any difference at all."""
    names = _names(procedure, parameter)
    error = largest(start_error(true, found, found))
    is_right = arith.CmpFOp(arith.CmpFPredicate.OEQ, error, number(ir.F64Type.get(), 0.0)).result
    is_right = reported(is_right, error, FOUND.format(**names), 0.0)
    require(procedure, is_right, CHANGED.format(**names))


def _entries(array: ir.Value, count: ir.Value) -> ir.Value:
    """A stack's entries; the cells above them do not matter, and are 0 here."""
    zero = number(element_type(array.type), 0)
    limit = arith.IndexCastOp(ir.IndexType.get(), count).result

    def one(k: ir.Value, rows: Sequence[ir.Value], _: Sequence[ir.Value]) -> tuple[list[ir.Value], list[ir.Value]]:
        is_entry = arith.CmpIOp(arith.CmpIPredicate.slt, k, limit).result
        return [arith.SelectOp(is_entry, rows[0], zero).result], []

    assert is_array(array)
    (entries,), _ = map_(dim(array, 0), [array], [], one)
    return entries


def _names(procedure: ir.OpView, parameter: ir.Value) -> dict[str, str]:
    """The names of the procedure and of a parameter in messages."""
    return {"procedure": f"'{procedure.procedure_name}'", "parameter": _title(procedure, parameter)}


def _title(procedure: ir.OpView, parameter: ir.Value) -> str:
    """The name of a parameter in the program, where that is known."""
    location = parameter.location
    if location.typeid == ir.NameLoc.static_typeid:
        return f"'{ir.NameLoc(location).name_str}'"
    return f"parameter {list(procedure.body.blocks[0].arguments).index(parameter)}"
