"""Loops whose derivative has no form without storing their states."""

from __future__ import annotations


class NoClosedDerivativeError(Exception):
    """Raised where a loop had better be differentiated step by step; whoever asked leaves it to another method."""
