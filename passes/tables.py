"""Every pass by name, and the named pipelines made of them."""

from __future__ import annotations

from tapeless.passes.ad.expand import Expand
from tapeless.passes.ad.promises import Promises
from tapeless.passes.driver.base import Element, Upstream
from tapeless.passes.driver.pass_table import PassTable
from tapeless.passes.lower.arithmetic.carried_sums import CarriedSums
from tapeless.passes.lower.arithmetic.fastmath import FastMath
from tapeless.passes.lower.arithmetic.fma import Fma
from tapeless.passes.lower.arithmetic.streams import Streams
from tapeless.passes.lower.llvm.to_llvm import ToLLVM
from tapeless.passes.lower.loops.loops import Loops
from tapeless.passes.lower.math.math import Math
from tapeless.passes.lower.vectorise.vectorise import Vectorise
from tapeless.passes.soac.contract.contract import Contract
from tapeless.passes.soac.factor.factor import Factor
from tapeless.passes.soac.fuse.fuse import Fuse
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.simplify.simplify import Simplify
from tapeless.passes.soac.tabulate.tabulate import Tabulate
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
        "soac-simplify": "soac.simplify.simplify.Simplify",
        "soac-contract": "soac.contract.contract.Contract",
        "soac-fuse": "soac.fuse.fuse.Fuse",
        "soac-factor": "soac.factor.factor.Factor",
        "soac-tabulate": "soac.tabulate.tabulate.Tabulate",
        "soac-unchecked": "soac.unchecked.Unchecked",
        "lower-fastmath": "lower.arithmetic.fastmath.FastMath",
        "lower-loops": "lower.loops.loops.Loops",
        "lower-vectorise": "lower.vectorise.vectorise.Vectorise",
        "lower-carried-sums": "lower.arithmetic.carried_sums.CarriedSums",
        "lower-streams": "lower.arithmetic.streams.Streams",
        "lower-fma": "lower.arithmetic.fma.Fma",
        "lower-math": "lower.math.math.Math",
        "lower-to-llvm": "lower.llvm.to_llvm.ToLLVM",
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
