"""`soac`: second-order array combinators with value semantics on ranked tensors."""

from tapeless.dialects.soac.arg_hist import ArgHistOp
from tapeless.dialects.soac.arrays import ArgsortOp, ReverseOp, TransposeOp, WidenOp
from tapeless.dialects.soac.builders import fill, hist, map_, reduce, scan, with_acc
from tapeless.dialects.soac.dialect import AccType, Operation, Soac, YieldOp
from tapeless.dialects.soac.fused_hist import FusedHistOp
from tapeless.dialects.soac.guards import GuardOp
from tapeless.dialects.soac.maps import MapOp
from tapeless.dialects.soac.reductions import FusedOp, ReduceOp, ScanOp
from tapeless.dialects.soac.scalars import AssertOp, FnOp, ReportOp
from tapeless.dialects.soac.writes import HistOp, ScatterOp, UpdateOp, WithAccOp

__all__ = [
    "AccType",
    "ArgHistOp",
    "ArgsortOp",
    "AssertOp",
    "FnOp",
    "FusedHistOp",
    "FusedOp",
    "GuardOp",
    "HistOp",
    "MapOp",
    "Operation",
    "ReduceOp",
    "ReportOp",
    "ReverseOp",
    "ScanOp",
    "ScatterOp",
    "Soac",
    "TransposeOp",
    "UpdateOp",
    "WidenOp",
    "WithAccOp",
    "YieldOp",
    "fill",
    "hist",
    "map_",
    "reduce",
    "scan",
    "with_acc",
]
