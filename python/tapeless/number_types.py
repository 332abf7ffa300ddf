"""Number systems of cells beside floats and integers: fixed point, and logarithms of positive numbers."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.types import ArrayType, ScalarType, Type, f64, i64

FRACTION_BITS = 43
UNIT = 2.0**-FRACTION_BITS
LIMIT = 2.0 ** (63 - FRACTION_BITS)


@dataclass(frozen=True, slots=True)
class NumberType(ScalarType):
    """A number system: the contents of its cells are read as `f64`. Called with a number, it gives what a cell would
    hold.

    On the grid, a cell holds a multiple of 2**-43 as an integer; a log number is held as its logarithm.

    >>> int(tl.fixed43(0.5).raw), float(tl.ulog(1.0))
    (4398046511104, 1.0)
    """

    is_on_grid: bool = False
    is_log: bool = False

    def __call__(self, value: Any) -> Stored:
        """The number, or the array of numbers, nearest to a value."""
        return value if isinstance(value, Stored) and value.number == self else Stored(self, self.stored(value))

    def __repr__(self) -> str:
        return f"tl.{self.name}"

    @property
    def storage(self) -> ScalarType:
        """The type of the contents."""
        return i64 if self.is_on_grid else f64

    def stored(self, value: Any) -> Any:
        """The contents of cells for a number or an array: rounded to the grid, ties to even."""
        floats = _as_floats(self, value)
        if self.is_log:
            if not np.all(floats > 0):
                raise ArgumentError(f"{self!r} holds positive numbers, and {_first(floats, floats > 0)} is none")
            floats = np.log(floats)
        if not self.is_on_grid:
            return floats
        if not np.all(np.abs(floats) < LIMIT):
            raise ArgumentError(
                f"{_first(floats, np.abs(floats) < LIMIT)} is no fixed-point number; those are smaller than 2**20"
            )
        return np.rint(floats / UNIT).astype(np.int64)

    def value(self, raw: Any) -> Any:
        """The floats that are read from the contents of cells."""
        floats = np.asarray(raw) * UNIT if self.is_on_grid else np.asarray(raw)
        return np.exp(floats) if self.is_log else floats


class Stored:
    """The contents of cells of a number system, to the last bit: a number or an array, which calls give and take.

    `float(x)` and `np.asarray(x)` are its value; `x.raw` is what is held, the integer or the logarithm.

    >>> tl.fixed43(0.5)
    tl.fixed43(0.5)
    """

    __slots__ = ("number", "raw")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, number: NumberType, raw: Any) -> None:
        self.number = number
        self.raw = np.asarray(raw, number.storage.numpy)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.raw.shape

    @property
    def ndim(self) -> int:
        return self.raw.ndim

    def __len__(self) -> int:
        return len(self.raw)

    def __getitem__(self, index: Any) -> Stored:
        return Stored(self.number, self.raw[index])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.number.value(self.raw), dtype)

    def __float__(self) -> float:
        return float(self.number.value(self.raw))

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Stored) and other.number == self.number:
            equal = self.raw == other.raw
        else:
            equal = np.asarray(self) == np.asarray(other)
        return equal if np.ndim(equal) else bool(equal)

    def __repr__(self) -> str:
        return f"{self.number!r}({np.asarray(self).tolist()!r})"


fixed43 = NumberType("fixed43", "float", 64, is_on_grid=True)
ulog = NumberType("ulog", "float", 64, is_log=True)
ulog43 = NumberType("ulog43", "float", 64, is_on_grid=True, is_log=True)


def number_of(type_: Type | None) -> NumberType | None:
    """The number system of a type that has one of its own."""
    dtype = type_.dtype if isinstance(type_, ArrayType) else type_
    return dtype if isinstance(dtype, NumberType) else None


def is_log(type_: Type | None) -> bool:
    """Whether cells of a type hold logarithms."""
    number = number_of(type_)
    return number is not None and number.is_log


@overload
def read_as(type_: ScalarType) -> ScalarType: ...
@overload
def read_as(type_: Type) -> Type: ...
def read_as(type_: Type) -> Type:
    """The type of reads from cells of a type."""
    return type_ if number_of(type_) is None else _with_dtype(type_, f64)


def stored_as(type_: Type) -> Type:
    """The type of the contents of cells of a type."""
    number = number_of(type_)
    return type_ if number is None else _with_dtype(type_, number.storage)


def _with_dtype(type_: Type, dtype: ScalarType) -> Type:
    return ArrayType(dtype, type_.shape) if isinstance(type_, ArrayType) else dtype


def _as_floats(number: NumberType, value: Any) -> Any:
    """A number or an array as f64."""
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise TypeMismatch(f"{number!r} takes numbers and arrays of them, not {type(value).__name__}")
    return array.astype(np.float64)


def _first(floats: Any, is_good: Any) -> float:
    return float(np.asarray(floats)[~np.asarray(is_good)].flat[0])
