"""The values of one family of a structured operation (`structure.py`), each list in order of position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import STRUCTURES, Kind, Layout, kind_of

Spans = tuple[slice, ...]


def operands_of(op: ir.OpView | ir.Operation, family: str) -> list[ir.Value]:
    """The operands of an operation that belong to a family."""
    return _picked(op.operation.operands, _operand_spans(kind_of(op), family))


def arguments_of(op: ir.OpView | ir.Operation, family: str, region: int = 0) -> list[ir.Value]:
    """The arguments of a region that belong to a family."""
    return _picked(op.operation.regions[region].blocks[0].arguments, _argument_spans(kind_of(op), family, region))


def _picked(values: Sequence[ir.Value], spans: Spans) -> list[ir.Value]:
    if len(spans) == 1:
        return list(values[spans[0]])
    return [value for span in spans for value in values[span]]


@cache
def _operand_spans(kind: Kind, family: str) -> Spans:
    return _spans(kind, STRUCTURES[kind[0]].operands, family)


@cache
def _argument_spans(kind: Kind, family: str, region: int) -> Spans:
    return _spans(kind, STRUCTURES[kind[0]].bodies[region].arguments, family)


def _spans(kind: Kind, layout: Layout, family: str) -> Spans:
    name, operands, results = kind
    if family not in layout.several:
        raise KeyError(f"no {family} in the layout of {name}")
    sizes = STRUCTURES[name].sizes(operands, results)
    return tuple(slice(start, start + sizes[family]) for start in layout.starts(family, sizes))
