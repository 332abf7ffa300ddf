"""Every rule of the method: those of the method `redundant`, and segments as a whole."""

from __future__ import annotations

from collections import ChainMap

from tapeless.passes.ad.coarsened.rules import (
    segment_back,
    segment_forward,
    segment_jvp,
    segment_jvp_solved,
    segment_solved,
)
from tapeless.passes.ad.forward.jvp import RULES as FORWARD
from tapeless.passes.ad.redundant.method import RULES as REDUNDANT
from tapeless.passes.ad.segmented import SEGMENT

RULES = REDUNDANT.but(forward={SEGMENT: segment_forward}, back={SEGMENT: segment_back})
RULES_WITHOUT_VALUES = RULES.but(forward={SEGMENT: segment_solved})
JVP_RULES = ChainMap({SEGMENT: segment_jvp}, FORWARD)
JVP_RULES_WITHOUT_VALUES = ChainMap({SEGMENT: segment_jvp_solved}, FORWARD)
