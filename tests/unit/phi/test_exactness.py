"""Compiled values and derivatives against many digits, by the class of rules that the derivatives go through."""

from __future__ import annotations

import math
import random

import mpmath
import pytest
from tests.unit.phi.edge_programs import EXPRESSIONS, FUNCTIONS, both
from tests.unit.phi.machines import DIGITS, ulps

CASES = [(group, text) for group, texts in EXPRESSIONS.items() for text in texts]
ORDERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (2, 0, 0), (1, 1, 0))
# Where derivatives by `redundant` are this exact, here and near by, they count as well-conditioned.
WELL_CONDITIONED = 2.0
NEAR = (1.0, 1.001, 0.998)
# By order: a derivative of a derivative is simplified twice.
MOST_ULPS = (4.0, 4.0, 8.0)
WORST: dict[str, tuple[float, str]] = {}


def exact(text, point):
    """The value and its derivatives with many digits."""
    names = {name: getattr(mpmath, name) for name in FUNCTIONS}
    names |= {"where": lambda c, a, b: a if c else b, "maximum": max, "abs": abs}
    code = compile(text, text, "eval")

    def f(x, y, z):
        return eval(code, names | {"x": x, "y": y, "z": z})

    with mpmath.workdps(DIGITS):
        at = [mpmath.mpf(each) for each in point]
        return [mpmath.diff(f, at, order) if any(order) else f(*at) for order in ORDERS]


def is_near_a_choice(point):
    x, y, _ = point
    return abs(x - y) < 0.01 or abs(x - 1.0) < 0.01


@pytest.mark.one_in(24)
@pytest.mark.parametrize(("group", "text"), CASES, ids=[text for _, text in CASES])
def test_ordinary_points_are_exact(group, text, tmp_path):
    rng = random.Random(5)
    chosen = [tuple(rng.uniform(0.3, 3.0) for _ in range(3)) for _ in range(8)]
    points = [tuple(moved * each for each in point) for point in chosen for moved in NEAR]
    was, now = both(text, points, tmp_path)
    truth = [exact(text, point) for point in points]
    for first in range(0, len(points), len(NEAR)):
        here = range(first, first + len(NEAR))
        for k in range(len(ORDERS)):
            sure = all(ulps(was[k, i], truth[i][k]) <= WELL_CONDITIONED for i in here if truth[i][k] != 0)
            if is_near_a_choice(points[first]) or not sure:
                continue
            distance = max((ulps(now[k, i], truth[i][k]) for i in here if truth[i][k] != 0), default=0.0)
            assert distance <= MOST_ULPS[sum(ORDERS[k])], (points[first], ORDERS[k], distance)
            if sum(ORDERS[k]) <= 1 and distance > WORST.get(group, (-1.0, ""))[0]:
                WORST[group] = (distance, f"{text}, derivative {ORDERS[k]}")


def test_the_worst_distances_are_reported(record_property):
    for group, (distance, what) in sorted(WORST.items()):
        assert math.isfinite(distance)
        record_property(f"worst ulp in class {group}", f"{distance:.2f} ({what})")
        print(f"class {group:2}: {distance:5.2f} ulp  {what}")
