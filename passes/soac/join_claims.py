"""`soac-join-claims`: extremes of bins and the first values that equal them, found together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dialects import soac
from tapeless.dialects.regions import terminator
from tapeless.passes.ir import build
from tapeless.passes.ir.copies import Values, copy_op
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.cascade.places import is_outside_operators
from tapeless.passes.soac.simplify.prune import prune

EXTREMES = frozenset({"arith.minimumf", "arith.maximumf"})
CASTS = frozenset({"arith.index_cast"})
# What a bin holds that no value claims, and a value that does not claim its bin.
NOBODY, NONE = -1, (1 << 63) - 1


@dataclass(frozen=True)
class JoinClaims:
    """Makes one histogram of two that read the same keys and values.

    ```mlir
    %m = hist: smallest value of each bin         %m, %i = hist: smallest value of each bin with its first place
    %i = hist: first place where it is %m[key]
    ```
    Adjoints of extremes ask for such places. The destination is at no place and wins ties, and so does nobody where the
    extreme is not a number. For values of 32 bits, which fit into one word with their place.
    """

    name: ClassVar[str] = "soac-join-claims"

    def run(self, module: ir.Module) -> None:
        """Joins every pair outside of operators."""
        root = module.operation.opview
        is_changed = False
        for op in ops_named(root, "soac.fused_hist"):
            found = _claims(op)
            if found is not None:
                found.join()
                is_changed = True
        if is_changed:
            prune(root)


@dataclass(frozen=True)
class Claims:
    """A histogram of extremes, and one of the first places of values that equal them."""

    extremes: ir.OpView
    first: ir.OpView

    def join(self) -> None:
        """Replaces both by one; places are -1 where there are none."""
        old, whole = self.extremes, ir.IntegerType.get_signless(64)
        (keys, values), (dest,), (neutral,) = self.first.inputs, old.dests, old.neutral
        types = [neutral.type, whole]
        with ir.InsertionPoint(old), old.location:
            nobody, none = (build.number(whole, number) for number in (NOBODY, NONE))
            places = build.filled(self.first.results[0].type, [build.dim(dest, 0)], nobody)
            made = soac.FusedHistOp(
                old.width, [keys, values], [dest, places], [neutral, none], [old.results[0].type, places.type]
            )
            rows = [ir.IndexType.get(), keys.type.element_type, values.type.element_type]
            soac.fill(made.lift, rows, self._lift)
            soac.fill(made.combine, [*types, *types], self._combine)
        for name in set(old.attributes) - set(made.attributes):
            made.attributes[name] = old.attributes[name]
        replace_op(self.first, [made.operation.results[1]])
        replace_op(old, [made.operation.results[0]])

    def _lift(self, own: ir.Value, key: ir.Value, value: ir.Value) -> list[ir.Value]:
        place = arith.index_cast(ir.IntegerType.get_signless(64), own)
        return [arith.index_cast(ir.IndexType.get(), key), value, place]

    def _combine(self, left: ir.Value, left_place: ir.Value, right: ir.Value, right_place: ir.Value) -> list[ir.Value]:
        block = self.extremes.combine.blocks[0]
        copied: Values = dict(zip(block.arguments, [left, right], strict=True))
        for op in list(block.operations)[:-1]:
            copy_op(op, copied)
        best = copied[terminator(self.extremes.combine).operands[0]]
        is_left, is_right = (arith.cmpf(arith.CmpFPredicate.OEQ, each, best) for each in (left, right))
        of_both = arith.select(is_right, arith.minsi(left_place, right_place), left_place)
        nobody = build.number(left_place.type, NOBODY)
        return [best, arith.select(is_left, of_both, arith.select(is_right, right_place, nobody))]


def _claims(first: ir.OpView) -> Claims | None:
    """What finds the first places of extremes, if a histogram does and nothing but iterations are compared with it."""
    if len(first.inputs) != 2 or len(first.results) != 1 or not is_outside_operators(first):
        return None
    if not _takes_smallest(first) or not _is_compared_with_iterations(first.results[0]):
        return None
    own, key, value = first.lift.blocks[0].arguments
    place, found = terminator(first.lift).operands
    choice = _maker(found, "scf.if")
    if choice is None or not _is_cast(place, key) or not _tests(choice.operands[0], place):
        return None
    chosen, other = (terminator(region).operands[0] for region in choice.regions)
    outer = _maker(chosen, "arith.select")
    if outer is None or not _are_none([other, outer.operands[1]]):
        return None
    inner = _maker(outer.operands[2], "arith.select")
    if inner is None or not _are_none([inner.operands[2]]) or not _is_cast(inner.operands[1], own):
        return None
    result = _compared_element(inner.operands[0], value, place)
    extremes = None if result is None else _maker(result, "soac.hist")
    if extremes is None or extremes.block != first.operation.block:
        return None
    old = extremes.opview
    is_theirs = [old.keys, *old.values] == list(first.inputs) and isinstance(old.neutral[0].type, ir.F32Type)
    if not is_theirs or not _finds_extremes(old) or not _is_taken(outer.operands[0], place, old):
        return None
    return Claims(old, first)


def _maker(value: ir.Value, *names: str) -> ir.Operation | None:
    """What makes a value, if it has one of the names."""
    if isinstance(value.owner, ir.Block) or value.owner.operation.name not in names:
        return None
    return value.owner.operation


def _is_cast(value: ir.Value, wanted: ir.Value) -> bool:
    cast = _maker(value, *CASTS)
    return cast is not None and cast.operands[0] == wanted


def _are_none(values: Sequence[ir.Value]) -> bool:
    return all(constant_int(value) == NONE for value in values)


def _takes_smallest(op: ir.OpView) -> bool:
    """Whether a histogram is of smallest integers, and starts with none."""
    names = [inner.operation.name for inner in op.combine.blocks[0].operations]
    start = _maker(op.dests[0], "tensor.splat")
    return names == ["arith.minsi", "soac.yield"] and start is not None and _are_none([start.operands[0], *op.neutral])


def _finds_extremes(op: ir.OpView) -> bool:
    names = [inner.operation.name for inner in op.combine.blocks[0].operations]
    return len(names) == 2 and names[0] in EXTREMES


def _tests(condition: ir.Value, place: ir.Value) -> bool:
    """Whether a condition is that a place is inside, as every histogram asks for itself."""
    test = _maker(condition, "arith.cmpi")
    return test is not None and _predicate(test) == arith.CmpIPredicate.ult and test.operands[0] == place


def _predicate(test: ir.Operation) -> int:
    return ir.IntegerAttr(test.attributes["predicate"]).value


def _compared_element(condition: ir.Value, value: ir.Value, place: ir.Value) -> ir.Value | None:
    """The array whose element at this place a value must be equal to."""
    test = _maker(condition, "arith.cmpf")
    if test is None or _predicate(test) != arith.CmpFPredicate.OEQ:
        return None
    left, right = test.operands
    read = _maker(right if left == value else left, "tensor.extract")
    is_there = read is not None and list(read.operands)[1:] == [place] and value in (left, right)
    return read.operands[0] if read is not None and is_there else None


def _is_taken(condition: ir.Value, place: ir.Value, extremes: ir.OpView) -> bool:
    """Whether a condition is that the destination has what came out."""
    read = _maker(condition, "tensor.extract")
    if read is None or list(read.operands)[1:] != [place]:
        return False
    made = _maker(read.operands[0], "soac.map")
    if made is None or list(made.opview.inputs) != [extremes.dests[0], extremes.results[0]]:
        return False
    block = made.regions[0].blocks[0]
    (taken,) = terminator(made.regions[0]).operands
    test = _maker(taken, "arith.cmpf")
    is_equality = test is not None and _predicate(test) == arith.CmpFPredicate.OEQ
    return is_equality and test is not None and list(test.operands) == list(block.arguments)[1:]


def _is_compared_with_iterations(places: ir.Value) -> bool:
    """Whether all that is done with places is to compare one with the number of an iteration, which is not negative."""
    for use in places.uses:
        reader = use.owner.operation
        if reader.name == "tensor.dim":
            continue
        if reader.name != "tensor.extract" or not all(_compares(each.owner, reader) for each in reader.results[0].uses):
            return False
    return True


def _compares(test: ir.OpView, read: ir.Operation) -> bool:
    op = test.operation
    if op.name != "arith.cmpi" or _predicate(op) != arith.CmpIPredicate.eq:
        return False
    others = [value for value in op.operands if value != read.results[0]]
    cast = _maker(others[0], *CASTS) if len(others) == 1 else None
    return cast is not None and isinstance(cast.operands[0].owner, ir.Block)
