"""Attributes of StableHLO as plain numbers."""

from __future__ import annotations

import re

import numpy as np

from tapeless._mlir import ir
from tapeless.dialects.groups import numbers_of

NAME = re.compile(r"<(?:\w+ )?(\w+)>")


def integers(op: ir.Operation, name: str, default: list[int] | None = None) -> list[int]:
    """The numbers of an array attribute; `default` where it is left out."""
    if name not in op.attributes:
        return list(default or [])
    return numbers_of(op.attributes[name])


def integer(op: ir.Operation, name: str, default: int = 0) -> int:
    """The number of an attribute; `default` where it is left out."""
    return ir.IntegerAttr(op.attributes[name]).value if name in op.attributes else default


def truths(op: ir.Operation, name: str, count: int) -> list[bool]:
    """The bools of an array attribute; none hold where it is left out."""
    if name not in op.attributes:
        return [False] * count
    attribute = op.attributes[name]
    return [bool(attribute[k]) for k in range(len(attribute))]


def pairs(op: ir.Operation, name: str, count: int) -> list[tuple[int, int]]:
    """The rows of a matrix attribute of two columns; zeros where it is left out."""
    if name not in op.attributes:
        return [(0, 0)] * count
    table = np.array(op.attributes[name]).reshape(-1, 2)
    table = np.broadcast_to(table, (count, 2)) if len(table) != count else table
    return [(int(low), int(high)) for low, high in table]


def enumerated(op: ir.Operation, name: str) -> str:
    """The name of an enumeration's value: `LT` of `#stablehlo<comparison_direction LT>`; empty where it is left out."""
    if name not in op.attributes:
        return ""
    found = NAME.search(str(op.attributes[name]))
    return found.group(1) if found else ""


def text(op: ir.Operation, name: str) -> str:
    """The text of a string attribute; empty where it is left out."""
    return ir.StringAttr(op.attributes[name]).value if name in op.attributes else ""
