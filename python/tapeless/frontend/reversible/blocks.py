"""Blocks of statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.reversible.cells.cells import Cell, Gone, Stack
from tapeless.frontend.values.builder import Scope

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def attach(t: ProcedureTranslator, operation: ir.Operation, *blocks: ir.Block | None) -> None:
    """Gives blocks to the regions of an operation; some stay empty."""
    for region, block in zip(operation.regions, blocks, strict=True):
        if block is not None:
            t.builder.loose.remove(block)
            block.append_to(region)


@contextmanager
def body(t: ProcedureTranslator, arguments: Sequence[ir.Type] = (), scope: Scope | None = None) -> Iterator[ir.Block]:
    """A block of statements being built; names that it defines end with it."""
    named, values = dict(t.named), dict(t.home.names)
    with t.builder.region(arguments, scope) as block:
        yield block
    ended = {name: Gone() for name, found in t.named.items() if isinstance(found, (Cell, Stack)) and name not in named}
    t.named, t.home.names = {**ended, **named}, values
