"""Which functions call themselves, directly or through others."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def recursive_functions(callees: Mapping[str, Collection[str]]) -> set[str]:
    """The functions on cycles of calls, by what each calls; names that are no keys call nothing."""
    return _Components(callees).find()


class _Components:
    """Tarjan's search: functions that reach each other stay on the stack until the first of them is left."""

    def __init__(self, callees: Mapping[str, Collection[str]]) -> None:
        self.callees = callees
        self.number: dict[str, int] = {}
        self.stack: list[str] = []
        self.found: set[str] = set()

    def find(self) -> set[str]:
        for name in self.callees:
            if name not in self.number:
                self._visit(name)
        return self.found

    def _visit(self, name: str) -> int:
        """Visits a function; gives the earliest one on the stack that it reaches, by number."""
        own = lowest = self.number[name] = len(self.number)
        self.stack.append(name)
        for callee in self.callees.get(name, ()):
            if callee not in self.number:
                lowest = min(lowest, self._visit(callee))
            elif callee in self.stack:
                lowest = min(lowest, self.number[callee])
        if lowest == own:
            self._leave(name)
        return lowest

    def _leave(self, first: str) -> None:
        """Takes a component off the stack; one of a single function is a cycle if it calls itself."""
        place = self.stack.index(first)
        component = self.stack[place:]
        del self.stack[place:]
        if len(component) > 1 or first in self.callees.get(first, ()):
            self.found.update(component)
