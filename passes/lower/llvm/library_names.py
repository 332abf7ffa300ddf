"""Functions that have the name of one that LLVM itself calls, such as `fmod` or `memset`, get another name.

A remainder becomes a call of `fmod`, and a loop that fills an array one of `memset`, whatever the module defines under
these names: the function would call itself.
"""

from __future__ import annotations

from tapeless._mlir import func, ir

_OF_ARRAYS = "bcmp bcopy bzero memchr memcmp memcpy memmove memset strlen"
_OF_NUMBERS = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 fabs fdim floor "
    "fma fmax fmaximum fmaximum_num fmin fminimum fminimum_num fmod frexp hypot ldexp lgamma llrint llround log log10 "
    "log1p log2 lrint lround modf nearbyint pow remainder rint round roundeven sin sincos sincospi sinh sqrt tan tanh "
    "tgamma trunc"
)
_OF_THE_SYSTEM = "abort calloc exit free malloc printf puts realloc"
LIBRARY = frozenset(
    {*_OF_ARRAYS.split(), *_OF_THE_SYSTEM.split()}
    | {name + kind for name in _OF_NUMBERS.split() for kind in ("", "f", "l")}
)
SUFFIX = "__own"


def keep_apart(module: ir.Module, functions: list[func.FuncOp]) -> None:
    """Renames those of these functions, and what refers to them, whose names are the library's."""
    for function in functions:
        name = ir.StringAttr(function.attributes["sym_name"]).value
        if name in LIBRARY:
            ir.SymbolTable.replace_all_symbol_uses(name, name + SUFFIX, module.operation)
            function.attributes["sym_name"] = ir.StringAttr.get(name + SUFFIX)
