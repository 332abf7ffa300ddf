"""What the values of a vectorised loop have become: one copy per jammed row, each a scalar or a vector of lanes."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, vector
from tapeless.passes.ir.build import number
from tapeless.passes.lower.vectorise.lanes import LaneAnalysis, Lanes
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.walking import op_name

Copies = list[ir.Value]


class LaneValues:
    """The copies of every value, in the form that each use needs.

    A value that counts up with the lanes is kept as that of lane 0; it becomes a vector only where it is data. In a
    loop that runs `neighbours` iterations together, values have one copy for each; `along` is its induction variable.
    In a loop that lanes leave at different times, `active` are those that are still there, and in a branch with memory
    in it those that take it.
    """

    def __init__(self, plan: LanePlan) -> None:
        self.plan = plan
        self.copies: dict[ir.Value, Copies] = {}
        self.rows = LaneAnalysis(plan.jam) if plan.jam is not None else None
        self.neighbours = 1
        self.along: ir.Value | None = None
        self.active: ir.Value | None = None

    def __setitem__(self, value: ir.Value, copies: Copies) -> None:
        self.copies[value] = copies

    def bind(self, values: Sequence[ir.Value], flat: Sequence[ir.Value], shape: Sequence[Copies]) -> None:
        """Gives each value as many of the flat copies as its entry of `shape` has."""
        remaining = iter(flat)
        for value, states in zip(values, shape, strict=True):
            self.copies[value] = [next(remaining) for _ in states]

    def rows_of(self, operands: Sequence[ir.Value]) -> int:
        """How many copies an op on these operands has."""
        return max((len(self.copies.get(value, ())) for value in operands), default=1) or 1

    def varies(self, value: ir.Value) -> bool:
        """Whether the value is a vector."""
        return self.plan.analysis.of(value) is Lanes.VARYING

    def scalar(self, value: ir.Value, row: int = 0) -> ir.Value:
        """The copy of a row: for a vector the vector, else the scalar of lane 0."""
        copies = self.copies.get(value)
        return value if copies is None else copies[row if len(copies) > 1 else 0]

    def scalars(self, values: Sequence[ir.Value], row: int = 0) -> list[ir.Value]:
        """The copies of a row."""
        return [self.scalar(value, row) for value in values]

    def vector(self, value: ir.Value, row: int = 0) -> ir.Value:
        """The value in all lanes."""
        scalar = self.scalar(value, row)
        if isinstance(scalar.type, ir.VectorType):
            return scalar
        spread = self.broadcast(scalar)
        if self.plan.analysis.of(value) is not Lanes.LINEAR:
            return spread
        numbers = self.lane_numbers()
        if scalar.type != ir.IndexType.get():
            numbers = arith.IndexCastOp(spread.type, numbers).result
        return arith.AddIOp(spread, numbers).result

    def lane(self, value: ir.Value, row: int, lane: int) -> ir.Value:
        """The value in one lane."""
        scalar = self.scalar(value, row)
        if isinstance(scalar.type, ir.VectorType):
            return vector.ExtractOp(scalar, [], [lane]).result
        if self.plan.analysis.of(value) is Lanes.LINEAR:
            return arith.AddIOp(scalar, number(scalar.type, lane)).result
        return scalar

    def carried_as(self, carried: ir.Value, value: ir.Value) -> Copies:
        """The copies of `value` in the form in which a loop carries `carried`."""
        rows = self.plan.rows if self.rows is not None and self.rows.of(carried) else 1
        form = self.vector if self.varies(carried) else self.scalar
        return [form(value, row) for row in range(rows)]

    def lane_numbers(self) -> ir.Value:
        """0, 1, 2, ... as a vector."""
        return vector.StepOp(self.lane_type(ir.IndexType.get())).result

    def broadcast(self, value: ir.Value) -> ir.Value:
        """A scalar in all lanes."""
        return vector.BroadcastOp(self.lane_type(value.type), value).result

    def lane_type(self, type_: ir.Type) -> ir.VectorType:
        """The vector of a scalar type."""
        return ir.VectorType.get([self.plan.lanes], type_)


def op_like(op: ir.Operation, operands: Sequence[ir.Value], types: Sequence[ir.Type]) -> ir.Operation:
    """The same op on other operands, with other result types."""
    if op_name(op) == "arith.constant":
        return op.operation.clone()
    attributes = {name: op.operation.attributes[name] for name in op.operation.attributes}
    return ir.Operation.create(
        op_name(op), results=list(types), operands=list(operands), attributes=attributes, loc=op.location
    )


def combined_lanes(kind: str, lanes: ir.Value, combine: ir.Operation) -> ir.Value:
    """All lanes combined into one scalar, with the flags of the op that combines."""
    attributes = {"kind": ir.Attribute.parse(f"#vector.kind<{kind}>")}
    if "fastmath" in combine.operation.attributes:
        attributes["fastmath"] = combine.operation.attributes["fastmath"]
    element = ir.VectorType(lanes.type).element_type
    return ir.Operation.create("vector.reduction", results=[element], operands=[lanes], attributes=attributes).results[
        0
    ]


def any_lane(lanes: ir.Value) -> ir.Value:
    """Whether a condition holds in one of the lanes."""
    return _of_all_lanes("or", lanes)


def largest_lane(lanes: ir.Value) -> ir.Value:
    """The largest of integers with a sign."""
    return _of_all_lanes("maxsi", lanes)


def _of_all_lanes(kind: str, lanes: ir.Value) -> ir.Value:
    element, attributes = ir.VectorType(lanes.type).element_type, {"kind": ir.Attribute.parse(f"#vector.kind<{kind}>")}
    return ir.Operation.create("vector.reduction", results=[element], operands=[lanes], attributes=attributes).results[
        0
    ]
