"""Adjoints of statements: updates of shadows, before or behind the statement itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir
from tapeless.dialects.rev.cells import value_type
from tapeless.dialects.rev.dialect import YieldOp
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.build import elementwise, sum_all
from tapeless.passes.rev.adjoint.shadows import Shadows, has_shadow
from tapeless.passes.rev.adjoint.slopes import Slopes, accumulate, forget, slopes_of

COPIED = "copies a float, which has no adjoint yet; move it, and copy with rev.accum"


def accum(shadows: Shadows, op: ir.OpView) -> None:
    """Takes the slope times the target's shadow from the shadows of the reads; `sub` adds it."""
    if not has_shadow(op.target.type):
        return
    slopes = slopes_of(shadows, op, 0)
    indices = list(op.indices)

    def seed() -> ir.Value:
        return _read(shadows.of(op.target), indices)

    _around(shadows, op, op.kind.value == "add", slopes, seed)
    forget(slopes)


def rot(shadows: Shadows, op: ir.OpView) -> None:
    """Rotates the shadows as well; the angle's adjoint is a b_bar - b a_bar, on either side of the rotation."""
    slopes = slopes_of(shadows, op, 0)

    def seed() -> ir.Value:
        a, b, a_bar, b_bar = (_read(cell) for cell in (op.a, op.b, shadows.of(op.a), shadows.of(op.b)))
        return sum_all(elementwise(_cross, a, b, a_bar, b_bar))

    twin = _twin(shadows, op)
    _around(shadows, op if not op.inv.value else twin.opview, not op.inv.value, slopes, seed)
    forget(slopes)


def stretch(shadows: Shadows, op: ir.OpView) -> None:
    """Divides the shadow by the factor; its slope times the old value and the new shadow goes to the reads."""
    slopes = slopes_of(shadows, op, 0)

    def seed() -> ir.Value:
        return elementwise(_product, _read(op.cell), _read(shadows.of(op.cell)))

    divides = op.divide.value
    twin = op.operation.clone(ip=ir.InsertionPoint.after(op) if divides else ir.InsertionPoint(op))
    twin.operands[0] = shadows.of(op.cell)
    twin.attributes["divide"] = ir.BoolAttr.get(not divides)
    shadows.mark(twin)
    where = ir.InsertionPoint(twin) if divides else ir.InsertionPoint(op)
    accumulate(shadows, op, slopes, seed, "add" if divides else "sub", where)
    forget(slopes)


def recip(shadows: Shadows, op: ir.OpView) -> None:
    """Multiplies the shadow by minus the square of the value before."""
    with ir.InsertionPoint(op), op.location:
        made = ir.Operation.create(
            "rev.stretch",
            operands=[shadows.of(op.cell)],
            attributes={"divide": ir.BoolAttr.get(False)},
            regions=1,
        )
        with ir.InsertionPoint(ir.Block.create_at_start(made.regions[0])):
            YieldOp([elementwise(_minus_square, _read(op.cell))])
    shadows.mark(made)


def linear(shadows: Shadows, op: ir.OpView) -> None:
    """Does the same to the shadows: the statement is its own inverse transposed."""
    if has_shadow(op.operation.operands[0].type):
        _twin(shadows, op)


def scale(shadows: Shadows, op: ir.OpView) -> None:
    """Divides the shadow where the value is multiplied."""
    twin = _twin(shadows, op)
    twin.attributes["divide"] = ir.BoolAttr.get(not op.divide.value)


def stack(shadows: Shadows, op: ir.OpView) -> None:
    """Moves the shadow to a twin of the stack; the replaced shadow belongs to a cell that is 0."""
    if not has_shadow(op.stack.type):
        return
    if op.mode.value == "copy":
        raise OpRefused(op, COPIED)
    twin = _twin(shadows, op)
    twin.attributes["checks"] = ir.StringAttr.get("off")


def nothing(shadows: Shadows, op: ir.OpView) -> None:
    """Shadows stay as they are."""


def _around(shadows: Shadows, op: ir.OpView, is_before: bool, slopes: Slopes, seed: Callable[[], ir.Value]) -> None:
    """Contributions to shadows: in front of a statement that adds, behind one that takes away."""
    where = ir.InsertionPoint(op) if is_before else ir.InsertionPoint.after(op)
    accumulate(shadows, op, slopes, seed, "sub" if is_before else "add", where)


def _twin(shadows: Shadows, op: ir.OpView) -> ir.Operation:
    """The same statement on shadows, behind it."""
    made = op.operation.clone(ip=ir.InsertionPoint.after(op))
    for number, cell in enumerate(op.operation.operands):
        made.operands[number] = shadows.of(cell)
    shadows.mark(made)
    return made


def _read(cell: ir.Value, indices: Sequence[ir.Value] = ()) -> ir.Value:
    type_ = value_type(cell.type, len(indices))
    return ir.Operation.create("rev.read", results=[type_], operands=[cell, *indices]).results[0]


def _product(a: ir.Value, b: ir.Value) -> ir.Value:
    return arith.MulFOp(a, b).result


def _minus_square(x: ir.Value) -> ir.Value:
    return arith.NegFOp(_product(x, x)).result


def _cross(a: ir.Value, b: ir.Value, a_bar: ir.Value, b_bar: ir.Value) -> ir.Value:
    return arith.SubFOp(_product(a, b_bar), _product(b, a_bar)).result


STATEMENTS: dict[str, Callable[[Shadows, ir.OpView], None]] = {
    "rev.accum": accum,
    "rev.scale": scale,
    "rev.stretch": stretch,
    "rev.swap": linear,
    "rev.neg": linear,
    "rev.recip": recip,
    "rev.hadamard": linear,
    "rev.rot": rot,
    "rev.push": stack,
    "rev.pop": stack,
    "rev.safe": nothing,
}
