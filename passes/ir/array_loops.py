"""Maps, reductions, scans and fused operators seen as one thing: a loop that lifts elements and combines some."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.groups import SEGMENTS, numbers_of
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.marks import COPIES_ROWS

LOOPS = frozenset({"soac.map", "soac.reduce", "soac.scan", "soac.fused"})


@dataclass(frozen=True)
class Combined:
    """The part of a loop that reduces or scans: neutral elements, operator body, results."""

    neutral: list[ir.Value]
    region: ir.Region | None
    results: list[ir.Value]

    @property
    def block(self) -> ir.Block:
        """The operator's body; only where something is combined."""
        assert self.region is not None
        return self.region.blocks[0]


@dataclass(frozen=True)
class Loop:
    """One operator taken apart; without `lift` the elements themselves are combined."""

    op: ir.OpView
    width: ir.Value
    inputs: list[ir.Value]
    accs: list[ir.Value]
    lift: ir.Region | None
    reduced: Combined
    scanned: Combined
    mapped: list[ir.Value]
    acc_results: list[ir.Value]

    @staticmethod
    def of(op: ir.OpView) -> Loop | None:
        """The loop that an operation is, if it is one that fusion can merge."""
        return Loop.seen_as(op) if is_loop(op) else None

    @staticmethod
    def seen_as(op: ir.OpView) -> Loop:
        """The loop that an operation is, which is known to be one."""
        return VIEWS[op.operation.name](op)

    @property
    def body(self) -> ir.Block:
        """The block that lifts elements; only for loops that have one."""
        assert self.lift is not None
        return self.lift.blocks[0]

    @property
    def elements(self) -> list[ir.Value]:
        """The lift's arguments for the inputs, then the accumulators; only for loops that have one."""
        return [*arguments_of(self.op, "inputs"), *(arguments_of(self.op, "accs") if self.accs else [])]

    @computed_once
    def outer_values(self) -> list[ir.Value]:
        """The values from outside that the operator and its bodies use (some more than once)."""
        return list(outer_values(self.op))

    @property
    def combines(self) -> bool:
        """Whether the loop reduces or scans."""
        return bool(self.reduced.neutral or self.scanned.neutral)

    def lifted(self) -> list[ir.Value]:
        """The values that the lift body yields; only for loops that have one."""
        return list(terminator(self.lift).operands)


def is_loop(op: ir.OpView) -> bool:
    """Whether an operation is a loop that fusion can merge."""
    name = op.operation.name
    return name in LOOPS and COPIES_ROWS not in op.attributes and (name != "soac.scan" or _is_plain_scan(op))


def makes_elements(op: ir.OpView, result: int) -> bool:
    """Whether a result of a loop is an array it makes element by element, or an accumulator it hands on."""
    groups = numbers_of(op.attributes[SEGMENTS])
    combined = 0 if op.operation.name == "soac.map" else sum(groups[2:])
    return result >= combined


def reads_elements(op: ir.OpView, operand: int) -> bool:
    """Whether a loop reads an operand element by element."""
    return 1 <= operand <= numbers_of(op.attributes[SEGMENTS])[1]


def _is_plain_scan(op: ir.OpView) -> bool:
    return not op.attributes["exclusive"].value and not op.attributes["reverse"].value


NOTHING = Combined([], None, [])


def operand_groups(op: ir.OpView) -> list[list[ir.Value]]:
    """The operands of an operator in the groups it declares, read at once."""
    operands, groups, start = list(op.operands), [], 0
    for size in numbers_of(op.attributes[SEGMENTS]):
        groups.append(operands[start : start + size])
        start += size
    return groups


def _map(op: ir.OpView) -> Loop:
    (width,), inputs, accs = operand_groups(op)
    results = list(op.results)
    arrays = len(results) - len(accs)
    return Loop(op, width, inputs, accs, op.regions[0], NOTHING, NOTHING, results[:arrays], results[arrays:])


def _reduce(op: ir.OpView) -> Loop:
    (width,), inputs, neutral = operand_groups(op)
    return Loop(op, width, inputs, [], None, Combined(neutral, op.regions[0], list(op.results)), NOTHING, [], [])


def _scan(op: ir.OpView) -> Loop:
    (width,), inputs, neutral = operand_groups(op)
    return Loop(op, width, inputs, [], None, NOTHING, Combined(neutral, op.regions[0], list(op.results)), [], [])


def _fused(op: ir.OpView) -> Loop:
    (width,), inputs, reduce_neutral, scan_neutral = operand_groups(op)
    results = list(op.results)
    r, s = len(reduce_neutral), len(scan_neutral)
    lift, reduce_region, scan_region = op.regions
    return Loop(
        op,
        width,
        inputs,
        [],
        lift,
        Combined(reduce_neutral, reduce_region if r else None, results[:r]),
        Combined(scan_neutral, scan_region if s else None, results[r : r + s]),
        results[r + s :],
        [],
    )


VIEWS = {"soac.map": _map, "soac.reduce": _reduce, "soac.scan": _scan, "soac.fused": _fused}


def is_in_operator(op: ir.OpView) -> bool:
    """Whether an operation is of an iteration of an operator on arrays; loops and branches are none."""
    holder = op.operation.parent
    while holder is not None and holder.operation.name not in LOOPS:
        holder = holder.operation.parent
    return holder is not None
