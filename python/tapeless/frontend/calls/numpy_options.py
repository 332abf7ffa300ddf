"""Keywords of numpy's functions that operators do not have: other names of parameters, options without an effect here.

What would change the result is refused with what to write; nothing that is given is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tapeless.errors import ArgumentError
from tapeless.frontend.values.value import Opaque, Scalar, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator
    from tapeless.lang import Operator

# What numpy calls parameters that have another name here.
NAMES = {
    "a": "x",
    "arr": "x",
    "array": "x",
    "m": "x",
    "v": "x",
    "A": "x",
    "b": "y",
    "tup": "arrays",
    "object": "items",
    "fill_value": "value",
    "start": "a",
    "stop": "b",
    "num": "n",
    "N": "n",
    "M": "m",
}
ANYTHING = object()
# Options that change nothing if they have one of these values: arrays are values, in row-major order, sorted stably.
WITHOUT_EFFECT: dict[str, Any] = {
    "aweights": (None,),
    "bias": (False,),
    "casting": ANYTHING,
    "copy": ANYTHING,
    "descending": (False,),
    "device": ANYTHING,
    "dtype": (None,),
    "edge_order": (1,),
    "endpoint": (True,),
    "fweights": (None,),
    "initial": (None,),
    "kind": ANYTHING,
    "like": (None,),
    "mean": (None,),
    "method": ("linear",),
    "ndmin": (0,),
    "optimize": ANYTHING,
    "order": (None, "C"),
    "out": (None,),
    "overwrite_input": ANYTHING,
    "period": (None,),
    "retstep": (False,),
    "returned": (False,),
    "shape": (None,),
    "sparse": (False,),
    "stable": ANYTHING,
    "subok": ANYTHING,
    "weights": (None,),
    "where": (None, True),
}
LAYOUT_ONLY = {"zeros", "ones", "full", "zeros_like", "ones_like", "full_like", "eye", "array", "copy", "astype"}
INSTEAD = {
    "bias": "write ddof=0",
    "descending": "write tl.flip(tl.{name}(x))",
    "dtype": "convert with tl.astype(x, dtype)",
    "endpoint": "take one number more and leave out the last one",
    "initial": "combine it with the result, as in tl.sum(x) + initial or tl.maximum(tl.max(x), initial)",
    "mean": "leave it out, or write tl.mean of squared distances",
    "method": "take the element itself, as in tl.sort(x)[k]",
    "ndmin": "add axes by an index, as in x[None]",
    "order": "arrays are in row-major order; transpose before and after",
    "out": "assign the result, as in x = tl.{name}(...)",
    "period": "reduce the arguments with tl.mod, and repeat the points on both sides",
    "retstep": "write (b - a) / (n - 1) for the distance",
    "returned": "write tl.sum(weights) for the second result",
    "shape": "write tl.full(shape, value, dtype)",
    "sparse": "index with new axes, as in x[None, :] and y[:, None]",
    "where": "write {where}",
}
WHERE = {
    "var": "the sum of squared distances, with tl.where(condition, ..., 0)",
    "std": "the sum of squared distances, with tl.where(condition, ..., 0)",
}


def understood(t: Translator, operator: Operator, keywords: Mapping[str, Value]) -> Mapping[str, Value]:
    """The keywords that an operator has; those of numpy under its names, and without those that change nothing."""
    parameters = operator.__signature__.parameters
    if parameters.keys() >= keywords.keys():
        return keywords
    found: dict[str, Value] = {}
    for name, value in keywords.items():
        if name in parameters:
            found[name] = value
        elif NAMES.get(name) in parameters and NAMES[name] not in keywords:
            found[NAMES[name]] = value
        elif name not in WITHOUT_EFFECT:
            found[name] = value
        elif not _changes_nothing(operator, name, value):
            raise t.error(f"{operator!r} has no option '{name}'", _instead(operator, name), ArgumentError)
    return found


def _changes_nothing(operator: Operator, name: str, value: Value) -> bool:
    allowed = WITHOUT_EFFECT[name]
    if allowed is ANYTHING or (name == "order" and operator.__name__ in LAYOUT_ONLY):
        return True
    given: Any = ANYTHING
    if isinstance(value, Opaque):
        given = value.value
    elif isinstance(value, Scalar) and value.literal is not None:
        given = value.literal
    return any(given is each or (isinstance(given, (bool, int, str)) and given == each) for each in allowed)


def _instead(operator: Operator, name: str) -> str:
    where = WHERE.get(operator.__name__, f"tl.where(condition, tl.{operator.__name__}(...), other)")
    if operator.__name__.endswith(".reduce"):
        where = "tl.where(condition, x, other) in place of x, where 'other' changes nothing"
    return INSTEAD.get(name, "leave it out").format(name=operator.__name__, where=where)
