"""Every rule fires where it should and only with its flags; what it makes has the same values, against many digits."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import mpmath
import pytest
from tests.unit.phi.machines import TYPES, exact, floats, ulps
from tests.unit.phi.rules.rule_cases import CASES, POINTS, expression

from tapeless.passes.phi.graph.graph import DERIVATIVE
from tapeless.passes.phi.graph.walk import symbols
from tapeless.passes.phi.simplify.fixpoint import Fixpoint
from tapeless.passes.phi.simplify.simplified import RULES, simplified

ALL = [(group, rule) for group, rules in RULES.items() for rule in rules]
MOST_POINTS = 200
# Where the expression as written is off by less than this, here and near by, it counts as well-conditioned.
WELL_CONDITIONED = 2.0
NEAR = (1.0, 1.001, 0.998)
# The worst distance from many digits, by class: identities of functions round differently, so they need `afn`.
MOST_ULPS = {"F": 16.0, "D": 16.0}
WORST: dict[tuple[str, str], tuple[float, str]] = {}
# Below this a float has fewer digits.
SMALLEST = {"f64": 1e-290, "f32": 1e-30}


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


def points(node, case, type_):
    free = sorted(symbols([node]), key=lambda each: each.place)
    grid = list(itertools.product(POINTS[case.values], repeat=len(free)))
    chosen = random.Random(5).sample(grid, min(len(grid), MOST_POINTS))
    return [dict(zip(free, (float(TYPES[type_](x)) for x in each), strict=True)) for each in chosen]


def is_well_conditioned(node, point, flags, type_):
    for moved in NEAR:
        at = {each: float(TYPES[type_](moved * value)) for each, value in point.items()}
        if ulps(floats([node], at, flags)[0], exact([node], at)[0], type_) > WELL_CONDITIONED:
            return False
    return True


@pytest.mark.one_in(68)
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("entry", ALL, ids=names)
def test_values_stay(entry, type_):
    group, rule = entry
    case = CASES[rule.name]
    flags = rule.flags | case.more_flags
    g, before, _ = expression(case, flags, type_)
    after = applied(rule, g, before, case)
    for point in points(before, case, type_):
        (truth,), (rewritten,) = exact([before], point), exact([after], point)
        (was,), (now,) = floats([before], point, flags), floats([after], point, flags)
        if group == "S" and not case.more_flags and rule.name != "small power":
            assert was == now or (math.isnan(was) and math.isnan(now)), (point, was, now)
            assert math.copysign(1.0, was) == math.copysign(1.0, now) or math.isnan(was), (point, was, now)
        if math.isfinite(was):
            if rule.flags <= DERIVATIVE:
                assert math.isfinite(now), (point, was, now)
            if mpmath.isfinite(truth) and mpmath.isfinite(rewritten):
                assert abs(truth - rewritten) <= 1e-25 * abs(truth) + 1e-50, (point, truth, rewritten)
                distance = ulps(now, truth, type_)
                if abs(truth) > SMALLEST[type_] and is_well_conditioned(before, point, flags, type_):
                    assert distance <= MOST_ULPS.get(group, 4.0), (point, was, now, distance)
                    if distance > WORST.get((group, type_), (-1.0, ""))[0]:
                        WORST[group, type_] = (distance, rule.name)


def test_the_worst_distances_are_reported(record_property):
    for (group, type_), (distance, name) in sorted(WORST.items()):
        record_property(f"worst ulp in class {group} of {type_}", f"{distance:.2f} ({name})")
        print(f"class {group:2} {type_}: {distance:6.2f} ulp  {name}")
