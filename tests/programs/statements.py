"""Assignments, writes into arrays, loops and branches."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.program import program


def swap_elements(a, i, j):
    a[i], a[j] = a[j], a[i]
    return a


def swapped(a, i, j):
    order = np.arange(len(a))
    order[[i, j]] = order[[j, i]]
    return a[order]


def arrays_are_values(a):
    b = a
    b[0] = 10.0
    row = a[1:]
    row[0] = -1.0
    return a, b, row


def augmented_assignments(x, n):
    x += 2.0
    x *= 3.0
    x -= 1.0
    x /= 4.0
    x **= 2
    n //= 3
    n %= 5
    n += 7
    return x, n


def write_row_column_slice(a, r, c):
    a[1] = r
    a[:, 0] = c
    a[0, 1:3] += 5.0
    a[2, 2] *= 2.0
    a[1:, 3] = -1.0
    return a


def written(a, r, c):
    b = a.copy()
    b[1, :] = r
    b[:, 0] = c
    b[0, 1] += 5.0
    b[0, 2] += 5.0
    b[2, 2] = b[2, 2] * 2.0
    b[1:, 3] = np.full(len(a) - 1, -1.0)
    return b


def sum_of_odd_range(n):
    total = 0
    for i in range(1, n, 2):
        total += i
    return total


def count_down(n):
    digits = tl.zeros(n)
    k = 0
    for i in range(n - 1, -1, -1):
        digits[k] = i * 1.0
        k += 1  # noqa: SIM113
    return digits


def loop_over_rows(a):
    best = a[0, 0]
    for row in a:
        s = tl.sum(row)
        if s > best:
            best = s
    return best


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:  # noqa: SIM108
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def collatz_steps(n):
    seen = [n]
    while seen[-1] != 1:
        last = seen[-1]
        seen.append(3 * last + 1 if last & 1 else last >> 1)
    return len(seen) - 1


def first_negative(x):
    found = -1
    for i in range(x.shape[0]):
        if x[i] < 0.0:
            found = i
            break
    return found


def sum_skipping(x):
    total = 0.0
    for i in range(len(x)):
        if x[i] < 0.0:
            continue
        if x[i] > 1.0:
            break
        total += x[i]
    return total


def kept_sum(x):
    ends = np.flatnonzero(x > 1.0)
    head = x[: ends[0]] if len(ends) else x
    return np.sum(head[head >= 0.0])


def break_inner_loop(a):
    counts = tl.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 0.8:
                break
            counts[i] += 1.0
    return counts


def prefix_lengths(a):
    return np.array([next((j for j, x in enumerate(row) if x > 0.8), len(row)) for row in a], dtype=float)


def grade(x):
    """The branches each return."""
    if x < 0.0:
        return -1.0, 0
    elif x < 1.0:
        return x, 1
    else:
        return 1.0, 2


def last_index(n):
    i = -1
    for i in range(n):  # noqa: B007
        pass
    return i


def float_from_int_start(x):
    total = 0
    for i in range(len(x)):
        total += x[i]
    return total


PROGRAMS = (
    program(swap_elements, swapped, lambda rng: (rng.normal(size=5), 1, 4)),
    program(
        arrays_are_values,
        lambda a: (a, np.concatenate(([10.0], a[1:])), np.concatenate(([-1.0], a[2:]))),
        lambda rng: (rng.normal(size=4),),
    ),
    program(
        augmented_assignments,
        lambda x, n: ((((x + 2) * 3 - 1) / 4) ** 2, n // 3 % 5 + 7),
        lambda rng: (1.5, 29),
        "ints",
    ),
    program(
        write_row_column_slice,
        written,
        lambda rng: (rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=3)),
    ),
    program(sum_of_odd_range, lambda n: (n // 2) ** 2, lambda rng: (11,), "ints"),
    program(count_down, lambda n: np.arange(n)[::-1].astype(float), lambda rng: (6,), "f64"),
    program(
        loop_over_rows,
        lambda a: max(a[0, 0], a.sum(axis=1).max()),
        lambda rng: (rng.normal(size=(4, 3)),),
    ),
    program(collatz, collatz_steps, lambda rng: (27,), "ints", "while"),
    program(
        first_negative,
        lambda x: int(np.flatnonzero(x < 0)[0]) if (x < 0).any() else -1,
        lambda rng: (np.array([1.0, 2.0, -3.0, 4.0, -5.0]),),
        "break",
    ),
    program(sum_skipping, kept_sum, lambda rng: (np.array([0.5, -2.0, 0.25, 3.0, 0.5]),), "break"),
    program(break_inner_loop, prefix_lengths, lambda rng: (rng.uniform(size=(5, 7)),), "break", "f64"),
    program(grade, lambda x: (x, 1), lambda rng: (0.25,)),
    program(last_index, lambda n: n - 1, lambda rng: (0,), "ints", "empty"),
    program(float_from_int_start, np.sum, lambda rng: (rng.normal(size=6),)),
)
