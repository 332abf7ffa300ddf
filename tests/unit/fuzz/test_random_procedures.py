"""Random reversible procedures against their interpreter: a few in every run of the tests, more by `make fuzz`."""

from __future__ import annotations

import re

import pytest

from fuzz.checks.subject import Values
from fuzz.families import family
from fuzz.fault import Fault
from fuzz.files import load, save
from fuzz.search import find_subject
from fuzz.shrink import shrink

PROCEDURES = family("procedures")
PROGRAMS, FIRST = 56, 22
ROTATION: tuple[tuple[str, ...], ...] = (
    ("value", "inverse"),
    ("value",),
    ("value", "letter"),
    ("value", "inverse"),
    ("value", "unchecked"),
    ("value", "gradient"),
    ("value",),
    ("value", "inverse", "adjoint"),
    ("value", "inplace"),
    ("value", "threads"),
    ("value", "second"),
)
"""What is checked, in turn: every check twice each time, and more often by `make thorough`."""

# What the generator must write sooner or later; a table that is never used shows here.
WANTED = (
    r"\w+ \+= ",
    r"\w+\[\w+\] -= ",
    r"\w+\[:, -?\w+\] [-+]= ",
    r"\w+\[1:\] [-+]= ",
    r"\^= ",
    r"\*= ",
    r"/= ",
    r"(\w+), (\w+) = \2, \1",
    r"(\w+\[.*\]) = -\1",
    r"tl\.recip\(",
    r"tl\.rot\(",
    r"tl\.hadamard\(",
    r"tl\.ancilla\(tl\.zeros\(",
    r"tl\.ancilla\(.*exit=",
    r"tl\.ancilla\(.*tl\.ancilla\(",
    r"tl\.new_stack\(",
    r"tl\.push\(",
    r"tl\.pop\(",
    r"with tl\.routine\(\)",
    r"~r\d+",
    r"if tl\.cond\(",
    r"elif ",
    r"while tl\.cond\(",
    r"range\(.*, -\d\)",
    r"range\(.*, step0\)",
    r"\bhelper0\(",
    r"\(~helper0\)\(",
    r"t\d+ = ",
    r"pure0\(",
    r"tl\.In\[tl\.i64\[",
    r"tl\.f64\[\d",
)


def test_a_seed_is_a_program() -> None:
    assert PROCEDURES.draft(7, 0) == PROCEDURES.draft(7, 0)
    assert PROCEDURES.draft(7, 0).text != PROCEDURES.draft(7, 1).text


def test_everything_is_written() -> None:
    texts = "\n".join(PROCEDURES.draft(seed, 0).text for seed in range(300))
    assert [pattern for pattern in WANTED if not re.search(pattern, texts)] == []


def test_some_checks_fail() -> None:
    subjects = [find_subject("procedures", seed) for seed in range(60)]
    failing = [each.expected.results is None for each in subjects]
    assert 3 <= sum(failing) < 20


@pytest.mark.one_in(24)
@pytest.mark.parametrize(
    "seed", [*range(FIRST), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(FIRST, PROGRAMS))]
)
def test_procedure(seed: int) -> None:
    subject = find_subject("procedures", seed)
    subject.program = subject.program.checked(*ROTATION[seed % len(ROTATION)])
    fault = PROCEDURES.first_fault(subject)
    assert fault is None, f"seed {seed}: {fault}\n{subject.program.text}\n{fault.detail}"


def test_files_give_procedures_back(tmp_path) -> None:
    program = PROCEDURES.draft(3, 0)
    loaded = load(save(tmp_path, program, Fault("value", "differs")))
    assert (loaded.parameters, loaded.sizes, loaded.checks) == (program.parameters, program.sizes, program.checks)
    assert results(loaded) == results(program)


def results(program) -> str:
    outcome: Values | None = PROCEDURES.fit_subject(program).expected.results
    return repr(outcome)


def test_shrinking_drops_statements() -> None:
    """A made-up fault of all programs with a rotation."""
    wanted = Fault("value", "made up")

    def check(program) -> Fault | None:
        PROCEDURES.fit_subject(program)
        return wanted if "tl.rot(" in program.text else None

    subject = next(each for each in map(fit, range(99)) if each and "tl.rot(" in each.program.text)
    small, fault = shrink(subject.program, wanted, check, seconds=5.0)
    assert fault == wanted
    assert len(small.text.splitlines()) < 12


def fit(seed: int):
    return find_subject("procedures", seed)
