"""Options of numpy's reductions: `where=`, `initial=` and `dtype=`, in terms of the reductions without them.

What is left out is the number that changes nothing, an initial value one element more, and numbers of another dtype are
converted before they are combined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapeless.errors import ArgumentError
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.composed.statistics import axes_of
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.operators.kept_axes import merged
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Opaque, Value, literal
from tapeless.lang import OPERATORS, Operator

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

# What each reduction is, by the key of its operator, and which options it has in numpy.
KINDS = {
    **{name: name for name in ("sum", "prod", "mean", "min", "max", "any", "all", "cumsum", "cumprod")},
    **{f"np.{name}": name for name in ("min", "max", "cumsum", "cumprod")},
    "add.reduce": "sum",
    "logical_and.reduce": "all",
    "logical_or.reduce": "any",
    "maximum.reduce": "max",
    "minimum.reduce": "min",
    "multiply.reduce": "prod",
}
OPTIONS = {
    "where": ("sum", "prod", "mean", "min", "max", "any", "all"),
    "initial": ("sum", "prod", "min", "max"),
    "dtype": ("sum", "prod", "mean", "cumsum", "cumprod"),
}
NEUTRAL: dict[str, Any] = {"sum": 0, "mean": 0, "prod": 1, "any": False, "all": True}


def taken(operator: Operator, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> bool:
    """Whether a call of a reduction has options of numpy that it takes."""
    kind = KINDS.get(operator.key)
    is_elementwise = operator.key in ("min", "max") and len(arguments) > 1
    is_taken = any(kind in kinds and name in keywords for name, kinds in OPTIONS.items())
    return is_taken and bool(arguments) and not is_elementwise


def call(t: Translator, operator: Operator, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """The result of a reduction with options."""
    kind, tl = KINDS[operator.key], Language(t)
    options = {name: value for name, value in keywords.items() if name in OPTIONS and kind in OPTIONS[name]}
    rest = {name: value for name, value in keywords.items() if name not in options}
    given = {name: value for name, value in options.items() if not _changes_nothing(name, value)}
    if not given:
        return t.call(operator, arguments, rest)
    number = tl.listed(tl.term(arguments[0]))
    dtype = array_arguments.dtype(t, given["dtype"]) if "dtype" in given else None
    number = tl.astype(number, dtype) if dtype else number
    initial = tl.number(given["initial"]) if "initial" in given else None
    if "where" in given:
        condition = tl.number(given["where"]).broadcast(number.dims).held()
        number = tl.where(condition, number, _left_out(tl, kind, initial))
        if kind == "mean":
            return _mean(tl, number, condition, arguments[1:], rest)
    if initial is not None and kind in ("min", "max"):
        default = as_value(operator.__signature__.parameters["axis"].default)
        return as_value(_extreme(tl, kind, number, initial, arguments[1:], {"axis": default, **rest}))
    found = tl.number(t.call(operator, [number.value, *arguments[1:]], rest))
    if initial is not None:
        found = found + initial if kind == "sum" else found * initial
    return as_value(tl.astype(found, dtype) if dtype else found)


def _changes_nothing(name: str, value: Value) -> bool:
    is_none = isinstance(value, Opaque) and value.value is None
    return is_none or (name == "where" and getattr(value, "literal", None) is True)


def _left_out(tl: Language, kind: str, initial: Term | None) -> Any:
    if kind in NEUTRAL:
        return NEUTRAL[kind]
    if initial is None:
        raise tl.t.error(
            f"'where' without 'initial' in np.{kind}", "give the value of no elements, as in initial=0.0", ArgumentError
        )
    return initial


def _mean(tl: Language, number: Term, condition: Term, axis: Sequence[Value], named: Mapping[str, Value]) -> Value:
    total, count = (tl.number(tl.t.call(OPERATORS["sum"], [each.value, *axis], named)) for each in (number, condition))
    return as_value(total / count)


def _extreme(
    tl: Language, kind: str, number: Term, initial: Term, axis: Sequence[Value], named: Mapping[str, Value]
) -> Term:
    """The initial value as the last element, so that there is always one."""
    if len(axis) > 1 or named.keys() - {"axis", "keepdims"}:
        raise tl.t.error(f"these options of np.{kind} are not taken together", "leave one out", ArgumentError)
    along = tl.term(axis[0] if axis else named["axis"])
    array = tl.array(number)
    axes = axes_of(tl, along, array.rank)
    lines = Term(tl.t, merged(tl.t, tl.t.array(array.value), axes))
    last = initial.broadcast((*lines.dims[:-1], Affine(1)))
    found = getattr(tl, kind)(tl.concat((lines, last), axis=-1), axis=-1)
    return found.with_axes(axes) if tl.t.flag(named.get("keepdims", literal(False)), "keepdims") else found
