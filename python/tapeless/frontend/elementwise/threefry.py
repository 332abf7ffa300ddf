"""Threefry-2x32 with 20 rounds: two words of random bits for every counter, of any key.

J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011). Counters, and what becomes of the words, are as
JAX has them where `jax_threefry_partitionable` holds, which is its default.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.frontend.elementwise.application import ScalarFunction, Signature
from tapeless.frontend.values import promotion
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.promotion import Weighted
from tapeless.types import ScalarType, f32, f64, i64, u32

ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
GROUPS = 5
PARITY = 0x1BD11BDA
WORD_BITS = 32

Words = tuple[ir.Value, ir.Value]
Finish = Callable[[Builder, Words], ir.Value]


def hashed(builder: Builder, key: Words, counter: Words) -> Words:
    """The two words of random bits."""
    kind = key[0].type

    def make(name: str, left: ir.Value, right: ir.Value) -> ir.Value:
        return builder.value(f"arith.{name}", kind, [left, right])

    def number(value: int) -> ir.Value:
        return builder.constant(value, kind)

    keys = [*key, make("xori", make("xori", *key), number(PARITY))]
    first, second = (make("addi", *pair) for pair in zip(counter, keys, strict=False))
    for group in range(GROUPS):
        for distance in ROTATIONS[group % 2]:
            first = make("addi", first, second)
            high, low = make("shli", second, number(distance)), make("shrui", second, number(WORD_BITS - distance))
            second = make("xori", first, make("ori", high, low))
        first = make("addi", first, keys[(group + 1) % 3])
        second = make("addi", make("addi", second, keys[(group + 2) % 3]), number(group + 1))
    return first, second


def words_of(builder: Builder, number: ir.Value) -> Words:
    """The higher and the lower 32 bits of a 64-bit integer."""
    high = builder.value("arith.shrui", number.type, [number, builder.constant(WORD_BITS, number.type)])
    return promotion.convert(builder, high, i64, u32), promotion.convert(builder, number, i64, u32)


def _half(place: int) -> ScalarFunction:
    """The higher (0) or the lower (1) word of an integer."""

    def types(given: Sequence[Weighted], has_arrays: bool) -> Signature:
        return (i64,), u32, False

    return ScalarFunction("half", types, lambda builder, dtype, number: words_of(builder, number)[place])


def _function(name: str, result: ScalarType, finish: Finish) -> ScalarFunction:
    """A function of the two words of a key and of a counter of 64 bits."""

    def types(given: Sequence[Weighted], has_arrays: bool) -> Signature:
        return (u32, u32, i64), result, False

    def emit(builder: Builder, dtype: ScalarType, first: ir.Value, second: ir.Value, counter: ir.Value) -> ir.Value:
        return finish(builder, hashed(builder, (first, second), words_of(builder, counter)))

    return ScalarFunction(name, types, emit)


def _bits(builder: Builder, words: Words) -> ir.Value:
    return builder.value("arith.xori", words[0].type, words)


def _fraction_of_single(builder: Builder, words: Words) -> ir.Value:
    """The upper 23 bits as a number from 0 to 1, without 1; nothing is rounded."""
    return _scaled(builder, _shifted(builder, _bits(builder, words), 9), f32, 2.0**-23)


def _fraction_of_double(builder: Builder, words: Words) -> ir.Value:
    """The upper 52 bits as a number from 0 to 1, without 1; nothing is rounded."""
    high = _scaled(builder, words[0], f64, 2.0**-32)
    low = _scaled(builder, _shifted(builder, words[1], 12), f64, 2.0**-52)
    return builder.floating("arith.addf", high.type, [high, low])


def _shifted(builder: Builder, word: ir.Value, distance: int) -> ir.Value:
    return builder.value("arith.shrui", word.type, [word, builder.constant(distance, word.type)])


def _scaled(builder: Builder, word: ir.Value, dtype: ScalarType, factor: float) -> ir.Value:
    number = promotion.convert(builder, word, u32, dtype)
    return builder.floating("arith.mulf", number.type, [number, builder.constant(factor, number.type)])


HALVES = (_half(0), _half(1))
BITS = _function("bits", u32, _bits)
FRACTIONS = {
    f32: _function("fraction", f32, _fraction_of_single),
    f64: _function("fraction", f64, _fraction_of_double),
}
