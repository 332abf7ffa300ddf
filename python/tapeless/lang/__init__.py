"""The public names of the language, which a `tl.function` may call.

Each is an `Operator`: a name, a signature and a sentence of documentation, in the table of its kind. Functions that
Tapeless compiles give them their meaning; `meaning` finds the operator behind any Python object, so that `np.exp`,
`math.exp`, `abs` and `tl.exp` are all the same operator. Called from Python, operators compute at once, as the package
says they do then.
"""

from __future__ import annotations

import math

from tapeless.lang.aliases import in_language as in_language
from tapeless.lang.aliases import meaning as meaning
from tapeless.lang.operator import Operator as Operator
from tapeless.lang.tables import NUMPY as NUMPY
from tapeless.lang.tables import OPERATORS as OPERATORS
from tapeless.lang.tables import PYTHON as PYTHON
from tapeless.lang.tables import linalg as linalg
from tapeless.lang.tables import random as random

inf, nan, e, pi = math.inf, math.nan, math.e, math.pi
PUBLIC: tuple[str, ...] = ("e", "inf", "nan", "pi", *OPERATORS)


def __getattr__(name: str) -> Operator:
    if name not in OPERATORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return OPERATORS[name]
