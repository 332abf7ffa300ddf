"""Parameters that procedures leave unchanged are only read, without a mark, also through calls of themselves."""

from __future__ import annotations

import pytest

import tapeless as tl
from tapeless.frontend.syntax.unchanged import parameters_of


@tl.reversible
def fibonacci(out, n, x):
    """As the literature writes it: the routine's ancillas are handed on."""
    with tl.ancilla(0) as n1, tl.ancilla(0) as n2:
        with tl.routine() as r:
            n1 += n - 1
            n2 += n - 2
        if n <= 2:
            out += x * x
        else:
            fibonacci(out, n1, x)
            fibonacci(out, n=n2, x=x)
        ~r


@tl.reversible
def even(out, n, x):
    with tl.ancilla(0) as less:
        with tl.routine() as r:
            less += n - 1
        if n == 0:
            out += x
        else:
            odd(out, less, x)
        ~r


@tl.reversible
def odd(out, n, x):
    with tl.ancilla(0) as less:
        with tl.routine() as r:
            less += n - 1
        if n > 0:
            (~even)(out, less, x)
        ~r


def check(procedure, arguments, wanted, slope):
    assert procedure(*arguments)[0] == pytest.approx(wanted)
    assert (~procedure)(*procedure(*arguments)) == pytest.approx(arguments)
    assert tl.grad(procedure, loss="out", argnums="x")(*arguments) == pytest.approx(slope)
    moved = tl.grad(~procedure, loss="out", argnums="x")(*arguments)
    assert moved == pytest.approx(-slope)


def test_a_procedure_that_hands_on_what_a_routine_made():
    check(fibonacci, (0.5, 10, 1.5), 0.5 + 55 * 2.25, 165.0)


def test_procedures_that_call_each_other():
    check(even, (0.0, 6, 2.5), -2.5, -1.0)
    check(even, (0.0, 8, 2.5), 2.5, 1.0)
    assert odd(0.0, 8, 2.5)[0] == 0.0


def test_expressions_stand_for_them_as_for_marked_ones():
    @tl.reversible
    def twice(y, n, x):
        fibonacci(y, n + 1, 2.0 * x)
        with tl.ancilla(tl.zeros(n)) as z:
            z += x
            y += tl.sum(z)
            z -= x

    assert twice(0.0, 3, 1.5)[0] == pytest.approx(3 * 9.0 + 4.5)


# What changes a parameter, and the names of those that are changed.
@tl.reversible
def by_a_sum(a, b):
    a += b


@tl.reversible
def by_a_part(a, b):
    a[0] -= b


@tl.reversible
def by_a_swap(a, b, c):
    a, b = b, a


@tl.reversible
def by_its_sign(a, b):
    a = -a


@tl.reversible
def by_a_rotation(a, b, c):
    tl.rot(theta=c, a=a, b=b)


@tl.reversible
def by_a_reciprocal(a, b):
    tl.recip(a)


@tl.reversible
def by_a_stack(a, b):
    with tl.ancilla(tl.new_stack(tl.f64, 1)) as s:
        tl.push(s, a)
        tl.pop(s, a)


@tl.reversible
def inside_of_all(a, b, c):
    for _ in range(3):
        if c > 0:
            with tl.ancilla(0.0) as z:
                while tl.cond(z < 1.0, z > 0.5):
                    z += 1.0
                    a[1] += b
                z -= 1.0


@tl.reversible
def by_an_inverse(a, b):
    (~by_a_sum)(b=b, a=a)


@tl.reversible
def by_a_call_of_a_call(a, b, c):
    by_an_inverse(b, c)


@tl.reversible
def first_of_two(a, b, c):
    if c > 0:
        second_of_two(b, a, c)


@tl.reversible
def second_of_two(a, b, c):
    b += 1.0
    first_of_two(a, b, c)


CHANGED = {
    by_a_sum: "a",
    by_a_part: "a",
    by_a_swap: "ab",
    by_its_sign: "a",
    by_a_rotation: "ab",
    by_a_reciprocal: "a",
    by_a_stack: "a",
    inside_of_all: "a",
    by_an_inverse: "a",
    by_a_call_of_a_call: "b",
    first_of_two: "ab",
    second_of_two: "ab",
}


@pytest.mark.parametrize("procedure", CHANGED, ids=repr)
def test_what_is_changed(procedure):
    changed = [each.name for each in parameters_of(procedure.procedure.source) if not each.is_read_only]
    assert "".join(changed) == CHANGED[procedure]


def test_what_changes_it_is_refused_between_a_routine_and_its_end():
    @tl.reversible
    def down(out, n):
        n -= 1
        if tl.cond(n > 0, n > 0):
            through(out, n)

    @tl.reversible
    def through(out, n):
        with tl.ancilla(0) as less:
            with tl.routine() as r:
                less += n - 1
            down(out, less)
            ~r

    with pytest.raises(tl.NotReversible, match="'less' is changed before the routine that needs it"):
        through(0, 5)


def test_what_is_not_known_may_change_everything():
    @tl.reversible
    def calls(a, b):
        unheard_of(a, b)  # noqa: F821

    assert not any(each.is_read_only for each in parameters_of(calls.procedure.source))
