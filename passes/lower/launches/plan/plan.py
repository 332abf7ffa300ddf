"""The launch plan as it is built: steps in nested lists, names, and expressions of known values.

`docs/gpu_runtime.md` has the list of steps. An expression is a number, a name, or `[operation, type, operands...]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from tapeless.passes.lower.launches.plan.invariant_lets import with_invariants_before_loops

Expr: TypeAlias = int | float | str | list[Any]
Step: TypeAlias = dict[str, Any]

VERSION = 1
# The steps whose only effect is the name that they bind.
FREE_OF_EFFECTS = frozenset({"let"})


class Plan:
    """Steps, kernels with the types of their parameters and the memory they touch, and constants."""

    def __init__(self) -> None:
        self.kernels: dict[str, dict[str, Any]] = {}
        self.constants: list[str] = []
        self.body: list[Step] = []
        self._steps = self.body
        self._names = 0
        self._known: list[dict[str, str]] = [{}]
        """For each list of steps being filled, the names of its expressions by their text."""

    def name(self) -> str:
        """A name that is not in use."""
        self._names += 1
        return f"v{self._names - 1}"

    def add(self, do: str, **fields: Any) -> Step:
        """Appends a step to the list being filled."""
        step = {"do": do, **fields}
        self._steps.append(step)
        return step

    def let(self, value: Expr) -> Expr:
        """The value under a name, unless it is a number or a name already; equal expressions share one."""
        if not isinstance(value, list):
            return value
        text = str(value)
        for known in self._known:
            if text in known:
                return known[text]
        name = self._known[-1][text] = self.name()
        self.add("let", name=name, value=value)
        return name

    @contextmanager
    def within(self, steps: list[Step]) -> Iterator[list[Step]]:
        """Fills another list of steps for a while."""
        outer, self._steps = self._steps, steps
        self._known.append({})
        try:
            yield steps
        finally:
            self._steps = outer
            self._known.pop()

    def to_data(self) -> dict[str, Any]:
        """The plan as plain data, without steps whose names nobody reads, and numbers before loops that change none."""
        steps = with_invariants_before_loops(_without_unread(self.body, set()))
        return {"version": VERSION, "kernels": self.kernels, "constants": self.constants, "steps": steps}


def _without_unread(steps: list[Step], read: set[str]) -> list[Step]:
    """The steps that matter; their reads are added to `read`."""
    kept: list[Step] = []
    for step in reversed(steps):
        if step["do"] in FREE_OF_EFFECTS and step["name"] not in read:
            continue
        inner = {key: value for key, value in step.items() if key in ("body", "then", "else", "before", "after")}
        _collect_names({key: value for key, value in step.items() if key not in (*inner, "do")}, read)
        for key in reversed(inner):
            step[key] = _without_unread(inner[key], read)
        kept.append(step)
    return kept[::-1]


def _collect_names(data: Any, read: set[str]) -> None:
    waiting = [data]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            read.add(each)
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, dict):
            waiting += each.values()
