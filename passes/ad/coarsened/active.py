"""Segments for one request: what is cheaper is asked for the values that its derivative goes through."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.activity import Activity, is_float
from tapeless.passes.ad.coarsened.doubt import is_in_doubt
from tapeless.passes.ad.coarsened.steps import keep_steps
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ad.prepare.prepare import is_vjp
from tapeless.passes.ad.seed_axis import wrt_of
from tapeless.passes.ir.constants import is_zero
from tapeless.passes.ir.scopes import is_used, terminator
from tapeless.passes.phi.loop_segments.segment_loops import SegmentLoops, outline_loops
from tapeless.passes.phi.segments.segments import Segments, outline_segments


class ActiveLoops(SegmentLoops):
    """`phi-segment-loops` for the values that a request is about; it has the same options."""

    def __init__(self, request: ir.OpView) -> None:
        super().__init__()
        self.__dict__["request"] = request

    def run_on(self, function: ir.OpView) -> bool:
        """Outlines the loops of a function; whether there are any."""
        request = self.__dict__["request"]
        is_active = activity_for(request, function).__contains__
        if not is_vjp(request):
            return outline_loops(function, is_active, is_forward=True)
        look = (lambda _: None) if is_in_doubt(request) else keep_steps
        return outline_loops(function, is_active, is_read=are_values_read(request, function), look=look)


class ActiveSegments(Segments):
    """`phi-segments` for the values that a request is about; it has the same options."""

    def __init__(self, request: ir.OpView) -> None:
        super().__init__()
        self.__dict__["request"] = request

    def run_on(self, function: ir.OpView) -> bool:
        """Outlines the segments of a function; whether there are any."""
        return outline_segments(function, self.gated, activity_for(self.__dict__["request"], function).__contains__)


def are_values_read(request: ir.OpView, function: ir.OpView) -> bool:
    """Whether anything reads what the function itself gives."""
    return any(is_used(value) for value in list(request.operation.results)[: count_of_values(function)])


def count_of_values(function: ir.OpView) -> int:
    """How many results a function has."""
    return len(terminator(body_of(function)).operands)


def activity_for(request: ir.OpView, function: ir.OpView) -> Activity:
    """The values of a copy of the function that a request is about, through which its derivative goes."""
    block = body_of(function)
    inputs = [block.arguments[k] for k in wrt_of(request)]
    results = list(terminator(block).operands)
    if is_vjp(request):
        seeds = iter(request.seeds)
        results = [each for each in results if is_float(each.type) and not is_zero(next(seeds))]
    return Activity(block, inputs, results)
