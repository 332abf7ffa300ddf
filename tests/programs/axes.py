"""The axes along which programs are tested: every method that works, every target that works, and the oracle."""

from __future__ import annotations

from tapeless import methods, targets

METHODS = tuple(methods.IMPLEMENTED)
# A pipeline without a target of its own in Python: what the others are compared with.
ORACLE = "cpu-sequential"
TARGETS = (targets.DEFAULT, ORACLE)
