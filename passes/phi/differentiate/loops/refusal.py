"""Loops whose derivative has no form without storing their states."""

from __future__ import annotations

from tapeless.errors import NoRuleError


class NoClosedDerivativeError(NoRuleError):
    """A loop had better be differentiated step by step; whoever chose the segment leaves it to another method."""

    def __init__(self, why: str):
        super().__init__(f"{why}; leave this loop out of segments, so that it is differentiated step by step")
