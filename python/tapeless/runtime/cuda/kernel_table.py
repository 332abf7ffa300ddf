"""The kernels of a plan by their numbers, loaded on a GPU when they are first launched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tapeless.runtime.cuda.kernel_texts import branches_of, parts_of
from tapeless.runtime.cuda.recordings.order import Touched, touched_by


class Loader(Protocol):
    """What makes functions of the text of kernels."""

    def load(self, ptx: bytes) -> Any: ...
    def function(self, module: Any, name: str) -> Any: ...


class KernelTable:
    """Functions with the types of their parameters. A part of the text is loaded with the first of its kernels."""

    def __init__(self, gpu: Loader, text: bytes, plan: Mapping[str, Any]) -> None:
        self._gpu = gpu
        kernels: Mapping[str, Mapping[str, Any]] = plan["kernels"]
        self._names, self._types = list(kernels), [entry["parameters"] for entry in kernels.values()]
        self._entries = list(kernels.values())
        self._parts = parts_of(text, branches_of(plan["steps"]))
        self._part_of = {name: number for number, (names, _) in enumerate(self._parts) for name in names}
        self._modules: dict[int, Any] = {}
        self._functions: dict[int, Any] = {}

    def __getitem__(self, number: int) -> tuple[Any, Sequence[str]]:
        if number not in self._functions:
            name = self._names[number]
            self._functions[number] = self._gpu.function(self._module(self._part_of.get(name, 0)), name)
        return self._functions[number], self._types[number]

    def touched(self, number: int, arguments: Sequence[Any]) -> Touched:
        """What memory a launch with these arguments reads and writes."""
        return touched_by(self._entries[number], arguments)

    def _module(self, part: int) -> Any:
        if part not in self._modules:
            self._modules[part] = self._gpu.load(self._parts[part][1])
        return self._modules[part]
