"""Every pass by name, and the named pipelines made of them."""

from __future__ import annotations

from tapeless.passes.ad.expand import Expand
from tapeless.passes.ad.promises import Promises
from tapeless.passes.base import Element, Upstream
from tapeless.passes.lower.carried_sums import CarriedSums
from tapeless.passes.lower.fastmath import FastMath
from tapeless.passes.lower.fma import Fma
from tapeless.passes.lower.loops import Loops
from tapeless.passes.lower.math import Math
from tapeless.passes.lower.streams import Streams
from tapeless.passes.lower.to_llvm import ToLLVM
from tapeless.passes.lower.vectorise import Vectorise
from tapeless.passes.pass_table import PassTable
from tapeless.passes.soac.contract import Contract
from tapeless.passes.soac.factor import Factor
from tapeless.passes.soac.fuse import Fuse
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.simplify import Simplify
from tapeless.passes.soac.tabulate import Tabulate
from tapeless.passes.soac.unchecked import Unchecked

PASSES = PassTable(
    {
        "ad-expand": "ad.expand.Expand",
        "ad-interchange": "ad.prepare.interchange.Interchange",
        "ad-lift": "ad.prepare.lift.Lift",
        "ad-plain-scans": "ad.prepare.plain_scans.PlainScans",
        "ad-promises": "ad.promises.Promises",
        "ad-sequential-sums": "ad.prepare.sequential_sums.SequentialSums",
        "ad-stripmine": "ad.prepare.stripmine.Stripmine",
        "ad-unroll": "ad.prepare.unroll.Unroll",
        "ad-while-to-for": "ad.prepare.while_to_for.WhileToFor",
        "soac-inline": "soac.inline.Inline",
        "soac-simplify": "soac.simplify.Simplify",
        "soac-contract": "soac.contract.Contract",
        "soac-fuse": "soac.fuse.Fuse",
        "soac-factor": "soac.factor.Factor",
        "soac-tabulate": "soac.tabulate.Tabulate",
        "soac-unchecked": "soac.unchecked.Unchecked",
        "lower-fastmath": "lower.fastmath.FastMath",
        "lower-loops": "lower.loops.Loops",
        "lower-vectorise": "lower.vectorise.Vectorise",
        "lower-carried-sums": "lower.carried_sums.CarriedSums",
        "lower-streams": "lower.streams.Streams",
        "lower-fma": "lower.fma.Fma",
        "lower-math": "lower.math.Math",
        "lower-to-llvm": "lower.to_llvm.ToLLVM",
    }
)

CANONICALIZE = Upstream("canonicalize")
CSE = Upstream("cse")

BEGIN: tuple[Element, ...] = (Unchecked(checks=True), Promises(), Inline(), CANONICALIZE, CSE)
CORE: tuple[Element, ...] = (*BEGIN, Simplify(), Tabulate(), Expand())

LOWERING: tuple[Element, ...] = (
    Contract(),
    Loops(),
    Vectorise(),
    CarriedSums(),
    Streams(),
    Fma(),
    Math(),
    ToLLVM(),
)

PIPELINES: dict[str, tuple[Element, ...]] = {
    "core": CORE,
    "cpu": (*CORE, Fuse(), Factor(), *LOWERING),
    "cpu-sequential": (*BEGIN, Expand(), FastMath(), Loops(sequential=True), Math(), ToLLVM()),
}
