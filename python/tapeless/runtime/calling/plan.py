"""The plan by which the C runtime reads arrays itself: `tl_plan` of runtime/tapeless_runtime.h."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tapeless.abi import Abi, Parameter, Result
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.calling.binding import slot_count, used_slots
from tapeless.runtime.calling.producers import connect
from tapeless.runtime.library import load_library, symbol_addresses
from tapeless.runtime.reports import Book

# Types of elements as DLPack writes them: kind and bits.
DLPACK = {
    "f64": (2, 64),
    "f32": (2, 32),
    "f16": (2, 16),
    "bf16": (4, 16),
    "i64": (0, 64),
    "i32": (0, 32),
    "u32": (1, 32),
    "i1": (6, 8),
}
# What readers of numbers point to.
_PARAMETERS: list[ctypes.Structure] = []
ANY_SIZE = -1
MISMATCH = -1
METH_FASTCALL = 0x80
# With prototypes of their own, because `ctypes.pythonapi` is shared by all.
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_new_function = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
    ("PyCFunction_NewEx", ctypes.pythonapi)
)


class PlanParameter(ctypes.Structure):
    """`tl_parameter`: the properties of an array that is taken as it is."""

    _fields_ = (
        ("rank", ctypes.c_int64),
        ("code", ctypes.c_int32),
        ("bits", ctypes.c_int32),
        ("descriptor", ctypes.c_void_p),
        ("sizes", ctypes.c_void_p),
    )


class Plan(ctypes.Structure):
    """`tl_plan`: the arguments of a kernel and the layout of Python objects."""

    _fields_ = (
        ("kernel", ctypes.c_void_p),
        ("slots", ctypes.c_int64),
        ("results", ctypes.c_int64),
        ("object_header", ctypes.c_int64),
        ("tuple_header", ctypes.c_int64),
        ("array_type", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("parameters", ctypes.c_void_p),
        ("book", ctypes.c_void_p),
    )


class PlannedKernel:
    """A plan together with the memory it points to; `owner` keeps the kernel's code and its book in memory."""

    def __init__(self, abi: Abi, address: int, book: Book | None = None, owner: object = None) -> None:
        self.owner = owner
        entries: tuple[Parameter | Result, ...] = (*abi.parameters, *abi.outs)
        self._sizes = [_sizes(entry) for entry in entries]
        self._parameters = (PlanParameter * len(entries))(
            *(
                _plan_parameter(entry, ctypes.addressof(sizes))
                for entry, sizes in zip(entries, self._sizes, strict=True)
            )
        )
        self._plan = Plan(
            kernel=address,
            slots=slot_count(abi),
            results=slot_count(abi) - used_slots(abi),
            object_header=object.__basicsize__,
            tuple_header=tuple.__basicsize__,
            array_type=id(np.ndarray),
            count=len(entries),
            parameters=ctypes.addressof(self._parameters),
            book=None if book is None else book.address,
        )
        self.address = ctypes.addressof(self._plan)


def _sizes(entry: Parameter | Result) -> ctypes.Array:
    """Fixed sizes of a parameter; a provided result has the sizes that were computed for it."""
    fixed = [size if isinstance(size, int) else ANY_SIZE for size in entry.dims]
    return (ctypes.c_int64 * max(len(fixed), 1))(*fixed)


def _plan_parameter(entry: Parameter | Result, sizes: int) -> PlanParameter:
    if entry.kind == "scalar":
        return PlanParameter(0, *DLPACK[entry.dtype], None, None)
    return PlanParameter(len(entry.dims), *DLPACK[entry.dtype], id(NUMPY_DTYPES[entry.dtype]), sizes)


class MethodDefinition(ctypes.Structure):
    """`PyMethodDef` of Python's stable interface."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@cache
def _definition(name: str) -> MethodDefinition:
    connect()
    return MethodDefinition(name.encode(), symbol_addresses()[f"{name}_from_python"], METH_FASTCALL, None)


def planned_call(planned: PlannedKernel) -> Callable[[tuple[Any, ...], bytes | None, int | None], int | None]:
    """`tl_call` of a plan as a function of Python, without the cost of `ctypes`: of arrays, words and where results go.

    It gives None, or why the kernel did not run to its end. Whoever calls it keeps `planned` alive.
    """
    return _bound("tl_call", planned.address)


def _bound(name: str, address: int) -> Callable[..., Any]:
    """A function of the runtime for Python, bound to what lies at an address."""
    return _new_function(ctypes.addressof(_definition(name)), _new_capsule(address, None, None), None)


@cache
def number_reader(dtype: str) -> Callable[[Any, type], float | int | None]:
    """The number in an array of exactly this dtype without axes, by its library's own functions; None for all else.

    It takes an object and its type, of which `note_types` has told the runtime.
    """
    parameter = PlanParameter(0, *DLPACK[dtype], None, None)
    _PARAMETERS.append(parameter)
    return _bound("tl_number", ctypes.addressof(parameter))


@cache
def objects_are_as_planned() -> bool:
    """Whether this Python and this numpy lay out their objects as the runtime reads them, tried on known arrays.

    The trial kernel is the address of `tl_trim`, which does nothing harmful; only the slots it is given matter.
    """
    library = load_library()
    probe = Abi((Parameter("array", "f64", (3, 2)), Parameter("array", "i64", (None,))), ())
    planned = PlannedKernel(probe, ctypes.cast(library.tl_trim, ctypes.c_void_p).value or 0)
    right = np.zeros((3, 2)), np.zeros(5, np.int64)
    wrong = [
        (np.zeros((2, 3)), right[1]),
        (right[0].astype(np.float32), right[1]),
        (right[0], np.zeros((5, 1), np.int64)),
    ]
    copied = (np.zeros((2, 3)).T, np.zeros(10, np.int64)[::2])
    call = planned_call(planned)
    is_taken = all(call(arrays, None, None) is None for arrays in (right, copied))
    return is_taken and all(call(arrays, None, None) == MISMATCH for arrays in wrong)
