"""Expressions of x, y and z by the class of rules that their derivatives go through (`docs/simplification.md`).

`P` are powers of powers. Each text is read twice: as a program, and by the names of `mpmath`.
"""

from __future__ import annotations

import itertools
import random

import numpy as np

import tapeless as tl

EXPRESSIONS = {
    "S": ("cos(-x) * y", "sin(-x) + abs(x * y)", "x**2.0 + y**-1.0", "where(x < y, x * y, x / y) * where(x < y, y, x)"),
    "Z": ("-(x - y) * x", "abs(x * x) * y", "where(x < y, x, 0.0) + where(x < y, 0.0, y)"),
    "N": ("where(x < y, 1.0, 0.0) * z * x", "where(x < y, x, y) * z", "maximum(x, y) * x / z"),
    "R": (
        "x * (y + 1.0) - x * y",
        "x * x + 2.0 * x * y + y * y",
        "x * y * z / x",
        "x * x * x * x * y",
        "(x * y) * (z / y)",
        "x * (y * z) + y * (x * z)",
        "exp(x) * (y + 1.0 / exp(x))",
        "(x - y) * (x - y) * z",
        "x * y * z * x * y * z",
    ),
    "A": (
        "x / z + y / z",
        "x / (x + y) + y / (x + y)",
        "(x - sqrt(y)) / sqrt(y)",
        "x / y / z",
        "x / (y / z)",
        "(x / y) * (y / z)",
        "x * x / (y * y)",
        "1.0 / (x * x + y * y)",
        "x / sqrt(x * x + y * y)",
        "1.0 / (1.0 / x + 1.0 / y)",
        "x / (x + y) * z / (x + y)",
        "(x / (x + y)) * (y / (x + y)) / (x + y)",
    ),
    "C": ("x * y + z", "x * y - z * x", "(x * y + z) * (x * y + z)"),
    "F": (
        "exp(x) * exp(y)",
        "log(x * y) + log(x) + log(y)",
        "log(x / y) + log(y) + log(x)",
        "log(x) / log(y)",
        "sqrt(x) * sqrt(y)",
        "sqrt(x * x)",
        "sqrt(x) * sqrt(x) * y",
        "y / (1.0 + exp(-x))",
        "log(exp(x) * y)",
        "exp(log(x) + y)",
        "0.5 * z * (sqrt(x * x + y * y) - 1.0) ** 2",
    ),
    "P": (
        "(x**y) ** z",
        "(x**2.0) ** y",
        "(x**0.5) ** 4.0",
        "(x**y) * (x**z)",
        "(x**-3.0) ** 2.0",
        "(1.0 / x) ** 6 - (1.0 / x) ** 12",
        "(x / y) ** 4",
        "x**1.5 * y",
    ),
    "D": ("(x * x - 1.0) / (x - 1.0)", "x * x / x", "x * y / x", "(x * x - y * y) / (x - y)"),
    "St": (
        "log(1.0 + exp(x))",
        "log(1.0 + x * x)",
        "exp(x) - 1.0",
        "1.0 - cos(x)",
        "1.0 - tanh(x) ** 2",
        "sqrt(1.0 + x * x) - 1.0",
        "log(exp(x) + exp(y))",
        "exp(x) / (1.0 + exp(x))",
        "tanh(x / y) * x",
        "sqrt(log1p(x * x)) * y",
    ),
}
DTYPES = {"f64": np.float64, "f32": np.float32}
POWERS = (-1.0, -0.55, -0.5, -0.33, -0.07, 0.0, 0.07, 0.33, 0.5, 0.55, 0.97)
MOST_POINTS = 400
FUNCTIONS = ("cos", "sin", "exp", "log", "sqrt", "tanh", "log1p")


def kernel(text, method, tmp_path, kind="f64"):
    """Value, gradient and second derivatives of an expression at many points; the program has a file of its own."""
    names = {name: getattr(tl, name) for name in (*FUNCTIONS, "where", "maximum", "abs")}
    path = tmp_path / f"program_{method}.py"
    path.write_text(f"def f(x: tl.{kind}, y: tl.{kind}, z: tl.{kind}):\n    return {text}\n")
    exec(compile(path.read_text(), str(path), "exec"), names := names | {"tl": tl})
    f = tl.function(names["f"])
    first = tl.grad(f, argnums=(0, 1), method=method)
    second = tl.grad(tl.grad(f, argnums=0, method=method), argnums=(0, 1), method=method)

    @tl.function
    def all_of_them(xs, ys, zs):
        def one(x, y, z):
            a, b = first(x, y, z)
            p, q = second(x, y, z)
            return f(x, y, z), a, b, p, q

        return tl.map(one, xs, ys, zs)

    return all_of_them


def both(text, points, tmp_path, kind="f64"):
    """What both methods give, `redundant` first: an array of values and derivatives by points."""
    columns = [np.array(column, DTYPES[kind]) for column in zip(*points, strict=True)]
    return [np.array(kernel(text, method, tmp_path, kind)(*columns)) for method in ("redundant", "coarsened")]


def edges_of(kind):
    """Zeros, numbers of all sizes, the smallest and the largest, of both signs."""
    limits = np.finfo(DTYPES[kind])
    sizes = [0.0, limits.smallest_subnormal, 1.7, limits.max, *(float(limits.max) ** power for power in POWERS)]
    return [sign * float(size) for size in sizes for sign in (1.0, -1.0)]


def edge_points(kind):
    """Points of which all numbers are at edges, and some where two are the same."""
    edges = edges_of(kind)
    chosen = random.Random(11).sample(list(itertools.product(edges, repeat=3)), MOST_POINTS)
    return chosen + [(a, a, b) for a in edges for b in (1.0, edges[-8], edges[8])]
