"""What to write instead of functions that Python and numpy have and the language has not."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

_EQUAL_PLACES = "tl.iota(n)[:, None] == tl.iota(n)"
_BY_INDEX = "for i in range(len(x)): and x[i] in the body"

# By name: expressions of x, y, n and k.
NUMPY = {
    "add": "x + y",
    "append": "tl.concat((x, y))",
    "arange": "tl.iota(n)",
    "array": "tl.stack((x, y))",
    "average": "tl.mean(x)",
    "deg2rad": "x * (np.pi / 180)",
    "diag": "tl.map(lambda i: x[i, i], tl.iota(len(x)))",
    "diff": "x[1:] - x[:-1]",
    "divide": "x / y",
    "einsum": "products with @, or tl.sum of a product",
    "empty": "tl.zeros(n)",
    "eye": f"tl.where({_EQUAL_PLACES}, 1.0, 0.0)",
    "fabs": "abs(x)",
    "flip": "tl.reverse(x)",
    "fmax": "tl.maximum(x, y)",
    "fmin": "tl.minimum(x, y)",
    "heaviside": "tl.where(x > 0, 1.0, 0.0)",
    "hstack": "tl.concat((x, y))",
    "identity": f"tl.where({_EQUAL_PLACES}, 1.0, 0.0)",
    "inner": "tl.dot(x, y)",
    "isinf": "abs(x) == tl.inf",
    "logaddexp": "tl.maximum(x, y) + tl.log1p(tl.exp(-abs(x - y)))",
    "median": "tl.sort(x)[len(x) // 2]",
    "meshgrid": "x[:, None] and y[None, :], which broadcast",
    "multiply": "x * y",
    "negative": "-x",
    "rad2deg": "x * (180 / np.pi)",
    "reciprocal": "1.0 / x",
    "roll": "tl.concat((x[-k:], x[:-k]))",
    "square": "x * x",
    "std": "tl.sqrt(tl.mean((x - tl.mean(x)) ** 2))",
    "subtract": "x - y",
    "tensordot": "products with @, or tl.sum of a product",
    "tile": "tl.concat((x, x))",
    "trace": "tl.sum(tl.map(lambda i: x[i, i], tl.iota(len(x))))",
    "tril": "tl.where(tl.iota(n)[:, None] >= tl.iota(n), x, 0.0)",
    "triu": "tl.where(tl.iota(n)[:, None] <= tl.iota(n), x, 0.0)",
    "var": "tl.mean((x - tl.mean(x)) ** 2)",
    "vdot": "tl.dot(x, y)",
    "vstack": "tl.stack((x, y))",
}
MATH = {
    "degrees": "x * (180 / math.pi)",
    "dist": "tl.norm(x - y)",
    "fabs": "abs(x)",
    "fsum": "tl.sum(x)",
    "gamma": "tl.exp(tl.lgamma(x))",
    "isinf": "abs(x) == tl.inf",
    "radians": "x * (math.pi / 180)",
}
BUILTINS = {
    "divmod": "x // y and x % y",
    "enumerate": _BY_INDEX,
    "map": "tl.map(f, x)",
    "print": "what is to be seen as a result",
    "reversed": "tl.reverse(x)",
    "sorted": "tl.sort(x)",
    "zip": _BY_INDEX,
}
_MODULES = ((np, NUMPY), (math, MATH), (builtins, BUILTINS))


def instead_of(value: Any) -> str | None:
    """What does the same as a function of Python or numpy, or None."""
    return next(
        (text for module, table in _MODULES for name, text in table.items() if getattr(module, name) is value), None
    )
