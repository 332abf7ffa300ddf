"""Scans, histograms and scatters, with operators of one and of several components."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import write
from fuzz.types import Type, integers
from fuzz.writing import Stuck

SUM, PRODUCT = ("lambda a, b: a + b", "0.0"), ("lambda a, b: a * b", "1.0")
LARGEST, LEAST = ("tl.maximum", "-1e300"), ("lambda a, b: tl.minimum(a, b)", "1e300")
ONE = (SUM, SUM, PRODUCT, LARGEST, LEAST)
AFFINE = ("lambda a, b, c, d: (a * c, b * c + d)", "(1.0, 0.0)", 2)
SUM_AND_PRODUCT = ("lambda a, b, c, d: (a + c, b * d)", "(0.0, 1.0)", 2)
EXTREMES = ("lambda a, b, c, d: (tl.minimum(a, c), tl.maximum(b, d))", "(1e300, -1e300)", 2)
MATRIX = (
    "lambda a, b, c, d, e, f, g, h: (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)",
    "(1.0, 0.0, 0.0, 1.0)",
    4,
)
SEVERAL = (AFFINE, AFFINE, SUM_AND_PRODUCT, EXTREMES, MATRIX)
LONGEST_PRODUCT = 100
INCLUSIVE = ("", ", reverse=True")
ORDERS = ("", *INCLUSIVE, ", exclusive=True", ", exclusive=True, reverse=True")
# Exclusive scans begin with the neutral element. One of 1e300 has neither a sine nor a difference that means anything.
FINITE_LEAST, FINITE_LARGEST = "tl.minimum({}, 50.0)", "tl.maximum({}, -50.0)"
FINITE = {LEAST[0]: (FINITE_LEAST,), LARGEST[0]: (FINITE_LARGEST,), EXTREMES[0]: (FINITE_LEAST, FINITE_LARGEST)}


def need_double(wanted: Type) -> None:
    """Neutral elements are written as doubles."""
    if wanted.dtype != "f64":
        raise Stuck


def operator(d: Draft, wanted: Type) -> tuple[str, str]:
    """An operator and its neutral element, for elements or rows."""
    need_double(wanted)
    if wanted.rank == 2:
        return "lambda a, b: a + b", f"tl.zeros({d.size_text(wanted.sizes[1])})"
    if wanted.rank == 3:
        return "lambda a, b: a + b", f"tl.zeros(({d.size_text(wanted.sizes[1])}, {d.size_text(wanted.sizes[2])}))"
    if d.chance(0.2):
        free = write.leaf(d, wanted.shaped())
        return f"lambda a, b: a + b + 0.3 * {free} * a * b", "0.0"
    return d.pick(ONE)


def tamed(type_: Type, text: str, factor: str = "") -> str:
    """Factors of long products at most 1, so that no part of a product overflows."""
    is_long = type_.sizes[0][0] > LONGEST_PRODUCT
    return f"{factor}tl.sin({text})" if is_long else text


def finite(op: str, order: str, text: str, component: int = 0) -> str:
    """A component of a scan, without the infinite neutral element that it may begin with."""
    return FINITE[op][component].format(text) if op in FINITE and order not in INCLUSIVE else text


def scanned(d: Draft, wanted: Type, depth: int) -> str:
    op, neutral = operator(d, wanted)
    array = tamed(wanted, write.expression(d, wanted, depth - 1))
    if d.chance(0.15):
        return f"tl.cumsum({array})" if d.chance(0.7) else f"tl.cumprod({array})"
    order = d.pick(ORDERS)
    return finite(op, order, f"tl.scan({op}, {neutral}, {array}{order})")


def several(d: Draft, wanted: Type, depth: int) -> tuple[str, str, str, int]:
    """An operator of several components, arrays for it, and which component is wanted."""
    need_double(wanted)
    op, neutral, count = d.pick(SEVERAL)
    arrays = [write.expression(d, wanted, depth - 1 if each == 0 else min(depth - 1, 1)) for each in range(count)]
    factor = "0.5 * " if count > 2 else ""
    return op, neutral, ", ".join(tamed(wanted, array, factor) for array in arrays), d.rng.randrange(count)


def tuple_scan(d: Draft, wanted: Type, depth: int) -> str:
    if wanted.rank != 1:
        raise Stuck
    op, neutral, arrays, chosen = several(d, wanted, depth)
    order = d.pick(ORDERS)
    return finite(op, order, f"tl.scan({op}, {neutral}, {arrays}{order})[{chosen}]", chosen)


def keys_for(d: Draft, depth: int) -> tuple[str, Type]:
    """Keys, and the type of one value per key."""
    size = d.size()
    return write.expression(d, integers(size), depth - 1), Type("f64", (size,))


def histogram(d: Draft, wanted: Type, depth: int) -> str:
    op, neutral = operator(d, wanted)
    keys, values = keys_for(d, depth)
    dest = write.expression(d, wanted, depth - 1)
    value = tamed(values, write.expression(d, values.shaped(*values.sizes, *wanted.sizes[1:]), depth - 1))
    return f"tl.hist({op}, {neutral}, {dest}, {keys}, {value})"


def tuple_histogram(d: Draft, wanted: Type, depth: int) -> str:
    need_double(wanted)
    if wanted.rank != 1:
        raise Stuck
    op, neutral, count = d.pick((AFFINE, SUM_AND_PRODUCT, EXTREMES))
    keys, values = keys_for(d, depth)
    dests = ", ".join(write.expression(d, wanted, depth - 2) for _ in range(count))
    arrays = ", ".join(tamed(values, write.expression(d, values, depth - 2)) for _ in range(count))
    return f"tl.hist({op}, {neutral}, ({dests}), {keys}, ({arrays}))[{d.rng.randrange(count)}]"


def scattered(d: Draft, wanted: Type, depth: int) -> str:
    """Keys are a permutation, shifted: none occurs twice, some may lie outside."""
    need_double(wanted)
    size = d.size()
    order = write.integers.order(d, integers(size, bound=size), depth - 1)
    shift = d.pick(("", " - 1", " + 1", " * 2"))
    dest = write.expression(d, wanted, depth - 1)
    value = write.expression(d, wanted.shaped(size, *wanted.sizes[1:]), depth - 1)
    return f"tl.scatter({dest}, {order}{shift}, {value})"
