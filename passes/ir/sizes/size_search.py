"""How questions about sizes are answered: rules ask further questions, each of which is answered once per search.

A rule gives a size, another question with the same answer, or a generator that yields questions and returns a size.
The search keeps its own stack, so that programs may be as long as they like.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from types import GeneratorType
from typing import NamedTuple, TypeAlias

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import Size


class Axis(NamedTuple):
    """What is the size of this axis?"""

    array: ir.Value
    number: int


class Width(NamedTuple):
    """What size is this `index` value?"""

    value: ir.Value


class Checked(NamedTuple):
    """What is the size of an axis: this one, because checks before a place make both equal, or another?

    A place is the end of a block, or where a value is made.
    """

    asked: Axis
    wanted: Size
    place: Place


class Supposing(NamedTuple):
    """What is the size of an axis, supposing that another one has this size?"""

    asked: Checked
    premise: Axis
    size: Size


Place: TypeAlias = ir.Block | ir.Value
Question: TypeAlias = Axis | Width | Checked
Asking: TypeAlias = Generator[Question | Supposing, Size, Size]
Step: TypeAlias = Size | Question | Asking
Rule: TypeAlias = Callable[[Question], Step]

# Loops in loops add a premise each, and `budget=` makes up to four loops of one. Checks may also be about all arrays
# that a loop carries, and what rests on a premise is found again under each.
MOST_PREMISES = 12


@dataclass
class Pending:
    """A question whose rule waits for answers; `premises` is the set, as bits, of those its answer rests on so far."""

    questions: list[Question]
    rule: Asking
    supposed: Supposing | None
    premises: int = 0


@dataclass
class Search:
    """The answers of one search, each with the premises it rests on, and the premises that hold at present."""

    rule: Rule
    answers: dict[Question, tuple[Size, int]] = field(default_factory=dict)
    premises: list[list[Question]] = field(default_factory=list)
    stack: list[Pending] = field(default_factory=list)

    def ask(self, question: Question) -> Size:
        """The answer to a question."""
        if (known := self.answers.get(question)) is not None:
            return known[0]
        answer = self._reach(question, None)
        while self.stack:
            waiting = self.stack[-1]
            try:
                asked = next(waiting.rule) if answer is None else waiting.rule.send(answer[0])
            except StopIteration as finished:
                self.stack.pop()
                answer = self._finish(waiting.questions, waiting.supposed, finished.value, waiting.premises)
            else:
                answer = self._supposing(asked) if isinstance(asked, Supposing) else self._reach(asked, None)
            if answer is not None and self.stack:
                self.stack[-1].premises |= answer[1]
        assert answer is not None
        return answer[0]

    def _reach(self, question: Question, supposed: Supposing | None) -> tuple[Size, int] | None:
        """The answer if it takes no further question; otherwise the rule that will find it is put on the stack."""
        chain: list[Question] = []
        while question not in self.answers:
            chain.append(question)
            step = self.rule(question)
            if isinstance(step, (Axis, Width, Checked)):
                question = step
            elif isinstance(step, GeneratorType):
                self.stack.append(Pending(chain, step, supposed))
                return None
            else:
                return self._finish(chain, supposed, step, 0)
        return self._finish(chain, supposed, *self.answers[question])

    def _finish(
        self, questions: list[Question], supposed: Supposing | None, size: Size, premises: int
    ) -> tuple[Size, int]:
        for question in questions:
            self.answers[question] = size, premises
        for number, resting in enumerate(self.premises):
            if premises >> number & 1:
                resting.extend(questions)
        return (size, premises) if supposed is None else (size, self._forget_last_premise(premises))

    def _supposing(self, asked: Supposing) -> tuple[Size, int] | None:
        self.answers[asked.premise] = asked.size, 1 << len(self.premises)
        self.premises.append([asked.premise])
        question = asked.asked if len(self.premises) <= MOST_PREMISES else asked.asked.asked
        return self._reach(question, asked)

    def _forget_last_premise(self, premises: int) -> int:
        """Takes back the last premise and all that rests on it; gives what else an answer rests on."""
        for question in self.premises.pop():
            self.answers.pop(question, None)
        return premises & ~(1 << len(self.premises))
