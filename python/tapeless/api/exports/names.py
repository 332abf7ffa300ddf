"""Names of operations in programs that other libraries write down: the same in every process that has the function."""

from __future__ import annotations

import hashlib

from tapeless.api.exports.operations import Operation
from tapeless.errors import ArgumentError

_named: dict[str, Operation] = {}
_names: dict[Operation, str] = {}


def name_of(operation: Operation) -> str:
    """The name of an operation, by which `operation_of` finds it from now on."""
    name = _names.get(operation)
    if name is None:
        source, options = operation.function.source, operation.function.options
        parts = (source.fingerprint(), repr(operation.types), repr(options))
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        name = _names[operation] = f"{source.name}:{digest[:32]}"
        _named[name] = operation
    return name


def operation_of(name: str) -> Operation:
    """The operation of a name that this process has given."""
    try:
        return _named[name]
    except KeyError:
        raise ArgumentError(
            f"this process has no operation {name!r}, which a stored program names; call the function that it came "
            "from with arguments of the same types before it"
        ) from None
