"""Loops step by step: the method `redundant` is asked for the derivative of a function that holds one loop alone.

Closed forms, and slopes that loops carry beside their values, take products of many slopes in another order than steps
back do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from tapeless._mlir import arith, func, ir
from tapeless.dialects.ad.marks import SECOND_WAY
from tapeless.dialects.groups import SEGMENTS
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.coarsened.finite import are_finite
from tapeless.passes.ad.custom import module_of
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.segmented import body_of_segment, yielded_by
from tapeless.passes.ir.build import cast_to, elementwise, number
from tapeless.passes.ir.guards import STEPS as BY_STEPS
from tapeless.passes.ir.rebuild import Values, copy_op

STEPS = "steps"


def adjoints_step_by_step(
    sweep: Sweep,
    op: ir.OpView,
    seeded: Sequence[int],
    seeds: Sequence[ir.Value],
    wanted: Sequence[int],
    whole: Sequence[ir.Value | None],
) -> list[ir.Value]:
    """The adjoints of the wanted inputs of a loop: those found as a whole where they are finite, else by its steps."""
    given = dict(zip(seeded, seeds, strict=True))
    cotangents = [
        given[k] if k in given else number(out.type, 0.0) for k, out in enumerate(op.outs) if is_float(out.type)
    ]
    primals = sweep.primals(op.inputs)
    types = [each.type for each in (*op.outs, *(op.inputs[k] for k in wanted))]
    i64 = ir.IntegerType.get_signless(64)
    request = ir.Operation.create(
        "ad.vjp",
        results=types,
        operands=[*primals, *cotangents],
        attributes={
            "callee": op.operation.attributes[STEPS],
            "wrt": ir.ArrayAttr.get([ir.IntegerAttr.get(i64, k) for k in wanted]),
            "method": ir.StringAttr.get("redundant"),
            SECOND_WAY: ir.UnitAttr.get(),
            SEGMENTS: ir.DenseI32ArrayAttr.get([len(primals), len(cotangents)]),
        },
    )
    steps = list(request.results)[len(op.outs) :]
    return [step if each is None else where_finite(each, step) for each, step in zip(whole, steps, strict=True)]


def keep_steps(op: ir.OpView) -> None:
    """Makes a function of the operations of a segment, and has the segment name it."""
    module = module_of(op)
    functions = [each for each in module.regions[0].blocks[0].operations if each.operation.name == "func.func"]
    taken = {ir.StringAttr(each.operation.attributes["sym_name"]).value for each in functions}
    name = next(name for k in count() if (name := f"steps_of_{op.label.value}_{k}") not in taken)
    signature = ir.FunctionType.get([each.type for each in op.inputs], [each.type for each in op.outs])
    with ir.InsertionPoint(functions[0]), op.location:
        made = func.FuncOp(name, signature, visibility="private")
        values: Values = dict(zip(body_of_segment(op).arguments, made.add_entry_block().arguments, strict=True))
        with ir.InsertionPoint(made.entry_block):
            for inner in list(body_of_segment(op).operations)[:-1]:
                copy_op(inner, values)
            func.ReturnOp([values[each] for each in yielded_by(op)])
    op.operation.attributes[STEPS] = ir.FlatSymbolRefAttr.get(name)


def has_steps(op: ir.OpView) -> bool:
    """Whether a segment names such a function; without one, the expansion of the whole request is tested."""
    return STEPS in op.operation.attributes


def where_finite(whole: ir.Value, step: ir.Value) -> ir.Value:
    """The closed form if it is finite, else the values that steps gave."""
    return cast_to(whole.type, elementwise(_finite_one, whole, cast_to(whole.type, step)))


def _finite_one(whole: ir.Value, step: ir.Value) -> ir.Value:
    return arith.SelectOp(are_finite([whole], BY_STEPS), whole, step).result
