"""Every elementary function of the library and the code that computes it."""

from __future__ import annotations

from collections.abc import Callable

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.math.elementary.exponential import exp, exp2, expm1
from tapeless.passes.lower.math.elementary.gamma_and_error import digamma, erf, erfc, in_double, trigamma
from tapeless.passes.lower.math.elementary.half_floats import rounded_to
from tapeless.passes.lower.math.elementary.hyperbolic import (
    acosh,
    asinh,
    atanh,
    cosh,
    sigmoid,
    sign,
    sinh,
    softplus,
    tanh,
)
from tapeless.passes.lower.math.elementary.inverse_error_function import erfinv
from tapeless.passes.lower.math.elementary.inverse_trigonometric import acos, asin, atan, atan2
from tapeless.passes.lower.math.elementary.logarithm import log, log1p, log2, log10
from tapeless.passes.lower.math.elementary.power import pow
from tapeless.passes.lower.math.elementary.roots import cbrt, hypot, reciprocal_root, reciprocal_root_by_steps, rsqrt
from tapeless.passes.lower.math.elementary.trigonometric import EASY_RANGE, cos, sin, tan
from tapeless.passes.lower.math.lanes import Lanes
from tapeless.passes.lower.math.libm import library_call

Code = Callable[..., Lanes]


@dataclass(frozen=True)
class Guarded:
    """Code for arguments below a limit, and the op of the C library's function for the others."""

    code: Code
    limit: float
    fallback: str


INLINED: dict[str, Code] = {
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "log": log,
    "log1p": log1p,
    "log2": log2,
    "log10": log10,
    "pow": pow,
    "rsqrt": rsqrt,
    "cbrt": cbrt,
    "hypot": hypot,
    "tanh": tanh,
    "sinh": sinh,
    "cosh": cosh,
    "asinh": asinh,
    "acosh": acosh,
    "atanh": atanh,
    "asin": asin,
    "acos": acos,
    "atan": atan,
    "atan2": atan2,
    "erf": in_double(erf),
    "erfc": in_double(erfc),
    "erfinv": erfinv,
    "round_f16": in_double(rounded_to("f16")),
    "round_bf16": in_double(rounded_to("bf16")),
    "sigmoid": sigmoid,
    "softplus": softplus,
    "sign": sign,
    "digamma": in_double(digamma),
    "trigamma": in_double(trigamma),
    "lgamma": library_call("lgamma"),
}

GUARDED: dict[str, Guarded] = {
    "sin": Guarded(sin, EASY_RANGE, "math.sin"),
    "cos": Guarded(cos, EASY_RANGE, "math.cos"),
    "tan": Guarded(tan, EASY_RANGE, "math.tan"),
}

# What marked operations become, inlined as well.
MARKED: dict[str, Code] = {
    "reciprocal_root": reciprocal_root,
    "reciprocal_root_by_steps": reciprocal_root_by_steps,
}
