"""The protocol: a message is a line of JSON, and so is its answer.

A table of the kinds of messages says what answers each. What goes wrong in one message is told in its answer, and the
next one is read.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import Any

from tapeless.dataclasses_on_use import dataclass
from tapeless.gradbench.problem import Task
from tapeless.gradbench.settings import Settings
from tapeless.gradbench.table import find_problem
from tapeless.gradbench.timing import Stopwatch, repeated

Message = dict[str, Any]
Answer = dict[str, Any]


@dataclass
class Tool:
    """The state of a run: programs are compiled once for arguments of the same types."""

    settings: Settings
    compiled: dict[Task, Callable[..., Any]] = field(default_factory=dict)

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """One line for each line."""
        for line in lines:
            yield self._answered_line(line)

    def _answered_line(self, line: str) -> str:
        identifier = None
        try:
            message = json.loads(line)
            identifier = message["id"]
            # Numbers that are not finite are no JSON, and a result that has them is no success.
            return json.dumps({"id": identifier, **self.answer(message)}, allow_nan=False)
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            return json.dumps({"id": identifier, "success": False, "error": f"{type(error).__name__}: {error}"})

    def answer(self, message: Message) -> Answer:
        """The answer to a message besides its number; nothing to kinds that need no answer."""
        reply = KINDS.get(message["kind"])
        return reply(self, message) if reply else {}

    def start(self, message: Message) -> Answer:
        return {"tool": "tapeless", "config": self.settings.as_json()}

    def define(self, message: Message) -> Answer:
        watch = Stopwatch()
        try:
            watch.timed("import", find_problem, message["module"])
        except LookupError as error:
            return {"success": False, "error": str(error)}
        return {"success": True, "timings": watch.timings}

    def evaluate(self, message: Message) -> Answer:
        task = self._task(message["module"], message["function"])
        given, watch = message["input"], Stopwatch()
        arguments = watch.timed("prepare", task.arguments, given)
        if task not in self.compiled:
            self.compiled[task] = self.settings.compiled(task.program)
        program = self.compiled[task]
        # The first call compiles, or finds the kernel, and touches all memory.
        watch.timed("compile", program, *arguments)
        runs, seconds = (given["min_runs"], given["min_seconds"]) if isinstance(given, dict) else (1, 0)
        result, times = repeated(program, arguments, runs, seconds)
        for nanoseconds in times:
            watch.note("evaluate", nanoseconds)
        return {"success": True, "output": task.output(result), "timings": watch.timings}

    def _task(self, module: str, function: str) -> Task:
        problem = find_problem(module)
        if function not in problem:
            raise LookupError(f"no function {function!r} in module {module}; there are {', '.join(problem)}")
        return problem[function]


KINDS: dict[str, Callable[[Tool, Message], Answer]] = {
    "start": Tool.start,
    "define": Tool.define,
    "evaluate": Tool.evaluate,
}
