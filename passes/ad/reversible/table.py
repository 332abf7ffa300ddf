"""Every rule of the method `reversible` in one table: those of redundant execution, with another one for loops."""

from __future__ import annotations

from tapeless.passes.ad.redundant import table
from tapeless.passes.ad.redundant.scope.sweep import Rules
from tapeless.passes.ad.reversible.loops import (
    for_back,
    for_back_looking_first,
    for_back_or_fail,
    for_forward,
    for_forward_without_states,
)

RULES = Rules(
    forward={**table.RULES.forward, "scf.for": for_forward},
    back={**table.RULES.back, "scf.for": for_back},
)
# What is differentiated again: loops run backwards for their states alone before they do so for adjoints.
INNER = Rules(
    {**RULES.forward, "scf.for": for_forward_without_states}, {**RULES.back, "scf.for": for_back_looking_first}
)
# Loops that go astray raise.
STRICT = Rules(RULES.forward, {**RULES.back, "scf.for": for_back_or_fail})
