"""The types of the language: scalars such as `tl.f64`, and arrays such as `tl.f64[:, 3]`."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, get_origin, overload

import numpy as np

from tapeless.dataclasses_on_use import dataclass


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A number type; `f64[:, 3]` makes the type of arrays of it, and `f64(x)` converts a number or an array to it.

    >>> tl.f64[:, 3]
    tl.f64[:, 3]
    >>> tl.f64(3) / 2
    np.float64(1.5)
    """

    name: str
    kind: str
    bits: int

    def __getitem__(self, shape: Any) -> ArrayType:
        return ArrayType(self, tuple(_size(size) for size in (shape if isinstance(shape, tuple) else (shape,))))

    def __call__(self, x: Any, /) -> Any:
        return np.asarray(x).astype(self.numpy)[()]

    def __repr__(self) -> str:
        return f"tl.{self.name}"

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def is_int(self) -> bool:
        return self.kind == "int"

    @property
    def is_unsigned(self) -> bool:
        """Whether it is a type of integers without a sign."""
        return self.name == "u32"

    @property
    def is_half(self) -> bool:
        """Whether it is a type of floats of 16 bits, which are kept so and computed with as `f32`."""
        return self.is_float and self.bits == 16

    @property
    def limits(self) -> tuple[int, int]:
        """The lowest and the highest integer of a type of integers."""
        lowest = 0 if self.is_unsigned else -(1 << self.bits - 1)
        return lowest, lowest + (1 << self.bits) - 1

    @property
    def is_bool(self) -> bool:
        return self.kind == "bool"

    @property
    def rank(self) -> int:
        return 0

    @property
    def numpy(self) -> np.dtype:
        return bfloat16() if self.name == "bf16" else _NUMPY[self.name]


class PythonNumber(ScalarType):
    """The type of a number of Python's own as an argument: as weak as a literal, it takes the type of the other
    operand.

    Code for it has a parameter of the type `strong`.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "float" if self.is_float else "int"

    @property
    def strong(self) -> ScalarType:
        return ScalarType(self.name, self.kind, self.bits)


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array type: the type of its elements, and one size per axis, `None` where it is known only at run time."""

    dtype: ScalarType
    shape: tuple[int | None, ...]

    def __post_init__(self) -> None:
        if not self.shape:
            raise TypeError(f"an array type needs at least one axis; write {self.dtype!r} for a scalar")

    def __repr__(self) -> str:
        return f"{self.dtype!r}[{', '.join(':' if size is None else str(size) for size in self.shape)}]"

    @property
    def rank(self) -> int:
        return len(self.shape)


Type = ScalarType | ArrayType
# The type of an argument that may have parts: a tree (`tapeless.trees`) whose leaves are types.
TypeTree = Any

f64 = ScalarType("f64", "float", 64)
f32 = ScalarType("f32", "float", 32)
f16 = ScalarType("f16", "float", 16)
bf16 = ScalarType("bf16", "float", 16)
i64 = ScalarType("i64", "int", 64)
i32 = ScalarType("i32", "int", 32)
u32 = ScalarType("u32", "int", 32)
bool_ = ScalarType("bool_", "bool", 1)

# Those that functions compute with, and those that arguments and results may be kept in as well.
SCALARS: tuple[ScalarType, ...] = (f64, f32, i64, i32, u32, bool_)
HALVES: tuple[ScalarType, ...] = (f16, bf16)

_NUMPY: dict[str, np.dtype] = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "i64": np.dtype(np.int64),
    "i32": np.dtype(np.int32),
    "u32": np.dtype(np.uint32),
    "bool_": np.dtype(np.bool_),
}
_FROM_NUMPY: dict[np.dtype, ScalarType] = {_NUMPY[scalar.name]: scalar for scalar in (*SCALARS, f16)}
_FROM_PYTHON: dict[type, ScalarType] = {float: f64, int: i64, bool: bool_}
_OF_PYTHON: dict[type, ScalarType] = {float: PythonNumber("f64", "float", 64), int: PythonNumber("i64", "int", 64)}


# How messages name the dtypes of the language.
DTYPES_IN_WORDS = ", ".join(repr(scalar) for scalar in SCALARS[:-1]) + f" or {bool_!r}"


def bfloat16() -> np.dtype:
    """The dtype that the package ml_dtypes, which comes with JAX, gives numpy."""
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError("numpy has no bfloat16 of its own; install the package ml_dtypes, which has it") from None
    return np.dtype(ml_dtypes.bfloat16)


def from_numpy(dtype: Any) -> ScalarType:
    """The scalar type of a numpy dtype."""
    known = np.dtype(dtype)
    if known.name == "bfloat16":
        return bf16
    try:
        return _FROM_NUMPY[known]
    except KeyError:
        supported = ", ".join(str(each) for each in _FROM_NUMPY)
        instead = "pass real and imaginary parts" if known.kind == "c" else f"convert to one of {supported}"
        raise TypeError(f"dtype {known} is not supported; {instead}") from None


def type_of_annotation(annotation: Any) -> Type | None:
    """The type an annotation or a `dtype` argument names, or None when it names none."""
    if isinstance(annotation, (ScalarType, ArrayType)):
        return annotation
    if isinstance(annotation, type) and annotation in _FROM_PYTHON:
        return _FROM_PYTHON[annotation]
    if isinstance(annotation, np.dtype):
        return bf16 if annotation.name == "bfloat16" else _FROM_NUMPY.get(annotation)
    if isinstance(annotation, type) and issubclass(annotation, np.generic):
        with suppress(TypeError):  # of those that stand for several types, such as `np.floating`
            return type_of_annotation(np.dtype(annotation))
    return None


def type_of_parameter(annotation: Any) -> Type | None:
    """The type that the annotation of a parameter names; `float` and `int` are Python's own numbers."""
    if isinstance(annotation, type) and annotation in _OF_PYTHON:
        return _OF_PYTHON[annotation]
    return type_of_annotation(annotation)


def is_any_array(annotation: Any) -> bool:
    """Whether an annotation, `Any`, `np.ndarray` or `npt.NDArray[...]`, leaves dtype and rank to the call."""
    if annotation is Any:
        return True
    origin = get_origin(annotation) or annotation
    meant = getattr(origin, "__value__", origin)  # newer versions of numpy have an alias made by a `type` statement
    return (get_origin(meant) or meant) is np.ndarray


@overload
def strong(type_: ScalarType) -> ScalarType: ...
@overload
def strong(type_: ArrayType) -> ArrayType: ...
def strong(type_: Type) -> Type:
    """A type without the weakness of Python's numbers."""
    return type_.strong if isinstance(type_, PythonNumber) else type_


def type_of_value(value: Any) -> Type:
    """The type of a Python number, numpy scalar or numpy array, with every axis of an array dynamic."""
    if isinstance(value, np.ndarray) and value.ndim:
        return ArrayType(from_numpy(value.dtype), (None,) * value.ndim)
    if type(value) in _FROM_PYTHON:
        return _OF_PYTHON.get(type(value), bool_)
    if isinstance(value, (np.generic, np.ndarray)):
        dtype = from_numpy(value.dtype)
        return f32 if dtype.is_half else dtype  # only arrays are kept in 16 bits
    raise TypeError(f"a {type(value).__name__} is neither a number nor an array; pass a number or a numpy array")


def _size(size: Any) -> int | None:
    if isinstance(size, slice) and size == slice(None):
        return None
    if isinstance(size, int) and not isinstance(size, bool) and size >= 0:
        return size
    raise TypeError(f"{size!r} is not the size of an axis; write ':' or a constant that is not negative")
