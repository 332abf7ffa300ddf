"""Expected diagnostics in comments: which are met, which are missing, which come unexpected."""

from __future__ import annotations

import pytest

from tapeless.optimizer.expectations import mismatches
from tapeless.passes.diagnostics import Diagnostic, Place


def reported(line: int | None, message: str, severity: str = "error", notes=()) -> Diagnostic:
    return Diagnostic(severity, message, Place("f.mlir", line, 3) if line else None, notes)


def wrong(lines: list[str], *diagnostics: Diagnostic, only_expected: bool = False) -> list[str]:
    return [f"{d.place}: {d.message}" for d in mismatches("f.mlir", lines, diagnostics, only_expected)]


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["op // expected-error {{bad op}}"], 1),
        (["// expected-error @+1 {{bad op}}", "op"], 2),
        (["op", "// expected-error@-1 {{bad op}}"], 1),
        (["// expected-error @below {{bad op}}", "op"], 2),
        (["op", "// expected-error @above {{bad op}}"], 1),
        (["// expected-error @unknown {{bad op}}"], None),
        (["op // expected-error-re {{b{{[aeiou]}}d op}}"], 1),
        (["op // expected-error {{bad}}"], 1),
    ],
)
def test_expected_error_is_met(lines, line):
    assert wrong(lines, reported(line, "bad op")) == []
    assert wrong(lines, reported(line, "good op")) != []
    assert wrong(lines, reported(7, "bad op")) != []
    assert wrong(lines, reported(line, "bad op", "warning")) != []


def test_above_and_below_skip_other_expectations():
    lines = [
        "// expected-error @below {{a}}",
        "// expected-note @below {{b}}",
        "op",
        "// expected-warning @above {{c}}",
    ]
    notes = (reported(3, "b", "note"),)
    assert wrong(lines, reported(3, "a", notes=notes), reported(3, "c", "warning")) == []


def test_missing_and_unexpected_are_both_told():
    lines = ["op // expected-remark {{later}}"]
    assert wrong(lines, reported(1, "now")) == [
        "f.mlir:1:3: unexpected error: now",
        'f.mlir:1:7: expected remark "later" was not produced',
    ]


def test_errors_in_other_files_do_not_meet_expectations():
    elsewhere = Diagnostic("error", "bad", Place("model.py", 1, 1))
    assert wrong(["op // expected-error {{bad}}"], elsewhere) != []


def test_one_expectation_is_met_once():
    lines = ["op // expected-error {{bad}}"]
    assert wrong(lines, reported(1, "bad"), reported(1, "bad")) == ["f.mlir:1:3: unexpected error: bad"]


def test_only_expected_ignores_the_rest():
    assert wrong([], reported(1, "x"), only_expected=True) == []
    assert wrong(["// expected-error {{y}}"], reported(1, "x"), only_expected=True) != []


def test_regular_expression_parts_are_only_those_in_braces():
    lines = ["op // expected-error-re {{a.b {{x+}}}}"]
    assert wrong(lines, reported(1, "a.b xxx")) == []
    assert wrong(lines, reported(1, "aXb xxx")) != []


def test_printed_operations_need_no_expectation():
    note = reported(1, 'see current operation: "a.b"()', "note")
    assert wrong(["op // expected-error {{bad}}"], reported(1, "bad", notes=(note,))) == []
