"""Shrinking keeps the fault and removes the rest; crashes end one process only."""

from __future__ import annotations

import ast
import os

import pytest

from fuzz.checks import fit_subject
from fuzz.edits import edited, edits_of
from fuzz.expected import Unfit
from fuzz.fault import Fault
from fuzz.make import draft_program
from fuzz.shrink import shrink
from fuzz.worker import Worker

FAULT = Fault("value", "made up")


def is_fit(program):
    try:
        fit_subject(program)
    except Unfit:
        return False
    return True


def made_up(word: str):
    """A check that fails wherever a word stands in a program that runs."""
    return lambda program: FAULT if word in program.text and is_fit(program) else None


@pytest.mark.one_in(2)
@pytest.mark.parametrize("word", ["tl.sort(", "tl.hist(", "for "])
def test_what_is_left_is_small(word: str) -> None:
    program = next(p for p in (draft_program(seed, 0) for seed in range(999)) if word in p.text and is_fit(p))
    small, fault = shrink(program, FAULT, made_up(word), seconds=20.0)
    assert fault == FAULT
    assert word in small.text
    assert len(small.text.splitlines()) <= 11
    assert len(small.parameters) <= 3


def test_edits_are_programs() -> None:
    text = draft_program(11, 0).text
    for edit in edits_of(text)[::25]:
        ast.parse(edited(text, edit))


def test_a_process_that_dies() -> None:
    worker = Worker()
    worker.start(("search", ("functions", 10**9)))
    os.kill(worker.process.pid, 9)
    with pytest.raises((EOFError, ConnectionError)):
        worker.answer()
    assert worker.how_it_died() == "process ended by signal 9"
    worker.stop()
