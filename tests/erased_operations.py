"""Finds handles of operations that are used after the operation was erased.

The bindings do not notice: such a handle reads memory that a new operation may have taken. While `erasures_watched` is
entered, an erased operation is only taken out of its block and kept, its operands replaced by placeholders, and whoever
asks it, or an operation that lay in it, for anything gets `ErasedOperationUsed`.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from typing import Any

from tapeless._mlir import ir

GUARDED = {
    ir.Operation.__mro__[1]: ("name", "attributes", "operands", "results", "result", "regions", "location", "parent"),
    ir.Operation: ("block",),
}
PLACEHOLDER = "builtin.unrealized_conversion_cast"


class ErasedOperationUsed(BaseException):
    """An operation was asked for something after it was erased; no handler of exceptions takes it for its own."""


_name_of_capsule = ctypes.pythonapi.PyCapsule_GetName
_name_of_capsule.restype, _name_of_capsule.argtypes = ctypes.c_char_p, [ctypes.py_object]
_address_in_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_address_in_capsule.restype, _address_in_capsule.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _address(op: Any) -> int:
    capsule = op._CAPIPtr
    return _address_in_capsule(capsule, _name_of_capsule(capsule))


def _keep(op: ir.Operation) -> None:
    """Lets an operation live until the process ends: it may lie in others, or be used by them."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(op))


class Watch:
    """The operations that were erased so far, by address; they are kept, so that no other one gets the address."""

    def __init__(self) -> None:
        self.erased: dict[int, str] = {}

    def erase(self, op: ir.Operation | ir.OpView) -> None:
        """Takes an operation out of its block for good."""
        names: dict[int, str] = {}
        pending = [op.operation]
        while pending:
            each = pending.pop()
            names[_address(each)] = each.name
            self._let_go(each)
            pending += [inner.operation for region in each.regions for block in region.blocks for inner in block]
        op.operation.detach_from_parent()
        _keep(op.operation)
        self.erased.update(names)

    def _let_go(self, op: ir.Operation) -> None:
        for number, operand in enumerate(op.operands):
            stand_in = ir.Operation.create(PLACEHOLDER, results=[operand.type], loc=op.location, ip=False)
            _keep(stand_in)
            op.operands[number] = stand_in.results[0]

    def guarded(self, found: property) -> property:
        """A property that refuses handles of erased operations."""

        def read(op: Any) -> Any:
            if self.erased and (name := self.erased.get(_address(op))) is not None:
                raise ErasedOperationUsed(f"{name} is used after it was erased")
            return found.__get__(op)

        return property(read, found.__set__)


@contextlib.contextmanager
def erasures_watched() -> Iterator[Watch]:
    """Watches the operations of all contexts."""
    base = ir.Operation.__mro__[1]
    watch, erase = Watch(), base.erase
    old = [(kind, name, vars(kind)[name]) for kind, names in GUARDED.items() for name in names]
    for kind, name, found in old:
        setattr(kind, name, watch.guarded(found))
    base.erase = lambda op: watch.erase(op)
    try:
        yield watch
    finally:
        base.erase = erase
        for kind, name, found in old:
            setattr(kind, name, found)
