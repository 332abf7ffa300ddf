"""`phi`: symbolic expressions with branch merges and loop recurrences."""

from tapeless.dialects.phi.affine import AffineIterOp, AffinePowOp, AffineScanOp, MatrixPowOp
from tapeless.dialects.phi.algebra import ConstOp, Fn2Op, FnOp, LinOp, MonoOp
from tapeless.dialects.phi.branches import CmpOp, GammaOp, LogicOp, SwitchOp
from tapeless.dialects.phi.dialect import FactAttr, FmAttr, Operation, Phi, RatAttr, YieldOp
from tapeless.dialects.phi.loops import IterateOp, NestOp, PowIterOp, WhileOp
from tapeless.dialects.phi.reductions import ElemOp, FoldOp, MapOp, ProdOp, SumOp
from tapeless.dialects.phi.segments import AdjointOp, BarrierOp, OpaqueOp, SegmentOp

__all__ = [
    "AdjointOp",
    "AffineIterOp",
    "AffinePowOp",
    "AffineScanOp",
    "BarrierOp",
    "CmpOp",
    "ConstOp",
    "ElemOp",
    "FactAttr",
    "FmAttr",
    "Fn2Op",
    "FnOp",
    "FoldOp",
    "GammaOp",
    "IterateOp",
    "LinOp",
    "LogicOp",
    "MapOp",
    "MatrixPowOp",
    "MonoOp",
    "NestOp",
    "OpaqueOp",
    "Operation",
    "Phi",
    "PowIterOp",
    "ProdOp",
    "RatAttr",
    "SegmentOp",
    "SumOp",
    "SwitchOp",
    "WhileOp",
    "YieldOp",
]
