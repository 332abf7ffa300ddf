"""Every rule of the method: those of the method `redundant`, and segments as a whole."""

from __future__ import annotations

from tapeless.passes.ad.coarsened.rules import (
    segment_back,
    segment_forward,
    segment_jvp,
    segment_jvp_solved,
    segment_solved,
)
from tapeless.passes.ad.forward.jvp import RULES as FORWARD
from tapeless.passes.ad.redundant.method import RULES as REDUNDANT
from tapeless.passes.ad.redundant.scope.sweep import Rules
from tapeless.passes.ad.segmented import SEGMENT

RULES = Rules(
    forward={**REDUNDANT.forward, SEGMENT: segment_forward},
    back={**REDUNDANT.back, SEGMENT: segment_back},
)
RULES_WITHOUT_VALUES = Rules(forward={**RULES.forward, SEGMENT: segment_solved}, back=RULES.back)
JVP_RULES = {**FORWARD, SEGMENT: segment_jvp}
JVP_RULES_WITHOUT_VALUES = {**FORWARD, SEGMENT: segment_jvp_solved}
