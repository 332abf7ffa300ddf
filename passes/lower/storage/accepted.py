"""What `lower-loops` takes: anything else is refused before memory is planned for it, at the user's line."""

from __future__ import annotations

from collections.abc import Iterable

from tapeless._mlir import func, ir
from tapeless.dialects.soac import AccType
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.lower.storage.signature import marked_dtypes

# What arrays hold and callers hand over, and what else may be computed with in between.
ELEMENTS = frozenset({"f64", "f32", "i64", "i32", "i16", "i1", "index"})
SCALARS = ELEMENTS | {"f16", "bf16", "i8"}
WHAT_TO_USE = "use f64, f32, i64, i32, i1, index, and arrays of rank 1 or more of them"

SCALAR_DIALECTS = frozenset({"arith", "math"})
SCALAR_OPS = frozenset({"soac.fn", "soac.guard"})
# Operations on scalars that have no code, and what to use instead.
WITHOUT_CODE = {
    "math.ipowi": "multiply, or use math.fpowi",
    "math.clampf": "use arith.maximumf and arith.minimumf",
    "math.isinf": "compare math.absf with infinity",
    "math.isnormal": "compare math.absf with the smallest normal number and with infinity",
    "arith.convertf": "use arith.extf or arith.truncf",
    "arith.scaling_extf": "multiply by the scale",
    "arith.scaling_truncf": "divide by the scale",
    "arith.flush_denormals": "compute with what is there",
}
# The operations with rules of their own (`emission/lower_loops.py`).
STRUCTURAL = frozenset(
    {
        "arith.constant",
        "func.call",
        *(f"scf.{name}" for name in ("for", "if", "while")),
        *(f"soac.{name}" for name in ("map", "reduce", "scan", "fused", "hist", "fused_hist", "scatter", "argsort")),
        *(f"soac.{name}" for name in ("with_acc", "update", "assert", "report", "reverse", "transpose", "widen")),
        *(f"tensor.{name}" for name in ("cast", "concat", "dim", "empty", "extract", "extract_slice", "from_elements")),
        *(f"tensor.{name}" for name in ("insert", "insert_slice", "reshape", "splat")),
    }
)
ENDS = frozenset({"func.return", "scf.yield", "scf.condition", "soac.yield"})


def check_signature(function: func.FuncOp) -> None:
    """Refuses a function that callers could not hand an argument to, or take a result from."""
    sides = (("takes", function.type.inputs, "arg_attrs"), ("returns", function.type.results, "res_attrs"))
    for verb, types, facts in sides:
        marked = marked_dtypes(function, facts)
        for place, type_ in enumerate(types):
            is_bits = getattr(type_, "element_type", type_) == ir.IntegerType.get_signless(16)
            if isinstance(type_, AccType) or not _has_code(type_, ELEMENTS) or (is_bits and place not in marked):
                raise OpRefused(function, f"{verb} a value of type {type_}; {WHAT_TO_USE}")


def check_body(root: func.FuncOp) -> None:
    """Refuses what in a function has no lowering and is not on scalars, or has values of other types."""
    types: dict[ir.Type, bool] = {}
    pending: list[ir.OpView] = [root]
    while pending:
        op = pending.pop()
        if op is not root:
            _check_operation(op)
            _check_types(op, op.results, types)
        blocks = [block for region in op.regions for block in region.blocks]
        for block in blocks:
            _check_types(op, block.arguments, types)
        pending += reversed([inner for block in blocks for inner in block.operations])


def _check_operation(op: ir.OpView) -> None:
    if op.operation.name == "arith.constant":
        _check_constant(op)
    elif op.operation.name not in STRUCTURAL and op.operation.name not in ENDS:
        _check_scalar_operation(op)


def _check_constant(op: ir.OpView) -> None:
    if _is_array(op.results[0]) and not isinstance(op.attributes["value"], ir.DenseElementsAttr):
        raise OpRefused(op, "holds its elements elsewhere or in a sparse form; write them as dense<...>")


def _check_scalar_operation(op: ir.OpView) -> None:
    """An operation on scalars computes one from others."""
    name = op.operation.name
    is_scalar = name.split(".")[0] in SCALAR_DIALECTS or name in SCALAR_OPS
    if not is_scalar or any(map(_is_array, (*op.operands, *op.results))):
        raise OpRefused(op, "has no lowering to loops; rewrite it with the operations of core IR")
    if name in WITHOUT_CODE:
        raise OpRefused(op, f"has no code; {WITHOUT_CODE[name]}")
    if len(op.results) != 1:
        raise OpRefused(op, f"gives {len(op.results)} results; use operations that give one")


def _check_types(op: ir.OpView, values: Iterable[ir.Value], types: dict[ir.Type, bool]) -> None:
    for value in values:
        type_ = value.type
        if type_ not in types:
            types[type_] = _has_code(type_, SCALARS)
        if not types[type_]:
            raise OpRefused(op, f"has a value of type {type_}; {WHAT_TO_USE}")


def _is_array(value: ir.Value) -> bool:
    return isinstance(value.type, (ir.ShapedType, AccType))


def _has_code(type_: ir.Type, scalars: frozenset[str]) -> bool:
    if isinstance(type_, AccType):
        type_ = type_.tensor
    if isinstance(type_, ir.RankedTensorType):
        return type_.rank > 0 and type_.encoding is None and str(type_.element_type) in ELEMENTS
    return str(type_) in scalars
