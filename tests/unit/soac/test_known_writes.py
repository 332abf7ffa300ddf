"""What a sweep remembers of writes is what it would find again: every answer is compared with a new one."""

from __future__ import annotations

from itertools import pairwise

import pytest

import tapeless as tl
from tapeless.passes.ir.costs import is_check
from tapeless.passes.ir.places.places import Place
from tapeless.passes.soac.simplify import covered_fills, delays, known_writes, writes


def overwritten_elements(x: tl.f64[:], k: tl.i64):
    """Writes that later ones cover go, reads of what was written go, and indices are read from an array as well."""
    s = tl.zeros(12)
    at = tl.iota(12)
    for j in range(3):
        s[j] = x[j] * 2.0
        s[j] = s[j] + x[j + 1]
    at[2] = k
    s[at[2]] = s[1] * 2.0
    s[at[3]] = s[at[2]] + s[3]
    s[1:4] = x[:3]
    s[2:5] = s[1:4] * 2.0
    s[k] = 4.0
    s[0:6] = x[1:7]
    return tl.sum(s * s)


def covered_rows(x: tl.f64[:], k: tl.i64):
    """Fills that writes cover, and rows taken out of one chain into another."""
    a, b = tl.zeros((3, 4)), tl.zeros((5, 4))
    a[0] = x[:4]
    a[1] = a[0] * 2.0
    a[2] = a[1] + x[1:5]
    b[1:3] = a[1:3]
    b[2:4] = tl.zeros((2, 4))
    b[1:3] = b[1:3] + a[:2]
    row = b[2]
    row[1] = x[k]
    row[2] = row[1] * x[0]
    b[k] = row
    return tl.sum(b * b)


def maps_between_writes(x: tl.f64[:], k: tl.i64):
    """Arrays that chains start from, and what is written, come from maps that become others; some of them check."""
    ones = tl.map(lambda a: 1.0, x)
    s, t = ones * x, tl.map(lambda i: x[(i + k) % len(x)] * ones[i], tl.iota(len(x)))
    s[1:4] = tl.map(lambda i: ones[i] + t[i], tl.iota(3))
    t[2:5] = s[1:4] * ones[:3]
    s[k] = x[k + 1]
    m = tl.stack((s, t, ones))
    m[0] = m[1] * m[2]
    m[1, 1:3] = tl.map(lambda i: m[0, i + k], tl.iota(2))
    s[0] = m[1, 1]
    return tl.sum(m * m) + tl.sum(s * t)


FUNCTIONS = [overwritten_elements, covered_rows, maps_between_writes]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("transform", [tl.function, lambda f: tl.grad(tl.function(f))], ids=["value", "gradient"])
def test_every_remembered_write_is_the_one_that_is_there(function, transform, monkeypatch):
    remembered = known_writes.known_write
    compared = 0

    def compare(array):
        nonlocal compared
        found, there = remembered(array), known_writes.write_of(array)
        assert (found is None) == (there is None)
        if found is not None:
            place = Place.of(there)
            assert found.op == there
            assert (found.place.ranges, found.place.kept) == (place.ranges, place.kept)
            compared += 1
        return found

    def compare_checks(block):
        found, there = known_writes.checks_of(block), [op.operation for op in block.operations if is_check(op)]
        assert all(op in found for op in there)
        assert all(found.index(a) < found.index(b) for a, b in pairwise(there))
        return found

    monkeypatch.setattr(delays, "checks_of", compare_checks)
    for module in (known_writes, writes, covered_fills):
        monkeypatch.setattr(module, "known_write", compare)
    transform(function).lower(tl.f64[:], tl.i64)
    assert compared > 10
