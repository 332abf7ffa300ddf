"""Which arguments of operators must be known when compiling; all others are arguments of the compiled code."""

from __future__ import annotations

import math
from typing import Any

from tapeless.lang import Operator

# Parameters of these names say what is computed, whatever the operator; so do options that are True or False.
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
        "source",
        "destination",
        "dtype",
        "subscripts",
        "indexing",
        "mode",
        "side",
        "step",
    }
)
# Further ones of some operators; a power by a constant is a product, and a size of -1 is found from the others.
OF_OPERATOR: dict[str, frozenset[str]] = {
    "array_split": frozenset({"sections"}),
    "diff": frozenset({"n"}),
    "diag": frozenset({"k"}),
    "diagonal": frozenset({"offset"}),
    "trace": frozenset({"offset"}),
    "pow": frozenset({"y"}),
    "diag_indices": frozenset({"ndim"}),
    "hsplit": frozenset({"indices_or_sections"}),
    "rot90": frozenset({"k"}),
    "split": frozenset({"indices_or_sections"}),
    "vsplit": frozenset({"indices_or_sections"}),
    "linalg.matrix_power": frozenset({"n"}),
    "linalg.norm": frozenset({"ord"}),
}
NO_CONSTANTS: frozenset[str] = frozenset()
# Operators whose result has as many axes as the sizes of their argument say.
NEEDS_SIZES = frozenset({"squeeze"})


def is_constant(operator: Operator, parameter: str, value: Any) -> bool:
    """Whether a value is written into the function that is compiled; anything but numbers and arrays always is."""
    if value is None or isinstance(value, str):
        return True
    if not isinstance(value, (bool, int, float)):
        return False
    if not math.isfinite(value):
        return parameter == "ord"
    if parameter == "shape":
        return value == -1
    if parameter in ALWAYS or parameter in OF_OPERATOR.get(operator.__name__, NO_CONSTANTS):
        return True
    declared = operator.__signature__.parameters.get(parameter)
    return declared is not None and isinstance(declared.default, bool)
