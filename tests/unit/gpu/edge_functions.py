"""Functions, sums and scans at the edges of floats: a GPU gives what the CPU does, also infinities and NaN."""

from __future__ import annotations

import itertools

import numpy as np

from function_from_text import function_from_text

OF_ONE = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "cbrt", "sin", "cos", "tan"),
    *("asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "erfinv"),
    *("sigmoid", "softplus", "lgamma", "digamma", "abs", "sign", "floor", "ceil", "trunc", "round"),
)
OF_TWO = (
    "tl.atan2(x, y)",
    "tl.hypot(x, y)",
    "x ** y",
    "tl.maximum(x, y)",
    "tl.minimum(x, y)",
    "x / y",
    "x * y",
    "x - y",
)
PER_KERNEL = 12
ELEMENTWISE = """
@tl.function
def elementwise({names}):
    def one({names}):
        return {values}

    return tl.map(one, {names})
"""
VALUE, SLOPE = "tl.{name}(x)", "tl.grad(lambda v: tl.{name}(v))(x)"
TOGETHER = """
@tl.function
def total(xs: tl.{kind}[:], ks: tl.i64[:]):
    picked = tl.map(lambda k: xs[k] * xs[k], ks)
    return tl.sum(xs) + tl.sum(picked) + tl.max(xs) - tl.min(xs) + tl.sum(tl.cumsum(xs))

@tl.function
def together(xs: tl.{kind}[:], ks: tl.i64[:]):
    added = tl.hist(lambda a, b: a + b, 0.0, tl.zeros(3, dtype=tl.{kind}), ks, xs)
    return tl.cumsum(xs), added, tl.grad(total)(xs, ks)

@tl.function
def slopes_of_a_product(xs: tl.{kind}[:]):
    return tl.grad(lambda v: tl.prod(v))(xs)
"""


def edge_numbers(kind):
    """Numbers of all sizes and of both signs, large arguments of sines, and what is no number."""
    limits = np.finfo(kind)
    sizes = [0.0, limits.smallest_subnormal, limits.smallest_normal, 1e-30, 1e-5, 0.5, 1.0, 1.5, 2.0, 20.0, 90.0, 720.0]
    sizes += [1e6, 1e9, 1e15, 3e22, float(limits.max) ** 0.5, limits.max, np.inf]
    return np.array([sign * size for size in map(float, sizes) for sign in (1.0, -1.0)] + [np.nan], kind)


def programs(kind):
    """Functions with their arguments: of one number with slopes, of two numbers, and of arrays."""
    dtype = {"f64": "float64", "f32": "float32"}[kind]
    numbers = edge_numbers(dtype)
    for names in _batched(OF_ONE):
        texts = [text.format(name=name) for name in names for text in (VALUE, SLOPE)]
        yield function_from_text(ELEMENTWISE.format(names="x", values=", ".join(texts)), "elementwise"), (numbers,)
    pairs = np.array(list(itertools.product(numbers, repeat=2)), dtype)
    columns = tuple(np.ascontiguousarray(column) for column in pairs.T)
    yield function_from_text(ELEMENTWISE.format(names="x, y", values=", ".join(OF_TWO)), "elementwise"), columns
    keys = np.arange(7) % 3
    together, product = (
        function_from_text(TOGETHER.format(kind=kind), name) for name in ("together", "slopes_of_a_product")
    )
    for number in numbers:
        given = np.array([0.5, 1.0, 0.0, 2.0, 0.25, 1.0, 1.5], dtype)
        given[2] = number
        yield together, (given, keys)
        # A product in another order may overflow where it does not in that of the program.
        if abs(number) < np.finfo(dtype).max:
            yield product, (given,)


def _batched(names):
    return [names[k : k + PER_KERNEL] for k in range(0, len(names), PER_KERNEL)]
