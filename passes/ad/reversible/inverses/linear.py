"""Linear equations in unknown values: one with one unknown, or two with the same two unknowns.

So are found again `x` from `x + h * (k * x)`, and both halves of a rotation from its results.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.reversible.inverses.scalars import fadd, fdiv, fmul, fsub
from tapeless.passes.ad.reversible.inverses.solver import Solver
from tapeless.passes.ad.reversible.inverses.undoing import Undoing
from tapeless.passes.ir.build import number

Term = Callable[[Undoing], ir.Value]
MOST_LEAVES = 2
# Forms grow with every use of a shared value; none that people write comes near.
LARGEST = 64


@dataclass(frozen=True)
class Form:
    """`rest` plus the sum of factor times unknown, written with `size` operations; a missing `rest` is zero."""

    factors: dict[ir.Value, Term]
    rest: Term | None = None
    size: int = 1


@dataclass(frozen=True)
class Equation:
    """A known value as a form in unknown ones."""

    value: ir.Value
    form: Form
    op: ir.OpView


def solve_together(solver: Solver) -> bool:
    """Solves the first equation, or pair of equations, that has a solution; whether there was one."""
    equations = list(_equations(solver))
    for each in equations:
        if len(each.form.factors) == 1:
            _learn_one(solver, each)
            return True
    for first, second in combinations(equations, 2):
        if first.form.factors.keys() == second.form.factors.keys():
            _learn_two(solver, first, second)
            return True
    return False


def _equations(solver: Solver) -> list[Equation]:
    found: list[Equation] = []
    for op in solver.statements:
        if op.operation.name in FORMS and solver.is_known(op.operation.results[0]):
            form = _expanded(solver, op)
            if form is not None and 0 < len(form.factors) <= MOST_LEAVES:
                found.append(Equation(op.operation.results[0], form, op))
    return found


def _form(solver: Solver, value: ir.Value) -> Form | None:
    """A value as a form: known values are constants, values without a linear rule are unknowns."""
    if solver.is_known(value):
        return Form({}, lambda undoing: undoing.value(value))
    if isinstance(value, ir.OpResult) and value in solver.inside and value.owner.operation.name in FORMS:
        return _expanded(solver, value.owner)
    return Form({value: lambda _: number(value.type, 1.0)})


def _expanded(solver: Solver, op: ir.OpView) -> Form | None:
    forms: list[Form] = []
    for operand in op.operation.operands:
        form = _form(solver, operand)
        if form is None or sum(each.size for each in forms) + form.size > LARGEST:
            return None
        forms.append(form)
    made = FORMS[op.operation.name](*forms)
    return made and replace(made, size=sum(form.size for form in forms) + 1)


def _sum(a: Form, b: Form) -> Form:
    return _combined(a, b, fadd, lambda term: term)


def _difference(a: Form, b: Form) -> Form:
    return _combined(a, b, fsub, _negated)


def _combined(a: Form, b: Form, both: Callable[..., ir.Value], only_right: Callable[[Term], Term]) -> Form:
    def joined(left: Term | None, right: Term | None) -> Term | None:
        if left is None or right is None:
            return left if right is None else only_right(right)
        return lambda undoing: both(left(undoing), right(undoing))

    factors = {name: joined(a.factors.get(name), b.factors.get(name)) for name in (*a.factors, *b.factors)}
    return Form({name: term for name, term in factors.items() if term is not None}, joined(a.rest, b.rest))


def _negated(term: Term) -> Term:
    return lambda undoing: arith.NegFOp(term(undoing)).result


def _negation(a: Form) -> Form:
    return Form({name: _negated(term) for name, term in a.factors.items()}, a.rest and _negated(a.rest))


def _product(a: Form, b: Form) -> Form | None:
    if a.factors and b.factors:
        return None
    return _scaled(b, a, fmul) if b.factors else _scaled(a, b, fmul)


def _quotient(a: Form, b: Form) -> Form | None:
    return None if b.factors else _scaled(a, b, fdiv)


def _scaled(form: Form, by: Form, scale: Callable[..., ir.Value]) -> Form | None:
    if by.rest is None:
        return None
    factor = by.rest

    def each(term: Term) -> Term:
        return lambda undoing: scale(term(undoing), factor(undoing))

    return Form({name: each(term) for name, term in form.factors.items()}, form.rest and each(form.rest))


FORMS: dict[str, Callable[..., Form | None]] = {
    "arith.addf": _sum,
    "arith.subf": _difference,
    "arith.negf": _negation,
    "arith.mulf": _product,
    "arith.divf": _quotient,
}


def _right_side(undoing: Undoing, equation: Equation) -> ir.Value:
    value = undoing.value(equation.value)
    return value if equation.form.rest is None else fsub(value, equation.form.rest(undoing))


def _learn_one(solver: Solver, equation: Equation) -> None:
    ((unknown, factor),) = equation.form.factors.items()

    def step(undoing: Undoing) -> None:
        with equation.op.location:
            undoing.bind(unknown, fdiv(_right_side(undoing, equation), factor(undoing)))

    solver.learn(unknown, step, op=equation.op, grows=True)
    solver.divided.append(equation.op)


def _learn_two(solver: Solver, first: Equation, second: Equation) -> None:
    """Cramer's rule: a unique solution, or a division by zero that shows later on."""
    x, y = first.form.factors

    def step(undoing: Undoing) -> None:
        with first.op.location:
            (a, b), (c, d) = ([each.form.factors[name](undoing) for name in (x, y)] for each in (first, second))
            r, s = (_right_side(undoing, each) for each in (first, second))
            determinant = fsub(fmul(a, d), fmul(b, c))
            undoing.bind(x, fdiv(fsub(fmul(r, d), fmul(b, s)), determinant))
            undoing.bind(y, fdiv(fsub(fmul(a, s), fmul(r, c)), determinant))

    solver.learn(x, step, op=first.op, grows=True)
    solver.learn(y, lambda _: None, op=second.op, grows=True)
    solver.divided += [first.op, second.op]
