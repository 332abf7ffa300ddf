"""The passes from procedures to core IR, in order."""

from __future__ import annotations

from tapeless.passes.driver.base import Pass
from tapeless.passes.rev.adjoint.gradients import Gradients
from tapeless.passes.rev.adjoint.skip_zero_adjoints import SkipZeroAdjoints
from tapeless.passes.rev.forms.expand_chains import ExpandChains
from tapeless.passes.rev.forms.expand_compute import ExpandCompute
from tapeless.passes.rev.forms.find_parallel import FindParallel
from tapeless.passes.rev.forms.mark_exact import MarkExact
from tapeless.passes.rev.forms.merge_computes import MergeComputes
from tapeless.passes.rev.forms.normalise import Normalise
from tapeless.passes.rev.inversion.invert import Invert
from tapeless.passes.rev.to_core.to_core import ToCore

# Derivatives need inverses, and call inverses of their own.
STAGES: tuple[Pass, ...] = (
    ExpandChains(),
    Normalise(),
    MergeComputes(),
    FindParallel(),
    MarkExact(),
    Invert(),
    Gradients(),
    Invert(),
    SkipZeroAdjoints(),
    ExpandCompute(),
    ToCore(),
)
