"""Turns the arguments of a call into contiguous arrays and scalar bits, or says why one does not fit."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeless.abi import DTYPES, LONGEST_AXIS, Parameter
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.runtime.calling.exchange import from_dlpack
from tapeless.trees import is_static, opened
from tapeless.types import bfloat16


class Dtypes(dict[str, np.dtype]):
    """Dtypes of numpy by their names in contracts; that of `bf16` is of another package."""

    def __missing__(self, name: str) -> np.dtype:
        if name != "bf16":
            raise KeyError(name)
        try:
            self[name] = bfloat16()
        except TypeError as error:
            raise TypeMismatch(str(error)) from None
        return self[name]


NUMPY_DTYPES = Dtypes(
    f64=np.dtype(np.float64),
    f32=np.dtype(np.float32),
    f16=np.dtype(np.float16),
    i64=np.dtype(np.int64),
    i32=np.dtype(np.int32),
    u32=np.dtype(np.uint32),
    i1=np.dtype(np.bool_),
)
PUBLIC_NAMES = {dtype: f"tl.{dtype}" for dtype in DTYPES} | {"i1": "tl.bool_"}

INTEGERS = (int, np.integer, np.bool_)
BOOLS = (bool, np.bool_)
FLOATS = (float, np.floating)

# What a scalar parameter accepts, and how its value becomes the 64 bits of a slot.
ACCEPTED = {
    **dict.fromkeys(("f64", "f32"), FLOATS + INTEGERS),
    **dict.fromkeys(("i64", "i32", "u32"), INTEGERS),
    "i1": BOOLS,
}
CONVERT = {"f64": float, "f32": float, "i64": int, "i32": int, "u32": int, "i1": int}
LIMITS = {"i64": (-(2**63), 2**63), "i32": (-(2**31), 2**31), "u32": (0, 2**32)}
ANY_NUMBER = (math.nan, math.nan)  # which no number is below, or above
GPUS = (2, 13)  # kDLCUDA and kDLCUDAManaged of DLPack


def describe(parameter: Parameter) -> str:
    """A parameter's type as users write it: `tl.f64[:, 3]`."""
    name = PUBLIC_NAMES[parameter.dtype]
    if parameter.kind == "scalar":
        return name
    return f"{name}[{', '.join(':' if size is None else str(size) for size in parameter.dims)}]"


def describe_value(value: Any) -> str:
    """A description of an argument, in a few words."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of {value.dtype} with {value.ndim} dimension{'s' if value.ndim > 1 else ''}"
    article = "an" if type(value).__name__.startswith(tuple("aeiou")) else "a"
    return f"{article} {type(value).__name__}"


def gpu_interface(value: Any) -> dict[str, Any] | None:
    """The interface of an array on a GPU, or None; libraries raise for arrays that they do not hand on."""
    try:
        return getattr(value, "__cuda_array_interface__", None)
    except Exception:
        return None


def is_on_gpu(value: Any) -> bool:
    """Whether a value is an array of a GPU, by either protocol."""
    if isinstance(value, np.ndarray):
        return False
    return gpu_interface(value) is not None or is_on_gpu_for_dlpack(value)


def is_on_gpu_for_dlpack(value: Any) -> bool:
    """Whether DLPack says that a value lies on a GPU."""
    try:
        return value.__dlpack_device__()[0] in GPUS
    except Exception:  # it does not know of it, or it is not the library's to hand on
        return False


def as_array(value: Any, name: str) -> np.ndarray:
    """Anything that is an array, as a numpy array without a copy; lists and the like are refused."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeMismatch(f"argument '{name}' is a masked array, whose mask would be lost; pass '{name}.filled(...)'")
    if isinstance(value, np.ndarray):
        return np.asarray(value)
    if is_on_gpu(value):
        raise TypeMismatch(
            f"argument '{name}' is an array on a GPU; pass a copy for the CPU, or compile for target='cuda'"
        )
    if _attribute(value, "__dlpack__") is not None:
        return _read(from_dlpack, value, name)
    if not isinstance(value, (bytes, bytearray, np.generic)):
        try:
            view = memoryview(value)
        except TypeError:
            pass  # It has no buffer.
        except Exception as error:
            raise _unreadable(value, name, error) from error
        else:
            return _read(np.asarray, view, name)
    if _attribute(value, "__array__") is not None and not isinstance(value, (np.generic, type)):
        return _read(np.asarray, value, name)
    kind = "None" if value is None else describe_value(value)
    raise TypeMismatch(f"argument '{name}' is {kind}, not an array; {_advice(value, name)}")


def _advice(value: Any, name: str) -> str:
    """The remedy for an object without elements."""
    if isinstance(value, (list, tuple)) and name.isidentifier():
        return f"pass np.asarray({name}) if it has numbers, else its parts one by one"
    if isinstance(value, bytes):
        return "pass numbers: functions compute with no bytes"
    if opened(value) is not None or is_static(value):
        return "pass a numpy array; parameters without annotation take structures, None, strings and functions"
    if type(value).__module__ != "builtins":
        kind = type(value).__name__
        return f"pass a numpy array, or make it a structure with tl.register({kind}, flatten, unflatten)"
    return "pass a numpy array"


def _attribute(value: Any, name: str) -> Any:
    """An attribute, or None; objects of other libraries may raise whatever they like."""
    try:
        return getattr(value, name, None)
    except Exception:
        return None


def _read(read: Callable[[Any], np.ndarray], value: Any, name: str) -> np.ndarray:
    try:
        return read(value)
    except Exception as error:
        raise _unreadable(value, name, error) from error


def _unreadable(value: Any, name: str, error: Exception) -> TypeMismatch:
    """The message for an array that a library does not hand over, with a remedy if that is known."""
    shown = name if name.isidentifier() else "it"
    dtype = str(_attribute(value, "dtype"))
    if _attribute(value, "requires_grad") is True:
        advice = f"pass {shown}.detach()"
    elif "bfloat16" in dtype or "float8" in dtype:
        convert = "float()" if dtype.startswith("torch.") else "astype('float32')"
        advice = f"numpy has no {dtype}: pass {shown}.{convert}"
    elif _attribute(value, "is_conj") is not None and "complex" in dtype:
        advice = f"pass {shown}.real"
    else:
        advice = "pass a numpy array"
    return TypeMismatch(
        f"argument '{name}' is {describe_value(value)} that does not hand over its elements "
        f"({type(error).__name__}: {error}); {advice}"
    )


def bind_array(value: Any, parameter: Parameter, name: str) -> np.ndarray:
    """A C-contiguous, aligned array in native byte order with the elements of `value`."""
    array = as_array(value, name)
    check_array(array, parameter, name, value)
    return np.require(array, NUMPY_DTYPES[parameter.dtype], ("C", "A"))


def check_array(array: np.ndarray, parameter: Parameter, name: str, value: Any) -> None:
    """Raises TypeMismatch or ShapeMismatch unless the array fits the parameter; `value` is the argument."""
    dtype = NUMPY_DTYPES[parameter.dtype]
    if array.dtype.newbyteorder("=") != dtype or array.ndim != len(parameter.dims):
        raise TypeMismatch(
            f"argument '{name}' is {describe_value(array)}, but the parameter is {describe(parameter)}; "
            f"{_repair(array, dtype, parameter, name, value)}"
        )
    for axis, (size, expected) in enumerate(zip(array.shape, parameter.dims, strict=True)):
        if size > LONGEST_AXIS:
            raise ShapeMismatch(f"argument '{name}' has size {size} in dimension {axis}; pass at most {LONGEST_AXIS}")
        if expected is not None and size != expected:
            raise ShapeMismatch(
                f"argument '{name}' has size {size} in dimension {axis}, but the parameter is {describe(parameter)}"
                f"; pass an array with {expected} there"
            )


def _repair(array: np.ndarray, dtype: np.dtype, parameter: Parameter, name: str, value: Any) -> str:
    if array.ndim != len(parameter.dims):
        return f"pass an array with {len(parameter.dims)} dimension{'s' if len(parameter.dims) > 1 else ''}"
    shown = name if name.isidentifier() else ""
    if type(value).__module__.partition(".")[0] == "torch":
        return f"convert it with {shown}.to(torch.{dtype.name})"
    array_of = shown if _attribute(value, "astype") is not None else f"np.asarray({shown})"
    return f"convert it with {array_of}.astype(np.{dtype.name})"


def bind_scalar(value: Any, parameter: Parameter, name: str) -> float | int:
    """A Python number that fits the parameter."""
    number = _without_axes(value, name)
    if not isinstance(number, ACCEPTED[parameter.dtype]):
        raise TypeMismatch(
            f"argument '{name}' is {describe_value(number)}, but the parameter is the scalar {describe(parameter)}; "
            f"pass a Python {CONVERT[parameter.dtype].__name__ if parameter.dtype != 'i1' else 'bool'}"
        )
    try:
        converted = CONVERT[parameter.dtype](number)
    except OverflowError:
        raise TypeMismatch(f"argument '{name}' is too large for {describe(parameter)}; pass a smaller number") from None
    except Exception as error:
        if type(number) in (int, float, bool) or isinstance(number, np.generic):
            raise  # Only a signal's handler can have raised it: these numbers convert themselves.
        raise TypeMismatch(
            f"argument '{name}' is {describe_value(number)} that is no number ({type(error).__name__}: {error}); "
            f"pass a Python {CONVERT[parameter.dtype].__name__}"
        ) from error
    lowest, beyond = LIMITS.get(parameter.dtype, ANY_NUMBER)
    if lowest > converted or converted >= beyond:
        advice = "pass a number that is not negative" if lowest == 0 > converted else "pass a smaller number"
        raise TypeMismatch(f"argument '{name}' = {converted} does not fit {describe(parameter)}; {advice}")
    return converted


def _without_axes(value: Any, name: str) -> Any:
    """The number in an array without axes, of numpy or another library; else the value. Numpy has no bfloat16."""
    if isinstance(value, np.generic) and value.dtype.name == "bfloat16":
        return float(value)
    if isinstance(value, (int, float, np.generic)) or _attribute(value, "ndim") != 0:
        return value
    array = value if isinstance(value, np.ndarray) else as_array(value, name)
    return _without_axes(array[()], name) if array.ndim == 0 else value


def scalar_bits(number: float | int, dtype: str) -> int:
    """The slot of a scalar: floats by their bits, integers as numbers."""
    if dtype == "f64":
        return struct.unpack("<q", struct.pack("<d", number))[0]
    if dtype == "f32":
        with np.errstate(over="ignore"):
            return struct.unpack("<q", struct.pack("<f4x", np.float32(number)))[0]
    return int(number)
