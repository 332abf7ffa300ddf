"""Every rule fires where it should and only with its flags; what it makes has the same values, against many digits."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import mpmath
import pytest
from tests.unit.phi.machines import exact, floats, ulps
from tests.unit.phi.rule_cases import CASES, POINTS, expression

from tapeless.passes.phi.graph.graph import DERIVATIVE
from tapeless.passes.phi.graph.walk import symbols
from tapeless.passes.phi.simplify.fixpoint import Fixpoint
from tapeless.passes.phi.simplify.simplified import simplified
from tapeless.passes.phi.simplify.tables import RULES

ALL = [(group, rule) for group, rules in RULES.items() for rule in rules]
MOST_POINTS = 200
# Where the expression as written is off by less than this, it counts as well-conditioned.
WELL_CONDITIONED = 2.0
# The worst distance from many digits, by class: identities of functions round differently, so they need `afn`.
MOST_ULPS = {"F": 16.0, "D": 16.0}
WORST: dict[str, tuple[float, str]] = {}


def names(entry):
    return entry[1].name if isinstance(entry, tuple) else entry


def test_every_rule_has_a_case_and_a_name_of_its_own():
    assert Counter(rule.name for _, rule in ALL) == Counter(CASES.keys())


def applied(rule, g, node, case):
    if case.unless_cheaper:
        return rule.rewrite(g, node)
    return Fixpoint(g, [rule], Counter()).improved([node])[0]


@pytest.mark.parametrize("entry", ALL, ids=names)
def test_it_fires_with_its_flags_only(entry):
    _, rule = entry
    case = CASES[rule.name]
    g, node, _ = expression(case, rule.flags | case.more_flags)
    assert applied(rule, g, node, case) not in (None, node)
    for missing in rule.flags:
        without, plain, _ = expression(case, (rule.flags | case.more_flags) - {missing})
        assert simplified(without, [plain]).fired[rule.name] == 0


def points(node, case):
    free = sorted(symbols([node]), key=lambda each: each.place)
    grid = list(itertools.product(POINTS[case.values], repeat=len(free)))
    chosen = random.Random(5).sample(grid, min(len(grid), MOST_POINTS))
    return [dict(zip(free, each, strict=True)) for each in chosen]


@pytest.mark.parametrize("entry", ALL, ids=names)
def test_values_stay(entry):
    group, rule = entry
    case = CASES[rule.name]
    g, before, _ = expression(case, rule.flags | case.more_flags)
    after = applied(rule, g, before, case)
    for point in points(before, case):
        (truth,), (rewritten,) = exact([before], point), exact([after], point)
        (was,), (now,) = floats([before], point), floats([after], point)
        if group == "S" and not case.more_flags and rule.name != "small power":
            assert was == now or (math.isnan(was) and math.isnan(now)), (point, was, now)
            assert math.copysign(1.0, was) == math.copysign(1.0, now) or math.isnan(was), (point, was, now)
        if math.isfinite(was):
            if rule.flags <= DERIVATIVE:
                assert math.isfinite(now), (point, was, now)
            if mpmath.isfinite(truth) and mpmath.isfinite(rewritten):
                assert abs(truth - rewritten) <= 1e-25 * abs(truth) + 1e-50, (point, truth, rewritten)
                distance = ulps(now, truth)
                if ulps(was, truth) <= WELL_CONDITIONED and abs(truth) > 1e-290:
                    assert distance <= MOST_ULPS.get(group, 4.0), (point, was, now, distance)
                    if distance > WORST.get(group, (-1.0, ""))[0]:
                        WORST[group] = (distance, rule.name)


def test_the_worst_distances_are_reported(record_property):
    for group, (distance, name) in sorted(WORST.items()):
        record_property(f"worst ulp in class {group}", f"{distance:.2f} ({name})")
        print(f"class {group:2}: {distance:6.2f} ulp  {name}")
