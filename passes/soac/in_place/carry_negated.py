"""`soac-carry-negated`: an array that becomes the negative of another one is carried with the other sign."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import cast_to, elementwise
from tapeless.passes.ir.constants import filling_of
from tapeless.passes.ir.regions.members import arguments_of, operands_of
from tapeless.passes.ir.scopes import is_used_once, terminator
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.gather.nests import Nest
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class CarryNegated:
    """Carries the negative of an array that is the negative of another carried one in the next iteration.

    ```
    for i: p, q = -q, f(p, q)        becomes        m = -p; for i: m, q = q, f(-m, q); p = -m
    ```
    What was a loop over elements is a change of names, which the lowering makes of buffers. Adjoints of schemes of two
    time levels (`after = 2.0 * u - before`) have this form. Changing a sign is exact, and so is changing it twice.
    """

    name: ClassVar[str] = "soac-carry-negated"

    def run(self, module: ir.Module) -> None:
        """Rewrites every loop of the module."""
        root = module.operation.opview
        changed = [_carry_all(loop) for loop in ops_named(root, "scf.for")]
        if any(changed):
            prune(root)


def _carry_all(loop: ir.OpView) -> bool:
    found = False
    for number, argument in enumerate(arguments_of(loop, "carried")):
        other = _negated(loop, number)
        signs = None if other is None else _sign_changes(argument)
        if other is not None and signs is not None:
            _carry(loop, number, other, signs)
            found = True
    return found


def _negated(loop: ir.OpView, number: int) -> ir.Value | None:
    """The carried array whose negative a carried array becomes."""
    arguments = arguments_of(loop, "carried")
    following = terminator(loop.regions[0].blocks[0]).operands[number]
    if isinstance(following, ir.BlockArgument) or not is_used_once(following):
        return None
    nest = Nest.of(following) if following.owner.operation.name == "soac.map" else None
    if nest is None or isinstance(nest.result, ir.BlockArgument) or nest.result.owner.operation.name != "arith.negf":
        return None
    other = nest.inputs.get(nest.result.owner.operands[0])
    if other is None or other not in arguments or other == arguments[number] or other.type != arguments[number].type:
        return None
    return other


SignChange = Callable[[], None]


def _sign_changes(array: ir.Value) -> list[SignChange] | None:
    """How to change the sign wherever elements of an array are read, if nothing else looks at it."""
    changes: list[SignChange] = []
    for user in dict.fromkeys(use.owner.operation for use in array.uses):
        if user.name == "tensor.extract":
            changes.append(_after_extract(user))
        elif user.name == "soac.map" and array in user.opview.inputs:
            nest = Nest.of(user.results[0])
            if nest is None:
                return None
            changes += [_in_body(nest.body, element) for element, read in nest.inputs.items() if read == array]
        elif user.name != "tensor.dim":
            return None
    return changes


def _after_extract(read: ir.Operation) -> SignChange:
    def change() -> None:
        with ir.InsertionPoint.after(read), read.location:
            _replace(read.results[0])

    return change


def _in_body(body: ir.Block, element: ir.Value) -> SignChange:
    def change() -> None:
        with ir.InsertionPoint.at_block_begin(body), body.operations[0].location:
            _replace(element)

    return change


def _replace(value: ir.Value) -> None:
    """Lets all users of a number see its negative."""
    negative = arith.NegFOp(value)
    value.replace_all_uses_except(negative.result, negative.operation)


def _carry(loop: ir.OpView, number: int, other: ir.Value, signs: list[SignChange]) -> None:
    first = len(loop.operands) - len(operands_of(loop, "carried"))
    start, result = loop.operands[first + number], loop.results[number]
    terminator(loop.regions[0].blocks[0]).operands[number] = other
    for change in signs:
        change()
    with ir.InsertionPoint(loop), loop.location:
        loop.operation.operands[first + number] = _negative(start)
    uses = [(use.owner.operation, use.operand_number) for use in result.uses]
    if uses:
        with ir.InsertionPoint.after(loop.operation), loop.location:
            negative = _negative(result)
        for user, position in uses:
            user.operands[position] = negative


def _negative(array: ir.Value) -> ir.Value:
    """An array with the signs of its elements changed; one that is filled is filled with something else."""
    filling = filling_of(array)
    if filling is None:
        return cast_to(array.type, elementwise(lambda value: arith.NegFOp(value).result, array))
    made = array.owner.operation.clone()
    made.operands[0] = arith.NegFOp(filling, ip=ir.InsertionPoint(made)).result
    return made.results[0]
