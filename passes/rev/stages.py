"""The passes from procedures to core IR, in order."""

from __future__ import annotations

from tapeless.passes.driver.base import Pass
from tapeless.passes.rev.expand_chains import ExpandChains
from tapeless.passes.rev.expand_compute import ExpandCompute
from tapeless.passes.rev.invert import Invert
from tapeless.passes.rev.normalise import Normalise
from tapeless.passes.rev.to_core.to_core import ToCore

STAGES: tuple[Pass, ...] = (ExpandChains(), Normalise(), Invert(), ExpandCompute(), ToCore())
