"""Saved code for processors: the linked image that is loaded here, and files for C programs, which are only kept."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from tapeless.runtime.bundle.contents import SavedTarget
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.library import ABI_VERSION
from tapeless.runtime.processor import features, instruction_sets

KIND = "cpu"
NATIVE = "native"
IMAGE = "kernel.image"
# For C programs: an object file, a shared library, the header, and the header of the runtime that it includes.
OBJECT, LIBRARY, HEADER, RUNTIME_HEADER = "kernel.o", "kernel.so", "kernel.h", "tapeless_runtime.h"


def saved_target(
    name: str, code: CompiledCode, machine: str, needs: Sequence[str], for_c: Mapping[str, bytes], symbol: str | None
) -> SavedTarget:
    """Code for a machine (`x86_64`, `aarch64`) whose processor has all instruction sets in `needs`."""
    details = {"machine": machine, "needs": sorted(needs), "runtime": ABI_VERSION, "symbol": symbol}
    return SavedTarget(KIND, name, {**details, **code.fields()}, {IMAGE: code.image.code, **for_c})


def native_target(code: CompiledCode) -> SavedTarget:
    """Code that was compiled for this very processor, without anything for C programs."""
    return saved_target(NATIVE, code, os.uname().machine, sorted(instruction_sets()), {}, None)


def is_described(details: Mapping[str, Any]) -> bool:
    """Whether the fields of a description that this module reads are there, and of the right types."""
    symbol, needs = details["symbol"], details["needs"]
    return (
        type(details["machine"]) is str
        and type(details["runtime"]) is int
        and (symbol is None or type(symbol) is str)
        and type(needs) is list
        and all(type(each) is str for each in needs)
        and "plan" not in details
    )


def obstacle(details: Mapping[str, Any]) -> str | None:
    """Why the code cannot run on this machine; a missing instruction would end the process."""
    machine, runtime = os.uname().machine, details["runtime"]
    if details["machine"] != machine:
        return f"is for {details['machine']} processors, and this one is {machine}"
    if runtime != ABI_VERSION:
        return f"calls version {runtime} of the C runtime, and here is version {ABI_VERSION}"
    missing = sorted(set(details["needs"]) - features())
    return f"needs a processor that has {', '.join(missing)}" if missing else None


def open_code(details: Mapping[str, Any], parts: Mapping[str, bytes]) -> CompiledCode:
    """The code; raises DamagedCode unless everything fits together."""
    return CompiledCode.from_fields(dict(details), parts[IMAGE])
