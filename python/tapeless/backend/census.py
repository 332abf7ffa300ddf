"""Statistics on fusion and on the memory of loops, read from the IR between passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import TYPE_CHECKING

from tapeless._mlir import arith, ir
from tapeless.passes.diagnostics import places_of

if TYPE_CHECKING:
    from tapeless.passes.driver.steps import Step

# Passes between which loops are fused: after the first, before the second; the last makes loops on memory of them.
FIRST, FUSED, LAST = "ad-expand", "lower-plan-storage", "lower-loops"
BULK = frozenset({"soac.map", "soac.reduce", "soac.scan", "soac.hist", "soac.scatter"})


def with_known(module: ir.Module, known: Mapping[int, int]) -> None:
    """Replaces arguments of the kernel by constants."""
    kernel = next(op for op in module.body.operations if "sym_visibility" not in op.operation.attributes)
    entry = kernel.operation.regions[0].blocks[0]
    for position, value in known.items():
        argument = entry.arguments[position]
        if isinstance(argument.type, ir.IntegerType):
            with ir.InsertionPoint.at_block_begin(entry), kernel.operation.location:
                constant = arith.ConstantOp(argument.type, ir.IntegerAttr.get(argument.type, value)).result
            argument.replace_all_uses_with(constant)


class Census:
    """Watches a pipeline: how many bulk operators there are before and after fusion, and which lines each computes."""

    def __init__(self) -> None:
        self._unfused = 0
        self._fused: list[tuple[str, dict[str, set[int]]]] = []
        self._allocated: list[int | None] = []

    def before(self, step: Step, module: ir.Module) -> None:
        """Looks at the remaining bulk operators."""
        if step.name == FUSED and not step.within:
            self._fused = [(op.name, _lines(op)) for op in _bulk(module.operation)]

    def after(self, step: Step, module: ir.Module) -> None:
        """Looks at the operators to fuse, and at memory."""
        if step.within:
            return
        if step.name == FIRST:
            self._unfused = sum(1 for _ in _bulk(module.operation))
        elif step.name == LAST:
            self._allocated = [_bytes(op.results[0].type) for op in _named(module.operation, "memref.alloc")]

    def failed(self, step: Step, module: ir.Module) -> None:
        """Nothing to look at."""

    def lines(self) -> Iterator[str]:
        """The statistics, in words."""
        if self._unfused or self._fused:
            yield f"fusion  {_count(self._unfused, 'bulk operator')} before, {len(self._fused)} after"
        for name, places in self._fused:
            if sum(map(len, places.values())) > 1:
                where = "; ".join(f"{file}: lines {', '.join(map(str, sorted(each)))}" for file, each in places.items())
                yield f"fused   {where} are one {name}"
        if self._allocated and None not in self._allocated:
            total = sum(size for size in self._allocated if size is not None)
            yield f"memory  {total} bytes in {_count(len(self._allocated), 'array')} beside arguments and results"
        elif self._allocated:
            yield f"memory  {_count(len(self._allocated), 'array')} beside arguments and results; give sizes for bytes"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _inside(operation: ir.Operation) -> Iterator[ir.Operation]:
    for region in operation.regions:
        for block in region.blocks:
            for op in block.operations:
                yield op.operation


def _bulk(operation: ir.Operation) -> Iterator[ir.Operation]:
    """The outermost bulk operators: one inside of another is an axis of it."""
    for op in _inside(operation):
        if op.name in BULK:
            yield op
        else:
            yield from _bulk(op)


def _named(operation: ir.Operation, name: str) -> Iterator[ir.Operation]:
    for op in _inside(operation):
        if op.name == name:
            yield op
        yield from _named(op, name)


def _lines(operation: ir.Operation) -> dict[str, set[int]]:
    """The lines that an operator and its body come from, by file."""
    found: dict[str, set[int]] = {}
    for op in (operation, *_all_inside(operation)):
        for place in places_of(op.location):
            found.setdefault(place.file, set()).add(place.line)
    return found


def _all_inside(operation: ir.Operation) -> Iterator[ir.Operation]:
    for op in _inside(operation):
        yield op
        yield from _all_inside(op)


def _bytes(type_: ir.MemRefType) -> int | None:
    """None where a size is known only at run time."""
    if not type_.has_static_shape:
        return None
    width = getattr(type_.element_type, "width", 64)
    return prod(type_.shape) * max(8, width) // 8
