"""Derivatives of element, slice and row access, and of what only moves elements, against central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import check, from_python

import tapeless as tl

XS = np.array([0.4, -1.2, 0.9, 1.7, -0.3, 0.8])
M = XS.reshape(2, 3)


def elements(x):
    return x[0] * x[-1] + tl.sin(x[0])


def element_of_a_matrix(m, i):
    return m[i, 1] * m[-1, i]


def rows_and_columns(m):
    return m[1] * m[0], m[:, 1] * 2.0, m[:, None, 2]


def strided(x):
    return x[::2] * x[1::2], x[1:5:3]


def overlapping(x):
    return x[1:] * x[:-1], x[2:4] + x[3:5]


def empty_slices(x):
    return x[3:3], x[9:], x[:0]


def written_elements(x, y):
    x[1] = y * x[0]
    x[1] = x[1] * x[2]
    x[-1] += y
    return x


def overwritten(x, y):
    x[0] = 1.0
    x[0] = y
    return x * x


def written_slices(x, y):
    x[1:3] = y[:2] * x[0]
    x[::2] += y
    x[4:] = 7.0
    return x


def written_rows(m, v):
    m[0] = v * m[1]
    m[:, 2] *= v[:2]
    return m


def gathered(x, keys):
    return x[keys] * x[0]


def gathered_rows(m, keys):
    return m[keys] * m[0]


def joined(x, y):
    return tl.concat((x, y * y, x)), tl.stack((x, x * 2.0)), tl.concat((tl.stack((x, x)), tl.stack((y, y))), axis=1)


def reshaped(m):
    return tl.reshape(m * m, (3, 2)), tl.reshape(m, m.shape[0] * m.shape[1])


def transposed(m):
    return m.T * 2.0, tl.transpose(tl.reshape(m, (1, 2, 3)), (2, 0, 1)) * 3.0


def turned(m):
    return tl.reverse(m) * m, tl.reverse(m, axis=1)


def literals(a, b):
    return tl.stack((a, b * a, 1.0)), tl.full(4, a * b), tl.full((2, 3), b)


def narrowed(x):
    return tl.astype(tl.astype(x, tl.f32) * 2.0, tl.f64)


def broadcast(m, v, s):
    return m * v + s, v[:, None] * v[None, :]


def sorted_elements(x):
    return tl.sort(x * x)


def fixed_sizes(v: tl.f64[3], m: tl.f64[:, 3]):
    return m @ v, v[1] * m[0], tl.concat((v, v))


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "elements": (elements, (XS,)),
    "element of a matrix": (element_of_a_matrix, (M, 1)),
    "rows and columns": (rows_and_columns, (M,)),
    "strided": (strided, (XS,)),
    "overlapping": (overlapping, (XS,)),
    "empty slices": (empty_slices, (XS,)),
    "written elements": (written_elements, (XS, 0.7)),
    "overwritten": (overwritten, (XS, 0.7)),
    "written slices": (written_slices, (XS, XS[:3] + 0.2)),
    "written rows": (written_rows, (M, XS[:3] + 0.2)),
    "gathered": (gathered, (XS, np.array([[1, 1], [0, -1]]))),
    "gathered rows": (gathered_rows, (M, np.array([1, 1, 0]))),
    "joined": (joined, (XS, XS + 0.1)),
    "reshaped": (reshaped, (M,)),
    "transposed": (transposed, (M,)),
    "turned": (turned, (M,)),
    "literals": (literals, (0.4, 0.7)),
    "broadcast": (broadcast, (M, XS[:3], 0.3)),
    "sorted": (sorted_elements, (XS,)),
    "fixed sizes": (fixed_sizes, (XS[:3], M)),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", CASES)
def test_structure(name: str) -> None:
    function, arguments = CASES[name]
    check(from_python(function, *arguments), *arguments)


def test_single_precision_in_between() -> None:
    check(from_python(narrowed, XS), XS, tolerance=1e-3, step=1e-2)


def test_nothing_to_move() -> None:
    for function in (joined, broadcast_nothing):
        check(from_python(function, XS[:0], XS[:0]), XS[:0], XS[:0])


def broadcast_nothing(x, y):
    return x * y + 1.0, tl.sum(x) + tl.sum(y), tl.reverse(x), tl.concat((x, y))
