"""Sums of floats whose order is free and whose bits are not: integers that threads add atomically.

Every element has the largest exponent of what is added to it, found in a first pass. In a second one each value is
rounded to a multiple of a unit far below that, and these multiples are added up, which has the same result in every
order. A value of the largest exponent loses nothing; others lose what is below half a unit, less than their sum in
floating point would. Sums have room for 2^35 values. With infinities and NaNs, what is added up is how many of them
there are of either sign; a NaN counts as both.

| type | unit, in powers of two below the largest value | words |
| --- | --- | --- |
| f32 | 28 | one |
| f64 | 54 | two, of which the second has the lower 27 bits |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tapeless._mlir import arith, ir, math, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.blocks.copies import element_type, new_array
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.copying import fill, for_each
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import Along, Fixed, View, element_indices, load, store

LOW_BITS = 27
# A number whose neighbours are at a distance of one, as are those of its sums with numbers up to 2^51 of either sign.
ROUNDING = 1.5 * 2.0**52
BIAS_F64, MANTISSA_F64 = 1023, 52
ATOMIC_ADD, ATOMIC_MAX = arith.AtomicRMWKind.addi, arith.AtomicRMWKind.maxs


@dataclass(frozen=True)
class Format:
    """How a type of floats is made up, how many bits are kept beyond the mantissa, and in how many words."""

    bits: int
    mantissa: int
    bias: int
    spare: int
    words: int

    @property
    def top(self) -> int:
        """The exponent of infinities and NaNs, as it is stored."""
        return 2 * self.bias + 1


FORMATS = {"f32": Format(32, 23, 127, 4, 1), "f64": Format(64, MANTISSA_F64, BIAS_F64, 1, 2)}


@dataclass(frozen=True)
class FixedPoint:
    """The tables beside an array of sums: the largest exponents, and words of the sums in units."""

    emitter: Emitter
    array: View
    exponents: View
    sums: View

    @staticmethod
    def beside(emitter: Emitter, array: View) -> FixedPoint:
        """Tables in which nothing was added."""
        format_ = FORMATS[str(element_type(array))]
        i32, i64 = (ir.IntegerType.get_signless(bits) for bits in (32, 64))
        exponents = new_array(emitter, [*array.sizes], i32)
        sums = new_array(emitter, [*array.sizes, format_.words], i64)
        for table in (exponents, sums):
            type_ = element_type(table)
            fill(emitter.builder, emitter.builder.constant(type_, ir.IntegerAttr.get(type_, 0)), table)
        return FixedPoint(emitter, array, exponents, sums)

    @property
    def format(self) -> Format:
        return FORMATS[str(element_type(self.array))]

    @property
    def first_words(self) -> View:
        """The sums as an array of the shape of the other one."""
        axes = [Along(axis) for axis in range(self.array.rank)]
        return View(self.sums.base, (*axes, Fixed(0)), self.array.sizes)

    def note(self, target: View, indices: Sequence[Index], value: ir.Value) -> None:
        """Keeps the exponent of a value that will be added to an element, if it is the largest."""
        builder = self.emitter.builder
        place = [builder.as_value(index) for index in element_indices(builder, target, indices)]
        present = builder.load(target.base, place)
        with here(builder):
            own = arith.trunci(present.type, Parts(self.format, value).exponent)
            branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.sgt, own, present))
            with ir.InsertionPoint(branch.then_block):
                update(ATOMIC_MAX, own, target.base, place)
                scf.YieldOp([])

    def add(self, target: View, indices: Sequence[Index], value: ir.Value) -> None:
        """Adds a value to an element."""
        builder = self.emitter.builder
        place = [builder.as_value(index) for index in element_indices(builder, target, indices)]
        largest = builder.load(self.exponents.base, place[:-1])
        second = builder.as_value(1)
        with here(builder):
            words = _words(self.format, arith.extui(i64(), largest), value)
            for number, part in enumerate(words):
                update(ATOMIC_ADD, part, target.base, [*place[:-1], second] if number else place)

    def deliver(self) -> None:
        """Adds the sums to the array and gives the tables back."""
        builder = self.emitter.builder

        def one(at: list[Index]) -> None:
            old, largest = load(builder, self.array, at), load(builder, self.exponents, at)
            words = [load(builder, self.sums, [*at, number]) for number in range(self.format.words)]
            with here(builder):
                total = _total(self.format, arith.extui(i64(), largest), words)
                new = arith.addf(old, total if self.format.bits == 64 else arith.truncf(old.type, total))
            store(builder, new, self.array, at)

        for_each(builder, self.array.sizes, one)
        for table in (self.exponents, self.sums):
            self.emitter.pool.free_raw(table.base)


class Parts:
    """The parts of a float as 64-bit integers; `is_negative` is a bool."""

    def __init__(self, format_: Format, value: ir.Value) -> None:
        bits = arith.bitcast(ir.IntegerType.get_signless(format_.bits), value)
        self.is_negative = arith.cmpi(arith.CmpIPredicate.slt, bits, arith.constant(bits.type, 0))
        wide = bits if format_.bits == 64 else arith.extui(i64(), bits)
        self.exponent = arith.andi(arith.shrui(wide, word(format_.mantissa)), word(format_.top))
        self.fraction = arith.andi(wide, word((1 << format_.mantissa) - 1))


def _words(format_: Format, largest: ir.Value, value: ir.Value) -> list[ir.Value]:
    """The addends to the words of an element whose largest exponent this is."""
    return [_narrow_units(format_, largest, value)] if format_.words == 1 else _wide_units(format_, largest, value)


def _narrow_units(format_: Format, largest: ir.Value, value: ir.Value) -> ir.Value:
    """The multiple of the unit, rounded by the addition of a number whose last bit is worth one."""
    f64 = ir.F64Type.get()
    power = arith.subi(word(format_.bias + format_.mantissa + format_.spare), arith.maxsi(largest, word(1)))
    scaled = math.fma(arith.extf(f64, value), power_of_two(power), float_constant(ROUNDING))
    units = arith.subi(arith.bitcast(i64(), scaled), arith.bitcast(i64(), float_constant(ROUNDING)))
    branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.eq, largest, word(format_.top)), [i64()], has_else=True)
    with ir.InsertionPoint(branch.then_block):
        plus, minus = signs(format_, Parts(format_, value))
        scf.YieldOp([arith.addi(plus, arith.shli(minus, word(32)))])
    with ir.InsertionPoint(branch.else_block):
        scf.YieldOp([units])
    result: ir.Value = branch.results[0]
    return result


def _wide_units(format_: Format, largest: ir.Value, value: ir.Value) -> list[ir.Value]:
    """The multiple of the unit as its higher and its lower bits."""
    parts, zero, one = Parts(format_, value), word(0), word(1)
    is_tiny = arith.cmpi(arith.CmpIPredicate.eq, parts.exponent, zero)
    mantissa = arith.ori(parts.fraction, arith.select(is_tiny, zero, word(1 << format_.mantissa)))
    below = arith.subi(arith.maxsi(largest, one), arith.maxsi(parts.exponent, one))
    below = arith.minsi(below, word(62))
    half = arith.shrui(arith.shli(one, below), one)
    units = arith.shrui(arith.addi(arith.shli(mantissa, word(format_.spare)), half), below)
    units = arith.select(parts.is_negative, arith.subi(zero, units), units)
    has_no_number = arith.cmpi(arith.CmpIPredicate.eq, largest, word(format_.top))
    plus, minus = signs(format_, parts)
    high, low = arith.shrsi(units, word(LOW_BITS)), arith.andi(units, word((1 << LOW_BITS) - 1))
    return [arith.select(has_no_number, plus, high), arith.select(has_no_number, minus, low)]


def signs(format_: Format, parts: Parts) -> tuple[ir.Value, ir.Value]:
    """Whether a value is an infinity of either sign, as 0 or 1; a NaN is both, a number neither."""
    bit = ir.IntegerType.get_signless(1)
    is_none = arith.cmpi(arith.CmpIPredicate.eq, parts.exponent, word(format_.top))
    is_nan = arith.cmpi(arith.CmpIPredicate.ne, parts.fraction, word(0))
    is_positive = arith.xori(parts.is_negative, arith.constant(bit, 1))
    plus, minus = (arith.andi(is_none, arith.ori(is_nan, sign)) for sign in (is_positive, parts.is_negative))
    return arith.extui(i64(), plus), arith.extui(i64(), minus)


def _total(format_: Format, largest: ir.Value, words: Sequence[ir.Value]) -> ir.Value:
    """The sum that the words of an element stand for, as a f64."""
    f64 = ir.F64Type.get()
    if format_.words == 1:
        units = arith.sitofp(f64, words[0])
        plus, minus = arith.andi(words[0], word((1 << 32) - 1)), arith.shrui(words[0], word(32))
    else:
        plus, minus = words
        high = arith.addi(words[0], arith.shrsi(words[1], word(LOW_BITS)))
        low = arith.andi(words[1], word((1 << LOW_BITS) - 1))
        scaled = arith.mulf(arith.sitofp(f64, high), float_constant(float(1 << LOW_BITS)))
        units = arith.addf(scaled, arith.sitofp(f64, low))
    exponent = arith.subi(arith.maxsi(largest, word(1)), word(format_.bias + format_.mantissa + format_.spare))
    first = arith.shrsi(exponent, word(1))
    for part in (first, arith.subi(exponent, first)):
        units = arith.mulf(units, power_of_two(part))
    none = sum_without_numbers(plus, minus)
    return arith.select(arith.cmpi(arith.CmpIPredicate.eq, largest, word(format_.top)), none, units)


def sum_without_numbers(plus: ir.Value, minus: ir.Value) -> ir.Value:
    """The sum of so many infinities of either sign, of which there are some; a NaN counts as both."""
    has_plus, has_minus = (arith.cmpi(arith.CmpIPredicate.ne, count, word(0)) for count in (plus, minus))
    infinite = arith.select(has_plus, float_constant(float("inf")), float_constant(float("-inf")))
    return arith.select(arith.andi(has_plus, has_minus), float_constant(float("nan")), infinite)


def power_of_two(exponent: ir.Value) -> ir.Value:
    bits = arith.shli(arith.addi(exponent, word(BIAS_F64)), word(MANTISSA_F64))
    return arith.bitcast(ir.F64Type.get(), bits)


def update(kind: arith.AtomicRMWKind, value: ir.Value, base: ir.Value, place: Sequence[ir.Value]) -> None:
    attribute = ir.IntegerAttr.get(i64(), kind.value)
    ir.Operation.create("memref.atomic_rmw", [value.type], [value, base, *place], {"kind": attribute})


def i64() -> ir.Type:
    return ir.IntegerType.get_signless(64)


def word(number: int) -> ir.Value:
    return arith.constant(i64(), number)


def float_constant(number: float) -> ir.Value:
    return arith.constant(ir.F64Type.get(), number)


@contextmanager
def here(builder: Builder) -> Iterator[None]:
    """New operations go to where the builder is."""
    with ir.InsertionPoint(builder.frames[-1].block), builder.location:
        yield
