"""Whether a gradient that ran a procedure backwards arrived where the procedure began."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import arith, ir
from tapeless.dialects import rev
from tapeless.dialects.rev.cells import base, holds_fixed, operations_in, read
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.reversible.drift import largest, reported, start_error, tolerance
from tapeless.passes.ir.build import dim, element_type, is_array, map_, number
from tapeless.passes.rev.checks.checks import is_on, require

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
    """The parameters that are looked at: the statements of the procedure depend on what they hold.

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


def require_restored(procedure: ir.OpView, first: Held, found: Held, last: Held) -> None:
    """Ends the call unless what was found going back is what the procedure was given; `last` is what it left."""
    for parameter in compared(procedure):
        names = {"procedure": f"'{procedure.procedure_name}'", "parameter": _title(procedure, parameter)}
        with procedure.location:
            _require_same(procedure, names, parameter, first[parameter], found[parameter], last[parameter])


def _require_same(
    procedure: ir.OpView,
    names: Mapping[str, str],
    parameter: ir.Value,
    first: Sequence[ir.Value],
    found: Sequence[ir.Value],
    last: Sequence[ir.Value],
) -> None:
    true, again, final = first[0], found[0], last[0]
    if isinstance(parameter.type, rev.StackType):
        _require_nothing(procedure, first[1], found[1], names)
        true, again, final = (_entries(array, first[1]) for array in (true, again, final))
    if holds_fixed(parameter.type) or not is_float(true.type):
        _require_nothing(procedure, true, again, names)
        return
    error, tolerated = start_error(true, again, final), number(ir.F64Type.get(), tolerance(true.type))
    is_right = arith.CmpFOp(arith.CmpFPredicate.OLE, error, tolerated).result
    is_right = reported(is_right, error, FOUND.format(**names), tolerance(true.type))
    require(procedure, is_right, ASTRAY.format(**names), [error, tolerated])


def _require_nothing(procedure: ir.OpView, true: ir.Value, found: ir.Value, names: Mapping[str, str]) -> None:
    """Ends the call where there is any difference at all."""
    error = largest(start_error(true, found, found))
    is_right = arith.CmpFOp(arith.CmpFPredicate.OEQ, error, number(ir.F64Type.get(), 0.0)).result
    is_right = reported(is_right, error, FOUND.format(**names), 0.0)
    require(procedure, is_right, CHANGED.format(**names))


def _entries(array: ir.Value, count: ir.Value) -> ir.Value:
    """A stack's entries; what lies above them does not matter, and is 0 here."""
    zero = number(element_type(array.type), 0)
    limit = arith.IndexCastOp(ir.IndexType.get(), count).result

    def one(k: ir.Value, rows: Sequence[ir.Value], _: Sequence[ir.Value]) -> tuple[list[ir.Value], list[ir.Value]]:
        is_entry = arith.CmpIOp(arith.CmpIPredicate.slt, k, limit).result
        return [arith.SelectOp(is_entry, rows[0], zero).result], []

    assert is_array(array)
    (entries,), _ = map_(dim(array, 0), [array], [], one)
    return entries


def _title(procedure: ir.OpView, parameter: ir.Value) -> str:
    """What a parameter is called in the program, where that is known."""
    location = parameter.location
    if location.typeid == ir.NameLoc.static_typeid:
        return f"'{ir.NameLoc(location).name_str}'"
    return f"parameter {list(procedure.body.blocks[0].arguments).index(parameter)}"
