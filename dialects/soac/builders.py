"""Builders that fill the regions: each takes a Python function that makes the body from its block arguments.

They build at the current insertion point and location, like the constructors of the operation classes:

    squares = soac.map_(n, [xs], [xs.type], lambda i, x: [arith.mulf(x, x)]).outs[0]
    total = soac.reduce(n, [squares], [zero], lambda a, b: [arith.addf(a, b)]).outs[0]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects.array_types import row_type
from tapeless.dialects.soac.dialect import AccType, YieldOp
from tapeless.dialects.soac.maps import MapOp
from tapeless.dialects.soac.reductions import ReduceOp, ScanOp
from tapeless.dialects.soac.writes import HistOp, WithAccOp

Body = Callable[..., Sequence[ir.Value]]
Values = Sequence[ir.Value]


def fill(region: ir.Region, arguments: Sequence[ir.Type], body: Body) -> None:
    """Gives an empty region one block with arguments of these types that yields the results of `body` for them."""
    location = region.owner.location
    block = region.blocks.append(*arguments, arg_locs=[location] * len(arguments))
    with ir.InsertionPoint(block):
        YieldOp(body(*block.arguments), loc=location)


def map_(width: ir.Value, inputs: Values, results: Sequence[ir.Type], body: Body, accs: Values = ()) -> MapOp:
    """A `soac.map`; `results` are the types of its array results, `body(index, *elements, *accs)` yields their rows."""
    acc_types = [acc.type for acc in accs]
    op = MapOp(width, inputs, accs, [*results, *acc_types])
    rows = [row_type(array.type) for array in inputs]
    fill(op.body, [ir.IndexType.get(), *rows, *acc_types], body)
    return op


def reduce(width: ir.Value, inputs: Values, neutral: Values, combine: Body) -> ReduceOp:
    """A `soac.reduce`; `combine(*left, *right)` yields the combined tuple."""
    rows = [value.type for value in neutral]
    op = ReduceOp(width, inputs, neutral, rows)
    fill(op.combine, [*rows, *rows], combine)
    return op


def scan(
    width: ir.Value,
    inputs: Values,
    neutral: Values,
    combine: Body,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    results: Sequence[ir.Type] | None = None,
) -> ScanOp:
    """A `soac.scan`; `combine(*left, *right)` yields the combined tuple, `results` may differ from inputs in size."""
    rows = [value.type for value in neutral]
    arrays = [array.type for array in inputs] if results is None else results
    op = ScanOp(width, inputs, neutral, arrays, ir.BoolAttr.get(exclusive), ir.BoolAttr.get(reverse))
    fill(op.combine, [*rows, *rows], combine)
    return op


def hist(width: ir.Value, keys: ir.Value, dests: Values, values: Values, neutral: Values, combine: Body) -> HistOp:
    """A `soac.hist`; `combine(*left, *right)` yields the combined tuple."""
    rows = [value.type for value in neutral]
    op = HistOp(width, keys, dests, values, neutral, [dest.type for dest in dests])
    fill(op.combine, [*rows, *rows], combine)
    return op


def with_acc(dests: Values, extras: Sequence[ir.Type], body: Body) -> WithAccOp:
    """A `soac.with_acc`; `body(*accs)` yields the accumulators, then values of the types `extras`."""
    arrays = [dest.type for dest in dests]
    op = WithAccOp(dests, [*arrays, *extras])
    fill(op.body, [AccType.get(array) for array in arrays], body)
    return op
