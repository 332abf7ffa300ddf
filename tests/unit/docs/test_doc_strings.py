"""Every public name has a doc string with an example, and examples give what they say."""

from __future__ import annotations

import ast
import inspect
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import pytest

import tapeless as tl
from tapeless import lang
from tapeless.frontend import language
from tapeless.frontend.syntax.comprehensions import Comprehension
from tapeless.manual import ENTRIES, SECTIONS, syntax

from .sessions import failures, is_same

CONSTANTS = {"e", "inf", "nan", "pi"}
EXPRESSIONS = {name: entry.example for name, entry in ENTRIES.items() if not entry.example.startswith(">>>")}
# What examples need beside the package.
NEEDS = {
    "sparse_hessian": "scipy",
    "sparse_jacobian": "scipy",
    "from_jax": "jax",
    "from_torch": "torch",
    "to_jax": "jax",
    "to_torch": "torch",
}
SESSIONS = sorted(set(tl.__all__) - CONSTANTS - set(EXPRESSIONS))


def test_the_manual_has_every_operator() -> None:
    assert set(ENTRIES) == set(lang.OPERATORS)
    assert sum(map(len, SECTIONS.values())) == len(ENTRIES)


@pytest.mark.parametrize("name", SESSIONS)
def test_the_example_of_a_doc_string(name: str) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    assert failures(name, inspect.getdoc(getattr(tl, name)) or "") == ""


@pytest.fixture
def compiled(tmp_path: Path) -> Callable[[list[str]], tuple[Any, ...]]:
    def values(expressions: list[str]) -> tuple[Any, ...]:
        """What expressions of the language give, compiled as one function."""
        lines = "".join(f"        {expression},\n" for expression in expressions)
        file = tmp_path / "expressions.py"
        file.write_text(f"import tapeless as tl\n\n@tl.function\ndef values():\n    return (\n{lines}    )\n")
        return runpy.run_path(str(file))["values"]()

    return values


@pytest.mark.parametrize("section", SECTIONS)
def test_the_examples_of_operators(section: str, compiled: Callable[[list[str]], tuple[Any, ...]]) -> None:
    names = [name for name in SECTIONS[section] if name in EXPRESSIONS]
    given = zip(names, compiled([EXPRESSIONS[name] for name in names]) if names else (), strict=True)
    wrong = {name: repr(value) for name, value in given if not is_same(ENTRIES[name].result, repr(value))}
    assert wrong == {}


def test_an_example_is_a_session() -> None:
    assert failures("sort", tl.sort.__doc__) == ""


# Where formulas are compared with derivatives; all functions are defined there.
POINT = {"x": 0.3, "y": 0.7, "z": 0.2}
ELSEWHERE = {"acosh": {"x": 1.3}}
FORMULAS = {
    **{name: getattr(mpmath, name) for name in ("exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{name: getattr(mpmath, name) for name in ("cbrt", "hypot", "digamma", "erfinv", "sign", "floor", "pi")},
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "trigamma": lambda x: mpmath.psi(1, x),
}


def test_formulas_are_the_derivatives(compiled: Callable[[list[str]], tuple[Any, ...]]) -> None:
    formulas = {name: entry.derivative for name, entry in ENTRIES.items() if isinstance(entry.derivative, tuple)}
    requests, expected = [], []
    for name, partials in formulas.items():
        point = {each: POINT[each] for each in lang.OPERATORS[name].__signature__.parameters} | ELSEWHERE.get(name, {})
        assert len(partials) == len(point)
        taken, given = ", ".join(point), ", ".join(map(repr, point.values()))
        for k, partial in enumerate(partials):
            requests.append(f"tl.grad(lambda {taken}: tl.{name}({taken}), argnums={k})({given})")
            expected.append(float(eval(partial, {"__builtins__": {}, **FORMULAS, **point})))
    found = compiled(requests)
    wrong = [
        each for each in zip(requests, found, expected, strict=True) if each[1] != pytest.approx(each[2], rel=1e-12)
    ]
    assert wrong == []


def test_the_manual_has_every_statement_and_expression() -> None:
    assert set(syntax.STATEMENTS) == set(language.STATEMENTS)
    as_written = {ast.ListComp if kind is Comprehension else kind for kind in language.EXPRESSIONS}
    assert set(syntax.EXPRESSIONS) == as_written


def test_the_examples_of_statements_and_expressions() -> None:
    table = {**syntax.STATEMENTS, **syntax.EXPRESSIONS}
    assert "".join(failures(kind.__name__, each.session) for kind, each in table.items()) == ""
