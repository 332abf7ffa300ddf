"""One request for a derivative becomes the code that computes it, by the method it names."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.custom import function_named, require_body
from tapeless.passes.ad.methods import Method, method_of
from tapeless.passes.ad.prepare.prepare import is_vjp, prepared_copy
from tapeless.passes.ir.build import cast_to
from tapeless.passes.ir.rebuild import replace_op


def expand_request(op: ir.OpView, module: ir.Module, checks: bool, few_states: bool) -> Method:
    """Replaces an `ad.vjp` or `ad.jvp` whose callee asks for no derivative itself; gives the method that was used."""
    method = method_of(op, few_states)
    function = function_named(module.operation, op.callee.value)
    require_body(op, function)
    work = prepared_copy(function, method.passes_for(op), request=op, checks=checks)
    with ir.InsertionPoint(op), op.location:
        made = (method.vjp if is_vjp(op) else method.jvp)(op, work)
        replace_op(op, [cast_to(result.type, value) for result, value in zip(op.operation.results, made, strict=True)])
    work.operation.erase()
    return method
