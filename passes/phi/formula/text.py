"""Formulas as plain text, in the syntax of Python as far as it goes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tapeless.passes.phi.formula.notation import CONDITION, POWER, PRODUCT, SUM, Notation, Written
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.numbers import HALF, ONE, Number

COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
LARGEST_DENOMINATOR = 1000


class Text(Notation):
    """Plain text."""

    def parentheses(self, text: str) -> str:
        return f"({text})"

    def number(self, value: Number) -> Written:
        if isinstance(value, Fraction) and value.denominator != 1 and value.denominator <= LARGEST_DENOMINATOR:
            return Written(f"{value.numerator}/{value.denominator}", PRODUCT if value > 0 else SUM)
        return Written(decimal(value), POWER if value >= 0 else SUM)

    def name(self, name: str) -> Written:
        return Written(name)

    def scaled(self, factor: Number, term: Written) -> Written:
        if isinstance(factor, Fraction) and factor.numerator == 1 and factor.denominator <= LARGEST_DENOMINATOR:
            return Written(f"{self.within(term, PRODUCT)}/{factor.denominator}", PRODUCT)
        return Written(f"{self.within(self.number(factor), PRODUCT)}*{self.within(term, PRODUCT)}", PRODUCT)

    def product(self, above: Sequence[tuple[Written, Number]], below: Sequence[tuple[Written, Number]]) -> Written:
        top = "*".join(self._power(*each) for each in above) or "1"
        if not below:
            return Written(top, PRODUCT)
        bottom = "*".join(self._power(*each) for each in below)
        return Written(f"{top}/{bottom if len(below) == 1 else f'({bottom})'}", PRODUCT)

    def _power(self, base: Written, exponent: Number) -> str:
        if exponent == ONE:
            return self.within(base, POWER)
        if exponent == HALF:
            return f"sqrt({base.text})"
        return f"{self.within(base, POWER + 1)}**{self.within(self.number(exponent), POWER)}"

    def function(self, name: str, args: Sequence[Written]) -> Written:
        return Written(f"{name}({', '.join(each.text for each in args)})")

    def compare(self, predicate: str, a: Written, b: Written) -> Written:
        return Written(f"{a.text} {COMPARISONS[predicate]} {b.text}", CONDITION)

    def logic(self, connective: str, args: Sequence[Written]) -> Written:
        parts = [self.within(each, SUM) for each in args]
        return Written(f"not {parts[0]}" if connective == "not" else f" {connective} ".join(parts), CONDITION)

    def gamma(self, condition: Written, then: Written, otherwise: Written) -> Written:
        return Written(f"({self.within(then, SUM)} if {condition.text} else {self.within(otherwise, SUM)})")

    def element(self, array: Written, indices: Sequence[Written]) -> Written:
        return Written(f"{array.text}[{', '.join(each.text for each in indices)}]")

    def loop(self, node: Node, args: Sequence[Written], bodies: Sequence[tuple[Body, Sequence[Written]]]) -> Written:
        functions = []
        for body, results in bodies:
            parameters = ", ".join(bound(each) for each in body.parameters)
            functions.append(f"{parameters} -> {', '.join(each.text for each in results)}")
        return Written(f"{node.name}({', '.join([*(each.text for each in args), *functions])})")

    def line(self, name: str, value: Written) -> str:
        return f"{name} = {value.text}"


def decimal(value: Number) -> str:
    """A number that is no short fraction."""
    return str(value) if isinstance(value, int) else repr(float(value))


def bound(symbol: Node) -> str:
    """The name of a symbol that a body binds: letters from i on, by level and position."""
    name = symbol.data[0]
    assert isinstance(name, tuple)
    level, place = (int(each) for each in name[1:])
    return f"{'ijklmnopq'[(level - 1) % 9]}{place or ''}"
