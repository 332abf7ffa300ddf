"""Words whose order is that of numbers, the best first: of several, the best is the smallest, in whichever order.

| word | bits, from the top |
| --- | --- |
| an integer | as it is |
| a float | as an integer; below zero, all but the sign flipped |
| a float (f32) and its place | the same without a difference between zeros (32), the place (31), the sign (1) |

For the largest, integers are turned around. What is not a number is better than all that are. A word with nothing in
it is the largest of all.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.grid.exact.fixed_point import FORMATS, here
from tapeless.passes.lower.loops.builder import Builder

# How many places fit into a word.
PLACES_OF_WORD = (1 << 31) - 1


def integer(bits: int) -> ir.IntegerType:
    """Integers of so many bits."""
    return ir.IntegerType.get_signless(bits)


def _number(type_: ir.Type, value: int) -> ir.Value:
    return arith.constant(type_, ir.IntegerAttr.get(type_, value))


def _largest(builder: Builder, type_: ir.IntegerType) -> ir.Value:
    return builder.constant(type_, ir.IntegerAttr.get(type_, (1 << (type_.width - 1)) - 1))


@dataclass(frozen=True)
class Integers:
    """Smallest or largest integers of a type, as words of its size; nothing is as good as the worst of them."""

    builder: Builder
    type: ir.IntegerType
    are_largest: bool

    @property
    def nothing(self) -> ir.Value:
        """The word with nothing in it."""
        return _largest(self.builder, self.type)

    def word(self, values: Sequence[ir.Value], place: ir.Value) -> ir.Value:
        """The word of an integer."""
        with here(self.builder):
            return self._turned(values[0])

    def values(self, word: ir.Value, neutral: Sequence[ir.Value], first: ir.Value) -> list[ir.Value]:
        """The values in a word."""
        with here(self.builder):
            return [self._turned(word)]

    def _turned(self, word: ir.Value) -> ir.Value:
        return arith.xori(word, _number(self.type, -1)) if self.are_largest else word


@dataclass(frozen=True)
class Floats:
    """Smallest or largest floats of a type, as words of its size."""

    builder: Builder
    float_: ir.Type
    are_largest: bool

    @property
    def type(self) -> ir.IntegerType:
        """The type of words."""
        return integer(FORMATS[str(self.float_)].bits)

    @property
    def nothing(self) -> ir.Value:
        """The word with nothing in it."""
        return _largest(self.builder, self.type)

    def word(self, values: Sequence[ir.Value], place: ir.Value) -> ir.Value:
        """The word of a value."""
        (value,), top = values, self.type.width - 1
        with here(self.builder):
            word = self._turned(arith.bitcast(self.type, value))
            if self.are_largest:
                word = arith.xori(word, _number(self.type, -1))
            is_none = arith.cmpf(arith.CmpFPredicate.UNO, value, value)
            return arith.select(is_none, _number(self.type, -(1 << top)), word)

    def values(self, word: ir.Value, neutral: Sequence[ir.Value], first: ir.Value) -> list[ir.Value]:
        """The values in a word; `neutral` if it is empty."""
        nothing = self.nothing
        with here(self.builder):
            turned = arith.xori(word, _number(self.type, -1)) if self.are_largest else word
            value = arith.bitcast(self.float_, self._turned(turned))
            is_empty = arith.cmpi(arith.CmpIPredicate.eq, word, nothing)
            return [arith.select(is_empty, neutral[0], value)]

    def _turned(self, word: ir.Value) -> ir.Value:
        """All bits but the sign flipped where that is set."""
        top = self.type.width - 1
        signs = arith.shrsi(word, _number(self.type, top))
        return arith.xori(word, arith.andi(signs, _number(self.type, (1 << top) - 1)))


@dataclass(frozen=True)
class PlacedFloats:
    """Smallest or largest numbers of type f32 with their first places, as words of 64 bits."""

    builder: Builder
    are_largest: bool

    @property
    def type(self) -> ir.IntegerType:
        """The type of words."""
        return integer(64)

    @property
    def nothing(self) -> ir.Value:
        """The word with nothing in it."""
        return _largest(self.builder, self.type)

    def word(self, values: Sequence[ir.Value], place: ir.Value) -> ir.Value:
        """The word of a value at an index; values beside it are not looked at."""
        value, half, whole = values[0], integer(32), self.type
        with here(self.builder):
            bits = arith.bitcast(half, value)
            sign = arith.shrui(bits, _number(half, 31))
            is_negative = arith.cmpi(arith.CmpIPredicate.slt, bits, _number(half, 0))
            order = arith.select(is_negative, arith.subi(_number(half, -(1 << 31)), bits), bits)
            if self.are_largest:
                order = arith.subi(_number(half, 0), order)
            is_none = arith.cmpf(arith.CmpFPredicate.UNO, value, value)
            order = arith.select(is_none, _number(half, 1 - (1 << 31)), order)
            low = arith.ori(arith.shli(arith.index_cast(half, place), _number(half, 1)), sign)
            high = arith.shli(arith.extui(whole, order), _number(whole, 32))
            return arith.ori(high, arith.extui(whole, low))

    def values(self, word: ir.Value, neutral: Sequence[ir.Value], first: ir.Value) -> list[ir.Value]:
        """The value in a word and its place, counted from the first one on; `neutral` if there is nothing."""
        half, whole, nothing = integer(32), self.type, self.nothing
        with here(self.builder):
            low = arith.trunci(half, word)
            order = arith.trunci(half, arith.shrui(word, _number(whole, 32)))
            is_negative = arith.cmpi(arith.CmpIPredicate.slt, order, _number(half, 0))
            size = arith.select(is_negative, arith.subi(_number(half, 0), order), order)
            bits = arith.ori(size, arith.shli(low, _number(half, 31)))
            place = arith.extui(whole, arith.shrui(low, _number(half, 1)))
            place = arith.addi(arith.index_cast(whole, first), place)
            is_empty = arith.cmpi(arith.CmpIPredicate.eq, word, nothing)
            value = arith.bitcast(neutral[0].type, bits)
            return [arith.select(is_empty, neutral[0], value), arith.select(is_empty, neutral[1], place)]
