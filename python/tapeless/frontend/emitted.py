"""The result of translating a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless.dataclasses_on_use import dataclass
from tapeless.trees import Branch, Static
from tapeless.types import Type

if TYPE_CHECKING:
    from tapeless._mlir import ir

Structure = int | tuple["Structure", ...] | Branch | Static


@dataclass(frozen=True)
class Emitted:
    """A translated function: its module, its name in it, and how its flat results make up the Python result.

    `structure` is the position of the only result, or a tree of positions.
    """

    module: ir.Module
    name: str
    structure: Structure
    argument_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
