"""Size expressions of a calling contract as Python text, with tests only where a number may not fit into 64 bits."""

from __future__ import annotations

from tapeless.abi import LONGEST_AXIS, NEED_FITTING, OPERATORS, Abi, Expr
from tapeless.runtime.calling.arguments import LIMITS

TEXT = {
    "add": "({} + {})",
    "sub": "({} - {})",
    "mul": "({} * {})",
    "floordiv": "({} // {})",
    "min": "min({}, {})",
    "max": "max({}, {})",
}


def size_text(abi: Abi, expression: Expr | None) -> str:
    """The size as an expression of `a0`, `a1`, ... and of `fitting`, which raises OverflowError."""
    if isinstance(expression, int):
        return str(expression)
    assert expression is not None
    operator, *operands = expression
    if operator == "dim":
        return f"a{operands[0]}.shape[{operands[1]}]"
    if operator == "arg":
        return f"n{operands[0]}"
    texts = [size_text(abi, operand) for operand in operands]
    if operator in NEED_FITTING:
        texts = [
            text if _always_fits(abi, operand) else f"fitting({text})"
            for text, operand in zip(texts, operands, strict=True)
        ]
    return TEXT[operator].format(*texts)


def _always_fits(abi: Abi, expression: Expr) -> bool:
    lowest, highest = _range(abi, expression)
    return lowest >= -(2**63) and highest < 2**63


def _range(abi: Abi, expression: Expr) -> tuple[int, int]:
    """The smallest and the largest number that an expression can be."""
    if isinstance(expression, int):
        return expression, expression
    operator, *operands = expression
    if operator == "dim":
        return 0, LONGEST_AXIS
    if operator == "arg":
        lowest, beyond = LIMITS.get(abi.parameters[operands[0]].dtype, (-2, 2))
        return lowest, beyond - 1
    ranges = [_range(abi, operand) for operand in operands]
    if operator == "sub":
        (low, high), (other_low, other_high) = ranges
        return low - other_high, high - other_low
    if operator == "floordiv":
        largest = max(abs(end) for end in ranges[0])
        return -largest, largest
    corners = [OPERATORS[operator](left, right) for left in ranges[0] for right in ranges[1]]
    return min(corners), max(corners)
