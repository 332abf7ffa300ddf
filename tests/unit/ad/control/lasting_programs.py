"""Loops that fill arrays, as users write them: some overwrite what they have read, and most do not.

Each is a function of three numbers and a size, and runs by numpy as well. `LASTING` are those of which every element
that is read stays as it is, `OVERWRITING` those that lose values.
"""

from __future__ import annotations

import numpy as np


def table(x, n):
    a = np.full((n + 1, n + 1), x[0])
    for i in range(n):
        for j in range(n):
            a[i + 1, j + 1] = np.sin(a[i, j]) * x[1] + np.cos(a[i, j + 1] * a[i + 1, j])
    return np.sum(a * a) * x[2]


def table_from_one(x, n):
    a = np.full((n + 1, n + 1), x[0])
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            a[i, j] = np.sin(a[i - 1, j - 1]) * x[1] + np.cos(a[i - 1, j] * a[i, j - 1])
    return a[n, n] * x[2] + np.sum(a)


def table_with_borders(x, n):
    a = np.zeros((n + 1, n + 1))
    a[0, 0] = x[0]
    for i in range(n):
        a[i + 1, 0] = np.sin(a[i, 0]) + x[1]
    for j in range(n):
        a[0, j + 1] = np.cos(a[0, j]) * x[2]
    for i in range(n):
        for j in range(n):
            a[i + 1, j + 1] = np.cos(a[i, j] * a[i, j + 1]) + np.sin(a[i + 1, j])
    return np.sum(a * a)


def table_from_the_end(x, n):
    a = np.full((n + 1, n + 1), x[0])
    for i in range(n - 1, -1, -1):
        for j in range(n - 1, -1, -1):
            a[i, j] = np.sin(a[i + 1, j] * a[i, j + 1]) + x[1]
    return a[0, 0] * x[2] + np.sum(a)


def table_by_steps(x, n):
    """Every third row, and the rest of the table stays as it was."""
    a = np.full((n + 3, n + 2), x[0])
    for i in range(0, n, 3):
        for j in range(n):
            a[i + 3, j + 1] = np.sin(a[i, j]) * x[1]
    return np.sum(a * a) * x[2]


def band(x, n):
    a = np.full((n + 1, n + 1), x[0])
    for i in range(n):
        for j in range(max(0, i - 2), min(n, i + 3)):
            a[i + 1, j + 1] = np.sin(a[i, j] + a[i, j + 1]) * x[1] + a[i + 1, j] * x[2]
    return np.sum(a * a)


def triangle(x, n):
    a = np.full((n + 1, n + 1), x[0])
    for i in range(n):
        for j in range(i + 1):
            a[i + 1, j] = np.sin(a[i, j]) * x[1] + a[i, j + 1] * x[2]
    return np.sum(a * a)


def lower_factor(x, n):
    """Cholesky's factor of a matrix with large numbers along its diagonal."""
    a = np.zeros((n, n))
    for j in range(n):
        total = 5.0 + x[0] * j
        for k in range(j):
            total = total - a[j, k] * a[j, k]
        a[j, j] = np.sqrt(total)
        for i in range(j + 1, n):
            total = x[1] / (i + j + 1.0) + x[2]
            for k in range(j):
                total = total - a[i, k] * a[j, k]
            a[i, j] = total / a[j, j]
    return np.sum(a)


def factor_in_branches(x, n):
    """The same with the diagonal in a branch of its own."""
    a = np.zeros((n, n))
    for j in range(n):
        for i in range(j, n):
            total = x[1] / (i + j + 1.0) + x[2]
            for k in range(j):
                total = total - a[i, k] * a[j, k]
            if i == j:
                a[i, j] = np.sqrt(total + 5.0 + x[0] * j)
            else:
                a[i, j] = total / a[j, j]
    return np.sum(a)


def intervals(x, n):
    """Products of matrices, cut at the best place: longer stretches of them from shorter ones."""
    a = np.full((n + 1, n + 1), x[0])
    for length in range(1, n):
        for i in range(n - length):
            total = x[1] * i
            for k in range(i, i + length):
                total = total + np.sin(a[i, k] * a[k + 1, i + length]) * x[2]
            a[i, i + length] = total
    return np.sum(a * a)


def in_branches(x, n):
    a = np.full((n + 1, n + 1), x[0])
    for i in range(n):
        for j in range(n):
            if a[i, j] > 0.6:
                a[i + 1, j + 1] = np.sin(a[i, j]) * x[1]
            else:
                a[i + 1, j + 1] = a[i + 1, j] + x[2]
    return np.sum(a * a)


def borders_in_branches(x, n):
    a = np.zeros((n + 1, n + 1))
    for i in range(n + 1):
        for j in range(n + 1):
            if i == 0 and j == 0:
                a[i, j] = x[0]
            elif i == 0:
                a[i, j] = np.sin(a[i, j - 1]) + x[1]
            elif j == 0:
                a[i, j] = a[i - 1, j] * x[2]
            else:
                a[i, j] = np.cos(a[i - 1, j - 1] * a[i - 1, j]) + np.sin(a[i, j - 1]) * x[1]
    return np.sum(a * a)


def in_one_branch(x, n):
    """What is not written stays what it was; a total is counted beside it."""
    a, total = np.full((n + 1, n + 1), x[0]), 0.0
    for i in range(n):
        for j in range(n):
            if (i + j) % 3 != 1:
                a[i + 1, j + 1] = np.sin(a[i, j]) * x[1] + a[i, j + 1] * x[2]
                total = total + a[i + 1, j + 1] ** 2
    return np.sum(a) + total


def rows(x, n):
    a = np.zeros((n + 1, 3))
    a[0, :] = x
    for i in range(n):
        a[i + 1, :] = np.sin(a[i, :]) * a[i, ::-1] + np.sum(a[i, 1:]) * x
    return np.sum(a * a)


def rows_of_all_before(x, n):
    a = np.zeros((n + 1, 3))
    a[0] = x
    for i in range(n):
        a[i + 1] = np.cos(np.sum(a[: i + 1] * a[: i + 1], axis=0)) * x
    return np.sum(a)


def two_tables(x, n):
    a, b = np.full((n + 1, n + 1), x[0]), np.full((n + 1, n + 1), x[1])
    for i in range(n):
        for j in range(n):
            a[i + 1, j + 1] = np.sin(a[i, j] * b[i, j + 1])
            b[i + 1, j + 1] = np.cos(a[i + 1, j + 1]) * b[i + 1, j] + x[2]
    return np.sum(a * a) + np.sum(a * b)


def counted_by_hand(x, n):
    a, i = np.full(n + 1, x[0]), 0
    while i < n:
        a[i + 1] = np.sin(a[i]) * x[1] + x[2]
        i = i + 1
    return np.sum(a * a)


def written_twice(x, n):
    """The second value of an element is the one that is read."""
    a = np.full(n + 1, x[0])
    for i in range(n):
        a[i + 1] = np.exp(a[i]) * x[1]
        a[i + 1] = np.sin(a[i]) + x[2]
    return np.sum(a * a)


def read_back(x, n):
    """An element is read after it was written in the same iteration."""
    a = np.full(n + 1, x[0])
    for i in range(n):
        a[i] = a[i + 1] * x[1] + i
        a[i] = x[2]
    return np.sum(a)


def one_after_the_other(x, n):
    a = np.full(n + 2, x[0])
    for i in range(n):
        a[i + 1] = np.sin(a[i]) * x[1] + a[i + 2] * x[2]
    return np.sum(a * a)


def overwritten_table(x, n):
    a = np.full((3, n + 1), x[0])
    for i in range(n):
        for j in range(n):
            a[(i + 1) % 3, j + 1] = np.sin(a[i % 3, j]) * x[1] + x[2]
    return np.sum(a * a)


def overwritten_in_place(x, n):
    a = np.full((n + 1, n + 1), x[0])
    for i in range(n):
        for j in range(n):
            a[i, j] = np.sin(a[i, j] + a[i + 1, j]) * x[1] + x[2]
    return np.sum(a * a)


def overwritten_row(x, n):
    """One row serves all iterations of the outer loop."""
    a = np.full(n + 1, x[0])
    for i in range(n):
        for j in range(n):
            a[j + 1] = np.sin(a[j]) * x[1] + a[j + 1] * x[2] / (i + 1)
    return np.sum(a * a)


def read_before_written(x, n):
    a = np.full((n + 2, n + 2), x[0])
    for i in range(n):
        for j in range(n):
            a[i + 1, j + 1] = np.sin(a[i + 1, j + 2]) * x[1] + a[i, j] * x[2]
    return np.sum(a * a)


def read_after_all(x, n):
    """What the first loop read, a second one in the same iteration overwrites."""
    a = np.full((n + 1, n + 1), x[0])
    for i in range(n):
        for j in range(n):
            a[i + 1, j] = np.sin(a[i, j]) * x[1]
        for j in range(n):
            a[i, j] = a[i, j + 1] * x[2]
    return np.sum(a * a)


def taken_back(x, n):
    """A value is written and read, and then the array from before goes on."""
    a = np.full(n + 1, x[0])
    total = 0.0
    for i in range(n):
        before = a.copy()
        a[i + 1] = np.sin(a[i]) * x[1] + i
        total = total + np.cos(a[i + 1]) * x[2]
        if i % 2 == 1:
            a = before
    return total + np.sum(a * a)


def old_version_read(x, n):
    a, total = np.full(n + 1, x[0]), 0.0
    for i in range(n):
        before = a.copy()
        a[i + 1] = np.sin(a[i]) * x[1]
        total = total + np.exp(before[i + 1]) * x[2]
    return total + np.sum(a * a)


def used_as_a_whole(x, n):
    """Every row of what comes next is made from all of the array."""
    a = np.full((3, n + 1), x[0])
    for i in range(n):
        new = np.zeros(3)
        for k in range(3):
            new[k] = np.sum(np.sin(a) * x[1]) + k
        a[:, i + 1] = new * x[2]
    return np.sum(a * a)


def multiplied(x, n):
    """Maps inside of maps have all rows of the array."""
    a = np.full((n + 1, 3), x[0])
    for i in range(n):
        products = np.sum(a @ a.T, axis=1)
        a[i + 1] = np.sin(products[i]) * x
    return np.sum(a * a)


def exchanged(x, n):
    a, b = np.full(n + 1, x[0]), np.full(n + 1, x[1])
    for i in range(n):
        a[i + 1] = np.sin(a[i]) * x[2] + b[i]
        a, b = b, a
    return np.sum(a * a) + np.sum(b)


def by_indices(x, n):
    """Places come from an array, and some of them come again."""
    places, a = np.arange(n + 1) * 5 % 4, np.full(4, x[0])
    for i in range(n):
        a[places[i + 1]] = np.sin(a[places[i]]) * x[1] + x[2]
    return np.sum(a * a)


def rising_counter(x, n):
    """A counter that does not move in every iteration says nothing."""
    a, k = np.full(n + 2, x[0]), 0
    for i in range(n):
        a[k + 1] = np.sin(a[k]) * x[1] + a[k + 1] * x[2]
        if i % 2 == 0:
            k = k + 1
    return np.sum(a * a)


LASTING = (
    table,
    table_from_one,
    table_with_borders,
    table_from_the_end,
    table_by_steps,
    borders_in_branches,
    band,
    triangle,
    lower_factor,
    factor_in_branches,
    intervals,
    in_branches,
    in_one_branch,
    rows,
    rows_of_all_before,
    two_tables,
    counted_by_hand,
    written_twice,
)
OVERWRITING = (
    read_back,
    one_after_the_other,
    overwritten_table,
    overwritten_in_place,
    overwritten_row,
    read_before_written,
    read_after_all,
    taken_back,
    old_version_read,
    used_as_a_whole,
    multiplied,
    exchanged,
    by_indices,
    rising_counter,
)
