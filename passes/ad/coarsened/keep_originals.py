"""The pass `ad-keep-originals`: functions are kept as they are before derivatives are taken in them.

A higher derivative may be asked of these, by steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import ASLEEP, ORIGINAL, SECOND_WAY
from tapeless.passes.ad.order import REQUESTS, Reach
from tapeless.passes.ir.search import ops_named


@dataclass(frozen=True)
class KeepOriginals:
    """Copies the functions that are differentiated again by `coarsened`; in the copies everything is by `redundant`.

    ```mlir
    %d = "ad.vjp"(%x, %s) {callee = @slope, method = "coarsened", ...}
    %d = "ad.vjp"(%x, %s) {callee = @slope, method = "coarsened", ad.original = @original_of_slope_0, ...}
    ```
    The copies sleep: their own requests wait until a derivative needs them. Those that nothing names any more are
    removed with all others.
    """

    name: ClassVar[str] = "ad-keep-originals"

    def run(self, module: ir.Module) -> None:
        """Copies every such function of the module."""
        keep_originals(module)


def keep_originals(module: ir.Module) -> None:
    """Copies the functions that are differentiated again by the method, and names the copies in the requests."""
    reach = Reach.of(module)
    waiting = {name for name, op in reach.functions.items() if ops_named(op, *REQUESTS)}
    asked = filter(_is_coarsened, ops_named(module, *REQUESTS))
    again = [op for op in asked if waiting & reach.closure(op.callee.value)]
    if not again:
        return
    reached = set().union(*(reach.closure_with_requests(op.callee.value) for op in again))
    copied = {name for name in reached if waiting & reach.closure(name)} - reach.customised
    names = dict(zip(sorted(copied), _unused_names(sorted(copied), reach.functions), strict=True))
    for op in again:
        if op.callee.value in names:
            op.operation.attributes[ORIGINAL] = ir.FlatSymbolRefAttr.get(names[op.callee.value], module.context)
    for name, copy in names.items():
        _sleeping_copy(reach.functions[name], copy, names)


def wake(module: ir.Operation, name: str) -> None:
    """Has the requests in a kept function, and in those it reaches, be expanded."""
    reach = Reach.of(module)
    for each in reach.closure_with_requests(name):
        function = reach.functions[each].operation
        if ASLEEP in function.attributes:
            del function.attributes[ASLEEP]


def _is_coarsened(op: ir.OpView) -> bool:
    return bool(op.method.value == "coarsened")


def _unused_names(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    found, used = [], set(taken)
    for name in names:
        found.append(next(each for k in count() if (each := f"original_of_{name}_{k}") not in used))
        used.add(found[-1])
    return found


def _sleeping_copy(function: ir.OpView, name: str, names: dict[str, str]) -> None:
    """A private copy of a function in which requests and calls are about copies."""
    copy = function.operation.clone(ip=ir.InsertionPoint(function)).opview
    attributes, context = copy.operation.attributes, copy.context
    attributes["sym_name"] = ir.StringAttr.get(name, context)
    attributes["sym_visibility"] = ir.StringAttr.get("private", context)
    attributes[ASLEEP] = ir.UnitAttr.get(context)
    for op in ops_named(copy, *REQUESTS, "func.call"):
        inner = op.operation.attributes
        callee = ir.FlatSymbolRefAttr(inner["callee"]).value
        inner["callee"] = ir.FlatSymbolRefAttr.get(names.get(callee, callee), context)
        if "method" in inner and _is_coarsened(op):
            inner["method"] = ir.StringAttr.get("redundant", context)
            inner[SECOND_WAY] = ir.UnitAttr.get(context)
