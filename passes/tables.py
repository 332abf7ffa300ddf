"""Every pass by name, and the named pipelines made of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from tapeless.passes.ad.expand import Expand
from tapeless.passes.ad.promises import Promises
from tapeless.passes.ad.ties import Ties
from tapeless.passes.driver.base import Element, Pass, Upstream
from tapeless.passes.driver.pass_table import ImportTable, PipelineTable
from tapeless.passes.lower.arithmetic.carried_sums import CarriedSums
from tapeless.passes.lower.arithmetic.fastmath import AS_WRITTEN, FastMath
from tapeless.passes.lower.arithmetic.fma import Fma
from tapeless.passes.lower.arithmetic.guards import Guards
from tapeless.passes.lower.arithmetic.roots import Roots
from tapeless.passes.lower.arithmetic.streams import Streams
from tapeless.passes.lower.cells.carried_cells import CarriedCells
from tapeless.passes.lower.emission.lower_loops import Loops
from tapeless.passes.lower.hoist.hoist_buffers import HoistBuffers
from tapeless.passes.lower.llvm.to_llvm import ToLLVM
from tapeless.passes.lower.math.math import Math
from tapeless.passes.lower.parts.merge_parts import MergeParts
from tapeless.passes.lower.peel.peel import Peel
from tapeless.passes.lower.repeat.repeat import Repeat
from tapeless.passes.lower.schedule.schedule import Scheduling
from tapeless.passes.lower.sections.sections import Sections
from tapeless.passes.lower.storage.check_storage import CheckStorage
from tapeless.passes.lower.storage.plan_storage import PlanStorage
from tapeless.passes.lower.vectorise.vectorise import Vectorise
from tapeless.passes.rev.lower import Lower
from tapeless.passes.soac.arg_histograms import ArgHistograms
from tapeless.passes.soac.borders.mark_borders import MarkBorders
from tapeless.passes.soac.contract.mark_fma import MarkFma
from tapeless.passes.soac.core_only import CoreOnly
from tapeless.passes.soac.cut.minimise_checkpoints import MinimiseCheckpoints
from tapeless.passes.soac.factor.factor import Factor
from tapeless.passes.soac.fuse.fuse import Fuse
from tapeless.passes.soac.fuse.fuse_sequential_loops import FuseSequentialLoops
from tapeless.passes.soac.fuse.rematerialise import Rematerialise
from tapeless.passes.soac.gather.stencil_gather import StencilGather
from tapeless.passes.soac.hoist_elements import HoistElements
from tapeless.passes.soac.in_place.write_in_place import WriteInPlace
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.note_failures import NoteFailures
from tapeless.passes.soac.parallelise.parallelise import Parallelise
from tapeless.passes.soac.simplify.simplify import Simplify
from tapeless.passes.soac.sink_guards import SinkGuards
from tapeless.passes.soac.skew.skew_nests import SkewNests
from tapeless.passes.soac.sums.reduce_accumulations import ReduceAccumulations
from tapeless.passes.soac.sums.sum_by_rows import SumByRows
from tapeless.passes.soac.tabulate.gather_before_map import GatherBeforeMap
from tapeless.passes.soac.tabulate.map_before_gather import MapBeforeGather
from tapeless.passes.soac.unchecked import Unchecked

PASSES: ImportTable[str, type[Pass]] = ImportTable(
    "",
    {
        "ad-digests": "ad.prepare.digests.Digests",
        "ad-expand": "ad.expand.Expand",
        "ad-interchange": "ad.prepare.interchange.Interchange",
        "ad-keep-originals": "ad.coarsened.keep_originals.KeepOriginals",
        "ad-lasting-arrays": "ad.prepare.lasting_arrays.LastingArrays",
        "ad-lift": "ad.prepare.lift.Lift",
        "ad-normalise": "ad.prepare.normalise.Normalise",
        "ad-promises": "ad.promises.Promises",
        "ad-schedule-retraces": "ad.reversible.chain.schedule_retraces.ScheduleRetraces",
        "ad-share-seeds": "ad.sharing.share_seeds.ShareSeeds",
        "ad-stripmine": "ad.prepare.stripmine.Stripmine",
        "ad-ties": "ad.ties.Ties",
        "ad-unroll": "ad.prepare.unroll.Unroll",
        "ad-while-to-for": "ad.prepare.while_to_for.WhileToFor",
        "ad-wrap": "ad.wrap.wrap.Wrap",
        "soac-core-only": "soac.core_only.CoreOnly",
        "soac-unchecked": "soac.unchecked.Unchecked",
        "soac-note-failures": "soac.note_failures.NoteFailures",
        "soac-inline": "soac.inline.Inline",
        "soac-simplify": "soac.simplify.simplify.Simplify",
        "soac-skew-nests": "soac.skew.skew_nests.SkewNests",
        "soac-parallelise": "soac.parallelise.parallelise.Parallelise",
        "soac-gather-rolls": "soac.gather_rolls.GatherRolls",
        "soac-hoist-slices": "soac.hoist_slices.HoistSlices",
        "soac-unroll-taps": "soac.unroll_taps.UnrollTaps",
        "soac-map-before-gather": "soac.tabulate.map_before_gather.MapBeforeGather",
        "soac-hoist-elements": "soac.hoist_elements.HoistElements",
        "soac-gather-before-map": "soac.tabulate.gather_before_map.GatherBeforeMap",
        "soac-minimise-checkpoints": "soac.cut.minimise_checkpoints.MinimiseCheckpoints",
        "soac-reduce-accumulations": "soac.sums.reduce_accumulations.ReduceAccumulations",
        "soac-stencil-gather": "soac.gather.stencil_gather.StencilGather",
        "soac-slices-to-concat": "soac.gather.slices_to_concat.SlicesToConcat",
        "soac-rematerialise": "soac.fuse.rematerialise.Rematerialise",
        "soac-accumulators-to-histograms": "soac.sums.accumulators_to_histograms.AccumulatorsToHistograms",
        "soac-fuse": "soac.fuse.fuse.Fuse",
        "soac-sink": "soac.fuse.sink.Sink",
        "soac-merge-loops": "soac.fuse.merge_loops.MergeLoops",
        "soac-merge-duplicates": "soac.fuse.merge_duplicates.MergeDuplicates",
        "soac-fuse-sequential-loops": "soac.fuse.fuse_sequential_loops.FuseSequentialLoops",
        "soac-sum-by-rows": "soac.sums.sum_by_rows.SumByRows",
        "soac-write-in-place": "soac.in_place.write_in_place.WriteInPlace",
        "soac-select-branch-free": "soac.select_branch_free.SelectBranchFree",
        "soac-element-histograms": "soac.element_histograms.ElementHistograms",
        "soac-arg-histograms": "soac.arg_histograms.ArgHistograms",
        "soac-defer-sums": "soac.defer.defer_sums.DeferSums",
        "soac-int-ranges": "soac.ranges.int_ranges.IntRanges",
        "soac-flatten-sums": "soac.flatten_sums.FlattenSums",
        "soac-reduce-columns": "soac.reduce_columns.ReduceColumns",
        "soac-fuse-scans": "soac.cascade.fuse_scans.FuseScans",
        "soac-loops-in-thread": "soac.in_thread.loops_in_thread.LoopsInThread",
        "soac-distribute-nests": "soac.spread.distribute_nests.DistributeNests",
        "soac-factor": "soac.factor.factor.Factor",
        "soac-sink-guards": "soac.sink_guards.SinkGuards",
        "soac-mark-borders": "soac.borders.mark_borders.MarkBorders",
        "soac-mark-fma": "soac.contract.mark_fma.MarkFma",
        "rev-explain-loops": "rev.explain_loops.ExplainLoops",
        "rev-lower": "rev.lower.Lower",
        "rev-find-parallel": "rev.forms.find_parallel.FindParallel",
        "rev-mark-exact": "rev.forms.mark_exact.MarkExact",
        "rev-merge-computes": "rev.forms.merge_computes.MergeComputes",
        "rev-normalise": "rev.forms.normalise.Normalise",
        "rev-expand-chains": "rev.forms.expand_chains.ExpandChains",
        "rev-expand-compute": "rev.forms.expand_compute.ExpandCompute",
        "rev-invert": "rev.inversion.invert.Invert",
        "rev-adjoint": "rev.adjoint.adjoint.Adjoint",
        "rev-skip-zero-adjoints": "rev.adjoint.skip_zero_adjoints.SkipZeroAdjoints",
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
        "lower-plan-storage": "lower.storage.plan_storage.PlanStorage",
        "lower-check-storage": "lower.storage.check_storage.CheckStorage",
        "lower-schedule": "lower.schedule.schedule.Scheduling",
        "lower-loops": "lower.emission.lower_loops.Loops",
        "lower-merge-functions": "lower.parts.merge_parts.MergeParts",
        "lower-speculate-guards": "lower.repeat.repeat.Repeat",
        "lower-peel": "lower.peel.peel.Peel",
        "lower-vectorise": "lower.vectorise.vectorise.Vectorise",
        "lower-hoist-buffers": "lower.hoist.hoist_buffers.HoistBuffers",
        "lower-guards": "lower.arithmetic.guards.Guards",
        "lower-fuse-reductions": "lower.arithmetic.carried_sums.CarriedSums",
        "lower-scalar-replacement": "lower.cells.carried_cells.CarriedCells",
        "lower-nontemporal-stores": "lower.arithmetic.streams.Streams",
        "lower-fma": "lower.arithmetic.fma.Fma",
        "lower-expand-vector-sqrt": "lower.arithmetic.roots.Roots",
        "lower-tile-contractions": "lower.tiles.tiles.Tiles",
        "lower-math": "lower.math.math.Math",
        "lower-outline-sections": "lower.sections.sections.Sections",
        "lower-to-llvm": "lower.llvm.to_llvm.ToLLVM",
        "lower-stage-in-shared-memory": "lower.records.records.Records",
        "lower-loops-in-block": "lower.in_block.loops_in_block.LoopsInBlock",
        "lower-nests-in-block": "lower.in_block.nests_in_block.NestsInBlock",
        "lower-launches": "lower.launches.launches.Launches",
        "recipes-borders": "recipes.borders.borders.Borders",
        "recipes-moments": "recipes.moments.moments.Moments",
        "recipes-contractions": "recipes.contractions.Contractions",
        "lower-device-instructions": "lower.nvvm.device_instructions.DeviceInstructions",
    },
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
)

# The passes before derivatives are taken; loops become maps and sums on the way.
SIMPLIFIED: tuple[Element, ...] = (
    *BEGIN,
    Simplify(),
    SkewNests(costly=True),
    Parallelise(),
    Ties(),
    Simplify(),
    MapBeforeGather(products=True),
)
DERIVATIVES: tuple[Element, ...] = (Expand(), ArgHistograms())
FUSE: tuple[Element, ...] = (
    GatherBeforeMap(),
    MinimiseCheckpoints(),
    ReduceAccumulations(),
    StencilGather(),
    Rematerialise(),
    Fuse(),
    FuseSequentialLoops(),
    WriteInPlace(),
)
# From arrays to memory: where arrays live, in which form operators run, and loops in these forms.
TO_LOOPS: tuple[Element, ...] = (PlanStorage(), CheckStorage(), Scheduling(), Loops())
LOOPS: tuple[Element, ...] = (
    *TO_LOOPS,
    MergeParts(),
    Repeat(),
    Peel(),
    Vectorise(),
    HoistBuffers(),
    Guards(),
    CarriedSums(),
    CarriedCells(),
    Streams(),
    Roots(),
)
# The option `flags` sets the fast-math flags of a program before it is looked at, and then those of its derivatives.
FLAGS = FastMath(AS_WRITTEN)


class TargetPasses(NamedTuple):
    """The passes of a target before requests for derivatives are expanded, to expand them, and after it."""

    before: tuple[Element, ...]
    after: tuple[Element, ...]
    derivatives: tuple[Element, ...] = DERIVATIVES

    def pipeline(self) -> tuple[Element, ...]:
        """All passes from core IR to the llvm dialect; `ad-expand` asks every request for its method."""
        return (*self.before, *self.derivatives, *self.after)


def _on_processors() -> TargetPasses:
    after = (
        FLAGS,
        HoistElements(),
        *FUSE,
        SumByRows(),
        SinkGuards(),
        Factor(),
        MarkFma(),
        MarkBorders(),
        *LOOPS,
        Fma(),
        Math(),
        Sections(),
        ToLLVM(),
    )
    return TargetPasses((FLAGS, *SIMPLIFIED), after)


def _on_gpus() -> TargetPasses:
    from tapeless.passes.gpu_passes import GPU_PASSES
    from tapeless.passes.soac.gather_rolls import GatherRolls
    from tapeless.passes.soac.hoist_slices import HoistSlices
    from tapeless.passes.soac.unroll_taps import UnrollTaps

    # Each of many threads may take a second way, and would need memory for the states of its loops.
    derivatives = (Expand(few_states=True), ArgHistograms(joined=True))
    # One thread that adds to places one after the other takes longer than many with copies, or exact sums.
    parallel = (Simplify(), SkewNests(), Parallelise(bins=True), UnrollTaps(), Ties(), Simplify())
    before = (FLAGS, *BEGIN, *parallel, HoistSlices(), GatherRolls(), Simplify(), MapBeforeGather())
    return TargetPasses(before, (FLAGS, *GPU_PASSES), derivatives)


def _to_nvvm() -> tuple[Element, ...]:
    from tapeless.passes.gpu_passes import nvvm_passes

    return nvvm_passes()


def _on_gpus_to_nvvm() -> TargetPasses:
    to_launches = _on_gpus()
    return to_launches._replace(after=(*to_launches.after, *_to_nvvm()))


def _one_by_one() -> TargetPasses:
    to_loops = (PlanStorage(sequential=True), CheckStorage(), Scheduling(sequential=True), Loops())
    return TargetPasses((*BEGIN, CANONICALIZE, CSE), (FastMath(), *to_loops, Guards(), Math(), ToLLVM()))


# Passes of GPUs are many, and imported when a pipeline with them is asked for.
TARGETS: dict[str, Callable[[], TargetPasses]] = {
    "cpu": _on_processors,
    "cuda": _on_gpus,
    "cuda-nvvm": _on_gpus_to_nvvm,
    "cpu-sequential": _one_by_one,
}


def _pipeline(target: str) -> tuple[Element, ...]:
    return TARGETS[target]().pipeline()


# One pipeline for each target: `ad-expand` asks every request for its method, and runs the passes of that.
PIPELINES = PipelineTable(
    {
        "core": lambda: (*SIMPLIFIED, *DERIVATIVES),
        "fuse": lambda: FUSE,
        "loops": lambda: TO_LOOPS,
        "nvvm": _to_nvvm,
        **{name: partial(_pipeline, name) for name in TARGETS},
    }
)
