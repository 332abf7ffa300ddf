"""Where in the user's source a pass was at work when it raised, found in the frames of the traceback.

Operations that a pass has erased may not be touched, and their handles do not tell. So nothing found in a frame is
touched: its address is looked up among the operations and values that are in the module now.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

from tapeless._mlir import ir
from tapeless.passes.diagnostics import Place, place_of

_capsule_name = ctypes.pythonapi.PyCapsule_GetName
_capsule_name.restype, _capsule_name.argtypes = ctypes.c_char_p, (ctypes.py_object,)
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)

Places = Mapping[int, Place]


def place_of_fault(error: BaseException, module: ir.Module) -> Place | None:
    """The place of the operations that the innermost frames worked on, else of the first function."""
    places = dict(_places(module))
    for frame in reversed(list(_frames(error))):
        for value in frame.f_locals.values():
            if (place := _place_of_local(value, places)) is not None:
                return place
    functions = (place_of(op.operation.location) for op in module.body.operations)
    return next((place for place in functions if place is not None), None)


def _frames(error: BaseException) -> Iterator[FrameType]:
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback.tb_frame
        traceback = traceback.tb_next


def _places(module: ir.Module) -> Iterator[tuple[int, Place]]:
    """Addresses of the operations and values below a module, with the places they come from."""
    pending = [module.operation]
    while pending:
        op = pending.pop()
        place = place_of(op.location)
        blocks = [block for region in op.regions for block in region]
        if place is not None:
            arguments = (argument for block in blocks for argument in block.arguments)
            yield from ((_address(each), place) for each in (op, *op.results, *arguments))
        pending += [inner.operation for block in blocks for inner in block.operations]


def _place_of_local(value: Any, places: Places) -> Place | None:
    if isinstance(value, ir.Location):
        return place_of(value)
    if not isinstance(value, (ir.OpView, ir.Operation, ir.Value)):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return places.get(_address(value.operation if isinstance(value, ir.OpView) else value))
        except RuntimeError:  # the handle of an operation that was erased through it
            return None
        except TypeError:  # the handle of an operation whose constructor raised; the bindings warn of it as well
            return None


def _address(value: ir.Operation | ir.Value) -> int:
    capsule = value._CAPIPtr
    return _capsule_pointer(capsule, _capsule_name(capsule)) or 0
