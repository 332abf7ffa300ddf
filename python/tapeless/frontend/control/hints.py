"""Loop headers with hints: `range(...)`, `tl.range(...)` and `tl.bounded(...)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import BOUND, BUDGET, STRIPMINE, TRUE_DEP, UNROLL
from tapeless.frontend.syntax import scoping
from tapeless.frontend.values.value import Opaque, Scalar, Tuple, Value, literal

if TYPE_CHECKING:
    from tapeless.frontend.control.carried import Carried
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Hints:
    """The user's hints on a loop, which become attributes of the loop operation."""

    stripmine: int | None = None
    budget: int | None = None
    true_dep: tuple[str, ...] = ()
    unroll: bool = False
    bound: int | None = None

    def check_without_break(self, t: Translator) -> None:
        """Refuses hints that only loops without `break` can follow."""
        named = {"stripmine": self.stripmine, "budget": self.budget, "unroll": self.unroll or None}
        for name, value in named.items():
            if value is not None:
                raise t.error(
                    f"'{name}' on a loop with 'break'", "leave the hint out, or use a flag instead of 'break'"
                )

    def attributes(self, t: Translator, carried: Carried, leading: int = 0) -> dict[str, ir.Attribute]:
        """The attributes; `ad.true_dep` lists positions among the carried values, after `leading` internal ones."""
        i64 = t.builder.types.i64
        numbers = {STRIPMINE: self.stripmine, BUDGET: self.budget, BOUND: self.bound}
        found = {name: ir.IntegerAttr.get(i64, value) for name, value in numbers.items() if value is not None}
        if self.unroll:
            found[UNROLL] = ir.UnitAttr.get()
        if self.true_dep:
            positions = [leading + each for name in self.true_dep for each in self._positions(t, carried, name)]
            found[TRUE_DEP] = ir.DenseI64ArrayAttr.get(positions)
        return found

    def _positions(self, t: Translator, carried: Carried, name: str) -> list[int]:
        positions = carried.positions(t, name)
        if not positions:
            raise t.error(f"true_dep names '{name}', which the loop does not carry", "name a variable the loop updates")
        return positions


@dataclass(frozen=True)
class RangeCall:
    """The arguments of a range: start, stop and step, and hints."""

    limits: tuple[Scalar, Scalar, Scalar]
    hints: Hints


def _called_operator(t: Translator, node: ast.expr) -> lang.Operator | None:
    if not isinstance(node, ast.Call) or scoping.dotted_name(node.func) is None:
        return None
    function = t.evaluate(node.func)
    return function if isinstance(function, lang.Operator) else None


def range_call(t: Translator, node: ast.expr) -> RangeCall | None:
    """The arguments of `range(...)` or `tl.range(...)`, or None for another expression."""
    if _called_operator(t, node) is not lang.range:
        return None
    with t.at(node):
        limits = [t.integer(t.evaluate(each), "a bound of a range") for each in node.args]
        if not 1 <= len(limits) <= 3:
            raise t.error(f"a range takes 1 to 3 bounds, not {len(limits)}", "write range(start, stop, step)")
        if len(limits) == 1:
            limits.insert(0, literal(0))
        return RangeCall((*limits, literal(1))[:3], _range_hints(t, node.keywords))


def _range_hints(t: Translator, keywords: list[ast.keyword]) -> Hints:
    readers = {"stripmine": _positive, "budget": _positive, "true_dep": _names, "unroll": _flag}
    given = {}
    for keyword in keywords:
        if keyword.arg not in readers:
            raise t.error(
                f"tl.range has no keyword '{keyword.arg}'", "its keywords are stripmine, budget, true_dep and unroll"
            )
        with t.at(keyword.value):
            given[keyword.arg] = readers[keyword.arg](t, keyword.arg, t.evaluate(keyword.value))
    return Hints(**given)


def _positive(t: Translator, name: str, value: Value) -> int:
    number = t.constant(value, f"'{name}'")
    if number < 1:
        raise t.error(f"'{name}' is {number}", "use a number above 0")
    return number


def _names(t: Translator, name: str, value: Value) -> tuple[str, ...]:
    items = value.items if isinstance(value, Tuple) else (value,)
    if all(isinstance(item, Opaque) and isinstance(item.value, str) for item in items):
        return tuple(item.value for item in items)
    raise t.error(f"'{name}' is not a tuple of names", 'write the names as strings, for example true_dep=("a",)')


def _flag(t: Translator, name: str, value: Value) -> bool:
    known = value.literal if isinstance(value, Scalar) else None
    if known is None:
        raise t.error(f"'{name}' is not known when compiling", "write True or False")
    return bool(known)


@dataclass(frozen=True)
class BoundedCall:
    """`tl.bounded(condition, limit)`; an unbounded condition has no limit."""

    condition: ast.expr
    limit: Scalar | None
    hints: Hints


def bounded_call(t: Translator, node: ast.expr) -> BoundedCall:
    """The condition of a `while`, and its limit if it is `tl.bounded(...)`."""
    if _called_operator(t, node) is not lang.bounded:
        return BoundedCall(node, None, Hints())
    with t.at(node):
        if len(node.args) != 2 or node.keywords:
            raise t.error("tl.bounded takes a condition and a number", "write tl.bounded(condition, n)")
        limit = t.integer(t.evaluate(node.args[1]), "the limit of tl.bounded")
        return BoundedCall(node.args[0], limit, Hints(bound=limit.literal))
