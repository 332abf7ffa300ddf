"""Rules of numbers: operations that core IR has as well, and constants."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, math
from tapeless.passes.imports.emit import powers, scalars
from tapeless.passes.imports.linalg.arrays import splat
from tapeless.passes.imports.linalg.rebuild import Rebuild, Translate, copied
from tapeless.passes.imports.stablehlo.resources import elements_of
from tapeless.passes.imports.stablehlo.translator import refuse
from tapeless.passes.ir.build import flags, number
from tapeless.passes.ir.constants import constant_of
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named

INFINITY = float("inf")
ARITH = (
    "addf subf mulf divf negf remf maximumf minimumf maxnumf minnumf cmpf addi subi muli divsi divui remsi remui "
    "ceildivsi ceildivui floordivsi andi ori xori shli shrsi shrui maxsi minsi maxui minui cmpi select extf truncf "
    "sitofp uitofp fptosi fptoui extsi extui trunci index_cast index_castui"
)
MATH = (
    "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt cbrt sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh "
    "atanh erf erfc absf absi copysign powf fma floor ceil trunc round roundeven isnan isfinite ctlz cttz ctpop"
)


def _constant(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    """A number, or an array; one whose elements are all equal is filled with the number."""
    type_ = op.results[0].type
    if not isinstance(type_, ir.RankedTensorType):
        return copied(rebuild, op, operands)
    elements = elements_of(op)
    if elements.is_splat and 0 not in type_.shape:
        return [splat(arith.ConstantOp(type_.element_type, elements.get_splat_value()).result, list(type_.shape))]
    return [arith.ConstantOp(elements.type, elements).result]


def _index(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    dimension = ir.IntegerAttr(op.attributes["dim"]).value
    return [rebuild.indices[dimension]]


def _select(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    if any(isinstance(operand.type, ir.RankedTensorType) for operand in operands[:1]):
        refuse(op, "chooses among arrays by an array; run convert-elementwise-to-linalg first")
    return copied(rebuild, op, operands)


def _whole_power(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    """A float to the power of an integer: of one that is known as of the float that it is."""
    base, exponent = operands
    known = constant_of(exponent)
    if known is None:
        return [powers.power(base, scalars.convert(base.type)(exponent))]
    return [powers.power(base, number(base.type, ir.IntegerAttr(known).value))]


def _power_of_integers(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    return [powers.power(*operands)]


def _is_infinite(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    size = math.AbsFOp(operands[0]).result
    return [scalars.compare_floats("eq", size, number(size.type, INFINITY))]


def _sine_and_cosine(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    return [function(operands[0], fastmath=flags()).result for function in (math.SinOp, math.CosOp)]


def _clamp(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    """The nearest number between two; a NaN stays one."""
    value, low, high = operands
    raised = arith.MaximumFOp(value, low, fastmath=flags()).result
    return [arith.MinimumFOp(raised, high, fastmath=flags()).result]


def _bitcast(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    return [scalars.bitcast(op.results[0].type)(operands[0])]


RULES: dict[str, Translate] = {
    **{f"arith.{name}": copied for name in ARITH.split()},
    **{f"math.{name}": copied for name in MATH.split()},
    "arith.constant": _constant,
    "arith.select": _select,
    "arith.bitcast": _bitcast,
    "math.clampf": _clamp,
    "math.sincos": _sine_and_cosine,
    "math.fpowi": _whole_power,
    "math.ipowi": _power_of_integers,
    "math.isinf": _is_infinite,
    "linalg.index": _index,
}

WRITTEN_OUT = ("math.clampf", "math.fpowi", "math.ipowi", "math.isinf", "math.sincos")
"""Operations of a dialect of core IR that have code and derivatives only when they are written out."""


def write_out(module: ir.Module) -> None:
    """Replaces them in core IR, wherever they stand, as functions of linalg have it."""
    rebuild = Rebuild(RULES)
    for function in module.body.operations:
        for op in ops_named(function, *WRITTEN_OUT):
            with ir.InsertionPoint(op), op.location:
                replace_op(op, RULES[op.operation.name](rebuild, op.operation, list(op.operation.operands)))
