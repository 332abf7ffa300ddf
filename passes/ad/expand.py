"""The pass `ad-expand`: requests for derivatives become the code that computes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir, passmanager
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.custom import RULE
from tapeless.passes.ad.prepare.functions import ops_named, replace
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.simplify import Simplify

REQUESTS = ("ad.vjp", "ad.jvp")
MARKS = ("ad.stop_gradient", "ad.kept", "ad.checkpoint")


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
        drop_marks(module)


def expand_ready(module: ir.Module, checks: bool) -> bool:
    """Expands the requests whose callee holds none itself; whether there were any."""
    waiting = [(f, ops_named(f, *REQUESTS)) for f in module.body.operations if f.operation.name == "func.func"]
    requesting = {_name(function) for function, ops in waiting if ops}
    ready = [op for _, ops in waiting for op in ops if op.callee.value not in requesting]
    if not ready:
        return False
    # Most programs ask for no derivative and do without the modules that know how to make them.
    from tapeless.passes.ad.requests import expand_request

    for op in ready:
        expand_request(op, module, checks)
    return True


def _name(function: ir.OpView) -> str:
    return ir.StringAttr(function.operation.attributes["sym_name"]).value


def simplify(module: ir.Module) -> None:
    """What runs between two derivatives."""
    Inline().run(module)
    passmanager.PassManager.parse("builtin.module(canonicalize,cse)", module.context).run(module.operation)
    Simplify().run(module)


def drop_marks(module: ir.Module) -> None:
    """Removes what only derivatives look at: custom rules, stop_gradient, checkpoint."""
    rules = [op for op in module.body.operations if op.operation.name == RULE]
    for op in rules:
        op.operation.erase()
    for function in list(module.body.operations):
        for op in ops_named(function, *MARKS):
            with ir.InsertionPoint(op), op.location:
                is_region = op.operation.name == "ad.checkpoint"
                replace(op, inline_block(op.body.blocks[0], []) if is_region else list(op.operation.operands))
    if rules:
        Inline().run(module)
