"""Checks at run time: which programs fail, at which line, with which numbers; `checks="off"` lets them go on."""

import inspect

import numpy as np
import pytest

import tapeless as tl


def fails(procedure, arguments, line, *parts):
    """A call fails at a line (counted from the def, which is 1), and the message has some parts and the line itself."""
    with pytest.raises(tl.InvertibilityError) as found:
        procedure(*arguments)
    message = str(found.value)
    source = procedure.procedure.source
    assert message.startswith(f"{source.file}:{source.line + line - 1}: "), message
    assert source.lines[source.line + line - 2].strip() in message
    for part in parts:
        assert part in message, message


def passes_unchecked(procedure, arguments):
    return tl.jit(procedure, checks="off")(*arguments)


@tl.reversible
def leaves(y: tl.f64, by: tl.In[tl.f64]):
    with tl.ancilla(0.0) as z:
        z += by
        z -= 10.0
        y += 1.0


def test_an_ancilla_must_hold_its_value_again():
    fails(leaves, (0.0, 1.0), 2, "ancilla", "-9.0 and not 0.0")
    fails(leaves, (0.0, 10.0 + 1e-6), 2, "ancilla")
    fails(leaves, (0.0, np.nan), 2, "ancilla", "nan and not 0.0")
    assert leaves(0.0, 10.0 + 1e-9)[0] == 1.0
    assert passes_unchecked(leaves, (0.0, 1.0))[0] == 1.0


def test_the_inverse_checks_too():
    @tl.reversible
    def starts(y):
        with tl.ancilla(2.0, exit=3.0) as z:
            z += y

    assert starts(1.0) == (1.0,)
    assert (~starts)(1.0) == (1.0,)
    fails(starts, (2.0,), 2, "4.0 and not 3.0")
    fails(~starts, (2.0,), 2, "1.0 and not 2.0")


def test_arrays_are_compared_in_all_elements():
    @tl.reversible
    def leaves_one(x: tl.In[tl.f64[:]]):
        with tl.ancilla(tl.zeros(len(x))) as z:
            z += x

    fails(leaves_one, (np.array([0.0, 0.5]),), 2, "ancilla")
    assert np.array_equal(leaves_one(np.zeros(2))[0], np.zeros(2))


def test_single_precision_has_wider_tolerances():
    @tl.reversible
    def leaves_a_bit(x: tl.In[tl.f32]):
        with tl.ancilla(0.0, dtype=tl.f32) as z:
            z += x

    assert leaves_a_bit(np.float32(1e-5))[0] == np.float32(1e-5)
    fails(leaves_a_bit, (np.float32(1e-3),), 2, "ancilla")


def test_a_branch_must_be_known_afterwards():
    @tl.reversible
    def grow(o, by: tl.In[tl.i64]):
        if tl.cond(o < 4, o < 8):
            o += by

    assert grow(0, 7) == (7, 7)
    fails(grow, (0, 28), 2, "condition")
    fails(~grow, (7, 1), 2, "condition")
    assert passes_unchecked(grow, (0, 28)) == (28, 28)


def test_a_condition_on_another_element_is_checked():
    @tl.reversible
    def grow(y, i: tl.In[tl.i64], j: tl.In[tl.i64]):
        if y[i] > 0:
            y[j] -= 5.0

    assert np.array_equal(grow(np.array([1.0, 2.0]), 0, 1)[0], [1.0, -3.0])
    fails(grow, (np.array([1.0, 2.0]), 1, 1), 2, "condition")


def test_a_loop_must_not_look_begun_before_it_begins():
    @tl.reversible
    def up(n):
        while tl.cond(n < 100, n > -10):
            n += 9

    fails(up, (0,), 2, "condition")

    @tl.reversible
    def stays(n):
        while tl.cond(n < 10, n > 5):
            n += 3

    assert stays(4) == (10,)
    fails(stays, (1,), 2, "condition")


def test_elements_that_are_read_must_not_be_those_that_change():
    @tl.reversible
    def add(y, i: tl.In[tl.i64], j: tl.In[tl.i64]):
        y[i] += y[j]

    assert np.array_equal(add(np.array([1.0, 2.0]), 0, 1)[0], [3.0, 2.0])
    fails(add, (np.array([1.0, 2.0]), 1, 1), 2, "reads what it changes", "1")
    assert np.array_equal(passes_unchecked(add, (np.array([1.0, 2.0]), 1, 1))[0], [1.0, 4.0])


def test_slices_that_are_read_must_not_be_those_that_change():
    @tl.reversible
    def add(y, k: tl.In[tl.i64]):
        y[k : k + 2] += y[3:]

    assert np.array_equal(add(np.arange(5.0), 0)[0], [3, 5, 2, 3, 4])
    fails(add, (np.arange(5.0), 2), 2, "reads what it changes")


def test_elements_that_a_routine_reads_must_not_be_those_that_change():
    @tl.reversible
    def mix(y, z, i: tl.In[tl.i64]):
        with tl.routine() as r:
            z += y[i]
        y[0] += z
        ~r

    assert np.array_equal(mix(np.array([1.0, 2.0]), 0.0, 1)[0], [3.0, 2.0])
    fails(mix, (np.array([1.0, 2.0]), 0.0, 0), 2, "reads what is changed before it is taken back", "at index 0")


def test_rotated_elements_must_be_two():
    @tl.reversible
    def turn(y, i: tl.In[tl.i64]):
        tl.rot(y[0], y[i], 0.5)

    assert turn(np.ones(2), 1)[0][0] == pytest.approx(np.cos(0.5) - np.sin(0.5))
    fails(turn, (np.ones(2), 0), 2, "same element")


def test_stacks_must_not_overflow_and_must_end_empty():
    @tl.reversible
    def fill(x, n: tl.In[tl.i64]):
        with tl.ancilla(tl.new_stack(tl.f64, 2)) as s:
            for i in range(n):
                tl.push(s, x)
            for i in range(2):
                tl.pop(s, x)
                x -= i

    fails(fill, (0.0, 3), 4, "stack")
    fails(fill, (0.0, 1), 6, "stack")

    @tl.reversible
    def leave(x):
        with tl.ancilla(tl.new_stack(tl.f64, 2)) as s:
            tl.push(s, x)

    fails(leave, (1.0,), 2, "stack")


def test_the_target_of_pop_must_be_zero():
    @tl.reversible
    def overwrite(x, y):
        with tl.ancilla(tl.new_stack(tl.f64, 2)) as s:
            tl.push(s, x)
            tl.pop(s, y)

    assert overwrite(1.0, 0.0) == (0.0, 1.0)
    fails(overwrite, (1.0, 2.0), 4)


def test_indices_are_checked_as_in_functions():
    @tl.reversible
    def add(y, i: tl.In[tl.i64]):
        y[i] += 1.0

    line = inspect.getsourcelines(add.procedure.source.function)[1] + 2
    with pytest.raises(tl.IndexOutOfRange, match=f":{line}: index 2 is out of range"):
        add(np.ones(2), 2)
    assert np.array_equal(add(np.ones(2), -1)[0], [1, 2])
