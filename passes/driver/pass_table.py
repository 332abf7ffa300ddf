"""Tables of passes, and of pipelines of them, that are imported when they are looked up."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any, Generic, TypeVar

from tapeless.passes.driver.base import Element, Pass

Value = TypeVar("Value")
Source = TypeVar("Source")
Elements = tuple[Element, ...]


class TableOnDemand(MutableMapping[str, Value], Generic[Value, Source]):
    """Values by name, each of them made of its source when it is first looked up."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._entries: dict[str, Any] = dict(sources)
        self._waiting = set(sources)

    @abstractmethod
    def make(self, source: Source) -> Value:
        """Makes the pass or pipeline of a source."""

    def __getitem__(self, name: str) -> Value:
        if name in self._waiting:
            self[name] = self.make(self._entries[name])
        value: Value = self._entries[name]
        return value

    def __setitem__(self, name: str, value: Value) -> None:
        self._waiting.discard(name)
        self._entries[name] = value

    def __delitem__(self, name: str) -> None:
        self._waiting.discard(name)
        del self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class PassTable(TableOnDemand[type[Pass], str]):
    """Passes by name, given the place of each class below `tapeless.passes`: `{"soac-fuse": "soac.fuse.Fuse"}`."""

    def make(self, source: str) -> type[Pass]:
        """Imports a class."""
        module, _, class_name = source.rpartition(".")
        found: type[Pass] = getattr(importlib.import_module(f"tapeless.passes.{module}"), class_name)
        return found


class PipelineTable(TableOnDemand[Elements, Callable[[], Elements]]):
    """Pipelines by name, given their factories."""

    def make(self, source: Callable[[], Elements]) -> Elements:
        """Makes a pipeline."""
        return source()
