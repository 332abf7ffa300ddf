"""Tables of passes, and of pipelines of them, that are imported when they are looked up."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, MutableMapping

from tapeless.passes.driver.base import Element, Pass


class PassTable(MutableMapping[str, type[Pass]]):
    """Passes by name, given the place of each class below `tapeless.passes`: `{"soac-fuse": "soac.fuse.Fuse"}`."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._entries: dict[str, type[Pass] | str] = dict(places)

    def __getitem__(self, name: str) -> type[Pass]:
        entry = self._entries[name]
        if isinstance(entry, str):
            module, _, class_name = entry.rpartition(".")
            entry = self._entries[name] = getattr(importlib.import_module(f"tapeless.passes.{module}"), class_name)
        return entry

    def __setitem__(self, name: str, pass_class: type[Pass]) -> None:
        self._entries[name] = pass_class

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


Elements = tuple[Element, ...]


class PipelineTable(MutableMapping[str, Elements]):
    """Pipelines by name, given what makes each of them when it is looked up."""

    def __init__(self, makers: Mapping[str, Callable[[], Elements]]) -> None:
        self._entries: dict[str, Elements | Callable[[], Elements]] = dict(makers)

    def __getitem__(self, name: str) -> Elements:
        entry = self._entries[name]
        if not isinstance(entry, tuple):
            entry = self._entries[name] = entry()
        return entry

    def __setitem__(self, name: str, elements: Elements) -> None:
        self._entries[name] = elements

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
