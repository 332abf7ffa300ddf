"""The passes of GPU pipelines that follow differentiation."""

from __future__ import annotations

from tapeless.passes.driver.base import Element, Nested, Upstream
from tapeless.passes.lower.arithmetic.fma import Fma
from tapeless.passes.lower.arithmetic.guards import Guards
from tapeless.passes.lower.emission.lower_loops import Loops
from tapeless.passes.lower.in_block.loops_in_block import LoopsInBlock
from tapeless.passes.lower.in_block.nests_in_block import NestsInBlock
from tapeless.passes.lower.launches.launches import Launches
from tapeless.passes.lower.math.math import Math
from tapeless.passes.lower.nvvm.device_instructions import CONTAINER, DeviceInstructions
from tapeless.passes.lower.records.records import Records
from tapeless.passes.lower.schedule.schedule import Scheduling
from tapeless.passes.lower.storage.check_storage import CheckStorage
from tapeless.passes.lower.storage.plan_storage import PlanStorage
from tapeless.passes.lower.tiles.tiles import Tiles
from tapeless.passes.recipes.borders.borders import Borders
from tapeless.passes.recipes.contractions import Contractions
from tapeless.passes.recipes.moments.moments import Moments
from tapeless.passes.soac.cascade.fuse_scans import FuseScans
from tapeless.passes.soac.contract.mark_fma import MarkFma
from tapeless.passes.soac.cut.minimise_checkpoints import MinimiseCheckpoints
from tapeless.passes.soac.defer.defer_sums import DeferSums
from tapeless.passes.soac.element_histograms import ElementHistograms
from tapeless.passes.soac.factor.factor import Factor
from tapeless.passes.soac.flatten_sums import FlattenSums
from tapeless.passes.soac.fuse.fuse import Fuse
from tapeless.passes.soac.fuse.fuse_sequential_loops import FuseSequentialLoops
from tapeless.passes.soac.fuse.rematerialise import Rematerialise
from tapeless.passes.soac.gather.slices_to_concat import SlicesToConcat
from tapeless.passes.soac.gather.stencil_gather import StencilGather
from tapeless.passes.soac.in_place.write_in_place import WriteInPlace
from tapeless.passes.soac.in_thread.loops_in_thread import LoopsInThread
from tapeless.passes.soac.ranges.int_ranges import IntRanges
from tapeless.passes.soac.reduce_columns import ReduceColumns
from tapeless.passes.soac.select_branch_free import SelectBranchFree
from tapeless.passes.soac.sink_guards import SinkGuards
from tapeless.passes.soac.spread.distribute_nests import DistributeNests
from tapeless.passes.soac.sums.accumulators_to_histograms import AccumulatorsToHistograms
from tapeless.passes.soac.sums.reduce_accumulations import ReduceAccumulations

# Passes of MLIR that take kernels to the dialects llvm and nvvm.
CONVERSIONS = (
    "convert-vector-to-scf",
    "expand-strided-metadata",
    "lower-affine",
    "convert-scf-to-cf",
    "convert-gpu-to-nvvm",
    "convert-math-to-llvm",
    "reconcile-unrealized-casts",
)


def nvvm_passes() -> tuple[Element, ...]:
    """The passes from kernels on memory to the input of LLVM's code generator for GPUs."""
    return Nested(CONTAINER, tuple(map(Upstream, CONVERSIONS))), DeviceInstructions()


# Threads of GPUs have many registers, and every array that a loop leaves for another one is written and read once more.
FUSE_WIDELY: tuple[Element, ...] = (
    MinimiseCheckpoints(),
    ReduceAccumulations(most_operations=32, turns=True),
    StencilGather(most_products=0),
    Rematerialise(),
    AccumulatorsToHistograms(of_stored=True),
    Fuse(most_values=256),
    FuseSequentialLoops(),
    AccumulatorsToHistograms(),
    WriteInPlace(),
)
GPU_PASSES: tuple[Element, ...] = (
    SelectBranchFree(),
    ElementHistograms(),
    SlicesToConcat(),
    *FUSE_WIDELY,
    DeferSums(),
    FlattenSums(),
    IntRanges(),
    LoopsInThread(),
    Moments(),
    DistributeNests(),
    SinkGuards(),
    Factor(),
    MarkFma(),
    ReduceColumns(),
    FuseScans(),
    PlanStorage(target="cuda"),
    CheckStorage(),
    Scheduling(target="cuda"),
    Loops(),
    Guards(),
    Fma(),
    LoopsInBlock(),
    Contractions(),
    Tiles(),
    Math(),
    NestsInBlock(),
    Borders(),
    Records(),
    Upstream("cse"),
    Launches(),
)
