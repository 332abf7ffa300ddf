"""Partial derivatives of the float ops of `arith`.

A rule gets the operands and the result and gives one partial derivative per operand; 0.0 means identically zero.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless.passes.rules.expr import Expr, Term, choose

Rule = Callable[..., tuple[Term, ...]]


def add(a: Expr, b: Expr, y: Expr) -> tuple[Term, ...]:
    return 1.0, 1.0


def sub(a: Expr, b: Expr, y: Expr) -> tuple[Term, ...]:
    return 1.0, -1.0


def mul(a: Expr, b: Expr, y: Expr) -> tuple[Term, ...]:
    return b, a


def div(a: Expr, b: Expr, y: Expr) -> tuple[Term, ...]:
    inverse = 1.0 / b
    return inverse, -y * inverse


def neg(a: Expr, y: Expr) -> tuple[Term, ...]:
    return (-1.0,)


def maximum(a: Expr, b: Expr, y: Expr) -> tuple[Term, ...]:
    first = a.compare("ge", b)
    return choose(first, 1.0, 0.0, a), choose(first, 0.0, 1.0, a)


def minimum(a: Expr, b: Expr, y: Expr) -> tuple[Term, ...]:
    first = a.compare("le", b)
    return choose(first, 1.0, 0.0, a), choose(first, 0.0, 1.0, a)


def remainder(a: Expr, b: Expr, y: Expr) -> tuple[Term, ...]:
    return 1.0, (y - a) / b


ARITHMETIC: dict[str, Rule] = {
    "arith.addf": add,
    "arith.subf": sub,
    "arith.mulf": mul,
    "arith.divf": div,
    "arith.negf": neg,
    "arith.maximumf": maximum,
    "arith.minimumf": minimum,
    "arith.maxnumf": maximum,
    "arith.minnumf": minimum,
    "arith.remf": remainder,
}
