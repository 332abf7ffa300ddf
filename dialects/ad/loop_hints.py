"""Attributes that steer the differentiation of one loop, or of an extreme of two numbers, and their verification.

| attribute | on | meaning |
| --- | --- | --- |
| `ad.stripmine = k : i64` | `scf.for` | split into k nested loops, each checkpointed, before differentiating (k >= 1) |
| `ad.budget = n : i64` | `scf.for` | keep at most n copies of the carried values at once (n >= 1) |
| `ad.bennett` | `scf.for` | run by Bennett's scheme, in stretches of as many parts as `ad.budget` says |
| `ad.true_dep = array<i64: i, ...>` | `scf.for`, `scf.while` | carried values (positions) that must be kept |
| `ad.bound = n : i64` | `scf.while` | at most n iterations; more is an error at run time (n >= 0) |
| `ad.unroll` | `scf.for` | unroll completely before differentiating |
| `ad.lean` | `scf.for` | keep no values of the body for the way back; strip-mined loops have it |
| `ad.ties` | `arith.maximumf`, `arith.minimumf` | equal operands have half of the derivative each |
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import BENNETT, BOUND, BUDGET, LEAN, STRIPMINE, TIES, TRUE_DEP, UNROLL
from tapeless.dialects.verification import Problems, report

FOR, WHILE = "scf.for", "scf.while"
EXTREMES = ("arith.maximumf", "arith.minimumf")


@dataclass(frozen=True)
class Hint:
    """The type of one attribute and the loops on which it may stand."""

    loops: tuple[str, ...]
    is_valid: Callable[[ir.Attribute, int], bool]
    wanted: str


def _is_integer_from(lowest: int) -> Callable[[ir.Attribute, int], bool]:
    def is_valid(value: ir.Attribute, carried: int) -> bool:
        return isinstance(value, ir.IntegerAttr) and value.value >= lowest

    return is_valid


def _are_positions(value: ir.Attribute, carried: int) -> bool:
    return isinstance(value, ir.DenseI64ArrayAttr) and all(0 <= position < carried for position in value)


def _is_flag(value: ir.Attribute, carried: int) -> bool:
    return isinstance(value, ir.UnitAttr)


HINTS: dict[str, Hint] = {
    STRIPMINE: Hint((FOR,), _is_integer_from(1), "an integer of at least 1"),
    BUDGET: Hint((FOR,), _is_integer_from(1), "an integer of at least 1"),
    BENNETT: Hint((FOR,), _is_flag, "a unit attribute"),
    TRUE_DEP: Hint((FOR, WHILE), _are_positions, "array<i64: ...> of positions of carried values"),
    BOUND: Hint((WHILE,), _is_integer_from(0), "an integer of at least 0"),
    UNROLL: Hint((FOR,), _is_flag, "a unit attribute"),
    LEAN: Hint((FOR,), _is_flag, "a unit attribute"),
    TIES: Hint(EXTREMES, _is_flag, "a unit attribute"),
}


def verify_loop_hints(module: ir.Module) -> bool:
    """Checks every attribute of the dialect `ad` in a module and reports the first wrong one of each operation."""
    valid = True

    def visit(operation: ir.Operation) -> ir.WalkResult:
        nonlocal valid
        valid = report(operation.opview, hint_problems(operation)) and valid
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return valid


def hint_problems(operation: ir.Operation) -> Problems:
    """The problems of the hints on one operation."""
    for name in operation.attributes:
        if not name.startswith("ad."):
            continue
        hint = HINTS.get(name)
        value = operation.attributes[name]
        if hint is None:
            yield f"has the unknown attribute {name}; use one of {', '.join(HINTS)}"
        elif operation.name not in hint.loops:
            yield f"has the attribute {name}; put it on {' or '.join(hint.loops)}"
        elif not hint.is_valid(value, len(operation.results)):
            yield f"has {name} = {value}; make it {hint.wanted}"
