"""Tables of passes, of pipelines of them, and of rules, that are imported when they are looked up."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Generic, TypeVar

from tapeless.passes.driver.base import Element

Key = TypeVar("Key")
Value = TypeVar("Value")
Source = TypeVar("Source")
Elements = tuple[Element, ...]


class TableOnDemand(MutableMapping[Key, Value], Generic[Key, Value, Source]):
    """Values by key, each of them made of its source when it is first looked up."""

    def __init__(self, sources: Mapping[Key, Source]) -> None:
        self._sources = dict(sources)
        self._made: dict[Key, Value] = {}

    @abstractmethod
    def make(self, source: Source) -> Value:
        """Makes the value of a source."""

    def __getitem__(self, key: Key) -> Value:
        if key not in self._made:
            self._made[key] = self.make(self._sources[key])
        return self._made[key]

    def __setitem__(self, key: Key, value: Value) -> None:
        self._made[key] = value

    def __delitem__(self, key: Key) -> None:
        if key not in self:
            raise KeyError(key)
        self._made.pop(key, None)
        self._sources.pop(key, None)

    def __contains__(self, key: object) -> bool:
        return key in self._sources or key in self._made

    def __iter__(self) -> Iterator[Key]:
        return iter(dict.fromkeys((*self._sources, *self._made)))

    def __len__(self) -> int:
        return len(self._sources.keys() | self._made.keys())


class ImportTable(TableOnDemand[Key, Value, str]):
    """Functions and classes by key, given their places below a folder of passes: `{"soac-fuse": "fuse.fuse.Fuse"}`.

    The module of an entry is imported when that is first looked up, so that a compilation loads what it uses.
    """

    def __init__(self, folder: str, places: Mapping[Key, str]) -> None:
        super().__init__(places)
        self._above = f"tapeless.passes.{folder}".rstrip(".")

    def make(self, source: str) -> Value:
        """Imports a function or a class."""
        module, _, name = f"{self._above}.{source}".rpartition(".")
        found: Value = getattr(importlib.import_module(module), name)
        return found


class PipelineTable(TableOnDemand[str, Elements, Callable[[], Elements]]):
    """Pipelines by name, given their factories."""

    def make(self, source: Callable[[], Elements]) -> Elements:
        """Makes a pipeline."""
        return source()
