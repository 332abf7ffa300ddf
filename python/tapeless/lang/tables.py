"""All operators by name."""

from __future__ import annotations

from types import SimpleNamespace

from tapeless.lang.elementwise import ELEMENTWISE
from tapeless.lang.making import MAKING
from tapeless.lang.matrices import LINALG, MATRICES
from tapeless.lang.operator import Operator
from tapeless.lang.procedures import PROCEDURES
from tapeless.lang.random_numbers import RANDOM
from tapeless.lang.rearranging import REARRANGING
from tapeless.lang.reducing import REDUCING
from tapeless.lang.second_order import SECOND_ORDER

OPERATORS: dict[str, Operator] = {
    **ELEMENTWISE,
    **MAKING,
    **REARRANGING,
    **REDUCING,
    **MATRICES,
    **SECOND_ORDER,
    **PROCEDURES,
}
linalg = SimpleNamespace(**LINALG)
"""The operators of `tl.linalg`."""
random = SimpleNamespace(**RANDOM)
"""The operators of `tl.random`."""

# Functions of numpy, also as methods, and of Python whose parameters are others than those of the operator they mean.
NUMPY: dict[str, Operator] = {
    name: Operator(name, lambda x, axis=None, *, keepdims=False: None, OPERATORS[name].summary, f"np.{name}")
    for name in ("min", "max")
}
NUMPY |= {
    name: Operator(name, lambda x, axis=None: None, OPERATORS[name].summary, f"np.{name}")
    for name in ("cumsum", "cumprod")
}
NUMPY["where"] = Operator("where", lambda condition, x=None, y=None: None, OPERATORS["where"].summary, "np.where")
PYTHON = {
    "sum": Operator(
        "sum",
        lambda x, /, start=0, *, axis=None, keepdims=False: None,
        OPERATORS["sum"].summary,
        "builtins.sum",
    )
}
