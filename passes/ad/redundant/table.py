"""Every rule of reverse mode in one table."""

from __future__ import annotations

from tapeless.passes.ad.redundant.control.branches import if_back
from tapeless.passes.ad.redundant.control.calls import call_back, call_forward, checkpoint_back
from tapeless.passes.ad.redundant.control.loops import for_back, for_forward
from tapeless.passes.ad.redundant.elements.indexing import INDEXING
from tapeless.passes.ad.redundant.elements.scalars import SCALARS
from tapeless.passes.ad.redundant.elements.structure import STRUCTURE
from tapeless.passes.ad.redundant.operators.histograms import hist_back
from tapeless.passes.ad.redundant.operators.maps import map_back, map_forward
from tapeless.passes.ad.redundant.operators.reductions import reduce_back
from tapeless.passes.ad.redundant.operators.scans import scan_back
from tapeless.passes.ad.redundant.operators.scatters import scatter_back
from tapeless.passes.ad.redundant.scope.sweep import Rules

RULES = Rules(
    forward={
        "scf.for": for_forward,
        "func.call": call_forward,
        "soac.map": map_forward,
    },
    back={
        **SCALARS,
        **INDEXING,
        **STRUCTURE,
        "ad.checkpoint": checkpoint_back,
        "func.call": call_back,
        "scf.if": if_back,
        "scf.for": for_back,
        "soac.map": map_back,
        "soac.reduce": reduce_back,
        "soac.scan": scan_back,
        "soac.hist": hist_back,
        "soac.scatter": scatter_back,
    },
)
