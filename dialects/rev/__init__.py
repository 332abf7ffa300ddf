"""`rev`: reversible procedures on cells."""

from tapeless.dialects.rev.chain import ChainOp
from tapeless.dialects.rev.control import ForOp, IfOp, ParallelOp, WhileOp
from tapeless.dialects.rev.dialect import Operation, Rev, StackType, YieldOp
from tapeless.dialects.rev.procedures import CallOp, FuncOp, PrimOp, find_procedure
from tapeless.dialects.rev.retrace import RetraceOp
from tapeless.dialects.rev.scopes import AncillaOp, ComputeOp, SafeOp
from tapeless.dialects.rev.statements import AccumOp, HadamardOp, NegOp, RecipOp, RotOp, ScaleOp, StretchOp, SwapOp
from tapeless.dialects.rev.storage import PopOp, PushOp, ReadOp, ViewOp

__all__ = [
    "AccumOp",
    "AncillaOp",
    "CallOp",
    "ChainOp",
    "ComputeOp",
    "ForOp",
    "FuncOp",
    "HadamardOp",
    "IfOp",
    "NegOp",
    "Operation",
    "ParallelOp",
    "PopOp",
    "PrimOp",
    "PushOp",
    "ReadOp",
    "RecipOp",
    "RetraceOp",
    "Rev",
    "RotOp",
    "SafeOp",
    "ScaleOp",
    "StackType",
    "StretchOp",
    "SwapOp",
    "ViewOp",
    "WhileOp",
    "YieldOp",
    "find_procedure",
]
