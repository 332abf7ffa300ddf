"""`rev.retrace` as loops: every step visited once with its own state, by as many steps as the schedule says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import core_interpreter
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.dialects.core_context import require_dialect
from tapeless.passes.ad.reversible.chain.bennett import Visit, bennett_back
from tapeless.passes.ad.reversible.chain.treeverse import treeverse_cost
from tapeless.passes.driver.pipeline import PassPipeline

pytestmark = pytest.mark.one_in(2)

# The state counts steps; a visit appends it to what it carries.
CHAIN = """
func.func @f(%n: index, %x: f64, %bar: f64) -> (f64, i64) {{
  %two = arith.constant 2 : index
  %five = arith.constant 5 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r, %visits = "rev.retrace"(%five, %n, %two, %x, %zero, %bar, %zero) ({{
  ^bb0(%i: index, %v: f64, %count: i64):
    %k = arith.index_cast %i : index to i64
    %c = arith.sitofp %k : i64 to f64
    %moved = arith.addf %v, %c : f64
    %next = math.sin %moved : f64
    %more = arith.addi %count, %one : i64
    "soac.yield"(%next, %more) : (f64, i64) -> ()
  }}, {{
  ^bb0(%i: index, %v: f64, %count: i64, %b: f64, %seen: i64):
    %k = arith.index_cast %i : index to i64
    %c = arith.sitofp %k : i64 to f64
    %moved = arith.addf %v, %c : f64
    %slope = math.cos %moved : f64
    %before = arith.mulf %b, %slope : f64
    %m = arith.constant 3 : i64
    %shifted = arith.muli %seen, %m : i64
    %sum = arith.addi %shifted, %count : i64
    "soac.yield"(%before, %sum) : (f64, i64) -> ()
  }}) {{strategy = "{strategy}", budget = {budget} : i64, operandSegmentSizes = array<i32: 1, 1, 1, 2, 2>}}
    : (index, index, index, f64, i64, f64, i64) -> (f64, i64)
  return %r, %visits : f64, i64
}}
"""


def expected(n: int, x: float, bar: float) -> tuple[float, int]:
    """The same with all states stored."""
    states = [x]
    for k in range(n):
        states.append(np.sin(states[-1] + 5 + 2 * k))
    seen = 0
    for k in reversed(range(n)):
        bar *= np.cos(states[k] + 5 + 2 * k)
        seen = seen * 3 + k
    return bar, seen


# The same chain forward.
LOOP = """
func.func @f(%n: index, %x: f64) -> f64 {{
  %two = arith.constant 2 : index
  %five = arith.constant 5 : index
  %twice = arith.muli %n, %two : index
  %end = arith.addi %twice, %five : index
  %r = scf.for %i = %five to %end step %two iter_args(%v = %x) -> (f64) {{
    %k = arith.index_cast %i : index to i64
    %c = arith.sitofp %k : i64 to f64
    %moved = arith.addf %v, %c : f64
    %next = math.sin %moved : f64
    scf.yield %next : f64
  }} {{ad.bennett, ad.budget = {budget} : i64}}
  return %r : f64
}}
"""


def compiled(budget: int, passes: str, strategy: str = "treeverse", text: str = CHAIN) -> ir.Module:
    with shared_context() as context:
        require_dialect(context, "rev")
        module = ir.Module.parse(text.format(budget=budget, strategy=strategy))
        PassPipeline.parse(f"builtin.module({passes})").run(module)
        return module


def counted(monkeypatch: pytest.MonkeyPatch, *names: str) -> Counter[str]:
    """How often operations have been interpreted since."""
    counts: Counter[str] = Counter()

    def counting(name: str, function: Any) -> Any:
        def call(op: ir.Operation, *operands: Any) -> Any:
            counts[name] += 1
            return function(op, *operands)

        return call

    for name in names:
        function = core_interpreter.OPERATIONS[name]
        monkeypatch.setitem(core_interpreter.OPERATIONS, name, counting(name, function))
    return counts


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("n", "budget"), [(10, 3), (20, 3), (30, 5), (100, 5), (1000, 10), (0, 1), (1, 1), (17, 1)])
def test_the_loops_take_the_steps_of_the_schedule(n: int, budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    module = compiled(budget, "ad-schedule-retraces,canonicalize,cse")
    counts = counted(monkeypatch, "math.sin", "math.cos")
    core_interpreter.run(module, "f", n, 0.3, 1.7)
    assert counts == Counter({"math.sin": treeverse_cost(n, budget).forward, "math.cos": n})


@pytest.mark.one_in(36)
@pytest.mark.parametrize("passes", ["ad-schedule-retraces", "ad-normalise{backwards=true},ad-expand", "canonicalize"])
@pytest.mark.parametrize("strategy", ["treeverse", "bennett", "bisection"])
@pytest.mark.parametrize("budget", [pytest.param(2, marks=pytest.mark.thorough), 3, 7])
def test_every_step_is_visited_with_its_state(budget: int, strategy: str, passes: str) -> None:
    module = compiled(budget, passes, strategy)
    for n in [*range(12), 25, 35]:
        assert core_interpreter.run(module, "f", n, 0.3, 1.7) == pytest.approx(expected(n, 0.3, 1.7), rel=1e-15), n


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("n", "budget", "steps"), [(8, 24, 12), (64, 6, 192), (1024, 24, 5120), (64, 5, 224), (64, 3, 544)]
)
def test_bisection_takes_half_a_logarithm_of_steps(
    n: int, budget: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With fewer rows than digits, chains start from the beginning where the row above would be needed."""
    restarts = range(0, n, 1 << (budget - 1))
    assert steps == sum(k - (0 if k + 1 in (*restarts, n) else k & (k + 1)) for k in range(n))
    module = compiled(budget, "ad-schedule-retraces,canonicalize,cse", "bisection")
    counts = counted(monkeypatch, "math.sin", "math.cos")
    found = core_interpreter.run(module, "f", n, 0.3, 1.7)
    assert counts == Counter({"math.sin": steps, "math.cos": n})
    assert found[0] == pytest.approx(expected(n, 0.3, 1.7)[0], rel=1e-15)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("budget", [3, 8])
def test_at_most_the_budget_is_kept(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms are made once, of as many rows as the budget allows; rows beyond would be out of range."""
    module, made = compiled(budget, "ad-schedule-retraces"), []
    empty = core_interpreter.OPERATIONS["tensor.empty"]

    def measured(op: ir.Operation, *extents: Any) -> Any:
        made.append(empty(op, *extents))
        return made[-1]

    monkeypatch.setitem(core_interpreter.OPERATIONS, "tensor.empty", measured)
    core_interpreter.run(module, "f", 200, 0.3, 1.7)
    assert {room.shape for room in made} == {(budget,)}
    assert len(made) == 3


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("n", "parts", "steps"),
    [
        (16, 2, 41 + 40),
        (64, 4, 172 + 171),
        pytest.param(256, 4, 1201 + 1200, marks=pytest.mark.thorough),
        pytest.param(100, 4, 424 + 423, marks=pytest.mark.thorough),
        (0, 2, 0),
        (1, 3, 1),
        (2, 3, 3),
    ],
)
def test_bennett_takes_the_published_steps(n: int, parts: int, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    module = compiled(parts, "ad-schedule-retraces", text=LOOP)
    counts = counted(monkeypatch, "math.sin")
    (found,) = core_interpreter.run(module, "f", n, 0.3)
    assert counts["math.sin"] == steps
    x = 0.3
    for k in range(n):
        x = np.sin(x + 5 + 2 * k)
    assert found == x


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("n", "parts", "peak"), [(16, 2, 6), (64, 4, 11), pytest.param(100, 4, 14, marks=pytest.mark.thorough)]
)
def test_bennett_leaves_the_first_and_the_last_state(
    n: int, parts: int, peak: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows for states are as many as may be alive at once (100 steps: two of them never are)."""
    module, ends = compiled(parts, "ad-schedule-retraces", text=LOOP), []
    plain = core_interpreter.STRUCTURED["scf.while"]

    def recorded(*arguments: Any) -> Any:
        ends.append(plain(*arguments))
        return ends[-1]

    monkeypatch.setitem(core_interpreter.STRUCTURED, "scf.while", recorded)
    (last,) = core_interpreter.run(module, "f", n, 0.3)
    rows = ends[-1][-1]
    assert len(rows) == peak
    assert rows[:2].tolist() == [0.3, last]
    assert not rows[2:].any()


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("n", "parts"), [(0, 2), (1, 2), (7, 2), (16, 2), (50, 3), (64, 4)])
def test_bennett_back_takes_the_steps_of_the_schedule(n: int, parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    module = compiled(parts, "ad-schedule-retraces", "bennett")
    counts = counted(monkeypatch, "math.sin", "math.cos")
    core_interpreter.run(module, "f", n, 0.3, 1.7)
    schedule = list(bennett_back(n, parts))
    visits = [each.position for each in schedule if isinstance(each, Visit)]
    assert visits == list(reversed(range(n)))
    assert counts == Counter({"math.sin": len(schedule) - n, "math.cos": n})
