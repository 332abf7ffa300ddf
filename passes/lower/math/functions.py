"""Every elementary function of the library and the code that computes it."""

from __future__ import annotations

from tapeless.passes.driver.pass_table import ImportTable
from tapeless.passes.lower.math.libm import Code, Guarded

INLINED: ImportTable[str, Code] = ImportTable(
    "lower.math",
    {
        "exp": "elementary.exponential.exp",
        "exp2": "elementary.exponential.exp2",
        "expm1": "elementary.exponential.expm1",
        "log": "elementary.logarithm.log",
        "log1p": "elementary.logarithm.log1p",
        "log2": "elementary.logarithm.log2",
        "log10": "elementary.logarithm.log10",
        "pow": "elementary.power.pow",
        "rsqrt": "elementary.roots.rsqrt",
        "cbrt": "elementary.roots.cbrt",
        "hypot": "elementary.roots.hypot",
        "tanh": "elementary.hyperbolic.tanh",
        "sinh": "elementary.hyperbolic.sinh",
        "cosh": "elementary.hyperbolic.cosh",
        "asinh": "elementary.hyperbolic.asinh",
        "acosh": "elementary.hyperbolic.acosh",
        "atanh": "elementary.hyperbolic.atanh",
        "asin": "elementary.inverse_trigonometric.asin",
        "acos": "elementary.inverse_trigonometric.acos",
        "atan": "elementary.inverse_trigonometric.atan",
        "atan2": "elementary.inverse_trigonometric.atan2",
        "erf": "elementary.gamma_and_error.erf_in_double",
        "erfc": "elementary.gamma_and_error.erfc_in_double",
        "erfinv": "elementary.inverse_error_function.erfinv",
        "round_f16": "elementary.half_floats.rounded_to_f16",
        "round_bf16": "elementary.half_floats.rounded_to_bf16",
        "sigmoid": "elementary.hyperbolic.sigmoid",
        "softplus": "elementary.hyperbolic.softplus",
        "sign": "elementary.hyperbolic.sign",
        "digamma": "elementary.gamma_and_error.digamma_in_double",
        "trigamma": "elementary.gamma_and_error.trigamma_in_double",
        "lgamma": "libm.lgamma",
    },
)

GUARDED: ImportTable[str, Guarded] = ImportTable(
    "lower.math.elementary.trigonometric",
    {"sin": "GUARDED_SIN", "cos": "GUARDED_COS", "tan": "GUARDED_TAN"},
)

# What marked operations become, inlined as well.
MARKED: ImportTable[str, Code] = ImportTable(
    "lower.math.elementary.roots",
    {
        "reciprocal_root": "reciprocal_root",
        "reciprocal_root_by_steps": "reciprocal_root_by_steps",
    },
)
