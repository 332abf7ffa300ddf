"""Scalar operations undone for the one operand that is not known. All of them round as the operation itself did."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.reversible.inverses.solver import Inverse, Solver
from tapeless.passes.ad.reversible.inverses.undoing import Undoing
from tapeless.passes.ir.constants import constant_of

Formula = Callable[[ir.Value, ir.Value], ir.Value]


def fadd(a: ir.Value, b: ir.Value) -> ir.Value:
    """The sum of two floats."""
    return arith.AddFOp(a, b).result


def fsub(a: ir.Value, b: ir.Value) -> ir.Value:
    """The difference of two floats."""
    return arith.SubFOp(a, b).result


def fmul(a: ir.Value, b: ir.Value) -> ir.Value:
    """The product of two floats."""
    return arith.MulFOp(a, b).result


def fdiv(a: ir.Value, b: ir.Value) -> ir.Value:
    """The quotient of two floats."""
    return arith.DivFOp(a, b).result


def iadd(a: ir.Value, b: ir.Value) -> ir.Value:
    """The sum of two integers."""
    return arith.AddIOp(a, b).result


def isub(a: ir.Value, b: ir.Value) -> ir.Value:
    """The difference of two integers."""
    return arith.SubIOp(a, b).result


def ixor(a: ir.Value, b: ir.Value) -> ir.Value:
    """Two integers combined bit by bit."""
    return arith.XOrIOp(a, b).result


@dataclass(frozen=True)
class Binary:
    """How y = a op b is solved for a, from (y, b), and for b, from (y, a); `grows` tells that errors may grow."""

    first: Formula
    second: Formula
    grows: bool = False


BINARY: dict[str, Binary] = {
    "arith.addf": Binary(fsub, fsub),
    "arith.subf": Binary(fadd, lambda y, a: fsub(a, y)),
    "arith.mulf": Binary(fdiv, fdiv, grows=True),
    "arith.divf": Binary(fmul, lambda y, a: fdiv(a, y), grows=True),
    "arith.addi": Binary(isub, isub),
    "arith.subi": Binary(iadd, lambda y, a: isub(a, y)),
    "arith.xori": Binary(ixor, ixor),
}

Reversal = Callable[[ir.Value, ir.Type], ir.Value]
UNARY: dict[str, Reversal] = {
    "arith.negf": lambda y, _: arith.NegFOp(y).result,
    "arith.index_cast": lambda y, type_: arith.IndexCastOp(type_, y).result,
    "arith.extf": lambda y, type_: arith.TruncFOp(type_, y).result,
    "arith.extsi": lambda y, type_: arith.TruncIOp(type_, y).result,
    "arith.extui": lambda y, type_: arith.TruncIOp(type_, y).result,
}


def undo_binary(solver: Solver, op: ir.OpView) -> None:
    """Finds one operand from the result and the other operand."""
    rule, (result,) = BINARY[op.operation.name], op.operation.results
    a, b = op.operation.operands
    if not solver.is_known(result) or solver.is_known(a) == solver.is_known(b):
        return
    unknown, other, formula = (b, a, rule.second) if solver.is_known(a) else (a, b, rule.first)

    def step(undoing: Undoing) -> None:
        with op.location:
            undoing.bind(unknown, formula(undoing.value(result), undoing.value(other)))

    solver.learn(unknown, step, [other], op=op, grows=rule.grows)
    if rule.grows and not _keeps_errors(op, other):
        solver.divided.append(op)


def _keeps_errors(op: ir.OpView, other: ir.Value) -> bool:
    """Whether a product with a constant, or a quotient by one, is undone without making errors larger."""
    constant = constant_of(other)
    if constant is None or (op.operation.name == "arith.divf" and other != op.operation.operands[1]):
        return False
    factor = abs(ir.FloatAttr(constant).value)
    return factor >= 1.0 if op.operation.name == "arith.mulf" else 0.0 < factor <= 1.0


def undo_unary(solver: Solver, op: ir.OpView) -> None:
    """Finds the operand from the result."""
    reversal, (operand,), (result,) = UNARY[op.operation.name], op.operation.operands, op.operation.results
    if not solver.is_known(result) or solver.is_known(operand) or _loses_bits(op):
        return

    def step(undoing: Undoing) -> None:
        with op.location:
            undoing.bind(operand, reversal(undoing.value(result), operand.type))

    solver.learn(operand, step, op=op)


def _loses_bits(op: ir.OpView) -> bool:
    """Whether a cast of an index goes to fewer bits."""
    types = {str(value.type) for value in (*op.operation.operands, *op.operation.results)}
    return op.operation.name == "arith.index_cast" and types != {"index", "i64"}


SCALARS: dict[str, Inverse] = {**dict.fromkeys(BINARY, undo_binary), **dict.fromkeys(UNARY, undo_unary)}
