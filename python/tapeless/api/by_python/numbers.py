"""Numbers while Python runs a function: those of numpy have a type, those of Python take that of the other operand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tapeless.api.at_once.snippets import is_weak
from tapeless.trees import closed, opened

STRONG: dict[type, type[np.generic]] = {float: np.float64, int: np.int64}


def strengthened(result: Any, operands: Iterable[Any]) -> Any:
    """The result of compiled code; a number has a type of its own if an operand has one."""
    return result if all(map(_is_all_weak, operands)) else strong(result)


def of_operands(result: Any, operands: Iterable[Any]) -> Any:
    """The result of compiled code that has the type of its operands: integers of fewer bits come back as Python's."""
    if type(result) is not int:
        return strengthened(result, operands)
    kinds = [each.dtype for each in operands if isinstance(each, (np.ndarray, np.generic)) and each.dtype.kind in "iu"]
    return np.result_type(*kinds).type(result) if kinds else strengthened(result, operands)


def strong(value: Any) -> Any:
    """A number with a type of its own, or several."""
    if isinstance(value, tuple):
        return tuple(map(strong, value))
    kind = STRONG.get(type(value))
    return value if kind is None else kind(value)


def _is_all_weak(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_all_weak, value))
    return is_weak(value) or not isinstance(value, (np.ndarray, np.generic))


def given_back(value: Any) -> Any:
    """A result as compiled functions give it to callers."""
    if isinstance(value, np.ndarray) and value.ndim:
        return np.array(value, order="C")
    if isinstance(value, (np.float64, np.integer, np.bool_)):
        return value.item()
    parts = opened(value)
    return value if parts is None else closed(parts[0], [given_back(item) for item in parts[1]])
