"""The callables behind a kernel: they take one value per parameter and return the results of the Python function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tapeless.errors import ArgumentError
from tapeless.runtime.calling import binding
from tapeless.runtime.calling.fastcall import can_call_fast, make_fast_call
from tapeless.runtime.calling.numbers import NO_ORIGINS, Origins
from tapeless.runtime.calling.plan import PlannedKernel, objects_are_as_planned
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.image import Image, LoadedImage
from tapeless.runtime.invoke import bind
from tapeless.runtime.reports import Book
from tapeless.runtime.structures import Structure
from tapeless.trees import Branch, Static, closed

Call = Callable[..., Any]


class Calls:
    """Makes the callables of one kernel for this processor; each keeps the code in memory.

    Arrays lie in the memory of this process and are handed over by pointer, scalars by value.
    """

    def __init__(self, code: CompiledCode, names: Sequence[str], origin: str, book: Book | None = None) -> None:
        self._code = code
        self._names = tuple(names)
        self._origin = origin
        assert isinstance(code.image, Image)
        self._image = LoadedImage(code.image)
        self.address = self._image.address(code.entry)
        self._book = book
        self._invoke = bind(self.address, dict(enumerate(code.sites)), book)

    def general(self, *arguments: Any) -> Any:
        """Takes any acceptable arguments and refuses others with a message."""
        results = binding.call(self._code.abi, self._names, self._origin, self._invoke, arguments)
        return build(self._code.structure, results)

    def on_stream(self, stream: Any, arguments: Sequence[Any]) -> Any:
        """Streams are those of GPUs."""
        raise ArgumentError("stream= orders calls on a GPU, and this kernel runs on the CPU; leave it out")

    def fast(self, fallback: Call, origins: Origins = NO_ORIGINS) -> Call:
        """Takes arguments of the expected types, and the rest to `fallback`; numbers with `origins` are of exactly
        their type.
        """
        if not (can_call_fast(self._code.abi, self._code.structure) and objects_are_as_planned()):
            return fallback
        planned = PlannedKernel(self._code.abi, self.address, self._book, owner=self)
        return make_fast_call(self._code, planned, fallback, origins)


def build(structure: Structure, results: Sequence[Any]) -> Any:
    """Puts flat results into the structures the function returns."""
    if isinstance(structure, int):
        return results[structure]
    if isinstance(structure, Static):
        return structure.value
    if isinstance(structure, Branch):
        return closed(structure.node, [build(part, results) for part in structure.items])
    return tuple(build(part, results) for part in structure)
