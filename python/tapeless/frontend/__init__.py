"""Python functions to core IR.

`Source.of(function)` reads a function without MLIR; `emit(source, argument types)` translates it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless.frontend.emitted import Emitted, Structure
from tapeless.frontend.syntax.source import Source
from tapeless.methods import DEFAULT
from tapeless.types import Type

if TYPE_CHECKING:
    from tapeless._mlir import ir

__all__ = ["Emitted", "Source", "Structure", "emit"]


def emit(
    source: Source,
    argument_types: Sequence[Type],
    context: ir.Context | None = None,
    fastmath: str = "contract",
    method: str = DEFAULT,
    stretches: bool = False,
) -> Emitted:
    """Translates a function for arguments of these types; the module is verified.

    `method` is the method of transformations inside that were given none. With `stretches`, axes whose size is 1 when
    running broadcast; without, it is a mismatch.
    """
    from tapeless.frontend.emission import emit_module  # what needs MLIR is loaded by the first translation

    return emit_module(source, tuple(argument_types), context, fastmath, method, stretches)
