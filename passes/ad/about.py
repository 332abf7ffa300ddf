"""The request that a copy of a function was made for, as an attribute of the copy that passes read."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import ORIGINAL, REQUEST
from tapeless.passes.ad.activity import Activity, is_float
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ad.seed_axis import wrt_of
from tapeless.passes.ir.constants import is_zero
from tapeless.passes.ir.scopes import is_used, terminator


@dataclass(frozen=True)
class About:
    """The request behind a copy of a function.

    `wrt` are the arguments to differentiate by and `seeded` the results that have seeds, none of them known to be zero;
    `is_read` says whether anything reads the values of the function, and `is_again` whether its derivatives are
    differentiated.
    """

    is_forward: bool
    wrt: list[int]
    seeded: list[int]
    is_read: bool
    is_again: bool

    @staticmethod
    def of(function: ir.OpView) -> About:
        """Reads the record from the attribute of a copied function."""
        found = ir.DictAttr(function.operation.attributes[REQUEST])
        wrt, seeded = (list(ir.DenseI64ArrayAttr(found[name])) for name in ("wrt", "seeded"))
        flags = (ir.BoolAttr(found[name]).value for name in ("forward", "read", "again"))
        is_forward, is_read, is_again = flags
        return About(is_forward, wrt, seeded, is_read, is_again)

    def activity(self, function: ir.OpView) -> Activity:
        """The values of the copy through which the derivative goes."""
        block = body_of(function)
        results = list(terminator(block).operands)
        return Activity(block, [block.arguments[k] for k in self.wrt], [results[k] for k in self.seeded])


def described(request: ir.OpView, function: ir.OpView) -> ir.DictAttr:
    """The attribute for a copy of the function that a request is about."""
    context, is_forward = request.operation.context, request.operation.name == "ad.jvp"
    results = list(terminator(body_of(function)).operands)
    return ir.DictAttr.get(
        {
            "forward": ir.BoolAttr.get(is_forward, context),
            "wrt": ir.DenseI64ArrayAttr.get(wrt_of(request), context),
            "seeded": ir.DenseI64ArrayAttr.get(
                list(range(len(results))) if is_forward else _seeded(request, results), context
            ),
            "read": ir.BoolAttr.get(are_values_read(request, function), context),
            "again": ir.BoolAttr.get(ORIGINAL in request.operation.attributes, context),
        },
        context,
    )


def are_values_read(request: ir.OpView, function: ir.OpView) -> bool:
    """Says whether a primal result of the request has a reader."""
    return any(is_used(value) for value in list(request.operation.results)[: count_of_values(function)])


def count_of_values(function: ir.OpView) -> int:
    """How many results a function has."""
    return len(terminator(body_of(function)).operands)


def _seeded(request: ir.OpView, results: list[ir.Value]) -> list[int]:
    seeds = iter(request.seeds)
    return [number for number, each in enumerate(results) if is_float(each.type) and not is_zero(next(seeds))]
