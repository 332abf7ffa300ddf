"""Outside values that a function has captured and that have changed since: found at the next call, with a warning.

A call compares which objects the names stand for, in the dicts where they live; functions that capture nothing pay
nothing. Elements of arrays are compared as well, so seldom that it takes at most a hundredth of the time.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from time import perf_counter
from types import ModuleType
from typing import Any, Protocol
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from tapeless.frontend.syntax.source import Source
from tapeless.tracebacks import level_of_user
from tapeless.trees import is_endless, opened

# How much longer than comparing the elements of arrays takes it is until they are compared again.
SELDOM = 100


class Compiled(Protocol):
    """A function with compiled versions, which it forgets when its captured values change.

    `given` are the sources of functions that were arguments.
    """

    source: Source
    given: list[Source]

    def forget(self) -> None: ...


_users: WeakKeyDictionary[Source, WeakSet[Any]] = WeakKeyDictionary()


def note_uses(function: Compiled) -> None:
    """Compiled code of this function depends on all that it can call."""
    for source in reachable(function.source, *function.given):
        _users.setdefault(source, WeakSet()).add(function)


def recapture(function: Compiled) -> None:
    """The present values of outside names, for a function and all that it calls, seen by all that call one of these."""
    function.forget()
    for source in reachable(function.source, *function.given):
        for user in _users.get(source, ()):
            user.forget()
        source.recapture()


def reachable(*sources: Source) -> list[Source]:
    """Sources and those of all functions that they can call."""
    found: list[Source] = []
    pending = list(sources)
    while pending:
        each = pending.pop()
        if all(each is not known for known in found):
            found.append(each)
            pending += _called(each)
    return found


def _called(source: Source) -> Iterator[Source]:
    for value in list(source.captured.values()):
        called = source.called(value)
        if called is not None:
            yield called
    if source.rules is not None:
        yield from source.rules.sources


class Watch:
    """An outside name that a function has captured: where its value lives, and the value last seen there."""

    def __init__(self, source: Source, name: str) -> None:
        self.source, self.name = source, name
        self.place, self.key = source.place_of(name)
        self.seen = source.origins[name]
        self.has_arrays = _has_arrays(self.seen)
        self.is_told = False

    @property
    def has_changed(self) -> bool:
        """Whether the name stands for another value than the one captured."""
        return not _is_same(self.place.get(self.key), self.source.captured.get(self.name))

    def look(self, function: str) -> None:
        """Warns if the value has changed, once for every object that the name stands for."""
        present = self.place.get(self.key)
        if present is not self.seen:
            self.seen, self.is_told = present, False
            self.has_arrays = _has_arrays(present)
        if self.is_told or not self.has_changed:
            return
        self.is_told = True
        warnings.warn(_told(function, self, present), RuntimeWarning, stacklevel=level_of_user())


def _told(function: str, watch: Watch, present: Any) -> str:
    kept = watch.source.captured.get(watch.name)
    if isinstance(kept, (bool, int, float, np.generic)) and isinstance(present, (bool, int, float, np.generic)):
        change = f"'{watch.name}' was {kept!r} when {watch.source.name}() captured it, and is {present!r} now"
    else:
        change = f"'{watch.name}' has changed since {watch.source.name}() captured it"
    return f"{function}() computes with the old value: {change}; call {function}.recapture(), or pass it as an argument"


class Watches:
    """All outside values that the compiled code of a function depends on."""

    def __init__(self, function: Compiled) -> None:
        self.name = function.source.name
        self._all = [
            Watch(source, name)
            for source in reachable(function.source, *function.given)
            for name, value in source.origins.items()
            if _can_change(value)
        ]
        self._arrays = [watch for watch in self._all if watch.has_arrays]
        self._seen = [watch.seen for watch in self._all]
        self._due = [0.0]
        self._count = len(function.source.parameters)

    def look(self) -> None:
        """Warns of changed values."""
        for watch in self._all:
            if watch.place.get(watch.key) is not watch.seen:
                watch.look(self.name)
        self._seen[:] = [watch.seen for watch in self._all]
        if self._arrays and perf_counter() > self._due[0]:
            start = perf_counter()
            for watch in self._arrays:
                watch.look(self.name)
            self._due[0] = perf_counter() + SELDOM * (perf_counter() - start)

    def before(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The call after a look; the call itself if there is nothing to look at."""
        if not self._all:
            return call
        arguments = ", ".join(f"a{position}" for position in range(self._count))
        tests = [f"place{k}[key{k}] is not seen[{k}]" for k in range(len(self._all))]
        tests += ["clock() > due[0]"] if self._arrays else []
        names: dict[str, Any] = {"__name__": __name__}
        names |= {f"place{k}": watch.place for k, watch in enumerate(self._all)}
        names |= {f"key{k}": watch.key for k, watch in enumerate(self._all)}
        names |= {"call": call, "look": self.look, "seen": self._seen, "due": self._due, "clock": perf_counter}
        exec(LOOKING.format(arguments=arguments, tests=" or ".join(tests)), names)
        return names["looking"]


# Written for the names that are watched: a loop over them would cost twice as much.
LOOKING = """
def looking({arguments}):
    try:
        if {tests}:
            look()
    except KeyError:
        look()
    return call({arguments})
"""


def _can_change(value: Any) -> bool:
    """Whether a name can be rebound: all but modules, classes and the names of Python and numpy."""
    if isinstance(value, (bool, int, float, np.generic, np.ndarray)) or opened(value) is not None:
        return True
    return not isinstance(value, (ModuleType, type)) and hasattr(value, "source")


def _has_arrays(value: Any, above: tuple[int, ...] = ()) -> bool:
    if isinstance(value, np.ndarray):
        return True
    parts = None if is_endless(value, above) else opened(value)
    return parts is not None and any(_has_arrays(part, (*above, id(value))) for part in parts[1])


def _is_same(present: Any, kept: Any, above: tuple[int, ...] = ()) -> bool:
    if isinstance(kept, np.ndarray):
        return isinstance(present, np.ndarray) and _are_equal(present, kept)
    if present is kept:
        return True
    if isinstance(kept, (bool, int, float, np.generic)):
        return type(present) is type(kept) and (present == kept or (present != present and kept != kept))
    if is_endless(present, above):
        return True  # It is compared where it stands for the first time.
    ours, theirs = opened(kept), opened(present)
    if ours is None or theirs is None or ours[0] != theirs[0] or len(ours[1]) != len(theirs[1]):
        return False
    pairs = zip(theirs[1], ours[1], strict=True)
    return all(_is_same(each, known, (*above, id(present))) for each, known in pairs)


def _are_equal(present: np.ndarray, kept: np.ndarray) -> bool:
    if present.dtype != kept.dtype or present.shape != kept.shape:
        return False
    return np.array_equal(present, kept) or present.tobytes() == kept.tobytes()
