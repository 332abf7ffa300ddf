"""The pass `ad-digests`: loops with promised arrays (`ad.promise`) carry a digest of all loads from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import DIGEST
from tapeless.passes.ad.copying import free_values
from tapeless.passes.ad.redundant.control.promised import WRITES, promised_by_user
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.build import dim, is_array, map_, number, reduce_
from tapeless.passes.ir.rebuild import recreate, replace_op, retarget_terminator
from tapeless.passes.ir.regions.structure import arguments_of, operands_of

Versions = set[ir.Value]


@dataclass(frozen=True)
class Digests(FunctionPass):
    """Adds a checksum of all loads from promised arrays to their loops, so that a broken promise is found.

    ```mlir
    scf.for ... iter_args(%a = %x) {                  scf.for ... iter_args(%a = %x, %digest = 0) {
      %b = "ad.promise"(%a)                                %b = "ad.promise"(%a)
      %v = tensor.extract %b[%i]                        %v = tensor.extract %b[%i]
      ...                                               ... (%digest mixed with %v)
    }                                                 } {ad.digest}
    ```
    The return sweep runs every iteration again on the final arrays and compares the digest it comes to with the one
    from before (`passes/ad/redundant/control/promised.py`). It is an `i64`, the last carried value of loops marked
    `ad.digest`.
    """

    name: ClassVar[str] = "ad-digests"

    def run_on(self, function: ir.OpView) -> None:
        """Rewrites the loops of the function that have promised arrays, and the loops and branches in them."""
        digest_reads(function)


def digest_reads(function: ir.OpView) -> None:
    """Gives a digest to every loop of a function that has promised arrays, and to the loops and branches in it."""
    for op in _outermost(function):
        with ir.InsertionPoint(op), op.location:
            start = number(ir.IntegerType.get_signless(64), 0)
            _loop(op, set(), start)


def _outermost(op: ir.OpView) -> Iterator[ir.OpView]:
    for region in op.operation.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                if inner.operation.name == "scf.for" and promised_by_user(inner):
                    yield inner
                else:
                    yield from _outermost(inner)


def _block(block: ir.Block, versions: Versions, digest: ir.Value) -> ir.Value:
    """Adds the loads of a block from the versions of promised arrays; gives the digest after them."""
    for op in list(block.operations)[:-1]:
        if _writes_into(op, versions):
            versions.update(op.operation.results)
        elif versions.intersection([*op.operation.operands, *free_values(op)]) or _is_promised(op):
            digest = STRUCTURED.get(op.operation.name, _statement)(op, versions, digest)
    return digest


def _is_promised(op: ir.OpView) -> bool:
    return op.operation.name == "scf.for" and bool(promised_by_user(op))


def _writes_into(op: ir.OpView, versions: Versions) -> bool:
    name = op.operation.name
    return name in WRITES and op.operation.operands[WRITES[name]] in versions


def _statement(op: ir.OpView, versions: Versions, digest: ir.Value) -> ir.Value:
    following = op.operation.block.operations
    position = next(k for k, each in enumerate(following) if each.operation == op.operation)
    with ir.InsertionPoint(following[position + 1]), op.location:
        for result in op.operation.results:
            digest = mixed(digest, result)
    return digest


def _loop(op: ir.OpView, versions: Versions, digest: ir.Value) -> ir.Value:
    """The loop with the digest as one more carried value."""
    initial, block = operands_of(op, "carried"), op.operation.regions[0].blocks[0]
    positions = promised_by_user(op)
    carried = [k for k, value in enumerate(initial) if value in versions or k in positions]
    inner = versions | {arguments_of(op, "carried")[k] for k in carried}
    argument = block.add_argument(digest.type, op.location)
    _end(block, inner, argument)
    made = _with_digest(op, [[*op.operation.operands, digest]])
    if positions:
        made.operation.attributes[DIGEST] = ir.UnitAttr.get()
    versions.update(made.operation.results[k] for k in carried)
    return made.operation.results[len(initial)]


def _branch(op: ir.OpView, versions: Versions, digest: ir.Value) -> ir.Value:
    """The branch with the digest as one more result; arrays that one side takes from a promised one are versions."""
    ends = []
    for region in op.operation.regions:
        inner = set(versions)
        yielded = list(region.blocks[0].operations)[-1].operation.operands
        _end(region.blocks[0], inner, digest)
        ends.append([value in inner for value in yielded])
    count = len(op.operation.results)
    made = _with_digest(op, [list(op.operation.operands)])
    versions.update(made.operation.results[k] for k in range(count) if any(end[k] for end in ends))
    return made.operation.results[count]


def _end(block: ir.Block, versions: Versions, digest: ir.Value) -> None:
    """Appends the digest to the operands of a block's terminator."""
    digest = _block(block, versions, digest)
    retarget_terminator(block, [*list(block.operations)[-1].operation.operands, digest])


def _with_digest(op: ir.OpView, groups: list[list[ir.Value]]) -> ir.OpView:
    made = recreate(op, groups, [*(result.type for result in op.operation.results), ir.IntegerType.get_signless(64)])
    replace_op(op, list(made.operation.results)[:-1])
    return made


STRUCTURED = {"scf.for": _loop, "scf.if": _branch}


FACTOR = 0x9E3779B97F4A7C15 - (1 << 64)
SHIFT = 29
NAN = 0x7FC00000


def mixed(digest: ir.Value, value: ir.Value) -> ir.Value:
    """A digest that depends on an earlier one and on a value; accumulators say nothing."""
    if not is_array(value) and not isinstance(value.type, SCALARS):
        return digest
    return _stirred(arith.AddIOp(digest, _fingerprint(value)).result)


def _fingerprint(value: ir.Value) -> ir.Value:
    """A 64-bit number for a scalar or an array; elements count with their places."""
    if not is_array(value):
        return _bits(value)
    width, zero = dim(value, 0), number(ir.IntegerType.get_signless(64), 0)
    rows, _ = map_(width, [value], [], lambda i, row, _: ([_stirred(_placed(i, _fingerprint(row[0])))], []))
    return reduce_(width, rows, [zero], lambda a, b: [arith.AddIOp(a[0], b[0]).result])[0]


def _placed(i: ir.Value, bits: ir.Value) -> ir.Value:
    return arith.AddIOp(bits, _stirred(_bits(i))).result


def _stirred(bits: ir.Value) -> ir.Value:
    """A number whose bits each depend on many bits of another, never the same for two."""
    product = arith.MulIOp(bits, number(bits.type, FACTOR)).result
    return arith.XOrIOp(product, arith.ShRUIOp(product, number(bits.type, SHIFT)).result).result


def _bits(value: ir.Value) -> ir.Value:
    """The bits of a scalar; doubles are rounded to single precision, since computing again may round otherwise."""
    i64, i32 = (ir.IntegerType.get_signless(width) for width in (64, 32))
    if isinstance(value.type, ir.F64Type):
        value = arith.TruncFOp(ir.F32Type.get(), value).result
    if isinstance(value.type, ir.F32Type):
        is_nan = arith.CmpFOp(arith.CmpFPredicate.UNO, value, value).result
        value = arith.SelectOp(is_nan, number(i32, NAN), arith.BitcastOp(i32, value).result).result
    if isinstance(value.type, ir.IndexType):
        return arith.IndexCastOp(i64, value).result
    return value if value.type == i64 else arith.ExtUIOp(i64, value).result


SCALARS = (ir.F64Type, ir.F32Type, ir.IndexType, ir.IntegerType)
