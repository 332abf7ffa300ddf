"""Formulas in LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tapeless.passes.phi.formula.notation import ATOM, CONDITION, POWER, PRODUCT, SUM, Notation, Written
from tapeless.passes.phi.formula.text import LARGEST_DENOMINATOR, bound, decimal
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.numbers import HALF, ONE, Number

COMPARISONS = {"eq": "=", "ne": r"\neq", "lt": "<", "le": r"\leq", "gt": ">", "ge": r"\geq"}
CONNECTIVES = {"and": r" \land ", "or": r" \lor ", "xor": r" \oplus "}
KNOWN = ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "max", "min")
OTHERS = {"asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan", "sigmoid": r"\sigma"}


class Latex(Notation):
    """LaTeX, for use in math mode."""

    def parentheses(self, text: str) -> str:
        return rf"\left({text}\right)"

    def number(self, value: Number) -> Written:
        if isinstance(value, Fraction) and value.denominator != 1 and value.denominator <= LARGEST_DENOMINATOR:
            sign = "-" if value < 0 else ""
            return Written(
                rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}", POWER if value > 0 else SUM
            )
        mantissa, _, exponent = decimal(value).partition("e")
        text = rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa
        return Written(text, POWER if value >= 0 else SUM)

    def name(self, name: str) -> Written:
        head, _, tail = name.partition("_")
        letters = head.rstrip("0123456789")
        index = ", ".join(each for each in (head[len(letters) :], tail.replace("_", r"\_")) if each)
        shown = letters if len(letters) == 1 else rf"\mathrm{{{letters}}}"
        return Written(f"{shown}_{{{index}}}" if index else shown)

    def scaled(self, factor: Number, term: Written) -> Written:
        return Written(rf"{self.within(self.number(factor), PRODUCT)} {self.within(term, PRODUCT)}", PRODUCT)

    def product(self, above: Sequence[tuple[Written, Number]], below: Sequence[tuple[Written, Number]]) -> Written:
        if not below:
            return Written(" ".join(self._power(*each) for each in above), PRODUCT if len(above) > 1 else POWER)
        top = self._side(above)
        return Written(rf"\frac{{{top}}}{{{self._side(below)}}}", POWER)

    def _side(self, side: Sequence[tuple[Written, Number]]) -> str:
        if len(side) == 1 and side[0][1] == ONE:
            return side[0][0].text
        return " ".join(self._power(*each) for each in side) or "1"

    def _power(self, base: Written, exponent: Number) -> str:
        if exponent == ONE:
            return self.within(base, POWER)
        if exponent == HALF:
            return rf"\sqrt{{{base.text}}}"
        return f"{self.within(base, ATOM)}^{{{self.number(exponent).text}}}"

    def function(self, name: str, args: Sequence[Written]) -> Written:
        if name == "abs":
            return Written(rf"\left|{args[0].text}\right|")
        if name == "pow":
            return Written(f"{self.within(args[0], ATOM)}^{{{args[1].text}}}", POWER)
        shown = f"\\{name}" if name in KNOWN else OTHERS.get(name, rf"\operatorname{{{name}}}")
        return Written(shown + self.parentheses(", ".join(each.text for each in args)))

    def compare(self, predicate: str, a: Written, b: Written) -> Written:
        return Written(f"{a.text} {COMPARISONS[predicate]} {b.text}", CONDITION)

    def logic(self, connective: str, args: Sequence[Written]) -> Written:
        parts = [self.within(each, SUM) for each in args]
        return Written(rf"\lnot {parts[0]}" if connective == "not" else CONNECTIVES[connective].join(parts), CONDITION)

    def gamma(self, condition: Written, then: Written, otherwise: Written) -> Written:
        cases = rf"{then.text} & \text{{if }} {condition.text} \\ {otherwise.text} & \text{{otherwise}}"
        return Written(rf"\begin{{cases}} {cases} \end{{cases}}")

    def element(self, array: Written, indices: Sequence[Written]) -> Written:
        return Written(f"{{{array.text}}}_{{{', '.join(each.text for each in indices)}}}")

    def loop(self, node: Node, args: Sequence[Written], bodies: Sequence[tuple[Body, Sequence[Written]]]) -> Written:
        functions = []
        for body, results in bodies:
            parameters = ", ".join(self.name(bound(each)).text for each in body.parameters)
            functions.append(rf"{parameters} \mapsto {', '.join(each.text for each in results)}")
        shown = rf"\operatorname{{{node.name.replace('_', '-')}}}"
        return Written(shown + self.parentheses(", ".join([*(each.text for each in args), *functions])))

    def line(self, name: str, value: Written) -> str:
        return rf"{self.name(name).text} &= {value.text} \\"
