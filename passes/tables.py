"""Every pass by name, and the named pipelines made of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from tapeless.methods import IMPLEMENTED
from tapeless.passes.ad.drop_marks import DropMarks
from tapeless.passes.ad.expand import Expand
from tapeless.passes.ad.promises import Promises
from tapeless.passes.ad.ties import Ties
from tapeless.passes.driver.base import Element, Upstream
from tapeless.passes.driver.pass_table import PassTable, PipelineTable
from tapeless.passes.lower.arithmetic.carried_sums import CarriedSums
from tapeless.passes.lower.arithmetic.fastmath import AS_WRITTEN, FastMath
from tapeless.passes.lower.arithmetic.fma import Fma
from tapeless.passes.lower.arithmetic.roots import Roots
from tapeless.passes.lower.arithmetic.streams import Streams
from tapeless.passes.lower.cells.carried_cells import CarriedCells
from tapeless.passes.lower.llvm.to_llvm import ToLLVM
from tapeless.passes.lower.loops.loops import Loops
from tapeless.passes.lower.math.math import Math
from tapeless.passes.lower.parts.merge_parts import MergeParts
from tapeless.passes.lower.peel.peel import Peel
from tapeless.passes.lower.repeat.repeat import Repeat
from tapeless.passes.lower.sections.sections import Sections
from tapeless.passes.lower.together.together import Together
from tapeless.passes.lower.vectorise.vectorise import Vectorise
from tapeless.passes.rev.lower import Lower
from tapeless.passes.soac.contract.contract import Contract
from tapeless.passes.soac.core_only import CoreOnly
from tapeless.passes.soac.cut.cut_histories import CutHistories
from tapeless.passes.soac.factor.factor import Factor
from tapeless.passes.soac.fuse.fuse import Fuse
from tapeless.passes.soac.fuse.recompute import Recompute
from tapeless.passes.soac.fuse.share_loops import ShareLoops
from tapeless.passes.soac.fuse.turn_transposed import TurnTransposed
from tapeless.passes.soac.gather.align_gathered import AlignGathered
from tapeless.passes.soac.gather.gather_slices import GatherSlices
from tapeless.passes.soac.gather.split_at_slices import SplitAtSlices
from tapeless.passes.soac.guards.settle_guards import SettleGuards
from tapeless.passes.soac.in_place.carry_fills import CarryFills
from tapeless.passes.soac.in_place.carry_histories import CarryHistories
from tapeless.passes.soac.in_place.carry_negated import CarryNegated
from tapeless.passes.soac.in_place.delay_writes import DelayWrites
from tapeless.passes.soac.in_place.separate_empties import SeparateEmpties
from tapeless.passes.soac.in_place.separate_fills import SeparateFills
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.note_failures import NoteFailures
from tapeless.passes.soac.parallelise.parallelise import Parallelise
from tapeless.passes.soac.simplify.fold import Fold
from tapeless.passes.soac.simplify.simplify import Simplify
from tapeless.passes.soac.sums.count_by_keys import CountByKeys
from tapeless.passes.soac.sums.join_sums import JoinSums
from tapeless.passes.soac.sums.reduce_accumulations import ReduceAccumulations
from tapeless.passes.soac.sums.sum_by_rows import SumByRows
from tapeless.passes.soac.tabulate.tabulate import Tabulate
from tapeless.passes.soac.unchecked import Unchecked

PASSES = PassTable(
    {
        "ad-digests": "ad.prepare.digests.Digests",
        "ad-drop-marks": "ad.drop_marks.DropMarks",
        "ad-expand": "ad.expand.Expand",
        "ad-interchange": "ad.prepare.interchange.Interchange",
        "ad-lasting-arrays": "ad.prepare.lasting_arrays.LastingArrays",
        "ad-lift": "ad.prepare.lift.Lift",
        "ad-plain-scans": "ad.prepare.plain_scans.PlainScans",
        "ad-promises": "ad.promises.Promises",
        "ad-schedule-retraces": "ad.reversible.chain.schedule_retraces.ScheduleRetraces",
        "ad-sequential-sums": "ad.prepare.sequential_sums.SequentialSums",
        "ad-share-seeds": "ad.sharing.share_seeds.ShareSeeds",
        "ad-store-retraces": "ad.prepare.store_retraces.StoreRetraces",
        "ad-stripmine": "ad.prepare.stripmine.Stripmine",
        "ad-take-steps": "ad.prepare.take_steps.TakeSteps",
        "ad-ties": "ad.ties.Ties",
        "ad-unroll": "ad.prepare.unroll.Unroll",
        "ad-while-to-for": "ad.prepare.while_to_for.WhileToFor",
        "ad-wrap": "ad.wrap.wrap.Wrap",
        "soac-array-selects": "soac.array_selects.ArraySelects",
        "soac-core-only": "soac.core_only.CoreOnly",
        "soac-unchecked": "soac.unchecked.Unchecked",
        "soac-note-failures": "soac.note_failures.NoteFailures",
        "soac-inline": "soac.inline.Inline",
        "soac-simplify": "soac.simplify.simplify.Simplify",
        "soac-parallelise": "soac.parallelise.parallelise.Parallelise",
        "soac-tabulate": "soac.tabulate.tabulate.Tabulate",
        "soac-cut-histories": "soac.cut.cut_histories.CutHistories",
        "soac-reduce-accumulations": "soac.sums.reduce_accumulations.ReduceAccumulations",
        "soac-fold": "soac.simplify.fold.Fold",
        "soac-gather-slices": "soac.gather.gather_slices.GatherSlices",
        "soac-join-slices": "soac.gather.join_slices.JoinSlices",
        "soac-split-at-slices": "soac.gather.split_at_slices.SplitAtSlices",
        "soac-align-gathered": "soac.gather.align_gathered.AlignGathered",
        "soac-turn-transposed": "soac.fuse.turn_transposed.TurnTransposed",
        "soac-recompute": "soac.fuse.recompute.Recompute",
        "soac-count-by-keys": "soac.sums.count_by_keys.CountByKeys",
        "soac-fuse": "soac.fuse.fuse.Fuse",
        "soac-sink": "soac.fuse.sink.Sink",
        "soac-merge-loops": "soac.fuse.merge_loops.MergeLoops",
        "soac-merge-duplicates": "soac.fuse.merge_duplicates.MergeDuplicates",
        "soac-share-loops": "soac.fuse.share_loops.ShareLoops",
        "soac-sum-by-rows": "soac.sums.sum_by_rows.SumByRows",
        "soac-join-sums": "soac.sums.join_sums.JoinSums",
        "soac-separate-empties": "soac.in_place.separate_empties.SeparateEmpties",
        "soac-carry-negated": "soac.in_place.carry_negated.CarryNegated",
        "soac-carry-fills": "soac.in_place.carry_fills.CarryFills",
        "soac-carry-histories": "soac.in_place.carry_histories.CarryHistories",
        "soac-delay-writes": "soac.in_place.delay_writes.DelayWrites",
        "soac-separate-fills": "soac.in_place.separate_fills.SeparateFills",
        "soac-take-general": "soac.take_general.TakeGeneral",
        "soac-element-histograms": "soac.element_histograms.ElementHistograms",
        "soac-join-claims": "soac.join_claims.JoinClaims",
        "soac-defer-sums": "soac.defer.defer_sums.DeferSums",
        "soac-known-signs": "soac.ranges.known_signs.KnownSigns",
        "soac-flatten-sums": "soac.flatten_sums.FlattenSums",
        "soac-reduce-columns": "soac.reduce_columns.ReduceColumns",
        "soac-cascade": "soac.cascade.cascade.Cascade",
        "soac-loops-in-thread": "soac.in_thread.loops_in_thread.LoopsInThread",
        "soac-spread": "soac.spread.spread.Spread",
        "soac-factor": "soac.factor.factor.Factor",
        "soac-settle-guards": "soac.guards.settle_guards.SettleGuards",
        "soac-contract": "soac.contract.contract.Contract",
        "rev-from-core": "rev.from_core.FromCore",
        "rev-lower": "rev.lower.Lower",
        "rev-find-parallel": "rev.forms.find_parallel.FindParallel",
        "rev-mark-exact": "rev.forms.mark_exact.MarkExact",
        "rev-merge-computes": "rev.forms.merge_computes.MergeComputes",
        "rev-normalise": "rev.forms.normalise.Normalise",
        "rev-expand-chains": "rev.forms.expand_chains.ExpandChains",
        "rev-expand-compute": "rev.forms.expand_compute.ExpandCompute",
        "rev-invert": "rev.inversion.invert.Invert",
        "rev-adjoint": "rev.adjoint.adjoint.Adjoint",
        "rev-drop-first-legs": "rev.adjoint.drop_first_legs.DropFirstLegs",
        "rev-gradients": "rev.adjoint.gradients.Gradients",
        "rev-to-core": "rev.to_core.to_core.ToCore",
        "stablehlo-to-core": "imports.stablehlo.to_core.ToCore",
        "linalg-to-core": "imports.linalg.to_core.ToCore",
        "phi-segments": "phi.segments.segments.Segments",
        "phi-raise": "phi.raise_.Raise",
        "phi-simplify": "phi.simplify.simplify.Simplify",
        "phi-differentiate": "phi.differentiate.differentiate.Differentiate",
        "phi-segment-loops": "phi.loop_segments.segment_loops.SegmentLoops",
        "phi-factor": "phi.factor.factor.Factor",
        "phi-solve": "phi.solve.solve.Solve",
        "phi-lower": "phi.lower.lower.Lower",
        "lower-fastmath": "lower.arithmetic.fastmath.FastMath",
        "lower-loops": "lower.loops.loops.Loops",
        "lower-merge-parts": "lower.parts.merge_parts.MergeParts",
        "lower-repeat": "lower.repeat.repeat.Repeat",
        "lower-peel": "lower.peel.peel.Peel",
        "lower-vectorise": "lower.vectorise.vectorise.Vectorise",
        "lower-carried-sums": "lower.arithmetic.carried_sums.CarriedSums",
        "lower-carried-cells": "lower.cells.carried_cells.CarriedCells",
        "lower-together": "lower.together.together.Together",
        "lower-streams": "lower.arithmetic.streams.Streams",
        "lower-fma": "lower.arithmetic.fma.Fma",
        "lower-roots": "lower.arithmetic.roots.Roots",
        "lower-tiles": "lower.tiles.tiles.Tiles",
        "lower-math": "lower.math.math.Math",
        "lower-sections": "lower.sections.sections.Sections",
        "lower-to-llvm": "lower.llvm.to_llvm.ToLLVM",
        "lower-borders": "lower.borders.borders.Borders",
        "lower-records": "lower.records.records.Records",
        "lower-loops-in-block": "lower.in_block.loops_in_block.LoopsInBlock",
        "lower-jam": "lower.jam.jam.Jam",
        "lower-launches": "lower.launches.launches.Launches",
        "lower-device-math": "lower.nvvm.device_math.DeviceMath",
        "lower-device-instructions": "lower.nvvm.device_instructions.DeviceInstructions",
    }
)

CANONICALIZE = Upstream("canonicalize")
CSE = Upstream("cse")

BEGIN: tuple[Element, ...] = (
    Lower(),
    CoreOnly(),
    Unchecked(checks=True),
    NoteFailures(status=False),
    Promises(),
    Inline(),
    Ties(),
    CANONICALIZE,
    CSE,
)
SIMPLIFIED: tuple[Element, ...] = (
    *BEGIN,
    Simplify(),
    Parallelise(),
    Ties(),
    CANONICALIZE,
    CSE,
    Simplify(),
    Tabulate(),
)
DERIVATIVES: tuple[Element, ...] = (Expand(), DropMarks())
FUSE: tuple[Element, ...] = (
    CutHistories(),
    ReduceAccumulations(),
    TurnTransposed(),
    Fold(),
    GatherSlices(),
    Recompute(),
    CountByKeys(of_stored=True),
    Fuse(),
    ShareLoops(),
    SplitAtSlices(),
    CarryNegated(),
    AlignGathered(),
    CarryFills(),
    JoinSums(),
    CountByKeys(),
    SeparateEmpties(),
    CarryHistories(),
    DelayWrites(),
    SeparateFills(),
)
LOOPS: tuple[Element, ...] = (
    Loops(),
    MergeParts(),
    Repeat(),
    Peel(),
    Vectorise(),
    CarriedSums(),
    CarriedCells(),
    Streams(),
    Together(),
    Roots(),
)
# The option `flags` sets the fast-math flags of a program before it is looked at, and then those of its derivatives.
FLAGS = FastMath(AS_WRITTEN)


class TargetPasses(NamedTuple):
    """What a target runs before requests for derivatives are replaced, to replace them, and after it."""

    before: tuple[Element, ...]
    after: tuple[Element, ...]
    derivatives: tuple[Element, ...] = DERIVATIVES

    def pipeline(self) -> tuple[Element, ...]:
        """All passes from core IR to the llvm dialect; `ad-expand` asks every request for its method."""
        return (*self.before, *self.derivatives, *self.after)


def _on_processors() -> TargetPasses:
    after = (
        FLAGS,
        *FUSE,
        SumByRows(),
        SettleGuards(),
        Factor(),
        Contract(),
        *LOOPS,
        Fma(),
        Math(),
        Sections(),
        ToLLVM(),
    )
    return TargetPasses((FLAGS, *SIMPLIFIED), after)


def _on_gpus() -> TargetPasses:
    from tapeless.passes.gpu_passes import gpu_passes

    # Each of many threads may take a second way, and would need memory for the states of its loops.
    derivatives = (Expand(few_states=True), DropMarks())
    # One thread that adds to places one after the other takes longer than many with copies, or exact sums.
    before = (Parallelise(bins=True) if isinstance(each, Parallelise) else each for each in SIMPLIFIED)
    return TargetPasses((FLAGS, *before), (FLAGS, *gpu_passes(FUSE)), derivatives)


def _to_nvvm() -> tuple[Element, ...]:
    from tapeless.passes.gpu_passes import nvvm_passes

    return nvvm_passes()


def _on_gpus_to_nvvm() -> TargetPasses:
    to_launches = _on_gpus()
    return to_launches._replace(after=(*to_launches.after, *_to_nvvm()))


def _one_by_one() -> TargetPasses:
    return TargetPasses(BEGIN, (FastMath(), Loops(sequential=True), Math(), ToLLVM()))


# Passes of GPUs are many, and imported when a pipeline with them is asked for.
TARGETS: dict[str, Callable[[], TargetPasses]] = {
    "cpu": _on_processors,
    "cuda": _on_gpus,
    "cuda-nvvm": _on_gpus_to_nvvm,
    "cpu-sequential": _one_by_one,
}


def _pipeline(target: str) -> tuple[Element, ...]:
    return TARGETS[target]().pipeline()


# One pipeline for each method that works on each target; a target alone stands for the default method.
PIPELINES = PipelineTable(
    {
        "core": lambda: (*SIMPLIFIED, *DERIVATIVES),
        "fuse": lambda: FUSE,
        "nvvm": _to_nvvm,
        **{f"{method}-{name}": partial(_pipeline, name) for method in IMPLEMENTED for name in TARGETS},
        **{name: partial(_pipeline, name) for name in TARGETS},
    }
)
