"""`soac-carry-negated`: an array that becomes the negative of another one is carried with the other sign."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import cast_to, elementwise
from tapeless.passes.ir.constants import filling_of
from tapeless.passes.ir.places.places import Place
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.ir.scopes import is_used_once, terminator
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.soac.gather.nests import ElementNest
from tapeless.passes.soac.in_place.inner_parts import InnerPart
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class CarryNegated:
    """Carries the negative of an array, so that an update that only changes the sign is a buffer rotation.

    ```
    for i: p, q = -q, f(p, q)        becomes        m = -p; for i: m, q = q, f(-m, q); p = -m
    ```
    What was a loop over elements is a change of names, which the lowering makes of buffers. Adjoints of schemes of two
    time levels (`after = 2.0 * u - before`) have this form. Changing a sign is exact, and so is changing it twice.
    Where only the inner elements change their sign (those at borders are held), the same holds of them.
    """

    name: ClassVar[str] = "soac-carry-negated"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Rewrites every loop of the module; checks before it say which sizes are equal."""
        root = module.operation.opview
        if _carry_below(root, EqualSizes()):
            prune(root)


def _carry_below(op: ir.OpView, equal: EqualSizes) -> bool:
    found = False
    for inner, known in equal.inside(op):
        if len(inner.regions):
            found |= _carry_below(inner, known)
        if inner.operation.name == "scf.for":
            found |= _carry_all(inner, known.within(inner))
    return found


@dataclass(frozen=True)
class _Negated:
    """A carried array becomes another one whose signs change in a part."""

    other: ir.Value
    part: InnerPart


def _carry_all(loop: ir.OpView, equal: EqualSizes) -> bool:
    found = False
    for number, argument in enumerate(arguments_of(loop, "carried")):
        following = terminator(loop.regions[0].blocks[0]).operands[number]
        negated = _negated(following, equal)
        if negated is None or not _is_carried(loop, negated.other, argument):
            continue
        signs = _sign_changes(argument, negated.part)
        if signs is not None:
            _carry(loop, number, negated, signs)
            found = True
    return found


def _is_carried(loop: ir.OpView, other: ir.Value, argument: ir.Value) -> bool:
    return other in arguments_of(loop, "carried") and other != argument and other.type == argument.type


def _negated(following: ir.Value, equal: EqualSizes) -> _Negated | None:
    """The array whose negative this one is, in all elements or those of a slice."""
    if isinstance(following, ir.BlockArgument) or not is_used_once(following):
        return None
    if following.owner.operation.name != "tensor.insert_slice":
        other = _negative_of(following)
        return None if other is None else _Negated(other, InnerPart.whole(other.type.rank))
    place = Place.of(following.owner)
    read = _negative_of(following.owner.operands[0])
    if read is None or isinstance(read, ir.BlockArgument) or read.owner.operation.name != "tensor.extract_slice":
        return None
    source, part = Place.of(read.owner), InnerPart.of(place, equal)
    is_same = source.array == place.array and source.ranges == place.ranges and source.kept == place.kept
    return _Negated(place.array, part) if is_same and part is not None else None


def _negative_of(array: ir.Value) -> ir.Value | None:
    """The array of which this one is the negative, element by element."""
    nest = ElementNest.of(array, is_alone=False)
    if nest is None or isinstance(nest.result, ir.BlockArgument) or nest.result.owner.operation.name != "arith.negf":
        return None
    return nest.inputs.get(nest.result.owner.operands[0])


SignChange = Callable[[], None]


def _sign_changes(array: ir.Value, part: InnerPart) -> list[SignChange] | None:
    """How to change the sign wherever elements of an array are read, if nothing else looks at it."""
    changes: list[SignChange] = []
    for user in dict.fromkeys(use.owner.operation for use in array.uses):
        if user.name == "tensor.extract" and part.is_whole:
            changes.append(_after_extract(user))
        elif user.name == "soac.map" and array in user.opview.inputs:
            nest = ElementNest.of(user.results[0])
            if nest is None:
                return None
            changes += [_in_body(nest, element, part) for element, read in nest.inputs.items() if read == array]
        elif user.name != "tensor.dim":
            return None
    return changes


def _after_extract(read: ir.Operation) -> SignChange:
    def change() -> None:
        with ir.InsertionPoint.after(read), read.location:
            value = read.results[0]
            _replace(value, _negated_number(value))

    return change


def _in_body(nest: ElementNest, element: ir.Value, part: InnerPart) -> SignChange:
    def change() -> None:
        array = nest.inputs[element]
        with ir.InsertionPoint(nest.outer), nest.outer.location:
            bounds = part.bounds(array)
        with ir.InsertionPoint.at_block_begin(nest.body), nest.body.operations[0].location:
            _replace(element, part.changed_element(element, _indices(nest), bounds, _negated_number))

    return change


def _indices(nest: ElementNest) -> list[ir.Value]:
    """The indices of the loops of a nest, outer ones first."""
    indices, block = [nest.body.arguments[0]], nest.body
    while block.owner.operation != nest.outer.operation:
        block = block.owner.operation.block
        indices.insert(0, block.arguments[0])
    return indices


def _negated_number(value: ir.Value) -> ir.Value:
    return arith.NegFOp(value).result


def _replace(value: ir.Value, changed: ir.Value) -> None:
    """Replaces all uses of a number by another one, except in the definition of that."""
    makers = [changed.owner.operation]
    makers += [view.operation for region in makers[0].regions for block in region.blocks for view in block.operations]
    for use in [(use.owner.operation, use.operand_number) for use in value.uses]:
        if use[0] not in makers:
            use[0].operands[use[1]] = changed


def _carry(loop: ir.OpView, number: int, negated: _Negated, signs: list[SignChange]) -> None:
    first = len(loop.operands) - len(operands_of(loop, "carried"))
    start, result = loop.operands[first + number], loop.results[number]
    terminator(loop.regions[0].blocks[0]).operands[number] = negated.other
    for change in signs:
        change()
    with ir.InsertionPoint(loop), loop.location:
        loop.operation.operands[first + number] = negated.part.changed(start, _negative)
    uses = [(use.owner.operation, use.operand_number) for use in result.uses]
    if uses:
        with ir.InsertionPoint.after(loop.operation), loop.location:
            changed = negated.part.changed(result, _negative)
        for user, position in uses:
            user.operands[position] = changed


def _negative(array: ir.Value) -> ir.Value:
    """An array with the signs of its elements changed; one that is filled is filled with something else."""
    filling = filling_of(array)
    if filling is None:
        return cast_to(array.type, elementwise(lambda value: arith.NegFOp(value).result, array))
    made = array.owner.operation.clone()
    made.operands[0] = arith.NegFOp(filling, ip=ir.InsertionPoint(made)).result
    return made.results[0]
