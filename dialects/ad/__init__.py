"""`ad`: requests for derivatives, and marks that steer how they are made."""

from tapeless.dialects.ad.derivatives import JvpOp, VjpOp, seed_size
from tapeless.dialects.ad.dialect import Ad, Operation
from tapeless.dialects.ad.loop_hints import HINTS, verify_loop_hints
from tapeless.dialects.ad.markers import CheckpointOp, CustomRuleOp, PromiseOp, StopGradientOp, YieldOp

__all__ = [
    "HINTS",
    "Ad",
    "CheckpointOp",
    "CustomRuleOp",
    "JvpOp",
    "Operation",
    "PromiseOp",
    "StopGradientOp",
    "VjpOp",
    "YieldOp",
    "seed_size",
    "verify_loop_hints",
]
