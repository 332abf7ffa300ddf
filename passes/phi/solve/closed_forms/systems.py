"""Several carried values that are affine in each other, with factors that no step changes; and quotients of such."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.contents import is_free_of
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.affine import LARGEST_MATRIX, matrix_iteration
from tapeless.passes.phi.graph.loops.recurrences import iterate
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE
from tapeless.passes.phi.graph.products import divide, monomial, multiply
from tapeless.passes.phi.graph.sums import add, total
from tapeless.passes.phi.graph.walk import bind
from tapeless.passes.phi.solve.closed_forms.degrees import affine_in
from tapeless.passes.phi.solve.closed_forms.loops_of_one import Recurrence


def solved_system(g: Graph, steps: Node, its: Sequence[Recurrence]) -> list[Node] | None:
    """x = A x + b with constant A and b of up to four values of one type, by doubling."""
    found = _coefficients(g, its)
    return None if found is None else matrix_iteration(g, steps, *found, [it.first for it in its])


def stepped_system(g: Graph, steps: Node, its: Sequence[Recurrence]) -> list[Node] | None:
    """The same step by step, with all that no step changes taken out of the loop."""
    found = _coefficients(g, its)
    if found is None:
        return None
    matrix, offset = found
    values, count = [it.value for it in its], len(its)
    following = []
    for row in range(count):
        terms = [multiply(g, a, x) for a, x in zip(matrix[row * count :][:count], values, strict=True)]
        following.append(add(g, total(g, terms, values[row].type), offset[row]))
    return iterate(g, steps, [it.first for it in its], bind(g, [its[0].step, *values], following))


def _coefficients(g: Graph, its: Sequence[Recurrence]) -> tuple[list[Node], list[Node]] | None:
    """A by rows and b, if no step changes them and there are no more than four values."""
    type_ = its[0].value.type
    if len(its) > LARGEST_MATRIX or not g.allows("reassoc") or any(it.value.type != type_ for it in its):
        return None
    values = [it.value for it in its]
    forms = [affine_in(g, it.following, values) for it in its]
    zero = g.constant(0, type_)
    matrix: list[Node] = []
    offset: list[Node] = []
    for it, form in zip(its, forms, strict=True):
        if form is None or not type_.startswith("f"):
            return None
        matrix.extend(form.factors.get(value, zero) for value in values)
        offset.append(zero if form.rest is None else form.rest)
        if not all(it.is_same_in_every_step(each) for each in (*form.factors.values(), offset[-1])):
            return None
    return matrix, offset


def solved_quotient(g: Graph, steps: Node, it: Recurrence) -> Node | None:
    """d = (a d + b) / (c d + e): numerator and denominator are a linear system.

    Both grow with every step although their quotient does not: only where no infinity comes up (`ninf`).
    """
    node = it.following
    if node.kind != "product" or not g.allows("reassoc", "ninf", "arcp"):
        return None
    below = [base for base, exponent in zip(node.args, node.exponents, strict=True) if exponent == -1]
    below = [base for base in below if not is_free_of(base, [it.value])]
    if len(below) != 1:
        return None
    others = [each for each in zip(node.args, node.exponents, strict=True) if each != (below[0], -ONE)]
    upper = affine_in(g, monomial(g, others, node.type), [it.value])
    lower = affine_in(g, below[0], [it.value])
    if upper is None or lower is None:
        return None
    zero, one = g.constant(0, node.type), g.constant(1, node.type)
    rows = [(form.factors.get(it.value, zero), zero if form.rest is None else form.rest) for form in (upper, lower)]
    matrix = [each for row in rows for each in row]
    if not all(it.is_same_in_every_step(each) for each in matrix):
        return None
    top, bottom = matrix_iteration(g, steps, matrix, [zero, zero], [it.first, one])
    return divide(g, top, bottom)
