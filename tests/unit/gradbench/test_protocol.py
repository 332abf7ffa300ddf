"""The adapter as a process: one line for each line, whatever the line says."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from tapeless.gradbench.table import NAMES, find_problem

from .cases import cases, message
from .test_problems import assert_same


def answers(messages: list[Any], *options: str) -> list[dict[str, Any]]:
    """What one process says to lines, or to messages as lines."""
    lines = [each if isinstance(each, str) else json.dumps(each) for each in messages]
    command = [sys.executable, "-m", "tapeless.gradbench", *options]
    done = subprocess.run(command, input="\n".join(lines) + "\n", text=True, capture_output=True, check=True)
    return [json.loads(line, parse_constant=pytest.fail) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    "modules", [pytest.param(NAMES[:3], id="some"), pytest.param(NAMES, id="all", marks=pytest.mark.thorough)]
)
def test_a_whole_run(modules: Sequence[str]):
    """The derivatives of problems, each with an analysis after it."""
    functions = [(module, list(find_problem(module))[1]) for module in modules]
    messages = [{"kind": "start", "eval": "all"}, *({"kind": "define", "module": name} for name in modules)]
    for module, function in functions:
        messages.append(message(module, function, cases(module)[0].given, runs=3))
        messages.append({"kind": "analysis", "of": len(messages) - 1, "valid": True})
    numbered = [each | {"id": number} for number, each in enumerate(messages)]
    replies = answers(numbered)
    assert [reply["id"] for reply in replies] == list(range(len(numbered)))
    assert replies[0]["tool"] == "tapeless"
    assert replies[0]["config"]["method"] == "redundant"
    assert replies[0]["config"]["threads"] == 1
    assert all(reply["success"] for reply in replies[1 : 1 + len(modules)])
    evaluated = replies[1 + len(modules) :]
    assert all(list(reply) == ["id"] for reply in evaluated[1::2])
    for (module, function), reply in zip(functions, evaluated[::2], strict=True):
        assert reply["success"]
        assert_same(reply["output"], cases(module)[0].expected[function])
        names = [timing["name"] for timing in reply["timings"]]
        assert names == ["prepare", "compile", *["evaluate"] * (1 if module == "hello" else 3)]
        assert all(type(timing["nanoseconds"]) is int for timing in reply["timings"])


FAULTS = {
    "an unknown module": ({"kind": "define", "module": "fft"}, "no module 'fft'; there are hello,"),
    "a function of an unknown module": (
        {"kind": "evaluate", "module": "fft", "function": "primal", "input": {}},
        "no module 'fft'",
    ),
    "an unknown function": (
        {"kind": "evaluate", "module": "lse", "function": "hessian", "input": {}},
        "no function 'hessian' in module lse; there are primal, gradient",
    ),
    "nothing instead of a number": (
        {"kind": "evaluate", "module": "hello", "function": "square", "input": None},
        "TypeError",
    ),
    "an input without its fields": (
        {"kind": "evaluate", "module": "lse", "function": "primal", "input": {"min_runs": 1, "min_seconds": 0}},
        "KeyError: 'x'",
    ),
    "a result that is not finite": (
        {
            "kind": "evaluate",
            "module": "llsq",
            "function": "primal",
            "input": {"x": [1.0], "n": 1, "min_runs": 1, "min_seconds": 0},
        },
        "not JSON compliant",
    ),
}


def test_faults_are_told_and_the_next_message_is_answered():
    messages = [message | {"id": number} for number, (message, _) in enumerate(FAULTS.values())]
    good = {"id": 10, "kind": "evaluate", "module": "hello", "function": "square", "input": 3}
    *replies, last = answers(["no JSON", *messages, {"id": 9, "kind": "farewell"}, good], "--method", "coarsened")
    assert replies[0]["id"] is None
    assert replies[-1] == {"id": 9}
    for number, (reply, (_, reason)) in enumerate(zip(replies[1:-1], FAULTS.values(), strict=True)):
        assert (reply["id"], reply["success"]) == (number, False)
        assert reason in reply["error"]
    assert (last["id"], last["output"]) == (10, 9.0)


def test_options():
    (start,) = answers([{"id": 0, "kind": "start"}], "--method", "reversible", "--multithreaded")
    assert start["config"]["method"] == "reversible"
    assert start["config"]["threads"] >= 1
    refused = subprocess.run([sys.executable, "-m", "tapeless.gradbench", "--method", "tape"], capture_output=True)
    assert refused.returncode == 2


def test_importing_the_package_does_not_load_it():
    code = "import sys, tapeless; sys.exit(any('gradbench' in name for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
