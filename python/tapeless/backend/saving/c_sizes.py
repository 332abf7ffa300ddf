"""Sizes as the C function of a kernel computes them: LLVM IR of size expressions that refuses overflow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless.abi import Expr, Parameter, Result
from tapeless.backend.saving.c_names import CParameter

OVERFLOWING = {"add": "sadd", "sub": "ssub", "mul": "smul"}
CHOOSING = {"min": "smin", "max": "smax"}


class SizeText:
    """Instructions that compute sizes, and the flags of failures on the way."""

    def __init__(self, arguments: Sequence[CParameter]) -> None:
        self.lines: list[str] = []
        self._arguments = arguments
        self._flags: list[str] = []
        self._sizes: list[str] = []

    def of_argument(self, argument: CParameter) -> list[str]:
        """The sizes of an array that is passed."""
        assert isinstance(argument.entry, Parameter)
        pairs = zip(argument.sizes, argument.entry.dims, strict=True)
        sizes = [str(size) if name is None else f"%{name}" for name, size in pairs]
        self._sizes += [f"%{name}" for name in argument.sizes if name is not None]
        return sizes

    def of_result(self, result: CParameter) -> list[str]:
        """The sizes of an array that the caller provides, as expressions of the arguments."""
        assert isinstance(result.entry, Result)
        sizes = [self._value(expression) for expression in result.entry.dims if expression is not None]
        self._sizes += sizes
        return sizes

    def widened(self, argument: CParameter) -> str:
        """A small integer as the 64 bits of its slot: bools 0 or 1, others with the sign that they have."""
        if argument.entry.dtype == "i1":
            truth = self._new(f"icmp ne i8 %{argument.name}, 0")
            return self._new(f"zext i1 {truth} to i64")
        extend = "zext" if argument.entry.dtype == "u32" else "sext"
        return self._new(f"{extend} i32 %{argument.name} to i64")

    def checks(self, largest: int) -> Iterator[str]:
        """Lines that set `%sizes.bad` if a size is negative, too large, or could not be computed."""
        flags = list(self._flags)
        for number, size in enumerate(dict.fromkeys(self._sizes)):
            yield f"%large.{number} = icmp ugt i64 {size}, {largest}"
            flags.append(f"%large.{number}")
        total = "false"
        for number, flag in enumerate(flags):
            yield f"%bad.{number} = or i1 {total}, {flag}"
            total = f"%bad.{number}"
        yield f"%sizes.bad = or i1 {total}, false"

    def _new(self, instruction: str) -> str:
        name = f"%size.{len(self.lines)}"
        self.lines.append(f"{name} = {instruction}")
        return name

    def _value(self, expression: Expr) -> str:
        if isinstance(expression, int):
            return str(expression)
        operator, *operands = expression
        if operator == "dim":
            argument, axis = operands
            return self.of_argument(self._arguments[argument])[axis]
        if operator == "arg":
            argument = self._arguments[operands[0]]
            return f"%{argument.name}" if argument.entry.dtype == "i64" else self.widened(argument)
        left, right = (self._value(operand) for operand in operands)
        if operator in OVERFLOWING:
            return self._overflowing(OVERFLOWING[operator], left, right)
        if operator in CHOOSING:
            return self._new(f"call i64 @llvm.{CHOOSING[operator]}.i64(i64 {left}, i64 {right})")
        assert operator == "floordiv", operator
        return self._quotient(left, right)

    def _overflowing(self, operator: str, left: str, right: str) -> str:
        pair = self._new(f"call {{ i64, i1 }} @llvm.{operator}.with.overflow.i64(i64 {left}, i64 {right})")
        self._flags.append(self._new(f"extractvalue {{ i64, i1 }} {pair}, 1"))
        return self._new(f"extractvalue {{ i64, i1 }} {pair}, 0")

    def _quotient(self, left: str, right: str) -> str:
        """Rounded down, as Python does; a divisor of 0, or -1 where the quotient may not fit, is refused."""
        is_zero = self._new(f"icmp eq i64 {right}, 0")
        is_minus_one = self._new(f"icmp eq i64 {right}, -1")
        smallest = self._new(f"icmp eq i64 {left}, {-(2**63)}")
        wraps = self._new(f"and i1 {is_minus_one}, {smallest}")
        bad = self._new(f"or i1 {is_zero}, {wraps}")
        self._flags.append(bad)
        divisor = self._new(f"select i1 {bad}, i64 1, i64 {right}")
        quotient = self._new(f"sdiv i64 {left}, {divisor}")
        rest = self._new(f"srem i64 {left}, {divisor}")
        has_rest = self._new(f"icmp ne i64 {rest}, 0")
        signs = self._new(f"xor i64 {rest}, {divisor}")
        differ = self._new(f"icmp slt i64 {signs}, 0")
        rounds_up = self._new(f"and i1 {has_rest}, {differ}")
        lower = self._new(f"sext i1 {rounds_up} to i64")
        return self._new(f"add i64 {quotient}, {lower}")
