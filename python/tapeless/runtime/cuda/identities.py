"""Keys of calls: where each array lies and how, and every number, bit by bit.

| argument | known by |
| --- | --- |
| tensors of torch | address, sizes, type, GPU, and what may have torch refuse to hand them on |
| arrays of JAX whose elements are there | address, sizes and type |
| results of calls | address, sizes and type |
| numbers | type and bits: 0.0 and -0.0 are equal, and not the same |
| others | nothing: such calls are looked at anew |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from tapeless.runtime.cuda.device_array import DeviceArray

Identity: TypeAlias = tuple[Any, ...]
Reader: TypeAlias = Callable[[Any], Any]


def _tensor(tensor: Any) -> Identity:
    return (
        tensor.data_ptr(),
        tensor.shape,
        tensor.dtype,
        tensor.device,
        tensor.is_contiguous(),
        tensor.requires_grad,
        tensor.is_neg(),
    )


def _jax_array(array: Any) -> Identity | None:
    return (array.unsafe_buffer_pointer(), array.shape, array.dtype) if array.is_ready() else None


def _own(array: DeviceArray) -> Identity:
    return array.address, array.shape, array.dtype


def _itself(value: Any) -> Any:
    return value


def _bits(value: np.generic) -> bytes:
    return value.tobytes()


EXACT: dict[type, Reader] = {float: float.hex, int: _itself, bool: _itself, DeviceArray: _own}
# By the package that a type comes from, with a method that it must have.
PACKAGES: dict[str, tuple[str, Reader]] = {
    "torch": ("is_neg", _tensor),
    "jax": ("unsafe_buffer_pointer", _jax_array),
    "jaxlib": ("unsafe_buffer_pointer", _jax_array),
}


def exact(value: Any) -> Any:
    """A number as a key that is equal only for the same bits; others as they are."""
    return float(value).hex() if isinstance(value, (float, np.floating)) else value


class Identities:
    """Tells the arguments of calls of one kernel apart; it keeps none of them alive."""

    def __init__(self) -> None:
        self._readers: dict[type, Reader | None] = dict(EXACT)

    def of(self, arguments: Sequence[Any]) -> Identity | None:
        """Equal for calls that find the same types in the same places; None if that is not known."""
        found: list[Any] = []
        for argument in arguments:
            kind = type(argument)
            try:
                reader = self._readers[kind]
            except KeyError:
                reader = self._readers[kind] = _reader(kind)
            if reader is None:
                return None
            try:
                identity = reader(argument)
            except Exception:  # whatever a library raises for what it does not hand on; the general way tells it
                return None
            if identity is None:
                return None
            found += (kind, identity)
        return tuple(found)


def _reader(kind: type) -> Reader | None:
    if issubclass(kind, np.generic):
        return _bits
    needed, reader = PACKAGES.get(kind.__module__.partition(".")[0], ("", None))
    return reader if hasattr(kind, needed) else None
