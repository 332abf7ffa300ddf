"""Explains a segment's derivative: its cost, the rules that simplified it, and its formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.decisions import notation, note
from tapeless.passes.phi.cost import operations
from tapeless.passes.phi.differentiate.derivative import Derivative
from tapeless.passes.phi.differentiate.finish import Finished
from tapeless.passes.phi.formula.formula import LATEX, TEXT, formula
from tapeless.passes.phi.graph.nodes import Node

NOTATIONS = {"text": TEXT, "latex": LATEX}
LONGEST_FORMULA = 40
INDENT = " " * 12


@dataclass(frozen=True)
class Form:
    """A form of derivative, `vjp` or `jvp`: which results or inputs its seeds are of, and which its roots."""

    name: str
    given: Sequence[int]
    wanted: Sequence[int]


def note_derivative(op: ir.OpView, form: Form, raw: Derivative, done: Finished) -> None:
    """Notes a derivative at the line of its segment, if anybody asks."""
    asked = notation()
    if asked is None:
        return
    lines = _formula(form, raw, done, asked)
    if len(lines) > LONGEST_FORMULA:
        lines = [*lines[:LONGEST_FORMULA], f"and {len(lines) - LONGEST_FORMULA} lines more"]
    before, after = operations(raw.roots), operations(done.derivative.roots)
    text = f"{after} operations instead of {before}{_rules(done.fired)}"
    note(form.name, op, "\n".join([text, *(INDENT + line for line in lines)]))


def _formula(form: Form, raw: Derivative, done: Finished, asked: str) -> list[str]:
    """First the subexpressions of the primal values, then those of the derivative; inputs are x, results y."""
    of, moved, seed = ("x", "bar", "y") if form.name == "vjp" else ("y", "dot", "x")
    names: dict[Node, str] = {node: f"x{place + 1}" for place, node in enumerate(raw.inputs)}
    names |= {node: f"{seed}{place + 1}_{moved}" for place, node in zip(form.given, raw.seeds, strict=True)}
    there = {f"v{place + 1}": raw.images[node] for place, node in enumerate(done.saved)}
    values = formula(there, names, NOTATIONS[asked]).splitlines() if there else []
    names |= dict(zip(done.saved.values(), there, strict=True))
    names |= {raw.graph.fresh("f64"): f"t{place + 1}" for place in range(len(values) - len(there))}
    results = {f"{of}{place + 1}_{moved}": root for place, root in zip(form.wanted, done.derivative.roots, strict=True)}
    return [*values, *formula(results, names, NOTATIONS[asked]).splitlines()]


def _rules(fired: Counter[str]) -> str:
    named = [name if count == 1 else f"{name} ({count} times)" for name, count in fired.most_common()]
    return f"; rules: {', '.join(named)}" if named else ""
