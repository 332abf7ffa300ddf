"""The operations of a function while Python runs it; rewritten functions call these as `%language.name`.

Numbers of Python are weak, those of numpy are not, and no array is ever changed. Plain cases are numpy's; all others,
and all errors, are left to compiled code for the one operation, so that both ways agree.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import numpy as np

from tapeless import lang
from tapeless.api.at_once.snippets import is_weak, snippet
from tapeless.api.by_python import operators
from tapeless.api.by_python.numbers import of_operands
from tapeless.api.by_python.switch import runner
from tapeless.api.decorated import TapelessFunction
from tapeless.errors import ArgumentError, CheckFailed, IndexOutOfRange, TapelessError, TypeMismatch
from tapeless.frontend.syntax import updates
from tapeless.lang import Operator
from tapeless.types import from_numpy

SYMBOLS = {
    "Add": "+",
    "Sub": "-",
    "Mult": "*",
    "Div": "/",
    "FloorDiv": "//",
    "Mod": "%",
    "Pow": "**",
    "MatMult": "@",
    "BitAnd": "&",
    "BitOr": "|",
    "BitXor": "^",
    "LShift": "<<",
    "RShift": ">>",
    "Eq": "==",
    "NotEq": "!=",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "USub": "-",
    "UAdd": "+",
    "Invert": "~",
}
# What numpy does as the language does, for integers and floats, and what Python does for its own numbers.
OF_NUMPY: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}
EXTREMES = {"Maximum": np.maximum, "Minimum": np.minimum}
OF_NUMPY |= EXTREMES
OF_PYTHON = {**OF_NUMPY, "FloorDiv": operator.floordiv, "Mod": operator.mod, "Pow": operator.pow}
RAISED = {ValueError: ArgumentError, IndexError: IndexOutOfRange, TypeError: TypeMismatch, AssertionError: CheckFailed}
PROPERTIES = ("shape", "ndim", "size", "T", "mT")
slice = builtins.slice


def _is_number(value: Any) -> bool:
    """Whether a value is an integer or a float, or an array of some."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind in "iuf"
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# On lists and tuples, as Python has them.
JOINING = {"Add": operator.add, "Mult": operator.mul}


def binary(kind: str, left: Any, right: Any) -> Any:
    """`left op right`."""
    by = OF_PYTHON if is_weak(left) and is_weak(right) else OF_NUMPY
    if kind in by and _is_number(left) and _is_number(right):
        try:
            with np.errstate(all="ignore"):
                return by[kind](left, right)
        except (ArithmeticError, ValueError):
            pass
    if kind in JOINING and not any(isinstance(each, np.ndarray) for each in (left, right)):
        for each in (left, right):
            if isinstance(each, (list, tuple)):
                with suppress(TypeError):
                    return JOINING[kind](left, right)
    symbol = SYMBOLS[kind]
    if kind == "Pow" and is_weak(right) and right == right and abs(right) < np.inf:
        return of_operands(snippet(f"return x ** ({right!r})", [left], ["x"]), [left, right])
    return of_operands(snippet(f"return x {symbol} y", [left, right], ["x", "y"]), [left, right])


def compare(kind: str, left: Any, right: Any) -> Any:
    """`left op right`, a bool or an array of bools."""
    result = binary(kind, left, right)
    return result if isinstance(result, np.ndarray) else bool(result)


def unary(kind: str, value: Any) -> Any:
    if kind == "Not":
        return not truth(value)
    if kind == "USub" and _is_number(value):
        with np.errstate(all="ignore"):
            return -value
    return of_operands(snippet(f"return {SYMBOLS[kind]}x", [value], ["x"]), [value])


def truth(value: Any, counter: Counter | None = None) -> bool:
    """A scalar as a condition; that of a bounded loop counts."""
    if isinstance(value, Bounded):
        assert counter is not None
        return truth(value.condition) and counter.allows(value.limit)
    if isinstance(value, (np.ndarray, tuple)):
        snippet("return 1 if x else 0", [value], ["x"])
    return bool(value)


class Counter:
    """How often a bounded loop ran."""

    def __init__(self) -> None:
        self.count = 0

    def allows(self, limit: int) -> bool:
        if self.count >= limit:
            raise TapelessError(f"the loop ran more than {limit} iterations; raise its bound")
        self.count += 1
        return True


class Bounded:
    """The condition of a loop that runs at most so often."""

    def __init__(self, condition: Any, limit: int) -> None:
        self.condition, self.limit = condition, limit


counter = Counter


def iterated(values: Any) -> Iterable[Any]:
    """The iterable of a loop: tuples, ranges, and the leading axis of arrays."""
    if isinstance(values, np.ndarray) and values.ndim:
        return [values[position] for position in range(len(values))]
    if not hasattr(values, "__iter__") or isinstance(values, (str, dict)):
        raise TypeMismatch(f"a loop goes over {values!r}; use range(n), an array, a tuple, enumerate or zip")
    return values


def attribute(value: Any, name: str) -> Any:
    """Properties and methods of arrays; names of anything else."""
    if not isinstance(value, np.ndarray):
        return getattr(value, name)
    if name in PROPERTIES:
        return getattr(value, name)
    if name == "dtype":
        return from_numpy(value.dtype)
    return operators.Method(name, value)


def read(array: Any, index: Any) -> Any:
    """`array[index]`; of tuples, one of their parts."""
    if not isinstance(array, np.ndarray):
        return _part_of(array, index)
    parts = _parts(index)
    if any(isinstance(part, np.ndarray) and part.dtype.kind not in "iu" for part in parts):
        text, names, given = _written_out(parts)
        return snippet(f"return x[{text}]", [array, *given], ["x", *names])
    try:
        return array[_plain(parts)]
    except IndexError as error:
        raise IndexOutOfRange(f"{error}; the shape is {array.shape}") from None


def _parts(index: Any) -> tuple[Any, ...]:
    """The parts of an index; lists are index arrays."""
    parts = index if isinstance(index, tuple) else (index,)
    return tuple(np.array(part) if isinstance(part, list) else part for part in parts)


def _part_of(value: Any, index: Any) -> Any:
    if not isinstance(value, tuple):
        return value[index]
    try:
        return value[index]
    except IndexError:
        raise IndexOutOfRange(f"index {index} is out of range for a tuple of {len(value)}") from None


def _plain(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Indices that numpy takes; floats and bools are none."""
    for part in parts:
        if isinstance(part, (bool, float, np.bool_, np.floating)):
            raise TypeMismatch(f"the index {part!r} is no integer; use an integer, for example int(x)")
    return parts


def changed(kind: str, array: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The array after `array[i][j] = value`, or an update of that part by an operator."""
    index, *rest = path
    if isinstance(array, (dict, list)):
        return _with_part(kind, array, index, tuple(rest), value)
    if not isinstance(array, np.ndarray):
        raise TypeMismatch("only elements of arrays can be written; use an array")
    if rest:
        return changed("", array, (index,), changed(kind, read(array, index), tuple(rest), value))
    parts = _parts(index)
    if any(isinstance(part, np.ndarray) for part in parts):
        return _scattered(kind, array, parts, value)
    old = read(array, index)
    new = binary(kind, old, value) if kind else value
    _check_storable(array, new)
    result = array.copy()
    try:
        result[_plain(parts)] = new
    except ValueError:
        if isinstance(old, np.ndarray):
            return snippet("x[:] = y\nreturn x", [np.ascontiguousarray(old), new], ["x", "y"])
        raise TypeMismatch("an array is written to one element; write to a slice") from None
    return result


# Which of the arguments are written, by what changes an array.
VALUES_AT = {
    "copyto": (0, 1),
    "fill": (0, 1),
    "fill_diagonal": (0, 1),
    "put": (1, 2),
    "put_along_axis": (1, 2),
    "putmask": (1, 2),
    "sort": (0, 0),
}


def changed_by(name: str, array: Any, *arguments: Any, **named: Any) -> Any:
    """A copy of an array that a function of numpy, or a method of arrays, has changed."""
    if not isinstance(array, np.ndarray):
        raise TypeMismatch(f"'{name}' of {type(array).__name__}; use it with an array")
    result = array.copy()
    for value in (*arguments, *named.values())[builtins.slice(*VALUES_AT[name])]:
        _check_storable(array, value)
    function = getattr(np, name) if name in updates.CHANGING else type(result).__dict__[name]
    function(result, *arguments, **named)
    return result


def _with_part(kind: str, whole: Any, key: Any, rest: tuple[Any, ...], value: Any) -> Any:
    """A dict or a list with another part."""
    old = read(whole, key) if rest or kind else None
    result = whole.copy()
    result[key] = changed(kind, old, rest, value) if rest else binary(kind, old, value) if kind else value
    return result


def _scattered(kind: str, array: np.ndarray, parts: tuple[Any, ...], value: Any) -> Any:
    """Writes to elements that arrays name, where each time counts."""
    if kind in EXTREMES:
        return _with_extremes(EXTREMES[kind], array, parts, value)
    text, names, given = _written_out(parts)
    return snippet(f"x[{text}] {SYMBOLS.get(kind, '')}= v\nreturn x", [array, value, *given], ["x", "v", *names])


def _with_extremes(function: np.ufunc, array: np.ndarray, parts: tuple[Any, ...], value: Any) -> np.ndarray:
    _check_storable(array, value)
    result = array.copy()
    try:
        function.at(result, parts, value)
    except IndexError as error:
        raise IndexOutOfRange(f"{error}; use an index in range") from None
    return result


def _written_out(parts: tuple[Any, ...]) -> tuple[str, list[str], list[Any]]:
    """An index as text, with the names and values of its parts."""
    values: list[Any] = []

    def named(value: Any) -> str:
        values.append(value)
        return f"i{len(values) - 1}"

    def part_text(part: Any) -> str:
        if isinstance(part, builtins.slice):
            bounds = ["" if each is None else named(each) for each in (part.start, part.stop)]
            return ":".join([*bounds, "" if part.step is None else repr(int(part.step))])
        return "None" if part is None else named(part)

    text = ", ".join(map(part_text, parts))
    return text, [f"i{k}" for k in range(len(values))], values


_KINDS = "bif"


def _check_storable(array: np.ndarray, value: Any) -> None:
    kind = np.asarray(value).dtype.kind
    if _KINDS.index(kind) > _KINDS.index(array.dtype.kind):
        raise TypeMismatch(
            f"a {np.asarray(value).dtype} does not fit into an array of {array.dtype}; "
            "make the array of the wider type, or convert the value with int(x) or tl.astype(x, ...)"
        )


def updated(kind: str, old: Any, value: Any) -> Any:
    """`old op= value`: an array keeps its type and shape."""
    if not isinstance(old, np.ndarray):
        return binary(kind, old, value)
    new = binary(kind, old, value)
    if not isinstance(new, np.ndarray) or new.shape != old.shape:
        return snippet(f"x {SYMBOLS[kind]}= y\nreturn x", [old, value], ["x", "y"])
    _check_storable(old, new)
    return new.astype(old.dtype, copy=False)


def failed(text: Any) -> Exception:
    return CheckFailed(str(text))


def raised(error: Any) -> BaseException:
    """The exceptions of the program, as compiled functions raise them: each is also of the class that the program
    names.
    """
    kind = error if isinstance(error, type) else type(error)
    if kind not in RAISED:
        return error() if isinstance(error, type) else error
    return RAISED[kind](kind.__name__ if isinstance(error, type) or not error.args else str(error.args[0]))


def call(function: Any, *arguments: Any, **named: Any) -> Any:
    """The result of an operator, of a function of the language, or of one of Python."""
    meant = lang.meaning(function) if isinstance(function, (Operator, type)) else None
    if meant is not None:
        return operators.result(call, meant, arguments, named)
    if isinstance(function, operators.Method):
        spread = function.name in ("reshape", "transpose") and len(arguments) > 1
        given = (arguments,) if spread else arguments
        meant = lang.NUMPY.get(function.name) or lang.OPERATORS[function.name]
        return operators.result(call, meant, (function.array, *given), named)
    if isinstance(function, TapelessFunction):
        return runner().run_inside(function, arguments, named)
    return function(*arguments, **named)


def bounded(condition: Any, n: Any) -> Bounded:
    return Bounded(condition, int(n))
