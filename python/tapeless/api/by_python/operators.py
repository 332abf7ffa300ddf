"""Operators while Python runs a function: those that take functions call them one element after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tapeless.api.at_once.evaluation import compiled, evaluate
from tapeless.api.at_once.printed import printed
from tapeless.api.by_python.numbers import of_operands, strengthened, strong
from tapeless.errors import ArgumentError, ShapeMismatch, TypeMismatch
from tapeless.lang import Operator
from tapeless.trees import closed, opened
from tapeless.types import ScalarType, type_of_annotation

Call = Callable[..., Any]


class Method(NamedTuple):
    """A method of an array that is yet to be called."""

    name: str
    array: Any


def result(call: Call, operator: Operator, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """The result of an operator."""
    name = operator.__name__
    if name in BY_CALLS:
        return BY_CALLS[name](call, *arguments, **named)
    if name in WEAK:
        return compiled(operator, arguments, named)
    if name in PLAIN:
        return PLAIN[name](*arguments, **named)
    found, given = evaluate(operator, tuple(arguments), dict(named)), (*arguments, *named.values())
    if name == "astype" and type(found) is int:
        wanted = type_of_annotation(named.get("dtype", arguments[-1]))
        return (
            wanted.numpy.type(found) if isinstance(wanted, ScalarType) and wanted.is_int else strengthened(found, given)
        )
    return (of_operands if name in KEEPING_TYPES else strengthened)(found, given)


def _parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _arrays(name: str, arrays: Sequence[Any]) -> None:
    for each in arrays:
        if not isinstance(each, np.ndarray):
            raise TypeMismatch(f"tl.{name} of {type(each).__name__}; use an array here")
    sizes = {len(each) for each in arrays}
    if len(sizes) > 1:
        raise ShapeMismatch(f"sizes {' and '.join(map(str, sorted(sizes)))} of axis 0 do not match in tl.{name}")
    if not arrays:
        raise ArgumentError(f"tl.{name} needs at least one array")


def joined(rows: Sequence[Any]) -> Any:
    """Results one after the other, as an array for each of their parts."""
    parts = opened(rows[0])
    if parts is not None:
        columns = zip(*((opened(row) or parts)[1] for row in rows), strict=True)
        return closed(parts[0], [joined(column) for column in columns])
    shapes = {np.shape(row) for row in rows}
    if len(shapes) > 1:
        raise ShapeMismatch(f"rows of the shapes {sorted(shapes)} make no array; give every row the same shape")
    return np.array([strong(row) for row in rows])


def _emptied(value: Any) -> Any:
    parts = opened(value)
    return value[:0] if parts is None else closed(parts[0], [_emptied(item) for item in parts[1]])


def _map(call: Call, f: Any, *arrays: Any) -> Any:
    """One call per element; of no elements, the types of a call with zeros."""
    _arrays("map", arrays)
    if len(arrays[0]) == 0:
        zeros = (np.zeros(each.shape[1:], each.dtype)[()] for each in arrays)
        return _emptied(joined([call(f, *zeros)]))
    return joined([call(f, *(each[k] for each in arrays)) for k in range(len(arrays[0]))])


def _as_of(value: Any, array: np.ndarray) -> Any:
    """A neutral element in the type of the elements, if it is a number of Python."""
    return array.dtype.type(value) if isinstance(value, (bool, int, float)) else value


def _states(call: Call, op: Any, neutral: Any, arrays: Sequence[Any]) -> list[Any]:
    """The state before each element, and after the last."""
    given = tuple(_as_of(*pair) for pair in zip(_parts(neutral), arrays, strict=True))
    state = given if isinstance(neutral, tuple) else given[0]
    states = [state]
    for k in range(len(arrays[0])):
        state = strong(call(op, *_parts(state), *(each[k] for each in arrays)))
        states.append(state)
    return states


def _reduce(call: Call, op: Any, neutral: Any, *arrays: Any) -> Any:
    _arrays("reduce", arrays)
    return _states(call, op, neutral, arrays)[-1]


def _scan(call: Call, op: Any, neutral: Any, *arrays: Any, exclusive: bool = False, reverse: bool = False) -> Any:
    """Prefixes; from the end, the operands keep their order."""
    _arrays("scan", arrays)
    if not reverse:
        states = _states(call, op, neutral, arrays)
        rows = states[:-1] if exclusive else states[1:]
        return joined(rows) if rows else _emptied(joined(states))
    count = len(_parts(neutral))

    def turned(*state: Any) -> Any:
        return call(op, *state[count:], *state[:count])

    states = _states(lambda f, *given: f(*given), turned, neutral, [each[::-1] for each in arrays])
    rows = (states[:-1] if exclusive else states[1:])[::-1]
    return joined(rows) if rows else _emptied(joined(states))


def _hist(call: Call, op: Any, neutral: Any, dest: Any, keys: Any, values: Any) -> Any:
    """Values combined by key, in order; keys outside are ignored."""
    results = [each.copy() for each in _parts(dest)]
    given = _parts(values)
    _arrays("hist", [keys, *given])
    for position, key in enumerate(keys):
        if 0 <= key < len(results[0]):
            combined = call(op, *(each[key] for each in results), *(each[position] for each in given))
            for each, value in zip(results, _parts(combined), strict=True):
                each[key] = value
    return tuple(results) if isinstance(dest, tuple) else results[0]


# Operators that call functions, and those whose results take the type of what they meet.
BY_CALLS: dict[str, Callable[..., Any]] = {"map": _map, "reduce": _reduce, "scan": _scan, "hist": _hist}
KEEPING_TYPES = frozenset(
    {
        *("abs", "add", "clamp", "clip", "floor_divide", "max", "maximum", "min", "minimum", "mod", "multiply"),
        *("negative", "pow", "sign", "square", "subtract", "where", "random.bits"),
        *("bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"),
    }
)
WEAK = ("int", "float", "bool")
PLAIN: dict[str, Callable[..., Any]] = {
    "len": len,
    "copy": lambda x: x,
    "stop_gradient": lambda x: x,
    "debug_print": printed,
}
