"""The kernels of a plan by their numbers, loaded on a GPU when they are first launched."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from tapeless.runtime.cuda.in_threads import in_threads
from tapeless.runtime.cuda.kernel_source import KernelSource
from tapeless.runtime.cuda.recordings.order import Touched, touched_by

MOST_THREADS: Final = 8


class Loader(Protocol):
    """Makes functions of the text of kernels."""

    def enter(self) -> Any: ...
    def leave(self, entered: Any) -> None: ...
    def load(self, ptx: bytes) -> Any: ...
    def unload(self, module: Any) -> None: ...
    def function(self, module: Any, name: str) -> Any: ...


class KernelTable:
    """Functions with the types of their parameters."""

    def __init__(self, gpu: Loader, kernels: KernelSource, plan: Mapping[str, Any]) -> None:
        self._gpu = gpu
        entries: Mapping[str, Mapping[str, Any]] = plan["kernels"]
        self._names, self._types = list(entries), [entry["parameters"] for entry in entries.values()]
        self._entries = list(entries.values())
        self._texts = kernels.texts(self._names)
        self._modules: dict[str, Any] = {}
        self._loaded: list[Any] = []
        self._functions: dict[int, Any] = {}

    def get(self, number: int, foresee: Callable[[], Iterable[int]]) -> tuple[Any, Sequence[str]]:
        """A kernel that is launched now. If it has to be loaded, so are those that will be."""
        if number not in self._functions:
            name = self._names[number]
            if name not in self._modules:
                self._load({name: None} | {self._names[each]: None for each in foresee()})
            self._functions[number] = self._gpu.function(self._modules[name], name)
        return self._functions[number], self._types[number]

    def touched(self, number: int, arguments: Sequence[Any]) -> Touched:
        """The memory that a launch with these arguments reads and writes."""
        return touched_by(self._entries[number], arguments)

    def _load(self, names: Iterable[str]) -> None:
        parts = self._texts.parts(name for name in names if name not in self._modules)
        processors = len(os.sched_getaffinity(0))
        modules = in_threads(self._compiled, [text for _, text in parts], min(processors, MOST_THREADS))
        for (each, _), module in zip(parts, modules, strict=True):
            self._modules |= dict.fromkeys(each, module)

    def _compiled(self, text: bytes) -> Any:
        entered = self._gpu.enter()
        try:
            module = self._gpu.load(text)
        finally:
            self._gpu.leave(entered)
        self._loaded.append(module)
        return module

    def unload(self) -> None:
        """Forgets all kernels; those that are launched again are loaded again."""
        self._functions.clear()
        self._modules.clear()
        while self._loaded:
            self._gpu.unload(self._loaded.pop())
