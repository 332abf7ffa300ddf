"""How a notation writes the kinds of nodes: strings with how tightly they bind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.numbers import Number

# How tightly something binds, from conditions to names.
CONDITION, SUM, PRODUCT, POWER, ATOM = range(5)


@dataclass(frozen=True)
class Written:
    """Some text and how tightly it binds."""

    text: str
    binds: int = ATOM


class Notation(ABC):
    """One way to write formulas."""

    def within(self, part: Written, binds: int) -> str:
        """The text, in parentheses if it binds less tightly than its surroundings."""
        return part.text if part.binds >= binds else self.parentheses(part.text)

    @abstractmethod
    def parentheses(self, text: str) -> str:
        """Text in parentheses."""

    @abstractmethod
    def number(self, value: Number) -> Written:
        """A constant."""

    @abstractmethod
    def name(self, name: str) -> Written:
        """A symbol, or the name of something shared."""

    @abstractmethod
    def scaled(self, factor: Number, term: Written) -> Written:
        """A positive number other than 1 times something."""

    @abstractmethod
    def product(self, above: Sequence[tuple[Written, Number]], below: Sequence[tuple[Written, Number]]) -> Written:
        """Bases to positive exponents, some of them below the line."""

    @abstractmethod
    def function(self, name: str, args: Sequence[Written]) -> Written:
        """A function of values."""

    @abstractmethod
    def compare(self, predicate: str, a: Written, b: Written) -> Written:
        """A comparison."""

    @abstractmethod
    def logic(self, connective: str, args: Sequence[Written]) -> Written:
        """`not`, `and`, `or`, `xor`."""

    @abstractmethod
    def gamma(self, condition: Written, then: Written, otherwise: Written) -> Written:
        """One of two values."""

    @abstractmethod
    def element(self, array: Written, indices: Sequence[Written]) -> Written:
        """An element of an array."""

    @abstractmethod
    def loop(self, node: Node, args: Sequence[Written], bodies: Sequence[tuple[Body, Sequence[Written]]]) -> Written:
        """A loop with its bodies."""

    @abstractmethod
    def line(self, name: str, value: Written) -> str:
        """The line that defines a name."""

    def sum(self, terms: Sequence[tuple[Number, Written]], constant: Number) -> Written:
        """Terms with coefficients and a constant, each with its sign."""
        parts = [(factor < 0, self._term(factor, term)) for factor, term in terms]
        if constant != 0 or not parts:
            parts.append((constant < 0, self.number(-constant if constant < 0 else constant)))
        parts.sort(key=lambda each: each[0])
        negative, first = parts[0]
        text = ("-" if negative else "") + self.within(first, PRODUCT)
        for negative, part in parts[1:]:
            text += (" - " if negative else " + ") + self.within(part, PRODUCT)
        return Written(text, SUM if len(parts) > 1 or negative else first.binds)

    def _term(self, factor: Number, term: Written) -> Written:
        size = -factor if factor < 0 else factor
        return term if size == 1 else self.scaled(size, term)
