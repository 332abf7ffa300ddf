"""Plans of functions that call each other, each of which needs to know how the others are called."""

from __future__ import annotations

from collections.abc import Mapping

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.calls import NONE
from tapeless.passes.lower.storage.aliases.analysis import make_plan
from tapeless.passes.lower.storage.aliasing import StoragePlan
from tapeless.passes.lower.storage.signature import Convention, Place
from tapeless.passes.marks import SIZES

UNKNOWN_SIZE = (
    "is recursive and gives back an array whose sizes are those of no argument; hand an array of these sizes in"
)


def plans_of(functions: Mapping[str, ir.OpView], naive: bool) -> tuple[dict[str, StoragePlan], dict[str, Convention]]:
    """The plans of functions that call each other, and how each is called.

    Results are supposed to end in the memory of the arguments that they have the sizes of, in all functions at once;
    the plan of a function shows whether they do. One that does not gets memory of its own, and plans are made anew.
    """
    conventions = {name: first_convention(function) for name, function in functions.items()}
    while True:
        plans = {name: make_plan(op, naive, conventions, conventions[name]) for name, op in functions.items()}
        found = {name: without_moved(plan, conventions[name]) for name, plan in plans.items()}
        if found == conventions:
            return plans, conventions
        conventions = found


def first_convention(function: ir.OpView) -> Convention:
    """Every array in the place of its argument, but for those that share one."""
    sizes = tuple(ir.DenseI64ArrayAttr(function.operation.attributes[SIZES]))
    places: list[Place] = []
    for number, type_ in enumerate(function.type.results):
        if not isinstance(type_, ir.RankedTensorType):
            places.append("value")
        elif sizes[number] == NONE or sizes[number] in sizes[:number]:
            places.append("out")
        else:
            places.append("in place")
        if sizes[number] == NONE and places[-1] == "out" and DYNAMIC in type_.shape:
            raise OpRefused(function, UNKNOWN_SIZE)
    return Convention(tuple(places), sizes)


def without_moved(plan: StoragePlan, convention: Convention) -> Convention:
    """A convention without the results that do not end in the place of their arguments."""
    arguments, returned = plan.tree.root.arguments(), plan.tree.root.terminator.operands
    for result, argument in list(convention.in_place()):
        home = plan.storages.of(arguments[argument])
        if plan.storages.of(returned[result]) is not home or not plan.storages.is_whole(returned[result]):
            convention = convention.without(result)
    return convention
