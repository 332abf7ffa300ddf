"""Names that passes and pipelines had in the release before: hidden, and accepted with a warning until the next one."""

from __future__ import annotations

import warnings

# Old names, none of which `--list-passes` shows, with the new ones. They go with release 0.3.0.
RENAMED = {
    "ad-drop-marks": "ad-expand",
    "ad-plain-scans": "ad-normalise",
    "ad-sequential-sums": "ad-normalise",
    "ad-store-retraces": "ad-normalise",
    "ad-take-steps": "ad-normalise",
    "lower-borders": "recipes-borders",
    "lower-carried-cells": "lower-scalar-replacement",
    "lower-carried-sums": "lower-fuse-reductions",
    "lower-fuse-boundary-kernels": "recipes-borders",
    "lower-merge-parts": "lower-merge-functions",
    "lower-records": "lower-stage-in-shared-memory",
    "lower-repeat": "lower-speculate-guards",
    "lower-roots": "lower-expand-vector-sqrt",
    "lower-sections": "lower-outline-sections",
    "lower-streams": "lower-nontemporal-stores",
    "lower-tiles": "lower-tile-contractions",
    "rev-drop-first-legs": "rev-skip-zero-adjoints",
    "rev-from-core": "rev-explain-loops",
    "soac-carry-histories": "soac-write-in-place",
    "soac-cascade": "soac-fuse-scans",
    "soac-contract": "soac-mark-fma",
    "soac-checkpoints-in-place": "soac-write-in-place",
    "soac-count-by-keys": "soac-accumulators-to-histograms",
    "soac-cut-histories": "soac-minimise-checkpoints",
    "soac-delay-writes": "soac-write-in-place",
    "soac-fold-transposes": "soac-rematerialise",
    "soac-gather-slices": "soac-stencil-gather",
    "soac-join-claims": "soac-arg-histograms",
    "soac-join-slices": "soac-slices-to-concat",
    "soac-known-signs": "soac-int-ranges",
    "soac-recompute": "soac-rematerialise",
    "soac-separate-empties": "soac-write-in-place",
    "soac-separate-fills": "soac-write-in-place",
    "soac-settle-guards": "soac-sink-guards",
    "soac-share-loops": "soac-fuse-sequential-loops",
    "soac-sink-writes": "soac-write-in-place",
    "soac-spread": "soac-distribute-nests",
    "soac-tabulate": "soac-map-before-gather",
    "soac-take-general": "soac-select-branch-free",
    "soac-turn-transposed": "soac-rematerialise",
}
# Pipelines were named after methods, too, which they all served.
RENAMED |= {
    f"{method}-{target}": target
    for method in ("redundant", "reversible", "coarsened")
    for target in ("cpu", "cuda", "cuda-nvvm", "cpu-sequential")
}


def current_name(name: str) -> str:
    """The name that a pass or a pipeline has now; warns about one of the last release."""
    if name not in RENAMED:
        return name
    now = RENAMED[name]
    # The place is that of this line, so that a name is warned about once, wherever it stands.
    warnings.warn(f"'{name}' is called '{now}'; the old name goes with release 0.3.0", FutureWarning, stacklevel=1)
    return now
