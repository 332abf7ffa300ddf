"""Streams on which everything happens as late as it may: what nobody waits for has not happened yet.

Work that has to come first, by the order of a stream, by events, or by the default stream, is done before whoever waits
for it goes on, and nothing else is. So an argument that is read before it is made, or memory that is used again before
it is read, shows in the numbers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

LEGACY, PER_THREAD = 1, 2
GLOBAL, THREAD_LOCAL, RELAXED = range(3)
INVALID_HANDLE, NOT_READY = 400, 600
UNSUPPORTED, INVALIDATED, ISOLATION, IMPLICIT = 900, 901, 905, 906


class Refused(Exception):
    """The driver refuses a call, with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(eq=False)
class Work:
    """Something queued, and what it comes after."""

    run: Callable[[], None] | None
    after: list[Work]
    is_done: bool = False


@dataclass(eq=False)
class Node:
    """Something recorded, and what it comes after in its graph."""

    run: Callable[[], object]
    after: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class Capture:
    """A recording that goes on: who began it, and how careful others must be meanwhile."""

    mode: int
    thread: int
    nodes: list[Node] = field(default_factory=list)
    is_valid: bool = True


@dataclass(eq=False)
class Stream:
    """A queue; a blocking one waits for the default stream, and the default stream for it."""

    is_blocking: bool
    last: Work | None = None
    capture: Capture | None = None


@dataclass(eq=False)
class Event:
    """A place in a stream; in a recorded one, it belongs to the recording."""

    work: Work | None = None
    capture: Capture | None = None


def finish(work: Work | None) -> None:
    """Does a work and all that comes before it."""
    waiting = [work] if work is not None else []
    while waiting:
        latest = waiting[-1]
        missing = [each for each in latest.after if not each.is_done]
        if missing and not latest.is_done:
            waiting += missing
            continue
        waiting.pop()
        if not latest.is_done:
            latest.is_done = True
            latest.after = []
            if latest.run is not None:
                latest.run()


class Streams:
    """All streams of a GPU by their handles; 0 is another name of the default stream."""

    def __init__(self) -> None:
        self.streams = {LEGACY: Stream(is_blocking=True), PER_THREAD: Stream(is_blocking=True)}
        self._modes: dict[int, int] = {}

    def at(self, handle: int | None) -> Stream:
        """The stream of a handle."""
        if (handle or LEGACY) not in self.streams:
            raise Refused(INVALID_HANDLE)
        return self.streams[handle or LEGACY]

    def queue(self, handle: int | None, run: Callable[[], None] | None, after: Iterable[Work] = ()) -> Work | None:
        """Queues work, or records it."""
        stream = self.at(handle)
        default = self.streams[LEGACY]
        if stream.capture is not None:
            if run is not None:
                stream.capture.nodes.append(Node(run, stream.capture.nodes[-1:]))
            return None
        related = [each for each in self.streams.values() if each.is_blocking] if stream is default else [default]
        if stream.is_blocking:
            self._refuse([each.capture for each in related if each.capture is not None], IMPLICIT)
        else:
            related = []
        before = [each.last for each in (stream, *related) if each.last is not None and not each.last.is_done]
        stream.last = Work(run, [*before, *after])
        return stream.last

    def wait(self, handle: int | None, event: Event) -> None:
        """What is queued from now on comes after an event."""
        stream = self.at(handle)
        if event.capture is not None or stream.capture is not None:
            self._refuse([each for each in (event.capture, stream.capture) if each is not None], ISOLATION)
        self.queue(handle, None, [event.work] if event.work is not None else [])

    def record(self, event: Event, handle: int | None) -> None:
        """An event at the end of a stream."""
        event.capture = self.at(handle).capture
        event.work = self.queue(handle, None)

    def synchronise(self, handle: int | None) -> None:
        """Does what is queued on a stream, and nothing that it does not come after."""
        stream = self.at(handle)
        if stream.capture is not None:
            self._refuse([stream.capture], UNSUPPORTED)
        finish(stream.last)

    def synchronise_all(self) -> None:
        """Waits for the GPU, as long as nobody records on any of its streams."""
        self._refuse([each.capture for each in self.streams.values() if each.capture is not None], UNSUPPORTED)
        self.finish_all()

    def finish_all(self) -> None:
        """Does all that is queued."""
        for stream in self.streams.values():
            finish(stream.last)

    def begin(self, handle: int | None, mode: int) -> None:
        self.at(handle).capture = Capture(mode, threading.get_ident())

    def end(self, handle: int | None) -> list[Node]:
        capture, self.at(handle).capture = self.at(handle).capture, None
        if capture is None or not capture.is_valid:
            raise Refused(INVALIDATED)
        return capture.nodes

    def is_capturing(self, handle: int | None) -> bool:
        stream = self.at(handle)
        if stream is self.streams[LEGACY] and any(each.is_blocking and each.capture for each in self.streams.values()):
            raise Refused(IMPLICIT)
        return stream.capture is not None

    def exchange_mode(self, mode: int) -> int:
        """How careful this thread has to be from now on; gives how careful it was."""
        thread = threading.get_ident()
        before, self._modes[thread] = self._modes.get(thread, GLOBAL), mode
        return before

    def check_safe(self) -> None:
        """Before a call that may wait for others: it spoils recordings, unless this thread was allowed to make it."""
        thread = threading.get_ident()
        mode = self._modes.get(thread, GLOBAL)
        captures = [each.capture for each in self.streams.values() if each.capture is not None]
        own = [each for each in captures if each.thread == thread and each.mode != RELAXED and mode != RELAXED]
        others = [each for each in captures if each.thread != thread and each.mode == GLOBAL and mode == GLOBAL]
        self._refuse([*own, *others], UNSUPPORTED)

    def _refuse(self, captures: Iterable[Capture], code: int) -> None:
        spoilt = list(captures)
        for capture in spoilt:
            capture.is_valid = False
        if spoilt:
            raise Refused(code)
