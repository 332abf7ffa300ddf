"""Whether two parts of a cell have an element in common, as far as is known when compiling."""

from __future__ import annotations

import ast
from enum import Enum
from math import gcd

from tapeless.frontend.indexing.slices import Span
from tapeless.frontend.reversible.cells.cells import Place
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Builder


class Overlap(Enum):
    """The overlap of two parts; passes check at run time those that only may overlap."""

    NEVER = "never"
    MAYBE = "maybe"
    ALWAYS = "always"


def overlap(builder: Builder, a: Place, b: Place) -> Overlap:
    """Whether two places have an element in common."""
    if a.cell is not b.cell:
        return Overlap.NEVER
    axes = [_axis_overlap(builder, *axis) for axis in zip(a.spans, b.spans, a.cell.dims, strict=True)]
    if Overlap.NEVER in axes:
        return Overlap.NEVER
    return Overlap.MAYBE if Overlap.MAYBE in axes else Overlap.ALWAYS


def _axis_overlap(builder: Builder, a: Span, b: Span, size: Affine) -> Overlap:
    if a == b or a.is_whole_of(size) or b.is_whole_of(size):
        return Overlap.ALWAYS
    if _have_other_residues(a, b) or any(integers.is_nonnegative(builder, gap) for gap in _gaps(a, b)):
        return Overlap.NEVER
    return Overlap.MAYBE


def _have_other_residues(a: Span, b: Span) -> bool:
    """Whether the distance between positions is never divisible by something that it would have to be, as 0 is."""
    distance = b.offset - a.offset
    steps = [0 if span.dropped else span.step for span in (a, b)]
    divisor = gcd(*steps, *distance.terms.values())
    return bool(distance.constant % divisor if divisor else distance.constant)


def _gaps(a: Span, b: Span) -> tuple[Affine, Affine]:
    """How far each begins behind the end of the other; not negative means apart."""
    return b.offset - _last(a) - 1, a.offset - _last(b) - 1


def _last(span: Span) -> Affine:
    return span.offset + (span.size - 1).times(span.step)


def text(node: ast.AST) -> str:
    """A node as it is written in a message."""
    return ast.unparse(node)
