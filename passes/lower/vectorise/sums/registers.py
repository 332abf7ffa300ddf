"""Sums over the lanes of vectors: registers are added to one another, then the elements of the last one.

Note [Transposed sums]: to sum up as many vectors as a register has elements, pairs of registers are merged into one
that holds partial sums of both, until one register holds one sum per vector:

    a0 a1 a2 a3                a01 b01 a23 b23
    b0 b1 b2 b3   -- add -->                      -- add -->   a b c d
    c0 c1 c2 c3                c01 d01 c23 d23
    d0 d1 d2 d3
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, vector
from tapeless.passes.ir.build import number
from tapeless.passes.lower.vectorise.flow import is_float
from tapeless.passes.marks import FUSED
from tapeless.passes.soac.contract.mark_fma import may_contract

CONTRACT = "#arith.fastmath<contract>"
REASSOCIATE = "#arith.fastmath<reassoc,nsz,contract>"


def total(register: ir.Value) -> ir.Value:
    """The sum of the elements of a vector."""
    element = ir.VectorType(register.type).element_type
    attributes = {"kind": ir.Attribute.parse("#vector.kind<add>")}
    if is_float(element):
        attributes["fastmath"] = ir.Attribute.parse(REASSOCIATE)
    made = ir.Operation.create("vector.reduction", results=[element], operands=[register], attributes=attributes)
    return made.results[0]


def totals(registers: Sequence[ir.Value]) -> ir.Value:
    """One register with the sums of as many registers as it has elements; see Note [Transposed sums]."""
    size = len(registers)
    remaining, width = list(registers), 1
    while len(remaining) > 1:
        pairs = zip(remaining[::2], remaining[1::2], strict=True)
        remaining = [_merged(left, right, width, size) for left, right in pairs]
        width *= 2
    return remaining[0]


def folded(lanes: ir.Value, size: int, fresh: ir.Value | None) -> ir.Value:
    """The registers of a vector added to one another; lanes that are not `fresh` count as zero."""
    if fresh is not None:
        lanes = arith.SelectOp(fresh, lanes, zeros(ir.VectorType(lanes.type))).result
    first, *others = _pieces(lanes, size)
    for other in others:
        first = add(first, other)
    return first


def folded_product(product: ir.Operation, factors: Sequence[ir.Value], size: int, fresh: ir.Value | None) -> ir.Value:
    """The same for the product of two vectors, as a chain of multiply-adds."""
    left, right = (_pieces(factor, size) for factor in factors)
    masks = _pieces(fresh, size) if fresh is not None else [None] * len(left)
    sum_: ir.Value | None = None
    for a, b, mask in zip(left, right, masks, strict=True):
        part = _multiply(product, a, b)
        new = part if sum_ is None else add(sum_, part)
        if mask is not None:
            new = arith.SelectOp(mask, new, zeros(ir.VectorType(new.type)) if sum_ is None else sum_).result
        sum_ = new
    return sum_


def add(left: ir.Value, right: ir.Value) -> ir.Value:
    """The sum of two numbers or vectors."""
    element = ir.VectorType(left.type).element_type if isinstance(left.type, ir.VectorType) else left.type
    if is_float(element):
        return arith.AddFOp(left, right, fastmath=ir.Attribute.parse(CONTRACT)).result
    return arith.AddIOp(left, right).result


def zeros(type_: ir.VectorType) -> ir.Value:
    """A vector of zeros."""
    return vector.BroadcastOp(type_, number(type_.element_type, 0)).result


def _merged(left: ir.Value, right: ir.Value, width: int, size: int) -> ir.Value:
    """The sums of neighbouring runs of `width` elements, those of `left` and of `right` in turn."""
    starts = range(0, size, 2 * width)
    low = [at + k for start in starts for at in (start, size + start) for k in range(width)]
    halves = [vector.ShuffleOp(left, right, [at + offset for at in low]).result for offset in (0, width)]
    return add(*halves)


def _pieces(lanes: ir.Value, size: int) -> list[ir.Value]:
    type_ = ir.VectorType(lanes.type)
    count = type_.shape[0] // size
    if count <= 1:
        return [lanes]
    piece = ir.VectorType.get([size], type_.element_type)
    return [vector.ExtractStridedSliceOp(piece, lanes, [k * size], [size], [1]).result for k in range(count)]


def _multiply(product: ir.Operation, left: ir.Value, right: ir.Value) -> ir.Value:
    made = arith.MulFOp(left, right, fastmath=product.attributes["fastmath"])
    if may_contract(product):
        made.operation.attributes[FUSED] = ir.UnitAttr.get()
    return made.result
