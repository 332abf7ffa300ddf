"""A request to save a kernel."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.backend.compile import CompileOptions
from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.interface import Interface
from tapeless.runtime.structures import Structure


@dataclass(frozen=True)
class Request:
    """A program that can be emitted again for every target, its options, the kernel's own code with these, and the name
    of its function in C.
    """

    emit: Callable[[], tuple[ir.Module, Structure]]
    options: CompileOptions
    code: CompiledCode
    interface: Interface
    symbol: str
