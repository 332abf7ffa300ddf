"""The kinds of operators that schedulers tell apart, and where an operator stands."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.storage.aliasing import is_array
from tapeless.passes.lower.storage.tree import LOOPS, Node
from tapeless.passes.marks import FUSED

CONTROL = frozenset({"scf.for", "scf.while", "scf.if"})
OPERATORS = LOOPS - CONTROL
DIVISIONS = ("arith.div", "arith.rem", "arith.ceildiv", "arith.floordiv")


class Kind(Enum):
    """What an operator leaves behind."""

    MAP = "arrays of what independent iterations yield"
    ACCUMULATION = "sums that the iterations of a map add to arrays"
    REDUCTION = "scalars"
    ROW_REDUCTION = "arrays, with or without scalars, that all iterations are combined into"
    SCAN = "the prefixes of a reduction"
    FUSED_SCAN = "the prefixes of a reduction beside what a map and reductions leave"
    HISTOGRAM = "values combined in the bins of their keys"
    SCATTER = "values stored at their keys"


def kind_of(node: Node) -> Kind:
    """The kind of an operator."""
    return KINDS[node.name](node)


def _map(node: Node) -> Kind:
    return Kind.ACCUMULATION if len(node.op.accs) else Kind.MAP


def _reduce(node: Node) -> Kind:
    return Kind.ROW_REDUCTION if any(map(is_array, node.op.neutral)) else Kind.REDUCTION


def _fused(node: Node) -> Kind:
    if len(node.op.scan_neutral):
        return Kind.FUSED_SCAN
    return Kind.ROW_REDUCTION if any(map(is_array, node.op.reduce_neutral)) else Kind.REDUCTION


KINDS: dict[str, Callable[[Node], Kind]] = {
    "soac.map": _map,
    "soac.reduce": _reduce,
    "soac.fused": _fused,
    "soac.scan": lambda _: Kind.SCAN,
    "soac.hist": lambda _: Kind.HISTOGRAM,
    "soac.fused_hist": lambda _: Kind.HISTOGRAM,
    "soac.scatter": lambda _: Kind.SCATTER,
}


def is_outermost(node: Node) -> bool:
    """Whether an operator is inside no other one."""
    return not any(around.name in OPERATORS for around, _ in node.path())


def is_under_control(node: Node) -> bool:
    """Whether an operator is inside loops or branches of the program, and so may run often."""
    return any(around.name in CONTROL for around, _ in node.path())


def is_short(node: Node, most: int) -> bool:
    """Whether an operator is known to have no more than `most` iterations."""
    width = constant_int(node.op.width)
    return width is not None and width <= most


def can_trap(op: ir.OpView) -> bool:
    """Whether an operation may stop the program, as a division by zero does, and must run only where it was written."""
    if not op.operation.name.startswith(DIVISIONS) or op.operation.name.endswith("f"):
        return False
    return constant_int(op.operands[1]) in (None, 0, -1)


def is_fused(node: Node) -> bool:
    """Whether an operation is a product that becomes one instruction with the sum that uses it."""
    return node.name == "arith.mulf" and FUSED in node.op.attributes


def is_scalar_op(node: Node) -> bool:
    """Whether an operation computes scalars from scalars without side effects."""
    dialect = node.name.split(".")[0]
    if dialect not in ("arith", "math") and node.name not in ("soac.fn", "soac.guard"):
        return False
    return not any(is_array(value) for value in (*node.operands, *node.results))
