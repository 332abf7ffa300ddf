"""`FUNCTIONS`: every elementary function of the library and the code that computes it."""

from __future__ import annotations

from collections.abc import Callable

from .exponential import exp, exp2, expm1
from .lanes import Lanes
from .logarithm import log

FUNCTIONS: dict[str, Callable[..., Lanes]] = {"exp": exp, "exp2": exp2, "expm1": expm1, "log": log}
