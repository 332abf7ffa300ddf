"""From a seed to a program."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from fuzz.draft import Draft
from fuzz.program import Parameter, Program
from fuzz.scope import Scope, Variable
from fuzz.sizes import Axis, make_axes
from fuzz.statements import block, statement
from fuzz.types import Type
from fuzz.writing import INDENT, Stuck

HEAD = "import numpy as np\nimport tapeless as tl\n\n"
SHAPES = ("", "", "n", "n", "k", "q", "nk", "nk", "kn", "kk", "qkn", "nkq", "qkk", "qq")
MOST_RESULTS = 4
LARGE = 1000
Statements = dict[Callable[[Draft], object], int]
VERY_LARGE = 20_000


def draft_parameters(rng: random.Random, axes: dict[str, Axis]) -> list[Parameter]:
    """Floats of ranks 0 to 3, positions and keys, now and then an integer and a bool."""
    is_large = any(axis.size[0] > LARGE for axis in axes.values())
    dtype = "f32" if rng.random() < 0.08 and not is_large else "f64"
    shapes = ["", "n", "n", "nk", *rng.sample(SHAPES, rng.randint(1, 4))]
    kept = [shape for shape in shapes if len(shape) < 3 or not is_large]
    floats = [Type(dtype, tuple(axes[name].size for name in shape)) for shape in kept]
    positions = [Type("i64", (axes["n"].size,), axes["n"].size), Type("i64", (axes[rng.choice("nk")].size,))]
    others = [Type("i64"), Type("bool_")] if rng.random() < 0.3 else []
    names: dict[str, int] = {}
    return [_parameter(names, type_, axes) for type_ in (*floats, *positions, *others)]


def _parameter(names: dict[str, int], type_: Type, axes: dict[str, Axis]) -> Parameter:
    stem = "svmc"[type_.rank] if type_.is_float else {"i64": "j", "bool_": "b"}[type_.dtype]
    names[stem] = names.get(stem, -1) + 1
    return Parameter(f"{stem}{names[stem]}", type_, annotation(type_, axes))


def annotation(type_: Type, axes: dict[str, Axis]) -> str:
    """The type with its static sizes, or nothing if it has none."""
    statics = {axis.size: str(axis.size[0]) for axis in axes.values() if axis.is_static}
    if not any(size in statics for size in type_.sizes):
        return ""
    return f"tl.{type_.dtype}[{', '.join(statics.get(size, ':') for size in type_.sizes)}]"


def make_draft(
    rng: random.Random, axes: dict[str, Axis], parameters: list[Parameter], certain: Statements | None
) -> Draft:
    """The body of the program; with a table of certain statements, one of these and few others."""
    variables = [Variable(each.name, each.type) for each in parameters]
    d = Draft(rng, sets=len(axes["n"].size), scope=Scope(variables))
    d.is_flat = any(axis.size[0] > VERY_LARGE for axis in axes.values())
    if certain:
        block(d, 1)
        d.first_that_works(certain, tries=50)
    for _ in range(rng.choice((0, 1) if certain else (1, 2, 2, 3, 3, 4, 5))):
        try:
            statement(d)
        except Stuck:
            continue
    return d


def results(d: Draft, parameters: list[Parameter]) -> list[str]:
    """What is returned: what was computed or written, the last of it for sure, and one float at least."""
    given = {each.name for each in parameters}
    written = {name for line in d.lines for name in re.findall(r"^ *(\w+)(?:\[.*\])?(?:,.*)? [-+*]?= ", line)}
    changed = [each.name for each in d.scope.variables if each.name in written or each.name not in given]
    chosen = d.rng.sample(changed[:-1], min(len(changed[:-1]), d.rng.randint(1, MOST_RESULTS))) + changed[-1:]
    floats = [each.name for each in d.scope.variables if each.type.is_float]
    return chosen if set(chosen) & set(floats) else [*chosen, d.rng.choice(floats)]


def draft_program(seed: int, attempt: int, certain: Statements | None = None) -> Program:
    """The program of a seed; further attempts replace programs that their reference shows to be unfit."""
    rng = random.Random(f"{seed} {attempt}")
    axes = make_axes(rng)
    parameters = draft_parameters(rng, axes)
    d = make_draft(rng, axes, parameters, certain)
    head = f"@tl.function\ndef generated({', '.join(each.text for each in parameters)}):"
    body = "\n".join([head, *d.lines, f"{INDENT}return {', '.join(results(d, parameters))}"])
    text = HEAD + "\n\n".join([*d.helpers, body]) + "\n"
    return Program(
        seed, text, tuple(parameters), len(axes["n"].size) - 2, choose_checks(rng), d.has_transformation, d.has_stop
    )


def choose_checks(rng: random.Random) -> tuple[str, ...]:
    """The value always; derivatives, the oracle and threads now and then, so that a program costs a second or so."""
    chances = {
        "value": 1.0,
        "oracle": 0.1,
        "jvp": 0.27,
        "vjp": 0.35,
        "second": 0.05,
        "threads": 0.1,
        "threads of vjp": 0.06,
        "reversible": 0.4,
        "coarsened": 0.4,
    }
    return tuple(name for name, chance in chances.items() if rng.random() < chance)
