"""Scalar expressions of a launch plan as Python source: integers of 64, 32 and 1 bits with the arithmetic of a kernel.

An expression is a number, a name, or `[operator, type, operands...]` with an operator of `OPERATORS`; of comparisons,
the type is that of the operands. Everything is checked while it is translated, so that a plan from a file can do
nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Expression: TypeAlias = int | float | str | list[Any]
BITS = {"index": 64, "i64": 64, "i32": 32, "i1": 1}


class MalformedPlan(ValueError):
    """A launch plan has something in it that no plan has."""


def wrap(number: int, bits: int) -> int:
    """The number as a signed integer of so many bits; one bit has no sign."""
    if bits == 1:
        return number & 1
    half = 1 << bits - 1
    return (number + half & (1 << bits) - 1) - half


def unsigned(number: int, bits: int) -> int:
    """The same bits without a sign."""
    return number & (1 << bits) - 1


def divide(left: int, right: int) -> int:
    """Division that rounds towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder(left: int, right: int) -> int:
    """The remainder of `divide`, with the sign of the dividend."""
    return left - right * divide(left, right)


COMPARISONS = {
    "eq": "{0} == {1}",
    "ne": "{0} != {1}",
    "slt": "{0} < {1}",
    "sle": "{0} <= {1}",
    "sgt": "{0} > {1}",
    "sge": "{0} >= {1}",
    "ult": "unsigned({0}, {bits}) < unsigned({1}, {bits})",
    "ule": "unsigned({0}, {bits}) <= unsigned({1}, {bits})",
    "ugt": "unsigned({0}, {bits}) > unsigned({1}, {bits})",
    "uge": "unsigned({0}, {bits}) >= unsigned({1}, {bits})",
}

# The Python text of an operator and the number of its operands, before the result is wrapped.
OPERATORS: dict[str, tuple[int, str]] = {
    "addi": (2, "{0} + {1}"),
    "subi": (2, "{0} - {1}"),
    "muli": (2, "{0} * {1}"),
    "divsi": (2, "divide({0}, {1})"),
    "remsi": (2, "remainder({0}, {1})"),
    "divui": (2, "unsigned({0}, {bits}) // unsigned({1}, {bits})"),
    "remui": (2, "unsigned({0}, {bits}) % unsigned({1}, {bits})"),
    "floordivsi": (2, "{0} // {1}"),
    "ceildivsi": (2, "-(-{0} // {1})"),
    "minsi": (2, "min({0}, {1})"),
    "maxsi": (2, "max({0}, {1})"),
    "minui": (2, "min(unsigned({0}, {bits}), unsigned({1}, {bits}))"),
    "maxui": (2, "max(unsigned({0}, {bits}), unsigned({1}, {bits}))"),
    "andi": (2, "{0} & {1}"),
    "ori": (2, "{0} | {1}"),
    "xori": (2, "{0} ^ {1}"),
    "shli": (2, "{0} << min({1}, {bits})"),
    "shrsi": (2, "{0} >> min({1}, {bits})"),
    "shrui": (2, "unsigned({0}, {bits}) >> min({1}, {bits})"),
    "index_cast": (1, "{0}"),
    "extsi": (1, "{0}"),
    "trunci": (1, "{0}"),
    **{f"cmpi.{name}": (2, f"int({text})") for name, text in COMPARISONS.items()},
}
# Results that fit whatever their operands are.
FITTING = frozenset({"minsi", "maxsi", "andi", "ori", "xori", "shrsi", *(f"cmpi.{name}" for name in COMPARISONS)})
# What the text of operators calls.
FUNCTIONS: dict[str, Callable[..., int]] = {
    "wrap": wrap,
    "unsigned": unsigned,
    "divide": divide,
    "remainder": remainder,
    "min": min,
    "max": max,
    "int": int,
}
FLOATS = {math.inf: 'float("inf")', -math.inf: 'float("-inf")'}


def python_text(expression: Expression, names: Mapping[str, str]) -> str:
    """The Python source of an expression; `names` has the variable of every name that is bound at its place."""
    if isinstance(expression, str):
        return _known(expression, names)
    if isinstance(expression, bool) or not isinstance(expression, (int, float, list)):
        raise MalformedPlan(f"{expression!r} is no expression")
    if isinstance(expression, float):
        return FLOATS.get(expression, 'float("nan")' if math.isnan(expression) else repr(expression))
    if isinstance(expression, int):
        return f"({expression})" if expression < 0 else str(expression)
    return _operation(expression, names)


def _known(name: str, names: Mapping[str, str]) -> str:
    if name not in names:
        raise MalformedPlan(f"the name {name!r} is used before it is bound")
    return names[name]


def _operation(expression: list[Any], names: Mapping[str, str]) -> str:
    operator, type_, *operands = [*expression, None, None][: max(len(expression), 2)]
    texts = [python_text(operand, names) for operand in operands]
    if operator == "select" and len(texts) == 3:
        return f"({texts[1]} if {texts[0]} else {texts[2]})"
    if operator == "extui" and len(texts) == 1 and _bits(type_):
        return texts[0] if not isinstance(operands[0], list) else f"({texts[0]})"
    count, form = OPERATORS.get(operator, (-1, "")) if isinstance(operator, str) else (-1, "")
    if count != len(texts):
        raise MalformedPlan(f"{operator!r} with {len(texts)} operands is no operation of a plan")
    text = form.format(*texts, bits=_bits(type_))
    return f"({text})" if operator in FITTING else f"wrap({text}, {_bits(type_)})"


def _bits(type_: Any) -> int:
    if not isinstance(type_, str) or type_ not in BITS:
        raise MalformedPlan(f"{type_!r} is no type of integers")
    return BITS[type_]
