"""Procedures that call themselves: as many procedures as there are levels, which must be known when compiling."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.reversible.specialisations import Known, Type, known_value
from tapeless.frontend.reversible.temporaries import tried
from tapeless.frontend.syntax.procedures import UnknownDepth
from tapeless.frontend.syntax.source import Source
from tapeless.signature import Parameter

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator

MOST_LEVELS = 64


def known(t: ProcedureTranslator, parameter: Parameter, node: ast.expr) -> Known | None:
    """The integer that an argument is, if it is known now and its parameter only reads it."""
    if not parameter.is_read_only:
        return None
    with t.unwatched():
        return known_value(parameter, tried(t, node))


def check(t: ProcedureTranslator, source: Source, types: tuple[Type, ...]) -> None:
    """Refuses a call that leads back to itself, or to ever new versions of itself."""
    made = t.session.procedures.get((source, types))
    if made is not None and not made.is_finished:
        raise t.error(
            f"'{source.name}' calls itself to a depth that is known only at run time",
            "write a loop, or let the depth follow from a size or an integer that is known when compiling",
            UnknownDepth,
        )
    open_ones = [each for each in t.session.procedures.values() if not each.is_finished]
    if len(open_ones) > MOST_LEVELS:
        raise t.error(
            f"procedures call each other more than {MOST_LEVELS} levels deep", "write a loop, or end the recursion"
        )
