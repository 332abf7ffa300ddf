"""Sums of f32 that are the same in every order, in one sweep: for every element a word for each of 32 ranges of size.

Exponents are divided into levels of eight. What is added is an integer multiple of the smallest unit of its level, of
31 bits at most, and goes to the word of its level; words have room for 2^32 of them. The last level counts infinities
and NaNs by sign. In the end, levels are added up in double precision. Neighbouring elements have neighbouring words,
level by level, so that values of about the same size are added side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.blocks.copies import element_type, new_array
from tapeless.passes.lower.blocks.cuts import product
from tapeless.passes.lower.grid.exact.fixed_point import (
    ATOMIC_ADD,
    FORMATS,
    Parts,
    here,
    i64,
    power_of_two,
    signs,
    sum_without_numbers,
    update,
    word,
)
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import fill, for_each
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View, element_indices, load, store, whole_view

FORMAT = FORMATS["f32"]
EXPONENTS_PER_LEVEL = 8
LEVELS = (FORMAT.top + 1) // EXPONENTS_PER_LEVEL
# What the unit of the first level is, as a power of two.
SMALLEST = -(FORMAT.bias + FORMAT.mantissa)


@dataclass(frozen=True)
class Levels:
    """An array of sums, and words for the levels of its elements: rows, then levels, then elements of a row."""

    emitter: Emitter
    array: View
    words: View

    @staticmethod
    def fit(array: View) -> bool:
        """Whether the elements of an array are such, and lie one after the other."""
        return str(element_type(array)) == "f32" and array.axes == whole_view(array.base, array.sizes).axes

    @staticmethod
    def beside(emitter: Emitter, array: View) -> Levels:
        """Words to which nothing was added."""
        first, *inner = array.sizes
        words = new_array(emitter, [first, LEVELS + 1, product(emitter.builder, inner)], i64())
        fill(emitter.builder, emitter.builder.constant(i64(), ir.IntegerAttr.get(i64(), 0)), words)
        return Levels(emitter, array, words)

    def add(self, target: View, indices: Sequence[Index], value: ir.Value) -> None:
        """Adds a value to an element."""
        builder = self.emitter.builder
        first, *inner = element_indices(builder, target, indices)
        place = builder.as_value(self._position(inner))
        with here(builder):
            parts = Parts(FORMAT, value)
            is_tiny = arith.cmpi(arith.CmpIPredicate.eq, parts.exponent, word(0))
            mantissa = arith.ori(parts.fraction, arith.select(is_tiny, word(0), word(1 << FORMAT.mantissa)))
            exponent = arith.maxsi(parts.exponent, word(1))
            units = arith.shli(mantissa, arith.andi(exponent, word(EXPONENTS_PER_LEVEL - 1)))
            units = arith.select(parts.is_negative, arith.subi(word(0), units), units)
            plus, minus = signs(FORMAT, parts)
            counts = arith.addi(plus, arith.shli(minus, word(32)))
            is_none = arith.cmpi(arith.CmpIPredicate.eq, parts.exponent, word(FORMAT.top))
            level = arith.select(is_none, word(LEVELS), arith.divui(exponent, word(EXPONENTS_PER_LEVEL)))
            at = [builder.as_value(first), arith.index_cast(builder.index, level), place]
            update(ATOMIC_ADD, arith.select(is_none, counts, units), self.words.base, at)

    def deliver(self) -> None:
        """Adds the sums to the array and gives the words back."""
        builder = self.emitter.builder

        def one(at: list[Index]) -> None:
            place = [at[0], self._position(at[1:])]
            zero = builder.constant(ir.F64Type.get(), ir.FloatAttr.get(ir.F64Type.get(), 0.0))
            loop = builder.begin_for(0, LEVELS, starts=[zero])
            units = load(builder, self.words, [place[0], loop.variable, place[1]])
            with here(builder):
                power = arith.muli(arith.index_cast(i64(), loop.variable), word(EXPONENTS_PER_LEVEL))
                unit = power_of_two(arith.addi(power, word(SMALLEST)))
                total = arith.addf(loop.carried[0], arith.mulf(arith.sitofp(ir.F64Type.get(), units), unit))
            end_region(self.emitter, [total])
            counts, old = load(builder, self.words, [place[0], LEVELS, place[1]]), load(builder, self.array, at)
            with here(builder):
                plus, minus = arith.andi(counts, word((1 << 32) - 1)), arith.shrui(counts, word(32))
                has_none = arith.cmpi(arith.CmpIPredicate.ne, counts, word(0))
                total = arith.select(has_none, sum_without_numbers(plus, minus), loop.op.results[0])
                new = arith.addf(old, arith.truncf(old.type, total))
            store(builder, new, self.array, at)

        for_each(builder, self.array.sizes, one)
        self.emitter.pool.free_raw(self.words.base)

    def _position(self, inner: Sequence[Index]) -> Index:
        """The number of an element in its row."""
        builder = self.emitter.builder
        position: Index = 0
        for index, size in zip(inner, self.array.sizes[1:], strict=True):
            position = builder.add(builder.mul(position, size), index)
        return position
