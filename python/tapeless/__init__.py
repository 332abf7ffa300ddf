"""Tapeless differentiates programs without a tape.

`import tapeless as tl`: types (`tl.f64[:]`), the decorator `tl.function`, `tl.compile`, `tl.jit`, the operators of the
language (`tl.sum`, `tl.map`, ...) and the errors. Each name is loaded when it is first asked for: the frontend with the
first name that needs it, MLIR and LLVM when something is first compiled; `tl.load` and the kernels it gives need none
of them. `__init__.pyi` beside this file says the same to type checkers (`make stub` writes it).
"""

from types import ModuleType
from typing import Any

from tapeless import lang
from tapeless import linalg as linalg
from tapeless import random as random
from tapeless.version import __version__ as __version__

# Public names by the module that defines them, beside those of the language, which `tapeless.lang` lists.
PLACES = {
    "tapeless": ("linalg", "random"),
    "tapeless.api.by_python.block": ("disable_jit",),
    "tapeless.api.exports.to_jax": ("to_jax",),
    "tapeless.api.exports.to_torch": ("to_torch",),
    "tapeless.api.decorated": ("TapelessFunction",),
    "tapeless.api.function": ("compile", "function", "jit"),
    "tapeless.api.imports.jax_functions": ("from_jax",),
    "tapeless.api.imports.mlir": ("from_mlir",),
    "tapeless.api.imports.torch_modules": ("from_torch",),
    "tapeless.api.reversible": ("Reversible", "reversible"),
    "tapeless.api.sparse.matrices": ("sparse_hessian", "sparse_jacobian"),
    "tapeless.api.transforms.batching": ("vmap",),
    "tapeless.api.transforms.check": ("check_grads",),
    "tapeless.api.transforms.custom": ("custom_jvp", "custom_vjp"),
    "tapeless.api.transforms.directional": ("hvp", "jvp", "vjp"),
    "tapeless.api.transforms.functions": ("checkpoint", "grad", "hessian", "jacfwd", "jacrev", "value_and_grad"),
    "tapeless.errors": (
        "ArgumentError",
        "BundleError",
        "CheckFailed",
        "ConversionError",
        "FrontendError",
        "GradientMismatch",
        "IndexOutOfRange",
        "InternalError",
        "InvertibilityError",
        "LinAlgError",
        "NoRuleError",
        "NotPicklable",
        "NotReversible",
        "PipelineError",
        "RecursionTooDeep",
        "ShapeMismatch",
        "TapelessError",
        "TargetError",
        "TypeMismatch",
    ),
    "tapeless.lang": lang.PUBLIC,
    "tapeless.modes": ("In",),
    "tapeless.number_types": ("Stored", "fixed43", "ulog", "ulog43"),
    "tapeless.runtime": ("cuda",),
    "tapeless.runtime.kernel": ("Kernel",),
    "tapeless.runtime.load": ("load",),
    "tapeless.trees": ("register",),
    "tapeless.types": ("bf16", "bool_", "f16", "f32", "f64", "i32", "i64", "u32"),
}
_PLACE_OF = {name: module for module, names in PLACES.items() for name in names}

__all__ = sorted(_PLACE_OF)


def _of_compiler(module: str, name: str) -> ModuleType:
    """A module that is not there where only the runtime is installed."""
    try:
        return __import__(module, fromlist=[name])
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise ImportError(
            f"tl.{name} needs the compiler, and only the runtime is installed here; `pip install tapeless`"
        ) from None


def __getattr__(name: str) -> object:
    if name not in _PLACE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(_of_compiler(_PLACE_OF[name], name), name)
    return found


def _compute_at_once(operator: lang.Operator, arguments: tuple[Any, ...], named: dict[str, Any]) -> object:
    """Computes operators that are called outside of functions; the compiler is loaded by the first such call."""
    lang.Operator.at_once = _of_compiler("tapeless.api.at_once.evaluation", operator.__name__).evaluate
    return lang.Operator.at_once(operator, arguments, named)


lang.Operator.at_once = _compute_at_once


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
