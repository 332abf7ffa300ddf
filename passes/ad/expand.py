"""The pass `ad-expand`: requests for derivatives become the code that computes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import FALLBACK
from tapeless.passes.ad.custom import function_named
from tapeless.passes.ad.drop_marks import drop_marks
from tapeless.passes.ad.order import REQUESTS, ready_requests
from tapeless.passes.ad.prepare.unroll import Unroll
from tapeless.passes.ad.retrace import has_chains
from tapeless.passes.driver.base import Pass
from tapeless.passes.driver.inner import run_inner, run_inner_on
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.simplify.simplify import Simplify


@dataclass(frozen=True)
class Expand:
    """Replaces `ad.vjp` and `ad.jvp` by derivative code, innermost requests first.

    ```mlir
    %y, %x_bar = "ad.vjp"(%x, %seed) {callee = @square, wrt = [0], ...}

    %y = arith.mulf %x, %x : f64
    %a = arith.mulf %seed, %x : f64
    %x_bar = arith.addf %a, %a : f64
    ```
    A function whose derivative is asked for is brought into the form that the rules take by the passes of
    `ad/prepare`. After each round of requests the program is simplified, and `ad-share-seeds` looks at maps over seeds.
    In the end, marks that derivatives alone look at (`ad.stop_gradient`, `ad.promise`, `ad.checkpoint`, rules) go.
    Without `fallback`, loops that run backwards raise where they go astray. With `few_states`, loops in second ways of
    guarded branches find their states again from few that they keep, in memory of fixed size.
    """

    name: ClassVar[str] = "ad-expand"
    after: ClassVar[dict[str, str]] = {
        "soac-simplify": "work that is removed before has no derivative",
    }
    checks: bool = True
    fallback: bool = True
    few_states: bool = False

    def run(self, module: ir.Module) -> None:
        """Expands request after request; a function is simplified before it is differentiated again."""
        if not self.fallback:
            refuse_fallbacks(module)
        prepare_module(module)
        while expand_ready(module, self.checks, self.few_states):
            if not ops_named(module, *REQUESTS):
                drop_marks(module)
            simplify(module)
            if share_seeds(module):
                simplify(module)
        if has_chains(module):
            from tapeless.passes.ad.reversible.chain.schedule_retraces import ScheduleRetraces

            run_inner(ScheduleRetraces(), module)
        if drop_marks(module):
            simplify(module)


def simplify(module: ir.Module) -> None:
    """Runs `soac-inline` and `soac-simplify`."""
    run_inner(Inline(), module)
    run_inner(Simplify(), module)


def refuse_fallbacks(module: ir.Module) -> None:
    """Has requests that say nothing else raise where their method would have to fall back on another one."""
    for op in ops_named(module, *REQUESTS):
        if FALLBACK not in op.operation.attributes:
            op.operation.attributes[FALLBACK] = ir.BoolAttr.get(False, module.context)


def prepare_module(module: ir.Module) -> None:
    """Runs the passes that methods want before the first derivative is taken."""
    requests = ops_named(module, *REQUESTS)
    if requests:
        # Most programs ask for no derivative and do without the modules that know how to make them.
        from tapeless.passes.ad.methods import method_of

        for each in ordered_set(element for op in requests for element in method_of(op).before):
            run_inner(each, module)


def expand_ready(module: ir.Module, checks: bool, few_states: bool) -> bool:
    """Expands the requests that wait for no other; whether there were any."""
    ready = ready_requests(module)
    if not ready:
        return False
    if unroll_callees(module, ready):
        simplify(module)
        ready = ready_requests(module)
    from tapeless.passes.ad.requests import expand_request

    used = [expand_request(op, module, checks, few_states) for op in ready]
    for each in ordered_set(element for method in used for element in method.after):
        run_inner(each, module)
    return True


def ordered_set(passes: Iterable[Pass]) -> list[Pass]:
    """Each pass once, in the order in which they first come."""
    return list(dict.fromkeys(passes))


def unroll_callees(module: ir.Module, requests: Sequence[ir.OpView]) -> bool:
    """Unrolls the marked loops of functions to be differentiated, so that their loads become known; whether any."""
    names = {op.callee.value for op in requests}
    functions = [function_named(module.operation, name) for name in sorted(names)]
    return any([run_inner_on(Unroll(), function) for function in functions])


def share_seeds(module: ir.Module) -> bool:
    """Runs `ad-share-seeds`; whether there was a map over seeds."""
    from tapeless.passes.ad.sharing.share_seeds import ShareSeeds

    return run_inner(ShareSeeds(), module)
