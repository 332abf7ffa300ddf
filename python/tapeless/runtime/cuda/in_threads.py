"""The same work for several things, by several threads: for calls of the driver that take long."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_threads(work: Callable[[Item], Result], items: Sequence[Item], most: int) -> list[Result]:
    """The results of `work` for every item, by at most so many threads, of which the caller's is one.

    None of them is left when this returns. If several items fail, it raises what the first of them raised.
    """
    waiting = deque(enumerate(items))
    results: dict[int, Result] = {}
    errors: dict[int, BaseException] = {}

    def take() -> None:
        while not errors:
            try:
                number, item = waiting.popleft()
            except IndexError:
                return
            try:
                results[number] = work(item)
            except BaseException as error:
                errors[number] = error

    helpers = []
    for _ in range(min(most, len(items)) - 1):
        helper = threading.Thread(target=take, name="tapeless-load")
        try:
            helper.start()
        except RuntimeError:  # There are no more to be had, as when the interpreter ends: fewer do the work.
            break
        helpers.append(helper)
    take()
    for helper in helpers:
        helper.join()
    if errors:
        raise errors[min(errors)]
    return [results[number] for number in range(len(items))]
