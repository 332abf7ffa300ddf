"""Which functions are on cycles of calls."""

import pytest

from tapeless.passes.ir.calls import recursive_functions

CASES = {
    "no calls": ({"a": ()}, set()),
    "a chain": ({"a": ("b",), "b": ("c",), "c": ()}, set()),
    "itself": ({"a": ("a",)}, {"a"}),
    "each other": ({"a": ("b",), "b": ("a",)}, {"a", "b"}),
    "before and behind a cycle": ({"a": ("b",), "b": ("c",), "c": ("b", "d"), "d": ()}, {"b", "c"}),
    "between two cycles": ({"a": ("a", "b"), "b": ("c",), "c": ("c",)}, {"a", "c"}),
    "two ways to one function": ({"a": ("b", "c"), "b": ("d",), "c": ("d",), "d": ()}, set()),
    "a cycle found late": ({"a": ("b", "c"), "b": (), "c": ("b", "d"), "d": ("a",)}, {"a", "c", "d"}),
    "two cycles that meet": ({"a": ("b", "c"), "b": ("a",), "c": ("a",)}, {"a", "b", "c"}),
    "what is only declared": ({"a": ("x",), "b": ("b", "x")}, {"b"}),
}


@pytest.mark.parametrize("name", CASES)
def test_cycles(name):
    callees, wanted = CASES[name]
    assert recursive_functions(callees) == wanted
    backwards = dict(reversed(list(callees.items())))
    assert recursive_functions(backwards) == wanted
