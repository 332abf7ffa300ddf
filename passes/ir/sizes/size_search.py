"""How questions about sizes are answered: rules ask further questions, each of which is answered once per search.

A rule gives a size, another question with the same answer, or a generator that yields questions and returns a size.
The search keeps its own stack, so that programs may be as long as they like.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import field
from types import GeneratorType
from typing import Any, NamedTuple, TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.expressions import Dim, Size


class Axis(NamedTuple):
    """The question for the size of an axis"""

    array: ir.Value
    number: int


class Width(NamedTuple):
    """The question for the size that an `index` value is"""

    value: ir.Value


class Checked(NamedTuple):
    """The question for the size of an axis: this one, because checks before a place make both equal, or another?

    A place is the end of a block, or where a value is made.
    """

    asked: Axis
    wanted: Size
    place: Place


@dataclass(frozen=True)
class Equal:
    """Which sizes do the checks before a place make equal?"""

    place: Place


class Carried(NamedTuple):
    """The question for the size of an axis that a loop carries: the one it starts with, if an iteration keeps it, or
    another?

    An iteration starts with such an axis and ends with the one that is asked for.
    """

    start: Axis
    end: Checked

    @property
    def size(self) -> Size:
        """The size that the loop starts with."""
        return self.end.wanted


Place: TypeAlias = ir.Block | ir.Value
Question: TypeAlias = Axis | Width | Checked | Equal
Answer: TypeAlias = Any  # a SizeClasses for Equal, a Size for the others
Asking: TypeAlias = Generator[Question | Carried, Answer, Answer]
Step: TypeAlias = Size | Question | Asking
Rule: TypeAlias = Callable[[Question], Step]

# Loops in loops add a premise each, and `budget=` makes up to four loops of one.
MOST_PREMISES = 12


@dataclass
class Pending:
    """A question whose rule waits for answers; `premises` is the set, as bits, of those its answer rests on so far."""

    questions: list[Question]
    rule: Asking
    premises: int = 0


@dataclass
class Premise:
    """That an iteration of a loop keeps the sizes of the axes asked for so far, but of those that it is seen to change.

    All axes of a loop are supposed to be kept together, since one may be kept because another is.
    """

    bit: int
    supposed: dict[Axis, Carried] = field(default_factory=dict)
    changed: set[Axis] = field(default_factory=set)
    resting: list[Question] = field(default_factory=list)


@dataclass
class Search:
    """The answers of one search, each with the premises it rests on, and the premises of the loops looked at."""

    rule: Rule
    answers: dict[Question, tuple[Answer, int]] = field(default_factory=dict)
    premises: dict[ir.Block, Premise] = field(default_factory=dict)
    stack: list[Pending] = field(default_factory=list)

    def ask(self, question: Question) -> Answer:
        """The answer to a question."""
        if (known := self.answers.get(question)) is not None:
            return known[0]
        answer = self._reach(question)
        while self.stack:
            waiting = self.stack[-1]
            try:
                asked = next(waiting.rule) if answer is None else waiting.rule.send(answer[0])
            except StopIteration as finished:
                self.stack.pop()
                answer = self._finish(waiting.questions, finished.value, waiting.premises)
            else:
                answer = self._carried(asked) if isinstance(asked, Carried) else self._reach(asked)
            if answer is not None and self.stack:
                self.stack[-1].premises |= answer[1]
        assert answer is not None
        return answer[0]

    def _reach(self, question: Question) -> tuple[Answer, int] | None:
        """The answer if it takes no further question; otherwise the rule that will find it is put on the stack."""
        chain: list[Question] = []
        while question not in self.answers:
            chain.append(question)
            step = self.rule(question)
            if isinstance(step, (Axis, Width, Checked)):
                question = step
            elif isinstance(step, GeneratorType):
                self.stack.append(Pending(chain, step))
                return None
            else:
                return self._finish(chain, step, 0)
        return self._finish(chain, *self.answers[question])

    def _finish(self, questions: list[Question], answer: Answer, premises: int) -> tuple[Answer, int]:
        for question in questions:
            self.answers[question] = answer, premises
        for premise in self.premises.values():
            if premises & premise.bit:
                premise.resting.extend(questions)
        return answer, premises

    def _carried(self, asked: Carried) -> tuple[Answer, int] | None:
        """The premise on a loop that is being looked at; any other is looked at."""
        loop = asked.start.array.owner
        if (premise := self.premises.get(loop)) is None:
            self.stack.append(Pending([], self._look_at(loop, asked)))
            return None
        if asked.start in premise.changed:
            return Dim(*asked.start), 0
        premise.supposed[asked.start] = asked
        return asked.size, premise.bit

    def _look_at(self, loop: ir.Block, asked: Carried) -> Asking:
        """The size of an axis that a loop carries: as many axes as possible are kept by an iteration that starts so."""
        premise = self.premises[loop] = Premise(1 << len(self.premises))
        pending = self.stack[-1]
        while asked.start not in premise.changed:
            premise.supposed = {asked.start: asked}
            changed = yield from self._changed(premise)
            if not changed:
                break
            premise.changed |= changed
            self._forget(premise)
        del self.premises[loop]
        pending.premises &= ~premise.bit
        self._keep(premise, pending.premises)
        for axis in premise.changed:
            self._finish([axis], Dim(*axis), pending.premises)
        return Dim(*asked.start) if asked.start in premise.changed else asked.size

    def _changed(self, premise: Premise) -> Generator[Question, Answer, set[Axis]]:
        """The axes that an iteration changes, among those that turn out to matter."""
        changed = set()
        looked_at: set[Axis] = set()
        while left := [carried for axis, carried in premise.supposed.items() if axis not in looked_at]:
            for start, end in left:
                looked_at.add(start)
                if (yield end if len(self.premises) <= MOST_PREMISES else end.asked) != end.wanted:
                    changed.add(start)
        return changed

    def _keep(self, premise: Premise, others: int) -> None:
        """Replaces a premise that holds because others do by those."""
        for question in premise.resting:
            answer, premises = self.answers.get(question, (None, 0))
            if premises & premise.bit:
                self.answers[question] = answer, premises & ~premise.bit | others
        for other in self.premises.values():
            if others & other.bit:
                other.resting.extend(premise.resting)

    def _forget(self, premise: Premise) -> None:
        """Takes back all that rests on a premise."""
        for question in premise.resting:
            if self.answers.get(question, (None, 0))[1] & premise.bit:
                del self.answers[question]
        premise.resting = []
