"""Sizes of array axes as expressions: made from index arithmetic, written out where they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce

from tapeless._mlir import arith, ir, tensor
from tapeless.passes.ir.scopes import is_available
from tapeless.passes.ir.sizes.expressions import Computed, Dim, Size, Total
from tapeless.passes.ir.sizes.terms import Whole, plain, terms_of_arithmetic, terms_of_sum

DIVISIONS = frozenset(
    {
        "arith.divsi",
        "arith.divui",
        "arith.remsi",
        "arith.remui",
        "arith.ceildivsi",
        "arith.ceildivui",
        "arith.floordivsi",
    }
)

INDEX_ARITHMETIC = DIVISIONS | {
    "arith.addi",
    "arith.subi",
    "arith.muli",
    "arith.minsi",
    "arith.maxsi",
    "arith.minui",
    "arith.maxui",
    "arith.index_cast",
    "arith.index_castui",
    "arith.extsi",
    "arith.extui",
    "arith.trunci",
    "arith.cmpi",
    "arith.select",
    "arith.andi",
    "arith.ori",
    "arith.xori",
}

FOLDS: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.minsi": min,
    "arith.maxsi": max,
}

IDENTITIES = {"arith.addi": 0, "arith.subi": 0, "arith.muli": 1}


def constant_int(value: ir.Value) -> int | None:
    """The value of an integer or index constant."""
    if isinstance(value, ir.BlockArgument):
        return None
    op = value.owner
    if op.operation.name != "arith.constant":
        return None
    attribute = op.attributes["value"]
    return int(attribute.value) if isinstance(attribute, (ir.IntegerAttr, ir.BoolAttr)) else None


def total(parts: Iterable[Size]) -> Size:
    """The sum of sizes, constants folded and equal ones counted."""
    counts: dict[Size, int] = {}
    fixed = 0
    for part, times in _summands(parts):
        if isinstance(part, int):
            fixed += part * times
        else:
            counts[part] = counts.get(part, 0) + times
    if not counts:
        return fixed
    left = (*counts.items(), *([(fixed, 1)] if fixed else []))
    return left[0][0] if len(left) == 1 and left[0][1] == 1 else plain(Total(left, terms_of_sum(left)))


def _summands(parts: Iterable[Size]) -> Iterator[tuple[Size, int]]:
    for part in parts:
        if isinstance(part, Total):
            yield from part.parts
        else:
            yield part, 1


def computed(value: ir.Value, operands: tuple[Size, ...]) -> Size:
    """The size that an index-arithmetic operation computes, folded where its operands are known."""
    op = value.owner
    name = op.operation.name
    known = [operand for operand in operands if isinstance(operand, int)]
    if len(known) == len(operands) == 2 and name in FOLDS:
        return FOLDS[name](*known)
    if name in IDENTITIES and operands[1] == IDENTITIES[name]:
        return operands[0]
    if name in IDENTITIES and name != "arith.subi" and operands[0] == IDENTITIES[name]:
        return operands[1]
    if name in ("arith.minsi", "arith.maxsi") and operands[0] == operands[1]:
        return operands[0]
    attributes = (value.type, *(op.attributes[each] for each in op.attributes))
    terms = terms_of_arithmetic(Whole(name, operands, attributes, value))
    return plain(Computed(name, operands, attributes, value, terms))


def can_write(size: Size, at: ir.InsertionPoint) -> bool:
    """Whether a size can be computed from the values available at the insertion point."""
    if isinstance(size, int):
        return True
    if isinstance(size, Dim):
        return is_available(size.array, at)
    if isinstance(size, Total):
        return all(can_write(part, at) for part, _ in size.parts)
    if isinstance(size, Computed):
        return is_available(size.model, at) or _can_copy(size, at)
    return is_available(size, at)


def _can_copy(size: Computed, at: ir.InsertionPoint) -> bool:
    """Copies run where the original may not have run, so only divisions by a known non-zero number are copied."""
    if size.name in DIVISIONS and not (isinstance(size.operands[1], int) and size.operands[1] > 0):
        return False
    return all(can_write(operand, at) for operand in size.operands)


def write(size: Size, at: ir.InsertionPoint) -> ir.Value | int:
    """Computes a size at the insertion point (`can_write` must hold); constants stay Python integers."""
    if isinstance(size, Dim):
        return tensor.dim(size.array, as_value(size.axis, at), ip=at, loc=at_location(at))
    if isinstance(size, Total):
        values = [_multiple(as_value(write(part, at), at), times, at) for part, times in size.parts]
        return reduce(lambda a, b: arith.addi(a, b, ip=at, loc=at_location(at)), values)
    if isinstance(size, Computed):
        return _copy(size, at)
    return size


def _multiple(value: ir.Value, times: int, at: ir.InsertionPoint) -> ir.Value:
    return value if times == 1 else arith.muli(value, as_value(times, at), ip=at, loc=at_location(at))


def as_value(size: ir.Value | int, at: ir.InsertionPoint) -> ir.Value:
    """A size as an `index` value at the insertion point."""
    if not isinstance(size, int):
        return size
    return arith.constant(ir.IndexType.get(at.block.owner.context), size, ip=at, loc=at_location(at))


def at_location(at: ir.InsertionPoint) -> ir.Location:
    """The location of the code around an insertion point."""
    return at.ref_operation.location if at.ref_operation is not None else at.block.owner.location


def _copy(size: Computed, at: ir.InsertionPoint) -> ir.Value:
    if is_available(size.model, at):
        return size.model
    original = size.model.owner.operation
    pairs = zip(original.operands, size.operands, strict=True)
    operands = [_like(operand, write(part, at), at) for operand, part in pairs]
    copy = original.clone(ip=at)
    for position, operand in enumerate(operands):
        copy.operands[position] = operand
    return copy.results[0]


def _like(original: ir.Value, size: ir.Value | int, at: ir.InsertionPoint) -> ir.Value:
    """The size with the type that the copied operation expects at this place."""
    if isinstance(size, int):
        return arith.constant(original.type, size, ip=at, loc=at_location(at))
    return size
