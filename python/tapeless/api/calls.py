"""The callable behind a kernel: takes one value per parameter, returns what the Python function would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tapeless.api.binding import call
from tapeless.api.program import Program
from tapeless.backend.code import CompiledCode, Structure
from tapeless.runtime.invoke import Invoke


def make_call(program: Program, code: CompiledCode, address: int, invoke: Invoke) -> Callable[..., Any]:
    """A function of the kernel's parameters, by position."""
    names = [parameter.name for parameter in program.source.parameters]

    def general(*arguments: Any) -> Any:
        return build(code.structure, iter(call(code.abi, names, invoke, arguments)))

    return general


def build(structure: Structure, leaves: Iterator[Any]) -> Any:
    """Puts results back into the tuples the function returns; None stands for one result."""
    if structure is None:
        return next(leaves)
    return tuple(build(part, leaves) for part in structure)
