"""Run-time checks of reversible statements: asserts with the user's line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless._mlir import math as functions
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.passes.ir.build import dim, index, is_array, mapped, number, reduce_
from tapeless.passes.ir.constants import constant_of
from tapeless.passes.ir.rows import row_at
from tapeless.passes.marks import NEEDED, NOTED

TOLERANCES = {"f64": 1e-8, "f32": 1e-4}
KIND = "InvertibilityError"


def setting(op: ir.OpView, name: str) -> ir.Attribute | None:
    """An attribute of a statement, or of the innermost statement or procedure around it that has it."""
    around = op.operation
    while around.name.startswith("rev."):
        if name in around.attributes:
            return around.attributes[name]
        around = around.parent.operation
    return None


def is_on(op: ir.OpView) -> bool:
    """Whether a statement runs its checks."""
    mode = setting(op, "checks")
    return mode is None or mode.value != "off"


def require(
    op: ir.OpView, condition: ir.Value, message: str, values: Sequence[ir.Value] = (), *, is_needed: bool = False
) -> None:
    """Ends the call, or has it note the failure where the statement says so, unless a condition holds.

    Without what `is_needed`, the program would leave its memory or never end: that ends the call in any case.
    """
    context, mode = condition.context, setting(op, "checks")
    made = soac.AssertOp(
        condition, list(values), kind=ir.StringAttr.get(KIND, context), message=ir.StringAttr.get(message, context)
    )
    if is_needed:
        made.operation.attributes[NEEDED] = ir.UnitAttr.get(context)
    elif mode is not None and mode.value == "status":
        made.operation.attributes[NOTED] = ir.UnitAttr.get(context)


@dataclass(frozen=True)
class Scale:
    """How large a cell has been, where that is known: it comes back up to the rounding of that.

    Where derivatives are asked for, this alone decides: what is left of small numbers, however small, may be all of
    them, and derivatives with it.
    """

    peak: ir.Value | None = None
    is_alone: bool = False


def require_same(op: ir.OpView, found: ir.Value, wanted: ir.Value, message: str, scale: Scale) -> None:
    """Ends the call unless two values agree: integers exactly, floats within the tolerances of the statement."""
    if not is_array(found):
        require(
            op, _close(op, found, wanted, scale), message + ": it is {} and not {}", [_shown(found), _shown(wanted)]
        )
        return
    # The elements are looked at one by one only when some differ, to say which.
    differs = arith.XOrIOp(_all_close(op, found, wanted, scale), number(ir.IntegerType.get_signless(1), 1)).result
    branch = scf.IfOp(differs)
    with ir.InsertionPoint(branch.then_block):
        loop = scf.ForOp(index(0), dim(found, 0), index(1))
        with ir.InsertionPoint(loop.body):
            rows = [row_at(array, loop.induction_variable) for array in (found, wanted)]
            require_same(op, rows[0], rows[1], message, scale)
            scf.YieldOp([])
        scf.YieldOp([])


def _shown(value: ir.Value) -> ir.Value:
    if isinstance(value.type, ir.F32Type):
        return arith.ExtFOp(ir.F64Type.get(), value).result
    if isinstance(value.type, ir.F64Type | ir.IndexType) or value.type.width == 64:
        return value
    extend = arith.ExtUIOp if value.type.width == 1 else arith.ExtSIOp
    return extend(ir.IntegerType.get_signless(64), value).result


def _close(op: ir.OpView, found: ir.Value, wanted: ir.Value, scale: Scale) -> ir.Value:
    """Whether |found - wanted| <= atol + rtol * |wanted|, or by the peak; false for NaN."""
    type_ = found.type
    if not isinstance(type_, ir.F64Type | ir.F32Type):
        return arith.CmpIOp(arith.CmpIPredicate.eq, found, wanted).result
    default = TOLERANCES[str(type_)]
    atol, rtol = (default if (given := setting(op, name)) is None else given.value for name in ("atol", "rtol"))
    gap = functions.AbsFOp(arith.SubFOp(found, wanted).result).result
    size = functions.AbsFOp(wanted).result
    relative = arith.MulFOp(number(type_, rtol), size).result
    if scale.is_alone and setting(op, "atol") is None:
        return _or_by_peak(_at_most(gap, relative), gap, scale.peak, rtol, atol)
    most = arith.AddFOp(number(type_, atol), relative).result
    return _or_by_peak(_at_most(gap, most), gap, scale.peak, rtol, 0.0)


def _or_by_peak(is_close: ir.Value, gap: ir.Value, peak: ir.Value | None, rtol: float, atol: float) -> ir.Value:
    """Whether a gap is small, or else small next to a peak; one that is not finite says nothing."""
    if peak is None or constant_of(peak) is not None:  # nothing raised it
        return is_close
    choice = scf.IfOp(is_close, [is_close.type], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([is_close])
    with ir.InsertionPoint(choice.else_block):
        absolute = arith.MulFOp(number(peak.type, atol), arith.MinimumFOp(peak, number(peak.type, 1.0)).result).result
        most = arith.AddFOp(arith.MulFOp(number(peak.type, rtol), peak).result, absolute).result
        is_finite = arith.CmpFOp(arith.CmpFPredicate.OLT, peak, number(peak.type, math.inf)).result
        scf.YieldOp([arith.AndIOp(is_finite, _at_most(gap, most)).result])
    return choice.results[0]


def _at_most(gap: ir.Value, most: ir.Value) -> ir.Value:
    return arith.CmpFOp(arith.CmpFPredicate.OLE, gap, most).result


def _all_close(op: ir.OpView, found: ir.Value, wanted: ir.Value, scale: Scale) -> ir.Value:
    if not is_array(found):
        return _close(op, found, wanted, scale)
    width = dim(found, 0)
    flags = mapped(width, [found, wanted], lambda a, b: _all_close(op, a, b, scale))
    true = number(ir.IntegerType.get_signless(1), 1)
    return reduce_(width, [flags], [true], lambda a, b: [arith.AndIOp(a[0], b[0]).result])[0]
