"""Programs come from their seeds alone, and the tables of the generator are used."""

from __future__ import annotations

import ast
import re

import pytest

from fuzz.checks import first_fault, fit_subject
from fuzz.families import family
from fuzz.fault import Fault
from fuzz.files import load, save
from fuzz.make import draft_program
from fuzz.search import find_subject

pytestmark = pytest.mark.one_in(2)

# What the generator must write sooner or later; a table that is never used shows here.
WANTED = (
    r"tl\.scan\(.*reverse=True",
    r"tl\.scan\(.*exclusive=True",
    r"tl\.hist\(",
    r"tl\.scatter\(",
    r"tl\.sort\(",
    r"\[tl\.argm(in|ax)\(",
    r" @ ",
    r"tl\.reshape\(",
    r"\.T\b",
    r"tl\.stack\(",
    r"tl\.concat\(",
    r"tl\.grad\(",
    r"tl\.jvp\(",
    r"stripmine=",
    r"unroll=True",
    r"tl\.bounded\(",
    r"while ",
    r"break",
    r"continue",
    r"def inner",
    r"def helper",
    r"tl\.f32",
    r"tl\.f64\[\d",
    r"\w+\[:2\], \w+\[",
    r"(\w+)\[-?\d\], \1\[-?\d\] =",
    r"old\d+ = ",
    r"\)\[0\]",
    r"\[:, -?\d\] \+=",
    r"\[::2\] =",
    r"(\w+), (\w+) = \2, \1\n",
    r"(\w+), (\w+), (\w+) = (\2, \3, \1|\3, \1, \2)\n",
    r"kept\d+ = ",
    r"(\w+), (\w+\[(:, )*\d\]) = \2, \1\n",
)


def test_a_seed_is_a_program() -> None:
    assert draft_program(7, 0) == draft_program(7, 0)
    assert draft_program(7, 0).text != draft_program(7, 1).text


def test_everything_is_written() -> None:
    texts = "\n".join(draft_program(seed, 0).text for seed in range(400))
    assert [pattern for pattern in WANTED if not re.search(pattern, texts)] == []


def test_levels_trade_names() -> None:
    """Every program of the family has the loop: alone, in a function, in a loop."""
    draft = family("levels").draft
    texts = [draft(seed, 0).text for seed in range(60)]
    trade = re.compile(r"^( +)(for|while) .*\n(\1 +.*\n)*?\1 +(\w[^=]*, \w[^=]* = |kept\d+ = )", re.MULTILINE)
    assert [text for text in texts if not trade.search(text)] == []
    assert any(re.search(r"def inner.*\n( +level.*\n)+ +for", text) for text in texts)


def test_large_arrays_occur() -> None:
    sizes = [each.type.elements for seed in range(200) for each in draft_program(seed, 0).parameters]
    assert max(sizes) > 50_000


def test_references_run() -> None:
    """No program is illegal: only what grows too large or hangs on roundings is left out."""
    assert sum(find_subject("functions", seed) is not None for seed in range(25)) > 20


def infinite_scans(text: str) -> tuple[list[ast.Call], list[ast.Call]]:
    """The scans of a program that begin with an infinite neutral element: those with a bound, and the others."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    limits = [call.args[0] for call in calls if ast.unparse(call.func) in ("tl.minimum", "tl.maximum")]
    limited = [each.value if isinstance(each, ast.Subscript) else each for each in limits]
    exclusive = [call for call in calls if any(keyword.arg == "exclusive" for keyword in call.keywords)]
    found = [call for call in exclusive if "1e+300" in ast.unparse(call.args[1])]
    return [call for call in found if call in limited], [call for call in found if call not in limited]


def test_infinite_neutral_elements_are_not_computed_with() -> None:
    bounded, bare = zip(*(infinite_scans(draft_program(seed, 0).text) for seed in range(600)), strict=True)
    assert sum(map(len, bounded)) > 0
    assert sum(map(len, bare)) == 0


def test_files_give_programs_back(tmp_path) -> None:
    program = draft_program(3, 0)
    path = save(tmp_path, program, Fault("value", "differs", 'a """quoted""" detail'))
    loaded = load(path)
    assert loaded.parameters == program.parameters
    assert first_fault(fit_subject(loaded.checked())) is None


SEEDS = [
    pytest.param(name, seed, marks=[] if seed < always else pytest.mark.thorough)
    for name, always, count in (("functions", 5, 8), ("levels", 1, 2))
    for seed in range(count)
]


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("name", "seed"), SEEDS)
def test_program(name: str, seed: int) -> None:
    """A few programs in every run of the tests, more if thorough; `make fuzz` checks new ones."""
    subject = find_subject(name, seed)
    assert subject is None or first_fault(subject) is None
