"""What to write instead of functions that Python and numpy have and the language has not."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

# By name: expressions of x and y, and for which of them they are the same.
NUMPY = {
    "tensordot": "tl.einsum with the indices written out, as in tl.einsum('ij,jk->ik', x, y)",
}
MATH = {
    "dist": "tl.norm(x - y)",
    "fsum": "tl.sum(x)",
    "gamma": "tl.exp(tl.lgamma(x)) for positive x",
}
BUILTINS = {
    "enumerate": "for i, v in enumerate(x):",
    "map": "tl.map(f, x)",
    "print": "what is to be seen as a result",
    "reversed": "tl.reverse(x)",
    "sorted": "tl.sort(x)",
    "zip": "for v, w in zip(x, y):",
}
_MODULES = ((np, NUMPY), (math, MATH), (builtins, BUILTINS))


def instead_of(value: Any) -> str | None:
    """What does the same as a function of Python or numpy, or None."""
    return next(
        (text for module, table in _MODULES for name, text in table.items() if getattr(module, name) is value), None
    )
