"""The pass `ad-expand`: requests for derivatives become the code that computes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.custom import RULE, function_named
from tapeless.passes.ad.order import ready_requests
from tapeless.passes.ad.prepare.functions import ops_named, replace
from tapeless.passes.ad.prepare.unroll import unroll_loops
from tapeless.passes.ir.cleanup import clean_up
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.simplify.simplify import Simplify

MARKS = ("ad.stop_gradient", "ad.promise", "ad.checkpoint")


@dataclass(frozen=True)
class Expand:
    """Replaces `ad.vjp` and `ad.jvp` by derivative code, innermost requests first, then drops the marks for them.

    ```mlir
    %y, %x_bar = "ad.vjp"(%x, %seed) {callee = @square, wrt = [0], ...}

    %y = arith.mulf %x, %x : f64
    %a = arith.mulf %seed, %x : f64
    %x_bar = arith.addf %a, %a : f64
    ```
    """

    name: ClassVar[str] = "ad-expand"
    checks: bool = True

    def run(self, module: ir.Module) -> None:
        """Expands request after request; a function is simplified before it is differentiated again."""
        while expand_ready(module, self.checks):
            simplify(module)
            if share_seeds(module):
                simplify(module)
        if drop_marks(module):
            simplify(module)


def expand_ready(module: ir.Module, checks: bool) -> bool:
    """Expands the requests that wait for no other; whether there were any."""
    ready = ready_requests(module)
    if not ready:
        return False
    if unroll_callees(module, ready):
        simplify(module)
        ready = ready_requests(module)
    # Most programs ask for no derivative and do without the modules that know how to make them.
    from tapeless.passes.ad.requests import expand_request

    for op in ready:
        expand_request(op, module, checks)
    return True


def unroll_callees(module: ir.Module, requests: Sequence[ir.OpView]) -> bool:
    """Unrolls the marked loops of functions to be differentiated, so that what they read becomes known; whether any."""
    names = {op.callee.value for op in requests}
    functions = [function_named(module.operation, name) for name in sorted(names)]
    return any([unroll_loops(function) for function in functions])


def share_seeds(module: ir.Module) -> bool:
    """Moves what all seeds of a derivative have in common out of the map over them; whether there is such a map."""
    from tapeless.passes.ad.sharing.share_seeds import share_between_seeds

    return share_between_seeds(module)


def simplify(module: ir.Module) -> None:
    """What runs between two derivatives."""
    Inline().run(module)
    clean_up(module)
    Simplify().run(module)


def drop_marks(module: ir.Module) -> bool:
    """Removes what only derivatives look at: custom rules, stop_gradient, checkpoint; whether there was any."""
    rules = [op for op in module.body.operations if op.operation.name == RULE]
    for op in rules:
        op.operation.erase()
    marks = [op for function in module.body.operations for op in ops_named(function, *MARKS)]
    for op in marks:
        with ir.InsertionPoint(op), op.location:
            is_region = op.operation.name == "ad.checkpoint"
            replace(op, inline_block(op.body.blocks[0], []) if is_region else list(op.operation.operands))
    return bool(rules or marks)
