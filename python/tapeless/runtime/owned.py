"""Memory of the C runtime behind objects that own it from the moment on in which it exists.

A signal handler can run between any two instructions of Python, and raise: an address that a function gave would be
lost before anything knew of it, and what a handler raises in a `__del__` is dropped, and so is the rest of that. So the
runtime itself makes the memory and the object (a capsule) in one call, and frees it when Python drops the object.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, NamedTuple

from tapeless.runtime.library import load_library, symbol_addresses

ADDRESS = ctypes.c_void_p
OWN = ctypes.PYFUNCTYPE(ctypes.py_object, ADDRESS, ctypes.c_int64, ADDRESS)


class Objects(ctypes.Structure):
    """`tl_objects` of runtime/tapeless_runtime.h."""

    _fields_ = tuple(
        (name, ADDRESS)
        for name in ("create", "address", "set_address", "context", "set_context", "discard", "out_of_memory")
    )


FUNCTIONS = (
    "PyCapsule_New",
    "PyCapsule_GetPointer",
    "PyCapsule_SetPointer",
    "PyCapsule_GetContext",
    "PyCapsule_SetContext",
    "Py_DecRef",
    "PyErr_NoMemory",
)
# The address that a capsule holds; with a prototype of its own, because `ctypes.pythonapi` is shared by all.
address_of = ctypes.PYFUNCTYPE(ADDRESS, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


class _Ways(NamedTuple):
    """`tl_own` as a function that keeps Python's lock, and the addresses of its arguments."""

    own: Any
    at: dict[str, int]


@cache
def _ways() -> _Ways:
    library = load_library()
    objects = Objects(*(ctypes.cast(getattr(ctypes.pythonapi, name), ADDRESS) for name in FUNCTIONS))
    library.tl_set_objects(ctypes.addressof(objects))
    at = symbol_addresses()
    return _Ways(OWN(at["tl_own"]), at)


def new_buffer(size: int) -> object:
    """Owns memory for an array, outside of any call; MemoryError when it cannot be had."""
    own, at = _ways()
    return own(at["tl_alloc_outside"], size, at["tl_free"])


def new_results() -> object:
    """Owns the arrays that a call leaves in it, until they are taken."""
    own, at = _ways()
    return own(at["tl_new_results"], 0, at["tl_free_results"])


def taken_result(address: int) -> object:
    """Owns an array that was left in the results of `new_results`."""
    own, at = _ways()
    return own(at["tl_take_result"], address, at["tl_free"])


def new_book(sites: int) -> object:
    """Owns a book for the reports of a kernel's calls."""
    own, at = _ways()
    return own(at["tl_new_book"], sites, at["tl_free_book"])
