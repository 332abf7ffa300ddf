"""Every pass by name, and the named pipelines made of them."""

from __future__ import annotations

from tapeless.passes.ad.expand import Expand
from tapeless.passes.ad.prepare.interchange import Interchange
from tapeless.passes.ad.prepare.lift import Lift
from tapeless.passes.ad.prepare.plain_scans import PlainScans
from tapeless.passes.ad.prepare.sequential_sums import SequentialSums
from tapeless.passes.ad.prepare.stripmine import Stripmine
from tapeless.passes.ad.prepare.unroll import Unroll
from tapeless.passes.ad.prepare.while_to_for import WhileToFor
from tapeless.passes.ad.promises import Promises
from tapeless.passes.base import Element, Pass, Upstream
from tapeless.passes.lower.fastmath import FastMath
from tapeless.passes.lower.loops import Loops
from tapeless.passes.lower.math import Math
from tapeless.passes.lower.to_llvm import ToLLVM
from tapeless.passes.lower.vectorise import Vectorise
from tapeless.passes.soac.fuse import Fuse
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.simplify import Simplify

PASSES: dict[str, type[Pass]] = {
    "ad-expand": Expand,
    "ad-interchange": Interchange,
    "ad-lift": Lift,
    "ad-plain-scans": PlainScans,
    "ad-promises": Promises,
    "ad-sequential-sums": SequentialSums,
    "ad-stripmine": Stripmine,
    "ad-unroll": Unroll,
    "ad-while-to-for": WhileToFor,
    "soac-inline": Inline,
    "soac-simplify": Simplify,
    "soac-fuse": Fuse,
    "lower-fastmath": FastMath,
    "lower-loops": Loops,
    "lower-vectorise": Vectorise,
    "lower-math": Math,
    "lower-to-llvm": ToLLVM,
}

CANONICALIZE = Upstream("canonicalize")
CSE = Upstream("cse")

CORE: tuple[Element, ...] = (Promises(), Inline(), CANONICALIZE, CSE, Simplify(), Expand())

PIPELINES: dict[str, tuple[Element, ...]] = {
    "core": CORE,
    "cpu": (*CORE, Fuse(), Loops(), Vectorise(), Math(), ToLLVM()),
    "cpu-sequential": (Promises(), Inline(), CANONICALIZE, CSE, Expand(), Loops(sequential=True), Math(), ToLLVM()),
}
