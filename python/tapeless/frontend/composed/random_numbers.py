"""Random numbers from keys: `tl.random.key`, `split`, `fold_in`, `bits`, `uniform`, `normal`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays import array_arguments, reshaping
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.elementwise import broadcasting, threefry
from tapeless.frontend.elementwise.application import ScalarFunction, apply
from tapeless.frontend.operators import mapping
from tapeless.frontend.values import promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Scalar, Tuple, Value, describe
from tapeless.types import ScalarType, f64, i64, u32

WORDS = Affine(2)
MAKE_A_KEY = "give it a key, as tl.random.key(seed) and tl.random.split(key) make them"


def key(tl: Language, seed: Any) -> Term:
    """The two halves of a 64-bit integer; those of fewer bits have only zeros in the first."""
    number = tl.t.integer(as_value(seed), "the seed")
    high, low = (tl.term(apply(tl.t, function, number)) for function in threefry.HALVES)
    return tl.listed((high if number.dtype == i64 else tl.astype(0, u32), low))


def split(tl: Language, key: Any, num: Any) -> Term:
    """New keys, one for each counter of a shape."""
    dims = array_arguments.shape(tl.t, as_value(num))
    words = _key_words(tl, key)
    count = reshaping.product(tl.t, dims)
    made = mapping.map_rows(
        tl.t, [tl.t.array(tl.iota(count).value)], lambda counters: Tuple(_new_key(tl, words, counters[0]))
    )
    keys = tl.t.array(tl.stack(tl.term(made), axis=1).value)
    return tl.term(reshaping.reshaped(tl.t, keys, (*dims, WORDS)))


def fold_in(tl: Language, key: Any, data: Any) -> Term:
    """A new key from a key and the lower 32 bits of a number."""
    number = apply(tl.t, threefry.HALVES[1], tl.t.integer(as_value(data), "the number folded in"))
    counter = tl.astype(tl.term(number), i64)
    return tl.listed(tuple(tl.term(each) for each in _new_key(tl, _key_words(tl, key), counter.value)))


def _new_key(tl: Language, words: tuple[Term, Term], counter: Value) -> tuple[Scalar, Scalar]:
    """Both words for a counter."""
    builder = tl.t.builder
    first, second = (promotion.ssa(builder, each.value, u32) for each in words)
    counters = threefry.words_of(builder, promotion.ssa(builder, tl.t.scalar(counter, "a counter"), i64))
    made = threefry.hashed(builder, (first, second), counters)
    return promotion.from_ssa(builder, made[0], u32), promotion.from_ssa(builder, made[1], u32)


def bits(tl: Language, key: Any, shape: Any, dtype: Any) -> Term:
    """Integers of 32 random bits."""
    if _dtype(tl, dtype) != u32:
        raise tl.t.error(f"random bits as {_dtype(tl, dtype)!r}", "use dtype=tl.u32, and convert them", TypeMismatch)
    return _hashed(tl, threefry.BITS, _key_words(tl, key), _shape(tl, shape))


def uniform(tl: Language, key: Any, shape: Any, dtype: Any, minval: Any, maxval: Any) -> Term:
    """Numbers from `minval` to `maxval`, each place between as likely as another."""
    kind, dims = _dtype(tl, dtype), _shape(tl, shape)
    fractions = _fractions(tl, key, dims, kind)
    low, high = (tl.astype(tl.number(each), kind) for each in (minval, maxval))
    if _literal(low) == 0.0 and _literal(high) == 1.0:
        return fractions
    for bound in (low, high):
        if bound.rank > len(dims):
            raise tl.t.error(f"bounds of rank {bound.rank} for numbers of rank {len(dims)}", "give a shape for them")
    return tl.maximum(low, fractions * (high - low) + low)


def normal(tl: Language, key: Any, shape: Any, dtype: Any) -> Term:
    """Numbers with mean 0 and variance 1: the inverse of their distribution at uniform ones."""
    kind = _dtype(tl, dtype)
    dims = _shape(tl, shape)
    above_minus_one = float(np.nextafter(kind.numpy.type(-1), kind.numpy.type(0)))
    between = _fractions(tl, key, dims, kind) * 2.0 + above_minus_one
    return tl.erfinv(between) * math.sqrt(2.0)


def _literal(number: Term) -> float | None:
    return number.value.literal if isinstance(number.value, Scalar) else None


def _key_words(tl: Language, key: Any) -> tuple[Term, Term]:
    """The two words of a key."""
    value = tl.t.held(as_value(key))
    if not isinstance(value, Array) or value.dtype != u32 or value.rank != 1:
        raise tl.t.error(f"the key is {describe(value)}", MAKE_A_KEY, TypeMismatch)
    broadcasting.same_size(tl.t, value.dims[0], WORDS, 0, instead=MAKE_A_KEY)
    array = tl.array(Array(u32, (WORDS,), broadcasting.with_static_sizes(tl.t, value.ssa, (WORDS,))))
    return array.at(0, 0), array.at(0, 1)


def _shape(tl: Language, shape: Any) -> tuple[Affine, ...]:
    return () if shape == () else array_arguments.shape(tl.t, as_value(shape))


def _dtype(tl: Language, dtype: Any) -> ScalarType:
    named = array_arguments.dtype(tl.t, as_value(dtype))
    return f64 if named is None else named


def _fractions(tl: Language, key: Any, dims: tuple[Affine, ...], kind: ScalarType) -> Term:
    if kind not in threefry.FRACTIONS:
        raise tl.t.error(f"random numbers of {kind!r}", "use dtype=tl.f64 or dtype=tl.f32", TypeMismatch)
    return _hashed(tl, threefry.FRACTIONS[kind], _key_words(tl, key), dims)


def _hashed(tl: Language, function: ScalarFunction, words: tuple[Term, Term], dims: tuple[Affine, ...]) -> Term:
    """A function of the key and of the place of each element in row-major order."""
    if not dims:
        return _applied(tl, function, words, tl.number(0))
    counter = tl.iota(dims[0])
    for size in dims[1:]:
        counter = counter.with_axes((counter.rank,)) * tl.number(size) + tl.iota(size)
    return _applied(tl, function, words, counter)


def _applied(tl: Language, function: ScalarFunction, words: tuple[Term, Term], counter: Term) -> Term:
    return tl.term(apply(tl.t, function, *(each.value for each in (*words, counter))))
