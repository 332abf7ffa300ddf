"""Sizes of groups that a text leaves out, where only one split of the values fits the operation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tapeless._mlir import ir
from tapeless.dialects.groups import Groups

MOST_SPLITS = 2000
"""How many splits are tried; operations with more have to say theirs."""


UNREADABLE = "cannot be read with these sizes"


def splits(groups: Groups, total: int) -> Iterator[list[int]]:
    """Every way in which the groups can share values."""
    return _shared(groups.singles, total)


def _shared(singles: tuple[bool, ...], total: int) -> Iterator[list[int]]:
    if not singles:
        if total == 0:
            yield []
        return
    fewest = sum(singles[1:])
    for size in [1] if singles[0] else range(total - fewest + 1):
        yield from ([size, *rest] for rest in _shared(singles[1:], total - size))


def add_missing_sizes(op: ir.OpView, groups: Groups) -> int:
    """Adds the sizes of groups that an operation does not say, if one split fits; how many fit, 2 for more.

    Operations inside of it come first, because a split is judged by what the whole operation then has to say.
    """
    for region in op.operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                _add_inside(inner)
    return _add(op, groups)


def problem_of_all(op: ir.OpView, groups: Groups) -> str | None:
    """The problem of an operation however its values are split, such as a function that is not there."""
    tried = list(islice(splits(groups, len(getattr(op.operation, groups.kind))), MOST_SPLITS + 1))
    if len(tried) > MOST_SPLITS:
        return None
    found = {_first_problem(op, groups, sizes) for sizes in tried}
    _set(op, groups, None)
    return next(iter(found)) if len(found) == 1 and UNREADABLE not in found else None


def _add_inside(op: ir.OpView) -> None:
    for groups in (getattr(op, "operand_groups", None), getattr(op, "result_groups", None)):
        if groups is not None and groups.needs_sizes and groups.sizes_attribute not in op.attributes:
            add_missing_sizes(op, groups)


def _add(op: ir.OpView, groups: Groups) -> int:
    tried = list(islice(splits(groups, len(getattr(op.operation, groups.kind))), MOST_SPLITS + 1))
    fitting = [sizes for sizes in tried if len(tried) <= MOST_SPLITS and _fits(op, groups, sizes)]
    _set(op, groups, fitting[0] if len(fitting) == 1 else None)
    return min(len(fitting), 2)


def _fits(op: ir.OpView, groups: Groups, sizes: list[int]) -> bool:
    """Whether an operation has no problem with these sizes."""
    return _first_problem(op, groups, sizes) is None


def _first_problem(op: ir.OpView, groups: Groups, sizes: list[int]) -> str | None:
    """The problem of an operation that has these sizes; sizes with which it cannot even be read do not fit."""
    _set(op, groups, sizes)
    try:
        return next(op.problems(), None)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ir.MLIRError):
        return UNREADABLE


def _set(op: ir.OpView, groups: Groups, sizes: list[int] | None) -> None:
    """Puts sizes into the operation, or takes those out that were tried."""
    if sizes is not None:
        op.attributes[groups.sizes_attribute] = ir.DenseI32ArrayAttr.get(sizes, op.context)
    elif groups.sizes_attribute in op.attributes:
        del op.attributes[groups.sizes_attribute]
