"""Arrays of other libraries as arrays of numpy, quickly: objects without one are left to others."""

from __future__ import annotations

import struct
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

# Numbers in buffers, by the letters of the module `struct`.
_NUMBERS = {
    f"{order}{letter}": (struct.Struct(f"={letter}"), np.dtype(f"={letter}").type)
    for order in ("", "@", "=")
    for letter in "?bhiqfd"
}
_WITHOUT_BUFFER: WeakSet[type] = WeakSet()
# Types of tensors such as torch's, with the type of numpy's for each of their dtypes.
_TENSORS: WeakKeyDictionary[type, dict[Any, type]] = WeakKeyDictionary()


def view_of(value: Any) -> np.ndarray | None:
    """The elements of an array of another library in the memory of this process, without a copy."""
    buffer = _buffer_of(value)
    try:
        if buffer is not None:
            return np.asarray(buffer)
        found = value.numpy() if hasattr(type(value), "numpy") else np.from_dlpack(value)
    except Exception:  # whatever a library raises; the general call tells why
        return None
    return found if type(found) is np.ndarray else None


def number_in(value: Any) -> Any:
    """The number of numpy's in an array without axes of another library."""
    known = _TENSORS.get(type(value))
    if known is not None:
        return _number_in_tensor(value, known)
    buffer = _buffer_of(value)
    if buffer is None:
        if all(hasattr(type(value), name) for name in ("requires_grad", "is_cpu", "item", "numpy")):
            _TENSORS[type(value)] = {}
        return _number_in_view(value)
    letters = None if buffer.ndim else _NUMBERS.get(buffer.format)
    return _number_in_view(buffer) if letters is None else letters[1](letters[0].unpack(buffer)[0])


def _number_in_view(value: Any) -> Any:
    found = view_of(value)
    return None if found is None or found.ndim else found[()]


def _number_in_tensor(value: Any, types: dict[Any, type]) -> Any:
    """The only element of a tensor, of the type that numpy has for it: less than half the cost of a view."""
    try:
        if value.requires_grad or not value.is_cpu:
            return None
        dtype = value.dtype
        if dtype in types:
            return types[dtype](value.item())
    except Exception:  # whatever a library raises; the general call tells why
        return None
    found = _number_in_view(value)
    if found is not None:
        types[dtype] = type(found)
    return found


def _buffer_of(value: Any) -> memoryview | None:
    """The buffer of a value; types without buffers are asked once."""
    if type(value) in _WITHOUT_BUFFER:
        return None
    try:
        return memoryview(value)
    except TypeError:
        _WITHOUT_BUFFER.add(type(value))
    except Exception:  # whatever a library raises
        pass
    return None
