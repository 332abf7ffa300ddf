"""Deep programs: they compile, or are refused with the line that is too deep; Python's own limits are Python's."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable

import numpy as np
import pytest

import tapeless as tl
from tapeless.frontend.syntax.depth import MOST_REGIONS

MATRIX = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
VECTOR = np.array([0.5, 0.25])


def function_of(body: str, name: str) -> Callable[..., object]:
    """The function of `x` with this body, found under this name."""
    text = f"@tl.function\ndef f(x):\n    {body}\n"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Callable[..., object]] = {"tl": tl}  # type: ignore[dict-item]
    exec(compile(text, name, "exec"), names)
    return names["f"]


def early_returns(count: int) -> str:
    tests = [f"if x > {count - k}.0:\n        return x * {k}.0" for k in range(count)]
    return "\n    ".join([*tests, "return x"])


def elifs(count: int) -> str:
    tests = [f"{'elif' if k else 'if'} x > {count - k}.0:\n        s = x * {k}.0" for k in range(count)]
    return "\n    ".join(["s = x", *tests, "return s"])


def nested_loops(depth: int) -> str:
    heads = [f"{'    ' * k}for i{k} in range(1):" for k in range(depth)]
    return "\n    ".join(["s = x", *heads, "    " * depth + "s = s * x", "return s"])


def nested_lambdas(depth: int) -> str:
    return "return " + "".join(f"(lambda a{k}: a{k} + " for k in range(depth)) + "x" + ")(1.0)" * depth


# Each program: its body, its argument, and what it gives.
WORKING: dict[str, tuple[str, object, object]] = {
    "sum of numbers": ("return " + " + ".join(["x"] * 2000), 0.5, 1000.0),
    "sum of arrays": ("return " + " + ".join(["x"] * 500), VECTOR, 500 * VECTOR),
    "products to the right": ("return " + "x * (1.0 + " * 90 + "x" + ")" * 90, 0.0, 0.0),
    "signs": ("return " + "-" * 2000 + "x", 0.5, 0.5),
    "attributes": ("return x" + ".T" * 500, MATRIX, MATRIX),
    "slices": ("return x" + "[0:]" * 500, VECTOR, VECTOR),
    "calls": ("return " + "abs(" * 150 + "x" + ")" * 150, -0.5, 0.5),
    "comparisons": ("return 1.0 if " + " <= ".join(["x"] * 500) + " else 2.0", 0.5, 1.0),
    "conjunctions": ("return 1.0 if " + " and ".join(f"x > -{k}.0" for k in range(100)) + " else 2.0", 0.5, 1.0),
    "tuples": ("return " + "(" * 50 + "x" + ",)" * 50, 0.5, 0.5),
    "lambdas": (nested_lambdas(40), 0.5, 40.5),
    "loops": (nested_loops(16), 0.5, 0.25),
    "elifs": (elifs(60), 30.5, 30.5 * 30),
    "early returns": (early_returns(60), 30.5, 30.5 * 30),
}

TOO_DEEP: dict[str, str] = {
    "elifs": elifs(MOST_REGIONS + 1),
    "early returns": early_returns(MOST_REGIONS + 1),
    "conditional expressions": "return " + "".join(f"x if x > {k}.0 else " for k in range(MOST_REGIONS + 1)) + "x",
    "conjunctions": "return 1.0 if " + " and ".join(["x > 0.0"] * (MOST_REGIONS + 2)) + " else 2.0",
}


@pytest.mark.one_in(12)
@pytest.mark.parametrize("case", WORKING)
def test_deep_program(case: str) -> None:
    body, argument, wanted = WORKING[case]
    found = function_of(body, f"<deep {case}>")(argument)
    while isinstance(found, tuple):
        (found,) = found
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_gradient_of_a_long_sum() -> None:
    long_sum = function_of("return " + " + ".join(["x"] * 500), "<gradient of a long sum>")
    assert tl.grad(long_sum)(0.5) == 500.0


@pytest.mark.parametrize("case", TOO_DEEP)
def test_nesting_that_is_too_deep(case: str) -> None:
    with pytest.raises(tl.FrontendError) as raised:
        function_of(TOO_DEEP[case], f"<too deep {case}>")
    text = str(raised.value)
    assert text.startswith(f"<too deep {case}>:")
    assert f"nested more than {MOST_REGIONS} deep" in text
    assert "move a part into a function of its own" in text


def test_the_limit_on_calls_is_restored() -> None:
    before = sys.getrecursionlimit()
    function_of("return " + " + ".join(["x"] * 300), "<restored>")(0.5)
    assert sys.getrecursionlimit() == before
