"""Places that must be apart: proved from their indices, or checked at run time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from tapeless._mlir import arith, ir
from tapeless.dialects.rev.places import Axis, Symbols, are_apart, place
from tapeless.passes.ir.build import index, number
from tapeless.passes.ir.rows import Size
from tapeless.passes.rev.checks.checks import is_on, require

SAME_CELL = "a statement changes the same element twice"
Where = tuple[ir.Value, Sequence[ir.Value]]
Translate = Callable[[ir.Value], ir.Value]


class Emitted:
    """Positions as code at the current place; numbers are known without any."""

    def __init__(self, translate: Translate) -> None:
        self.translate = translate

    def constant(self, number: int) -> Size:
        """A known number."""
        return number

    def value(self, value: ir.Value) -> Size:
        """The value here for a value of the procedure."""
        known = Symbols().value(value)
        if known is not None and known.root is None:
            return known.offset
        return self.translate(value)

    def add(self, a: Size, b: Size) -> Size:
        """The sum."""
        return a if _is(b, 0) else b if _is(a, 0) else arith.AddIOp(_code(a), _code(b)).result

    def mul(self, a: Size, b: Size) -> Size:
        """The product."""
        return a if _is(b, 1) else b if _is(a, 1) else arith.MulIOp(_code(a), _code(b)).result


def require_apart(statement: ir.OpView, a: Where, b: Where, message: str, translate: Translate) -> None:
    """Ends the call unless two places share no element; `translate` maps values of the procedure to those here."""
    if not is_on(statement) or are_apart(place(*a, Symbols()), place(*b, Symbols())):
        return
    with statement.location:
        left, right = place(*a, Emitted(translate)), place(*b, Emitted(translate))
        pairs = zip(left.axes, right.axes, strict=True)
        axes = [(x, y) for x, y in pairs if x.size is not None and y.size is not None]
        answers = [_axes_are_apart(*pair) for pair in axes] or [number(ir.IntegerType.get_signless(1), 0)]
        where = ", ".join(["{}"] * len(axes))
        require(
            statement,
            _any(answers),
            f"{message}, at index {where}" if axes else message,
            [_code(x.offset) for x, _ in axes],
        )


def _axes_are_apart(a: Axis[Size], b: Axis[Size]) -> ir.Value:
    """Whether two ranges share no position: one ends before the other starts, or their steps pass each other by."""
    assert a.size is not None
    assert b.size is not None
    if _is(a.size, 1) and _is(b.size, 1):
        return _compare("ne", a.offset, b.offset)
    gap = arith.SubIOp(_code(a.offset), _code(b.offset)).result
    misses = _compare("ne", arith.RemSIOp(gap, _code(a.stride)).result, 0)
    answers = [
        _compare("slt", arith.MinSIOp(_code(a.size), _code(b.size)).result, 1),
        _compare("slt", _last(a), b.offset),
        _compare("slt", _last(b), a.offset),
        arith.AndIOp(_compare("eq", a.stride, b.stride), misses).result,
    ]
    return _any(answers)


def _last(axis: Axis[Size]) -> ir.Value:
    assert axis.size is not None
    steps = arith.SubIOp(_code(axis.size), index(1)).result
    return arith.AddIOp(_code(axis.offset), arith.MulIOp(steps, _code(axis.stride)).result).result


def _any(answers: Sequence[ir.Value]) -> ir.Value:
    return reduce(lambda a, b: arith.OrIOp(a, b).result, answers)


def _is(size: Size, number: int) -> bool:
    return isinstance(size, int) and size == number


def _code(size: Size) -> ir.Value:
    return index(size) if isinstance(size, int) else size


def _compare(predicate: str, a: Size, b: Size) -> ir.Value:
    return arith.CmpIOp(getattr(arith.CmpIPredicate, predicate), _code(a), _code(b)).result
