"""Maps, reductions, scans, histograms and scatters as Python loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Operator = Callable[..., Any]


def parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def joined(rows: list[Any]) -> Any:
    """A list of results as arrays, one per component."""
    if isinstance(rows[0], tuple):
        return tuple(np.array(column) for column in zip(*rows, strict=True))
    return np.array(rows)


def emptied(result: Any) -> Any:
    return tuple(part[:0] for part in result) if isinstance(result, tuple) else result[:0]


class Undefined(Exception):
    """The reference cannot say what the shape of a result is, or there is no derivative."""


def _on_zeros(f: Operator, arrays: tuple[Array, ...]) -> Any:
    try:
        return f(*(np.zeros(x.shape[1:], x.dtype)[()] for x in arrays))
    except (IndexError, ValueError):
        raise Undefined from None


def map_(f: Operator, *arrays: Array) -> Any:
    """One call per element of the leading axis; of no elements, the shape of a call on zeros."""
    if len(arrays[0]) == 0:
        return emptied(joined([_on_zeros(f, arrays)]))
    return joined([f(*elements) for elements in zip(*arrays, strict=True)])


def folded(op: Operator, state: Any, arrays: tuple[Array, ...]) -> list[Any]:
    """The state before each element, and after the last."""
    states = [state]
    for elements in zip(*arrays, strict=True):
        state = op(*parts(state), *elements)
        states.append(state)
    return states


def reduce(op: Operator, neutral: Any, *arrays: Array) -> Any:
    return folded(op, neutral, arrays)[-1]


def scan(op: Operator, neutral: Any, *arrays: Array, exclusive: bool = False, reverse: bool = False) -> Any:
    """Prefixes; from the end, the operands keep their order."""
    if len(arrays[0]) == 0:
        return emptied(joined([neutral]))
    if reverse:
        count = len(parts(neutral))
        turned = folded(lambda *s: op(*s[count:], *s[:count]), neutral, tuple(x[::-1] for x in arrays))
        return joined((turned[:-1] if exclusive else turned[1:])[::-1])
    states = folded(op, neutral, arrays)
    return joined(states[:-1] if exclusive else states[1:])


def hist(op: Operator, neutral: Any, dest: Any, keys: Array, values: Any) -> Any:
    """Values combined by key, in order; keys outside are ignored."""
    is_complex = any(np.iscomplexobj(each) for each in (*parts(dest), *parts(values)))
    results = [np.array(each, complex if is_complex and each.dtype.kind == "f" else None) for each in parts(dest)]
    for position, key in enumerate(keys):
        if 0 <= key < len(results[0]):
            combined = parts(op(*(each[key] for each in results), *(each[position] for each in parts(values))))
            if any(map(np.iscomplexobj, combined)):
                # The operator may read a complex number from outside.
                results = [each.astype(complex) if each.dtype.kind == "f" else each for each in results]
            for each, value in zip(results, combined, strict=True):
                each[key] = value
    return tuple(results) if isinstance(dest, tuple) else results[0]


def scatter(dest: Array, keys: Array, values: Array) -> Array:
    result = dest.astype(np.result_type(dest, values))
    for key, value in zip(keys, values, strict=True):
        if 0 <= key < len(result):
            result[key] = value
    return result


OPERATORS: dict[str, Any] = {"map": map_, "reduce": reduce, "scan": scan, "hist": hist, "scatter": scatter}
