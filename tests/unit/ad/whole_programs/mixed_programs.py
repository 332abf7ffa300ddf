"""Small programs in which constructs meet that are easy to get wrong together, each with arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tapeless as tl

Case = tuple[Callable[..., Any], tuple[Any, ...]]
KEYS = np.array([0, 2, 2, -1, 9, 1])


def values(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(sum(shape)).uniform(0.4, 1.6, shape)


def shifted_onto_itself(x):
    for i in range(len(x) - 1):
        x[i] = x[i + 1] * x[0]
    return x


def turned_in_place(x):
    n = len(x)
    for i in range(n // 2):
        x[i], x[n - 1 - i] = tl.sin(x[n - 1 - i]), x[i] * x[i]
    return x


def copies_of_copies(x):
    a = x
    b = a
    b[0] = a[1] * 2.0
    a[2] = b[0]
    c = b
    c[1] = a[2] * b[3]
    return a + b * c


def backward_slices(x):
    return x[::-2] * 2.0, tl.sum(x[::3] ** 2), x[-2:], x[:-3:-1]


def overlapping_slices(x):
    x[1:] = x[:-1] * x[1:]
    x[:-1] += tl.sin(x[1:])
    y = x
    y[::2] = tl.sin(x[::2])
    return y


def products_and_extremes_of_bins(x, keys):
    start = tl.full(4, 0.9) * x[0]
    products = tl.hist(lambda a, b: a * b, 1.0, start, keys, x)
    least = tl.hist(tl.minimum, tl.inf, start, keys, x)
    return products * tl.hist(tl.maximum, -tl.inf, start * least, keys, x * x)


def bins_in_a_loop(x, keys):
    bins = tl.zeros(3)
    for i in range(3):
        bins = tl.hist(lambda a, b: a + b, 0.0, bins * x[i], keys, tl.sin(x) * bins[0] + x)
    return bins


def pairs_in_bins(x, keys):
    a, b = tl.hist(lambda p, q, r, s: (p * r, q * r + s), (1.0, 0.0), (tl.ones(3), tl.zeros(3)), keys, (x, x * x))
    return a * b


def prefixes_of_prefixes(x):
    products = tl.scan(lambda a, b: a * b, 1.0, x)
    sums = tl.scan(lambda a, b: a + b, 0.0, products * x, exclusive=True)
    return tl.scan(tl.maximum, -tl.inf, sums - products, reverse=True) * sums


def lines_from_the_end(a, b):
    c, d = tl.scan(lambda p, q, r, s: (p * r, q * r + s), (1.0, 0.0), a, b, exclusive=True, reverse=True)
    return c + d * a


def operator_with_an_element(x):
    return tl.reduce(lambda a, b: a + b + x[0] * a * b, 0.0, x), tl.scan(lambda a, b: a + b + x[0] * a * b, 0.0, x)


def rows_and_numbers_carried(a, x):
    for i in range(3):
        row = a[i]
        for j in range(4):
            row[j] = row[j] * x + row[(j + 1) % 4]
            x = tl.sin(x) + row[j] * 0.1
        a[(i + 1) % 3] = row + a[i]
    return a, x


def branches_on_data(x):
    y = tl.zeros(4)
    for i in range(4):
        if x[i] > 1.0:
            y[i] = x[i] ** 2
        elif x[i] > 0.7:
            y = y + x * x[i]
        else:
            x[i] = tl.exp(x[i])
    return y * x


def while_over_elements(x):
    i = 0
    while i < 3 and x[i] < 10.0:
        x[i + 1] = x[i] * x[i + 1] + x[0]
        i += 1
    return x


def leaving_early(x):
    total = 0.0
    for i in range(5):
        if x[i] < 0.5:
            continue
        if total > 2.5:
            break
        total += x[i] * x[i]
    return total * x[0]


def writes_in_maps(x):
    def norm_with(i):
        y = x
        y[i] = y[i] * y[0]
        return tl.sum(y * y)

    return tl.map(norm_with, tl.iota(4))


def loops_in_maps(x):
    def limit(a):
        n = 0
        while tl.bounded(a < 5.0, 30):
            a = a * 1.5 + x[n % 4] * 0.1
            n += 1
        return a * n

    return tl.map(limit, x)


def indices_carried(x):
    bins, k, seen = tl.zeros(3), 0, tl.zeros(2, dtype=tl.i64)
    for i in range(4):
        bins[k] += x[i] * bins[(k + 1) % 3] + x[seen[k % 2] % 4]
        seen[k % 2] += i
        k = (k + 2) % 3
    return bins, k, seen, bins > 1.0


def empty_ranges(x):
    y = x
    for _ in range(5, 2):
        y = y * x
    for i in range(2, -3, -2):
        y = y * x[i % 3]
    return y


CASES: list[Case] = [
    *((shifted_onto_itself, (values(n),)) for n in (1, 5)),
    (turned_in_place, (values(6),)),
    (copies_of_copies, (values(5),)),
    *((backward_slices, (values(n),)) for n in (0, 1, 7)),
    (overlapping_slices, (values(6),)),
    *((products_and_extremes_of_bins, (values(n), KEYS[:n])) for n in (1, 6)),
    (bins_in_a_loop, (values(6), KEYS)),
    *((pairs_in_bins, (values(n), KEYS[:n])) for n in (0, 6)),
    *((prefixes_of_prefixes, (values(n),)) for n in (0, 1, 5)),
    (lines_from_the_end, (values(5), values(5))),
    (operator_with_an_element, (values(4),)),
    (rows_and_numbers_carried, (values(3, 4), 0.3)),
    (branches_on_data, (values(4),)),
    (while_over_elements, (values(4),)),
    (leaving_early, (values(5),)),
    (writes_in_maps, (values(4),)),
    (loops_in_maps, (values(4),)),
    (indices_carried, (values(4),)),
    (empty_ranges, (values(3),)),
]
