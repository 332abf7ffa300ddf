"""Checks that several operations of `phi` share."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.phi.dialect import FactAttr, FmAttr, RatAttr, YieldOp, is_symbol
from tapeless.dialects.regions import argument_problems, block_problems, yield_problems
from tapeless.dialects.verification import Problems, types_text

YIELD = YieldOp.OPERATION_NAME
FLAGS = frozenset({"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "cancel", "stable"})
FACTS = frozenset({"pos", "nonneg", "nonzero", "int"})


def same_type_problems(values: Sequence[ir.Value], out: ir.Type) -> Problems:
    """All values must have the type of the result."""
    types = [value.type for value in values]
    if any(type_ != out for type_ in types):
        yield f"has operands {types_text(types)} and result {out}; make the types equal"


def region_problems(
    name: str, region: ir.Region, arguments: Sequence[ir.Type], meaning: str, results: Sequence[ir.Type], what: str
) -> Problems:
    """A region must be one block with the wanted arguments that yields values of the wanted types."""
    yield from block_problems(name, region, YIELD)
    yield from argument_problems(name, region, arguments, meaning)
    yield from yield_problems(name, region, results, what)


def carried_problems(values: Sequence[ir.Value], outs: Sequence[ir.Value]) -> Problems:
    """Values carried around a loop must be symbols, and come out with the types they went in with."""
    inits, results = [value.type for value in values], [out.type for out in outs]
    for type_ in inits:
        if not is_symbol(type_):
            yield f"carries a value of type {type_}; carry scalars, or static arrays of at most 16 elements"
    if inits != results:
        yield f"has results {types_text(results)}; make them the carried types {types_text(inits)}"


def number_problems(name: str, attribute: ir.Attribute) -> Problems:
    """An attribute must be an exact or a floating-point number."""
    if isinstance(attribute, RatAttr):
        if ir.IntegerAttr(attribute.denominator).value <= 0:
            yield f"has {name} = {attribute}; give a denominator of at least 1"
    elif not isinstance(attribute, ir.FloatAttr | ir.IntegerAttr):
        yield f"has {name} = {attribute}; give an integer, a float or a #phi.rat"


def number_list_problems(name: str, numbers: ir.ArrayAttr, count: int) -> Problems:
    """An attribute must list one number per operand."""
    if len(numbers) != count:
        yield f"has {len(numbers)} {name} for {count} operands; give one per operand"
    for number in numbers:
        yield from number_problems(name, number)


def name_problems(name: str, kind: str, known: Sequence[str]) -> Problems:
    """A string attribute must be one of the known names."""
    if kind not in known:
        yield f"has the unknown {name} {kind!r}; use one of {', '.join(known)}"


def fact_problems(op: ir.OpView) -> Problems:
    """The fact on a result, where there is one, must be known."""
    if "fact" not in op.attributes:
        return
    fact = op.attributes["fact"]
    if not isinstance(fact, FactAttr) or ir.StringAttr(fact.fact).value not in FACTS:
        yield f"has fact = {fact}; give #phi.fact of one of {', '.join(sorted(FACTS))}"


def flag_problems(flags: ir.Attribute) -> Problems:
    """The allowed rewrites must be a `#phi.fm` of known flags."""
    given = ir.StringAttr(flags.flags).value.split(",") if isinstance(flags, FmAttr) else ["?"]
    if not set(given) <= FLAGS | {""}:
        yield f"has fm = {flags}; give #phi.fm of some of {', '.join(sorted(FLAGS))}"
