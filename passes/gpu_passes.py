"""The passes of GPU pipelines that follow differentiation."""

from __future__ import annotations

from tapeless.passes.driver.base import Element, Nested, Upstream
from tapeless.passes.lower.arithmetic.fma import Fma
from tapeless.passes.lower.borders.borders import Borders
from tapeless.passes.lower.in_block.loops_in_block import LoopsInBlock
from tapeless.passes.lower.jam.jam import Jam
from tapeless.passes.lower.launches.launches import Launches
from tapeless.passes.lower.loops.loops import Loops
from tapeless.passes.lower.math.math import Math
from tapeless.passes.lower.nvvm.device_instructions import DeviceInstructions
from tapeless.passes.lower.nvvm.device_math import DeviceMath
from tapeless.passes.lower.nvvm.kernels import CONTAINER
from tapeless.passes.lower.records.records import Records
from tapeless.passes.lower.tiles.tiles import Tiles
from tapeless.passes.soac.cascade.cascade import Cascade
from tapeless.passes.soac.contract.contract import Contract
from tapeless.passes.soac.defer.defer_sums import DeferSums
from tapeless.passes.soac.element_histograms import ElementHistograms
from tapeless.passes.soac.factor.factor import Factor
from tapeless.passes.soac.flatten_sums import FlattenSums
from tapeless.passes.soac.fuse.fuse import Fuse
from tapeless.passes.soac.gather.align_gathered import AlignGathered
from tapeless.passes.soac.gather.gather_slices import GatherSlices
from tapeless.passes.soac.gather.join_slices import JoinSlices
from tapeless.passes.soac.guards.settle_guards import SettleGuards
from tapeless.passes.soac.in_place.carry_fills import CarryFills
from tapeless.passes.soac.in_thread.loops_in_thread import LoopsInThread
from tapeless.passes.soac.join_claims import JoinClaims
from tapeless.passes.soac.ranges.known_signs import KnownSigns
from tapeless.passes.soac.reduce_columns import ReduceColumns
from tapeless.passes.soac.spread.spread import Spread
from tapeless.passes.soac.take_general import TakeGeneral

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
    """The passes from kernels on memory to what LLVM's code generator for GPUs reads."""
    return DeviceMath(), Nested(CONTAINER, tuple(map(Upstream, CONVERSIONS))), DeviceInstructions()


def gpu_passes(fuse: tuple[Element, ...]) -> tuple[Element, ...]:
    """The passes, with those that decide which loops there are."""
    # Threads of GPUs have many registers, and every array that a loop leaves for another one is written and read once
    # more; borders of slices would be launches of their own, and threads of borders fill them as they go.
    fused_widely = tuple(
        Fuse(most_values=256)
        if isinstance(element, Fuse)
        else GatherSlices(most_products=0, pads=False)
        if isinstance(element, GatherSlices)
        else element
        for element in fuse
        if not isinstance(element, AlignGathered | CarryFills)
    )
    return (
        TakeGeneral(),
        ElementHistograms(),
        JoinClaims(),
        JoinSlices(),
        *fused_widely,
        DeferSums(),
        FlattenSums(),
        KnownSigns(),
        LoopsInThread(),
        Spread(),
        SettleGuards(),
        Factor(),
        Contract(),
        ReduceColumns(),
        Cascade(),
        Loops(target="cuda"),
        Fma(),
        LoopsInBlock(),
        Tiles(),
        Math(),
        Borders(),
        Records(),
        Jam(),
        Launches(),
    )
