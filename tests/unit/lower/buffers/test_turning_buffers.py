"""Loops that hand arrays on from one to another: values and derivatives against numpy, for every way to hand on.

A table of steps walks through what buffers can do: move on by one or two places, in circles or towards a spare one, be
wanted by two arrays, or stay. Programs begin with sums that say that all arrays have one size; `test_moving_sizes.py`
has loops without. Numpy runs the same Python; derivatives are complex steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.runtime.counters import memory_counters

Arrays = tuple[np.ndarray, ...]
TRIPS = (0, 1, 2, 3, 7)
SHAPES = {"vector": (5,), "matrix": (4, 3)}
SMALL = 1e-30


def shifted(a, b):
    """The wave equation: the next state takes the place of the older one."""
    return b, 2.0 * b - a + 0.1 * b * b


def shifted_and_read(a, b):
    """The older state is read elsewhere than where the next one is made, which needs a spare buffer."""
    return b, b + 0.3 * a[::-1] * b


def shifted_slice(a, b):
    after = 2.0 * b - a
    after[1:-1] += 0.2 * (b[2:] - 2.0 * b[1:-1] + b[:-2])
    return b, after


def swapped(a, b):
    return b, a


def swapped_and_changed(a, b):
    return b, 0.5 * a + b * b


def both_in_place(a, b):
    return a + 0.1 * b, 0.9 * b


def changed_from_the_other(a, b):
    """Each next value is made of the other array, element by element."""
    return 0.5 * b, a + 0.2 * b


def handed_on_twice(a, b):
    return b, b


def negated(a, b):
    """The sign of what is handed on changes, which takes no loop over the elements."""
    return -b, a + 0.1 * b * b


def negated_and_read(a, b):
    return -b, b + a[1:2] * 0.5 + a


def undone(a, b):
    """A step of a wave backwards: what is computed from all of the array follows the slice that is changed in it."""
    b[1:-1] -= 0.2 * (a[2:] - 2.0 * a[1:-1] + a[:-2])
    return 2.0 * a - b, a


def undone_slice_of_another(a, b):
    b[:-1] = a[1:] * b[:-1]
    return a, b * a + 0.5


def shifted_3(a, b, c):
    return b, c, c - 0.1 * a * a + 0.2 * b[::-1]


def shifted_in_place_3(a, b, c):
    return b, c, 2.0 * c - a + 0.1 * b


def rotated_3(a, b, c):
    return b, c, a


def rotated_by_two_3(a, b, c):
    return c, a, b


def rotated_and_changed_3(a, b, c):
    return 0.9 * b, c, a + 0.1 * b * c


def negated_3(a, b, c):
    return -c, -a, b + 0.1 * a


def swapped_beside_3(a, b, c):
    """Two arrays change places, a third is added to where it is."""
    return b, a, c + 0.1 * a * b


def element_written_3(a, b, c):
    c[0] += 0.5 * a[1]
    return b, a, c


def handed_on_twice_3(a, b, c):
    return b, b, c + 0.5 * a


def two_new_3(a, b, c):
    return c, 0.5 * b[::-1] + a, 0.1 * c[::-1] * a + b


STEPS: dict[str, Callable[..., Any]] = {
    step.__name__: step
    for step in (
        shifted,
        shifted_and_read,
        shifted_slice,
        swapped,
        swapped_and_changed,
        both_in_place,
        changed_from_the_other,
        handed_on_twice,
        negated,
        negated_and_read,
        undone,
        undone_slice_of_another,
        shifted_3,
        shifted_in_place_3,
        rotated_3,
        rotated_by_two_3,
        rotated_and_changed_3,
        negated_3,
        swapped_beside_3,
        element_written_3,
        handed_on_twice_3,
        two_new_3,
    )
}


def for_of_two(step):
    def program(a, b, trips):
        b = b + 0.0 * a
        for _ in range(trips):
            a, b = step(a, b)
        return a, b

    return program


def while_of_two(step):
    def program(a, b, trips):
        b = b + 0.0 * a
        k = 0
        while k < trips:
            a, b = step(a, b)
            k += 1
        return a, b

    return program


def for_of_three(step):
    def program(a, b, c, trips):
        b, c = b + 0.0 * a, c + 0.0 * a
        for _ in range(trips):
            a, b, c = step(a, b, c)
        return a, b, c

    return program


def while_of_three(step):
    def program(a, b, c, trips):
        b, c = b + 0.0 * a, c + 0.0 * a
        k = 0
        while k < trips:
            a, b, c = step(a, b, c)
            k += 1
        return a, b, c

    return program


LOOPS = {("for", 2): for_of_two, ("while", 2): while_of_two, ("for", 3): for_of_three, ("while", 3): while_of_three}


def weighed_2(program):
    def total(a, b, trips):
        a, b = program(a, b, trips)
        return tl.sum(a * a) + 3.0 * tl.sum(b * b * b)

    return total


def weighed_3(program):
    def total(a, b, c, trips):
        a, b, c = program(a, b, c, trips)
        return tl.sum(a * a) + 3.0 * tl.sum(b * b * b) + 0.5 * tl.sum(c * c * a)

    return total


def weight(results: Arrays) -> Any:
    """What `weighed_2` and `weighed_3` compute, in numpy."""
    total = np.sum(results[0] ** 2) + 3.0 * np.sum(results[1] ** 3)
    return total if len(results) == 2 else total + 0.5 * np.sum(results[2] ** 2 * results[0])


def arrays(count: int, shape: tuple[int, ...]) -> Arrays:
    rng = np.random.default_rng(0)
    return tuple(rng.uniform(0.2, 0.8, shape) for _ in range(count))


def count_of(name: str) -> int:
    return 3 if name.endswith("_3") else 2


def on_numpy(loop: str, name: str, values: Arrays, trips: int) -> Arrays:
    """The program as Python runs it, on copies, because steps write elements."""
    program = LOOPS[loop, len(values)](STEPS[name])
    return program(*(value.copy() for value in values), trips)


def numpy_gradient(loop: str, name: str, values: Arrays, trips: int) -> list[np.ndarray]:
    gradients = [np.zeros_like(value) for value in values]
    for number, gradient in enumerate(gradients):
        for at in np.ndindex(gradient.shape):
            moved = [value.astype(complex) for value in values]
            moved[number][at] += 1j * SMALL
            gradient[at] = weight(on_numpy(loop, name, tuple(moved), trips)).imag / SMALL
    return gradients


@cache
def program_of(loop: str, name: str) -> Any:
    return tl.function(LOOPS[loop, count_of(name)](tl.function(STEPS[name])))


def total_of(loop: str, name: str) -> Any:
    weighed = weighed_2 if count_of(name) == 2 else weighed_3
    return tl.function(weighed(program_of(loop, name)))


def forward_of(total: Any, count: int) -> Any:
    def of_two(a, b, da, db, trips):
        return tl.jvp(lambda a, b: total(a, b, trips), (a, b), (da, db))

    def of_three(a, b, c, da, db, dc, trips):
        return tl.jvp(lambda a, b, c: total(a, b, c, trips), (a, b, c), (da, db, dc))

    return tl.function(of_two if count == 2 else of_three)


def close(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


CASES = [(loop, name) for loop in ("for", "while") for name in STEPS]


@pytest.mark.one_in(30)
@pytest.mark.parametrize(("loop", "name"), CASES)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_values(loop: str, name: str, shape: tuple[int, ...]) -> None:
    """Also: arguments stay as they are, and all memory is given back."""
    values = arrays(count_of(name), shape)
    kernel = tl.compile(program_of(loop, name), (*values, 1))
    for trips in TRIPS:
        given = [value.copy() for value in values]
        live = memory_counters().live_bytes
        found = kernel(*given, trips)
        assert memory_counters().live_bytes == live
        close(found, on_numpy(loop, name, values, trips))
        close(given, values)


@pytest.mark.parametrize("name", ["shifted_and_read", "undone", "shifted_in_place_3"])
def test_blocks(name: str) -> None:
    """Arrays of rank 3, through rows of rows."""
    values = arrays(count_of(name), (3, 2, 4))
    kernel = tl.compile(program_of("for", name), (*values, 1))
    for trips in TRIPS:
        close(kernel(*values, trips), on_numpy("for", name, values, trips))


@pytest.mark.parametrize("shape", [(5,), (4, 3), (3, 2, 4)], ids=str)
def test_no_spare_buffer(shape: tuple[int, ...]) -> None:
    """The oldest state gives way to the new one, element by element, in arrays of any rank."""
    kernel = tl.compile(program_of("for", "shifted_in_place_3"), (*arrays(3, shape), 1), checks="off")
    (carried,) = re.findall(r"iter_args\((.*?)\)", kernel.ir("lower-loops"))
    assert carried.count("=") == 3


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("loop", "name"), CASES)
def test_forward(loop: str, name: str) -> None:
    values = arrays(count_of(name), SHAPES["vector"])
    tangents = arrays(2 * len(values), SHAPES["vector"])[len(values) :]
    total = total_of(loop, name)
    kernel = tl.compile(forward_of(total, len(values)), (*values, *tangents, 1))
    for trips in TRIPS:
        moved = tuple(value + 1j * SMALL * tangent for value, tangent in zip(values, tangents, strict=True))
        expected = weight(on_numpy(loop, name, moved, trips))
        close(kernel(*values, *tangents, trips), (expected.real, expected.imag / SMALL))


@pytest.mark.one_in(60)
@pytest.mark.parametrize("method", ["redundant", "reversible"])
@pytest.mark.parametrize(("loop", "name"), CASES)
def test_reverse(loop: str, name: str, method: str) -> None:
    values = arrays(count_of(name), SHAPES["vector"])
    wrt = tuple(range(len(values)))
    derivative = tl.grad(total_of(loop, name), argnums=wrt, method=method)
    kernel = tl.compile(derivative, (*values, 1))
    for trips in TRIPS:
        close(kernel(*values, trips), numpy_gradient(loop, name, values, trips))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["shifted_slice", "undone"])
def test_slices_of_short_arrays(name: str) -> None:
    """Borders that meet, and slices without elements."""
    value = tl.compile(program_of("for", name), (*arrays(2, (5,)), 1))
    derivative = tl.compile(tl.grad(total_of("for", name), argnums=(0, 1), method="reversible"), (*arrays(2, (5,)), 1))
    for length in range(5):
        values = arrays(2, (length,))
        for trips in TRIPS:
            close(value(*values, trips), on_numpy("for", name, values, trips))
            close(derivative(*values, trips), numpy_gradient("for", name, values, trips))
