"""Scalar expressions with arithmetic, so that a derivative rule reads as mathematics.

Rules see nothing but this class; what an expression is made of says who asks for the derivative: operations of IR
(`emitted.py`), or a graph of symbolic expressions.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Self, overload

Number = float | int
Condition = Any


class Expr(ABC):
    """A float with arithmetic.

    Products with 0 and 1 and sums with 0 are folded while building: a zero is the Python number 0.0, no operation.
    """

    @abstractmethod
    def operation(self, name: str, *operands: Term) -> Self:
        """`add`, `sub`, `mul`, `div`, `neg`, or a function of the language, of expressions or numbers."""

    @abstractmethod
    def compare(self, predicate: str, other: Term) -> Condition:
        """A condition: this compared with `other` by an ordered predicate such as `"ge"`."""

    @abstractmethod
    def both(self, first: Condition, second: Condition) -> Condition:
        """Where two conditions hold."""

    @abstractmethod
    def either(self, condition: Condition, then: Term, other: Term) -> Self:
        """`then` where the condition holds, else `other`."""

    def __add__(self, other: Term) -> Self:
        return self if is_number(other, 0) else self.operation("add", self, other)

    def __radd__(self, other: float) -> Self:
        return self if is_number(other, 0) else self.operation("add", other, self)

    def __sub__(self, other: Term) -> Self:
        return self if is_number(other, 0) else self.operation("sub", self, other)

    def __rsub__(self, other: float) -> Self:
        return -self if is_number(other, 0) else self.operation("sub", other, self)

    @overload
    def __mul__(self, other: Self) -> Self: ...

    @overload
    def __mul__(self, other: Term) -> Term: ...

    def __mul__(self, other: Term) -> Term:
        for number, product in ((0, 0.0), (1, self)):
            if is_number(other, number):
                return product
        return -self if is_number(other, -1) else self.operation("mul", self, other)

    def __rmul__(self, other: float) -> Term:
        return self * other

    def __truediv__(self, other: Term) -> Self:
        return self if is_number(other, 1) else self.operation("div", self, other)

    def __rtruediv__(self, other: float) -> Term:
        return 0.0 if is_number(other, 0) else self.operation("div", other, self)

    def __neg__(self) -> Self:
        return self.operation("neg", self)


Term = Expr | float


def is_number(term: Term, number: float) -> bool:
    """Whether a term is the given Python number."""
    return not isinstance(term, Expr) and term == number


def choose(condition: Condition, then: Term, other: Term, like: Expr) -> Expr:
    """`then` where the condition holds, else `other`."""
    return like.either(condition, then, other)


def _function(name: str) -> Callable[[Expr], Expr]:
    def apply(x: Expr) -> Expr:
        return x.operation(name, x)

    return apply


exp = _function("exp")
log = _function("log")
sqrt = _function("sqrt")
sin = _function("sin")
cos = _function("cos")
sinh = _function("sinh")
cosh = _function("cosh")


def power(x: Expr, y: Expr) -> Expr:
    """`x` to the `y`."""
    return x.operation("pow", x, y)


def special(name: str, *args: Expr) -> Expr:
    """A function of `soac.fn`."""
    return args[0].operation(name, *args)


LN2 = math.log(2.0)
LN10 = math.log(10.0)
TWO_OVER_SQRT_PI = 2.0 / math.sqrt(math.pi)
