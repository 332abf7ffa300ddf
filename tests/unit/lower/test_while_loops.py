"""`scf.while` on arrays in forms that functions do not make: what the condition hands on need not be carried."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tapeless.runtime.counters import memory_counters

from .running import MODES, check, function, run

VECTOR = "tensor<?xf64>"
MAP = f"}}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {VECTOR}) -> {VECTOR}"
HALVE = f"""
    %half = arith.constant 0.5 : f64
    %b = "soac.map"(%n, %a) ({{
    ^bb0(%i: index, %e: f64):
      %h = arith.mulf %e, %half : f64
      "soac.yield"(%h) : (f64) -> ()
    {MAP}
    %s = tensor.extract %b[%c0] : {VECTOR}
    %go = arith.cmpf ogt, %s, %one : f64"""
LOWER = f"""
    %d = "soac.map"(%n, %c) ({{
    ^bb0(%i: index, %e: f64):
      %l = arith.subf %e, %one : f64
      "soac.yield"(%l) : (f64) -> ()
    {MAP}"""

COMPUTED = function(
    f"(%x: {VECTOR}) -> {VECTOR}",
    f"""
  %n = tensor.dim %x, %c0 : {VECTOR}
  %r = scf.while (%a = %x) : ({VECTOR}) -> ({VECTOR}) {{{HALVE}
    scf.condition(%go) %b : {VECTOR}
  }} do {{
  ^bb0(%c: {VECTOR}):{LOWER}
    scf.yield %d : {VECTOR}
  }}
  return %r : {VECTOR}
""",
)
TWICE = function(
    f"(%x: {VECTOR}) -> ({VECTOR}, {VECTOR}, {VECTOR})",
    f"""
  %n = tensor.dim %x, %c0 : {VECTOR}
  %r:3 = scf.while (%a = %x) : ({VECTOR}) -> ({VECTOR}, {VECTOR}, {VECTOR}) {{{HALVE}
    scf.condition(%go) %a, %b, %a : {VECTOR}, {VECTOR}, {VECTOR}
  }} do {{
  ^bb0(%c: {VECTOR}, %k: {VECTOR}, %same: {VECTOR}):{LOWER}
    scf.yield %d : {VECTOR}
  }}
  %changed = tensor.insert %zero into %r#0[%c0] : {VECTOR}
  return %changed, %r#1, %r#2 : {VECTOR}, {VECTOR}, {VECTOR}
""",
)
DROPPED = function(
    f"(%x: {VECTOR}) -> f64",
    f"""
  %n = tensor.dim %x, %c0 : {VECTOR}
  %r = scf.while (%a = %x) : ({VECTOR}) -> (f64) {{{HALVE}
    scf.condition(%go) %s : f64
  }} do {{
  ^bb0(%t: f64):
    %d = "soac.map"(%n) ({{
    ^bb0(%i: index):
      %l = arith.subf %t, %half_outside : f64
      "soac.yield"(%l) : (f64) -> ()
    }}) {{operandSegmentSizes = array<i32: 1, 0, 0>}} : (index) -> {VECTOR}
    scf.yield %d : {VECTOR}
  }}
  return %r : f64
""".replace("%n = tensor.dim", "%half_outside = arith.constant 0.5 : f64\n  %n = tensor.dim"),
)


def halved_and_lowered(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What is carried and what the condition makes of it, when the loop ends."""
    while (x * 0.5)[0] > 1.0:
        x = x - 1.0
    return x, x * 0.5


def computed(x: np.ndarray) -> list[np.ndarray]:
    while (x := x * 0.5)[0] > 1.0:
        x = x - 1.0
    return [x]


def twice(x: np.ndarray) -> list[np.ndarray]:
    carried, halves = halved_and_lowered(x)
    return [np.concatenate(([0.0], carried[1:])), halves, carried]


def dropped(x: np.ndarray) -> list[np.ndarray]:
    while (s := x[0] * 0.5) > 1.0:
        x = np.full(len(x), s - 0.5)
    return [s]


PROGRAMS = {"computed": (COMPUTED, computed), "twice": (TWICE, twice), "dropped": (DROPPED, dropped)}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("first", [0.5, 9.0, 40.0])
@pytest.mark.parametrize(("text", "reference"), PROGRAMS.values(), ids=PROGRAMS)
def test_what_the_condition_hands_on(
    text: str, reference: Callable[[np.ndarray], list[np.ndarray]], first: float, mode: str
) -> None:
    x = np.array([first, 3.0, -2.0])
    check(text, (x,), *reference(x), mode=mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", [text for text, _ in PROGRAMS.values()], ids=PROGRAMS)
def test_nothing_stays_in_memory(text: str, mode: str) -> None:
    x = np.linspace(50.0, 90.0, 5000)
    before = memory_counters().live_bytes
    run(text, x, mode=mode)
    assert memory_counters().live_bytes == before
