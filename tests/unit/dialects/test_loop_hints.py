"""Attributes of the dialect `ad` on loops: valid ones pass, every wrong one has its message."""

from __future__ import annotations

import pytest

from tapeless._mlir import ir
from tapeless.dialects.ad import HINTS, verify_loop_hints
from tapeless.dialects.context import make_context

FOR = """func.func @f(%n: index, %c: f64) -> f64 {{
  %r = scf.for %i = %n to %n step %n iter_args(%x = %c) -> f64 {{
    scf.yield %x : f64
  }} {{{hints}}}
  return %r : f64
}}"""
WHILE = """func.func @f(%c: f64, %ok: i1) -> f64 {{
  %r = scf.while (%x = %c) : (f64) -> f64 {{
    scf.condition(%ok) %x : f64
  }} do {{
  ^bb0(%x: f64):
    scf.yield %x : f64
  }} attributes {{{hints}}}
  return %r : f64
}}"""
LARGER = """func.func @f(%c: f64) -> f64 {{
  %r = arith.maximumf %c, %c {{{hints}}} : f64
  return %r : f64
}}"""
VALID = [
    (LARGER, "ad.ties"),
    (FOR, "ad.stripmine = 2 : i64"),
    (FOR, "ad.budget = 8 : i64"),
    (FOR, "ad.true_dep = array<i64: 0>"),
    (FOR, "ad.unroll"),
    (FOR, "ad.lean"),
    (FOR, "ad.bennett"),
    (WHILE, "ad.bound = 0 : i64"),
    (WHILE, "ad.true_dep = array<i64>"),
]
INVALID = [
    (FOR, "ad.ties", "'scf.for' op has the attribute ad.ties; put it on arith.maximumf or arith.minimumf"),
    (FOR, "ad.stripmine = 0 : i64", "'scf.for' op has ad.stripmine = 0 : i64; make it an integer of at least 1"),
    (FOR, 'ad.budget = "big"', "'scf.for' op has ad.budget = \"big\"; make it an integer of at least 1"),
    (FOR, "ad.bound = 3 : i64", "'scf.for' op has the attribute ad.bound; put it on scf.while"),
    (FOR, "ad.unroll = 1 : i64", "'scf.for' op has ad.unroll = 1 : i64; make it a unit attribute"),
    (WHILE, "ad.bound = -1 : i64", "'scf.while' op has ad.bound = -1 : i64; make it an integer of at least 0"),
    (FOR, "ad.true_dep = array<i64: 1>", "make it array<i64: ...> of positions of carried values"),
    (FOR, "ad.strip = 1 : i64", "'scf.for' op has the unknown attribute ad.strip; use one of ad.stripmine"),
]


def check(template: str, hints: str) -> tuple[bool, list[str]]:
    context = make_context()
    messages: list[str] = []
    module = ir.Module.parse(template.format(hints=hints), context)
    with context.attach_diagnostic_handler(lambda diagnostic: messages.append(diagnostic.message) or True):
        return verify_loop_hints(module), messages


@pytest.mark.parametrize(("template", "hints"), VALID)
def test_valid_hint_passes(template: str, hints: str) -> None:
    assert check(template, hints) == (True, [])


@pytest.mark.parametrize(("template", "hints", "message"), INVALID)
def test_wrong_hint_is_reported(template: str, hints: str, message: str) -> None:
    valid, messages = check(template, hints)
    assert not valid
    assert len(messages) == 1
    assert message in messages[0]


def test_every_hint_has_a_valid_case() -> None:
    assert {hints.split(" =")[0] for _, hints in VALID} == set(HINTS)
