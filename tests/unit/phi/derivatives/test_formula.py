"""Formulas read as mathematics, in text and in LaTeX, with names for what is shared."""

from __future__ import annotations

from tests.unit.phi.rules.rule_cases import fn, less, sqrt, when

from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.formula.formula import LATEX, formula
from tapeless.passes.phi.graph.graph import DERIVATIVE, Graph
from tapeless.passes.phi.graph.numbers import ONE, ZERO, number
from tapeless.passes.phi.graph.sums import linear


def made(build):
    g = Graph(DERIVATIVE)
    return build(*(Symbolic(g, g.symbol(name, "f64")) for name in "xyz")).node


def test_text_has_parentheses_only_where_they_are_needed():
    assert formula({"f": made(lambda x, y, z: x - y * 2.0 + 3.0)}) == "f = x + 3 - 2*y"
    assert formula({"f": made(lambda x, y, z: (x + y) * z)}) == "f = z*(x + y)"
    assert formula({"f": made(lambda x, y, z: x / (y * z))}) == "f = x/(y*z)"
    assert formula({"f": made(lambda x, y, z: x * x / sqrt(y + 1.0))}) == "f = x**2/sqrt(y + 1)"
    assert formula({"f": made(lambda x, y, z: -x)}) == "f = -x"
    assert formula({"f": made(lambda x, y, z: fn("sin", x * 0.5))}) == "f = sin(x/2)"


def test_branches_and_names_for_what_is_shared():
    node = made(lambda x, y, z: when(less(x, y), fn("exp", x), y, x) * fn("exp", x) + 0.1)
    assert formula({"f": node}) == "t1 = exp(x)\nf = t1*(t1 if x < y else y) + 0.1"


def test_names_of_symbols_can_be_given():
    node = made(lambda x, y, z: x + y)
    assert formula({"f": node}, {node.args[0]: "left"}) == "f = left + y"


def test_shared_names_are_not_those_of_symbols():
    g = Graph(DERIVATIVE)
    x = Symbolic(g, g.symbol("t1", "f64"))
    node = (fn("sin", x) * fn("exp", fn("sin", x))).node
    assert formula({"f": node}) == "t2 = sin(t1)\nf = t2*exp(t2)"


def test_latex():
    assert formula({"f": made(lambda x, y, z: x / (y + 1.0))}, notation=LATEX) == r"f &= \frac{x}{y + 1} \\"
    assert formula({"f": made(lambda x, y, z: sqrt(x) * 0.5)}, notation=LATEX) == r"f &= \frac{1}{2} \sqrt{x} \\"
    assert formula({"f": made(lambda x, y, z: (x + y) * (x + y))}, notation=LATEX) == r"f &= \left(x + y\right)^{2} \\"
    cases = formula({"f": made(lambda x, y, z: when(less(x, 0.0), x, fn("abs", y), x))}, notation=LATEX)
    assert cases == r"f &= \begin{cases} x & \text{if } x < 0 \\ \left|y\right| & \text{otherwise} \end{cases} \\"
    tiny = formula({"loss_2": made(lambda x, y, z: x * 1e-12)}, notation=LATEX)
    assert tiny == r"\mathrm{loss}_{2} &= 1 \cdot 10^{-12} x \\"


def test_sums_of_nothing_but_numbers():
    g = Graph(DERIVATIVE)
    assert formula({"f": linear(g, [(ONE, g.constant(number(2.5), "f64"))], ZERO, "f64")}) == "f = 5/2"
