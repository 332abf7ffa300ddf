"""Functions that work element by element."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from unit.imports.lax.rows import ALL, BITS, FLOATS, HALVES, INTEGERS, NONE, NUMBERS, SIGNED, Row

ANY, POSITIVE, UNIT, ABOVE_ONE = (-2.0, 2.0), (0.3, 3.0), (-0.9, 0.9), (1.1, 3.0)

UNARY = {
    "abs": ANY,
    "acos": UNIT,
    "acosh": ABOVE_ONE,
    "asin": UNIT,
    "asinh": ANY,
    "atan": ANY,
    "atanh": UNIT,
    "cbrt": POSITIVE,
    "ceil": ANY,
    "cos": ANY,
    "cosh": ANY,
    "digamma": POSITIVE,
    "erf": ANY,
    "erf_inv": UNIT,
    "erfc": ANY,
    "exp": ANY,
    "exp2": ANY,
    "expm1": ANY,
    "floor": ANY,
    "lgamma": POSITIVE,
    "log": POSITIVE,
    "log1p": POSITIVE,
    "logistic": ANY,
    "reciprocal": POSITIVE,
    "round": ANY,
    "rsqrt": POSITIVE,
    "sin": ANY,
    "sinh": ANY,
    "sqrt": POSITIVE,
    "tan": UNIT,
    "tanh": ANY,
    "bessel_i0e": ANY,
    "bessel_i1e": ANY,
}


def unary(name, dtypes, inside=ANY, smooth=True):
    return Row(name, lambda x, y: getattr(lax, name)(x), dtypes, smooth, inside)


def binary(name, dtypes, inside=ANY, smooth=True, refused=NONE):
    return Row(name, lambda x, y: getattr(lax, name)(x, y), dtypes, smooth, inside, refused)


def converted(target):
    """All elements as another dtype; floats are positive, since those below 0 are no numbers without a sign."""
    return lambda x, y: lax.convert_element_type(x, target)


def amounts(y):
    """Numbers to shift by, of which the largest leaves nothing."""
    return lax.convert_element_type(jnp.where(y == 9, 64, jnp.abs(lax.convert_element_type(y, "int32"))), y.dtype)


def word(x):
    """The integers with as many bits."""
    return {"float32": jnp.int32, "float64": jnp.int64, "int32": jnp.uint32, "uint32": jnp.int32}.get(
        x.dtype.name, x.dtype
    )


ROWS = [
    *(unary(name, FLOATS, inside) for name, inside in UNARY.items()),
    unary("neg", NUMBERS),
    unary("sign", (*SIGNED, *FLOATS, "u32")),
    unary("square", NUMBERS),
    unary("bitwise_not", BITS),
    unary("clz", INTEGERS),
    unary("population_count", INTEGERS),
    unary("is_finite", FLOATS, smooth=False),
    Row("abs", lambda x, y: lax.abs(x), SIGNED),
    Row("round", lambda x, y: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), FLOATS, inside=ANY),
    Row("integer_pow", lambda x, y: lax.integer_pow(x, 3), NUMBERS, inside=ANY),
    Row("integer_pow", lambda x, y: lax.integer_pow(x, -2), FLOATS, inside=POSITIVE),
    Row("polygamma", lambda x, y: lax.polygamma(lax.full_like(x, 1.0), x), FLOATS, inside=POSITIVE),
    Row("zeta", lambda x, y: lax.zeta(lax.full_like(x, 2.0), x), FLOATS, False, POSITIVE),
    Row("igamma", lambda x, y: lax.igamma(lax.full_like(x, 1.5), y), FLOATS, inside=POSITIVE),
    Row("igammac", lambda x, y: lax.igammac(lax.full_like(x, 1.5), y), FLOATS, inside=POSITIVE),
    Row("igamma_grad_a", lambda x, y: lax.igamma_grad_a(x, y), FLOATS, False, POSITIVE),
    Row("random_gamma_grad", lambda x, y: lax.random_gamma_grad(x, y), FLOATS, False, POSITIVE),
    Row("betainc", lambda x, y: lax.betainc(lax.full_like(x, 1.5), lax.full_like(x, 2.0), y), FLOATS),
    binary("add", ALL[1:]),
    binary("sub", NUMBERS),
    binary("mul", ALL[1:]),
    binary("div", NUMBERS, POSITIVE),
    binary("rem", NUMBERS, POSITIVE),
    binary("max", ALL),
    binary("min", ALL),
    binary("pow", FLOATS, POSITIVE),
    Row("pow", lambda x, y: lax.pow(x, lax.full((), 3, jnp.int32)), FLOATS, inside=ANY),
    binary("atan2", FLOATS),
    binary("nextafter", FLOATS, smooth=False, refused=dict.fromkeys(HALVES, "i16")),
    binary("bitwise_and", BITS),
    binary("bitwise_or", BITS),
    binary("bitwise_xor", BITS),
    *(
        Row(name, lambda x, y, name=name: getattr(lax, name)(x, amounts(y)), INTEGERS)
        for name in ("shift_left", "shift_right_logical", "shift_right_arithmetic")
    ),
    binary("mulhi", ("i32", "i64", "u32")),
    *(binary(name, ALL, smooth=False) for name in ("eq", "ne", "lt", "le", "gt", "ge")),
    Row("clamp", lambda x, y: lax.clamp(jnp.asarray(1, x.dtype), x, y), NUMBERS, inside=(0.5, 3.0)),
    Row("select", lambda x, y: lax.select(x > y, x, lax.mul(y, y)), NUMBERS),
    Row("select_n", lambda x, y: lax.select_n(x == y, x, y), ALL),
    Row("select_n", lambda x, y: lax.select_n(lax.convert_element_type(x, "int32") % 3, x, y, x), NUMBERS),
    Row("reduce_precision", lambda x, y: lax.reduce_precision(x, 11, 52), FLOATS),
    *(
        Row("convert_element_type", converted(target), ALL, target[0] == "f", (0.3, 90.0))
        for target in ("bool", "int32", "int64", "uint32", "float32", "float64")
    ),
    Row("bitcast_convert_type", lambda x, y: lax.bitcast_convert_type(x, word(x)), ALL, False),
    Row(
        "bitcast_convert_type",
        lambda x, y: lax.bitcast_convert_type(lax.bitcast_convert_type(x, word(x)), x.dtype) * x,
        FLOATS,
        halves=False,
    ),
]
