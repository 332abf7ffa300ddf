"""One carried value: d = f(d) solved by the form of f."""

from __future__ import annotations

from collections.abc import Callable

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.branches import compare, connect, gamma
from tapeless.passes.phi.graph.contents import is_free_of, reads
from tapeless.passes.phi.graph.elementary import cast, function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.affine import powers, scan
from tapeless.passes.phi.graph.loops.ranges import reduction
from tapeless.passes.phi.graph.loops.recurrences import power_iteration
from tapeless.passes.phi.graph.nodes import FLOATS, Node
from tapeless.passes.phi.graph.numbers import ONE, number
from tapeless.passes.phi.graph.products import monomial, multiply
from tapeless.passes.phi.graph.sums import add, linear
from tapeless.passes.phi.graph.walk import bind, substitute
from tapeless.passes.phi.solve.closed_forms.degrees import Affine, affine_in, without_factors
from tapeless.passes.phi.solve.closed_forms.polynomials import sum_of_polynomial


@dataclass(frozen=True)
class Recurrence:
    """A value d with its first value, and its next value as an expression of the step k and of d."""

    step: Node
    value: Node
    first: Node
    following: Node

    def is_same_in_every_step(self, node: Node) -> bool:
        """Whether a node does not depend on the step."""
        return is_free_of(node, [self.step])


@dataclass(frozen=True)
class Solution:
    """The value after a number of steps, and whether that is cheap enough to be asked for in every step."""

    after: Callable[[Node], Node]
    is_cheap: bool = False


def solution(g: Graph, it: Recurrence, *, is_stepwise: bool = False) -> Solution | None:
    """The first form that fits; if it `is_stepwise`, of those that go through the values that the loop goes through."""
    for form in STEPWISE_FORMS if is_stepwise else FORMS:
        found = form(g, it)
        if found is not None:
            return found
    return None


def _last(g: Graph, it: Recurrence) -> Solution | None:
    """d = f(k): the result of the last step."""
    if not is_free_of(it.following, [it.value]):
        return None

    def after(steps: Node) -> Node:
        before = linear(g, [(ONE, steps)], number(-1), steps.type)
        (given,) = substitute(g, [it.following], {it.step: before})
        return gamma(g, compare(g, "lt", g.constant(0, steps.type), steps), given, it.first, lazy=True)

    return Solution(after, is_cheap=True)


def _affine_form(g: Graph, it: Recurrence) -> Affine | None:
    if it.value.type in FLOATS and not g.allows("reassoc"):
        return None
    return affine_in(g, it.following, [it.value])


def _added(g: Graph, it: Recurrence) -> Solution | None:
    """d = d + b: n times b, a sum of a polynomial, or a sum."""
    form = _affine_form(g, it)
    if form is None or not _is_one(form.factors.get(it.value)):
        return None
    given = form.rest
    if given is None:
        return Solution(lambda steps: it.first, is_cheap=True)
    if it.is_same_in_every_step(given):
        return Solution(lambda steps: add(g, it.first, multiply(g, cast(g, steps, given.type), given)), is_cheap=True)

    def after(steps: Node) -> Node:
        known = sum_of_polynomial(g, given, it.step, steps)
        if known is None:
            known = reduction(g, "sum", g.constant(0, "index"), steps, bind(g, [it.step], [given]))
            known = without_factors(g, known)
        return known if _is_number(it.first, 0) else add(g, it.first, known)

    return Solution(after)


def _multiplied(g: Graph, it: Recurrence) -> Solution | None:
    """d = a(k) * d: a product; powers where a is the same in every step.

    A product of elements of arrays begins with what d begins with: by itself it may be infinite where d never is.
    """
    form = _affine_form(g, it)
    if form is None or form.rest is not None or not it.value.is_float:
        return None
    factor = form.factors[it.value]
    if not it.is_same_in_every_step(factor) and reads(factor) and not _is_number(it.first, 1):
        return _stepped(g, it)

    def after(steps: Node) -> Node:
        if it.is_same_in_every_step(factor):
            product = powers(g, steps, factor)[0]
        else:
            product = reduction(g, "prod", g.constant(0, "index"), steps, bind(g, [it.step], [factor]))
        return product if _is_number(it.first, 1) else multiply(g, it.first, product)

    return Solution(after)


def _geometric(g: Graph, it: Recurrence) -> Solution | None:
    """d = a * d + b: a^n p + b (1 + a + ... + a^(n-1))."""
    form = _affine_form(g, it)
    if form is None or form.rest is None or not it.value.is_float:
        return None
    factor, given = form.factors[it.value], form.rest
    if not (it.is_same_in_every_step(factor) and it.is_same_in_every_step(given)):
        return None

    def after(steps: Node) -> Node:
        power, total = powers(g, steps, factor)
        summed = multiply(g, total, given)
        return summed if _is_number(it.first, 0) else add(g, multiply(g, power, it.first), summed)

    return Solution(after)


def _scanned(g: Graph, it: Recurrence) -> Solution | None:
    """d = a(k) * d + b(k)."""
    form = _affine_form(g, it)
    if form is None or form.rest is None or not it.value.is_float:
        return None
    factor, given = form.factors[it.value], form.rest
    return Solution(lambda steps: scan(g, steps, it.first, bind(g, [it.step], [factor, given])))


def _stepped(g: Graph, it: Recurrence) -> Solution | None:
    """d = a(k) * d step by step."""
    form = _affine_form(g, it)
    if form is None or form.rest is not None or not it.value.is_float:
        return None
    factor, zero = form.factors[it.value], g.constant(0, it.value.type)
    return Solution(lambda steps: scan(g, steps, it.first, bind(g, [it.step], [factor, zero])))


def _raised(g: Graph, it: Recurrence) -> Solution | None:
    """d = a * d^q with a number q."""
    node = it.following
    coefficient = ONE
    if node.kind == "sum" and len(node.args) == 1 and node.constant == 0:
        coefficient, node = node.coefficients[0], node.args[0]  # type: ignore[assignment]
    if node.kind != "product" or it.value not in node.args or not g.allows("reassoc"):
        return None
    place = node.args.index(it.value)
    others = [each for at, each in enumerate(zip(node.args, node.exponents, strict=True)) if at != place]
    factor = linear(g, [(coefficient, monomial(g, others, node.type))], number(0), node.type)
    if not is_free_of(factor, [it.value, it.step]):
        return None
    exponent = g.constant(node.exponents[place], node.type)
    return Solution(lambda steps: power_iteration(g, steps, factor, exponent, it.first))


def _folded(g: Graph, it: Recurrence) -> Solution | None:
    """d = max(d, t(k)), and with min, and, or."""
    node = it.following
    if node.kind not in ("function", "logic") or node.name not in ("max", "min", "and", "or"):
        return None
    terms = [arg for arg in node.args if arg is not it.value]
    if len(terms) != 1 or not is_free_of(terms[0], [it.value]):
        return None
    comes_first = node.args[0] is it.value

    def after(steps: Node) -> Node:
        found = reduction(g, node.name, g.constant(0, "index"), steps, bind(g, [it.step], terms))
        if node.kind == "logic":
            return connect(g, node.name, it.first, found)
        return function(g, node.name, it.first, found) if comes_first else function(g, node.name, found, it.first)

    return Solution(after) if comes_first or node.kind == "logic" else None


def _is_one(node: Node | None) -> bool:
    return node is not None and _is_number(node, 1)


def _is_number(node: Node, value: int) -> bool:
    return node.kind == "constant" and node.constant == value


FORMS: tuple[Callable[[Graph, Recurrence], Solution | None], ...] = (
    _last,
    _added,
    _multiplied,
    _geometric,
    _scanned,
    _raised,
    _folded,
)
STEPWISE_FORMS = (_last, _added, _stepped, _scanned, _raised, _folded)
