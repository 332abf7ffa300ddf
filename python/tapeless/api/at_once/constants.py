"""Which arguments of operators must be known when compiling; all others are arguments of the compiled code."""

from __future__ import annotations

import math
from typing import Any

# Parameters of these names say what is computed, whatever the operator.
ALWAYS = frozenset(
    {
        "axis",
        "axes",
        "axis1",
        "axis2",
        "axisa",
        "axisb",
        "axisc",
        "decimals",
        "endpoint",
        "source",
        "destination",
        "dtype",
        "keepdims",
        "subscripts",
        "indexing",
        "mode",
        "side",
        "exclusive",
        "reverse",
        "step",
    }
)
# Further ones of some operators; a power by a constant is a product, and a size of -1 is found from the others.
OF_OPERATOR: dict[str, frozenset[str]] = {
    "diff": frozenset({"n"}),
    "diag": frozenset({"k"}),
    "diagonal": frozenset({"offset"}),
    "trace": frozenset({"offset"}),
    "pow": frozenset({"y"}),
    "linalg.norm": frozenset({"ord"}),
    "linalg.cholesky": frozenset({"upper"}),
}
NO_CONSTANTS: frozenset[str] = frozenset()
# Operators whose result has as many axes as the sizes of their argument say.
NEEDS_SIZES = frozenset({"squeeze"})


def is_constant(operator: str, parameter: str, value: Any) -> bool:
    """Whether a value is written into the function that is compiled; what is no number or array always is."""
    if value is None or isinstance(value, str):
        return True
    if not isinstance(value, (bool, int, float)):
        return False
    if not math.isfinite(value):
        return parameter == "ord"
    if parameter == "shape":
        return value == -1
    return parameter in ALWAYS or parameter in OF_OPERATOR.get(operator, NO_CONSTANTS)
