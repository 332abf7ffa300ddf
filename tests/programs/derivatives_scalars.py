"""Derivatives of scalar code, branches, loops, and of reading and writing elements."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.derivatives_row import derivative

UPDOWN = [1.0, 2.0, 3.0, 4.0, 5.0]


def product(x, y):
    return x * y


def quotient(x, y):
    return x / y


def power(x, y):
    return x**y


def whole_number_above(x):
    return tl.float(tl.int(tl.ceil(x)))


def equality(a, b):
    return tl.float(a == b)


def times_the_chosen(x):
    chosen = x[0] if x[0] < 0 else x[1]
    return x[2] * chosen


def square_if(x, b):
    y = x
    if b:
        y = x * x
    return y + x


def power_by_loop(y, x):
    result = 1.0
    for _ in range(y):
        result = result * x
    return result


def power_by_stripmined_loop(y, x):
    result = 1.0
    for _ in tl.range(y, stripmine=3):
        result = result * x
    return result


def power_by_while(y, x):
    result, count = 1.0, 0
    while count < y:
        result = result * x
        count += 1
    return result


def power_by_bounded_while(y, x):
    result, count = 1.0, 0
    while tl.bounded(count < y, 1000):
        result = result * x
        count += 1
    return result


def cubes_by_loop(xs):
    a = tl.ones_like(xs)
    for _ in range(3):
        a = a * xs
    return a


def last_square(xs):
    s = xs[0] * 0.0
    for i in range(len(xs)):
        s = xs[i] * xs[i]
    return s


def squares_in_place(xs):
    for i in range(len(xs)):
        xs[i] = xs[i] * xs[i]
    return xs


def squares_in_place_stripmined(xs):
    for i in tl.range(len(xs), stripmine=2):
        xs[i] = xs[i] * xs[i]
    return xs


def sum_of_states(h, w, n):
    """What the loop carries is read in every iteration, and not after it."""
    total = 0.0
    for _ in range(n):
        h = h * w
        total += h
    return total


def without_first(xs):
    xs[0] = 0.0
    return xs


def without_first_if(xs, b):
    if b:
        xs[0] = 0.0
    return xs


def doubled_second(xs):
    ys = 2.0 * xs
    xs[1] = ys[1]
    return xs


def gathered(xs, indices):
    return xs[indices]


DERIVATIVES = (
    derivative("S1 product", product, (5.0, 7.0), 7, 5, wrt=(0, 1)),
    derivative("S2 quotient", quotient, (5.0, 7.0), 1 / 7, -5 / 49, wrt=(0, 1)),
    derivative("S4 power of zero, one", power, (0.0, 1.0), 1, 0, wrt=(0, 1)),
    derivative("S4 power of zero, zero", power, (0.0, 0.0), 0, 0, wrt=(0, 1)),
    derivative("S5 rounded to an int", whole_number_above, (2.0,), 0, seed=2),
    derivative("S6 equality", equality, (2.0, 2.0), 0, 0, wrt=(0, 1)),
    derivative("I1 second chosen", times_the_chosen, ([1.0, 2.0, 3.0],), [0, 3, 2]),
    derivative("I1 first chosen", times_the_chosen, ([-1.0, 2.0, 3.0],), [3, 0, -1]),
    derivative("I2 branch not taken", square_if, (5.0, False), 2),
    derivative("I2 branch taken", square_if, (5.0, True), 11),
    derivative("L1 third power", power_by_loop, (3, 4.0), 48, wrt=(1,)),
    derivative("L1 ninth power", power_by_loop, (9, 3.0), 59049, wrt=(1,)),
    derivative("L1 strip-mined", power_by_stripmined_loop, (9, 3.0), 59049, wrt=(1,)),
    derivative("L1 a million iterations", power_by_stripmined_loop, (10**6, 1.0), 10**6, wrt=(1,)),
    derivative("L2 elementwise cube", cubes_by_loop, ([1.0, 2.0, 3.0],), np.diag([3, 12, 27])),
    derivative("L3 last iteration wins", last_square, ([11.0, 5.0, 13.0],), [0, 0, 26]),
    derivative("L4 squares in place", squares_in_place, (UPDOWN,), np.diag([2, 4, 6, 8, 10])),
    derivative("L4 strip-mined", squares_in_place_stripmined, (UPDOWN,), np.diag([2, 4, 6, 8, 10])),
    derivative("L5 states summed on the way", sum_of_states, (3.0, 2.0, 3), 14, 51, wrt=(0, 1)),
    derivative("L8 while", power_by_while, (3, 4.0), 48, wrt=(1,)),
    derivative("L8 bounded while", power_by_bounded_while, (3, 4.0), 48, wrt=(1,)),
    derivative("U1 element overwritten", without_first, ([1.0, 2.0, 3.0],), np.diag([0, 1, 1])),
    derivative("U1 in a branch taken", without_first_if, ([1.0, 2.0, 3.0], True), np.diag([0, 1, 1])),
    derivative("U1 in a branch not taken", without_first_if, ([1.0, 2.0, 3.0], False), np.eye(3)),
    derivative("U2 element replaced", doubled_second, ([1.0, 2.0, 3.0],), [1, 2, 1], seed=[1, 1, 1]),
    derivative("G1 gather", gathered, ([1.0, 2.0, 3.0, 4.0], [0, 0, 3, 3]), np.eye(4)[[0, 0, 3, 3]]),
)
