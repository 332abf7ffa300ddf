"""How a loop goes back: which carried values are found from those after an iteration, and by which steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import BUDGET, DIGEST, LEAN
from tapeless.passes.ad.redundant.control.promised import promised
from tapeless.passes.ad.redundant.control.resized import resized
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.reversible.inverses.holes import Hole, same_holes
from tapeless.passes.ad.reversible.inverses.solver import Inverses, Solver
from tapeless.passes.ad.reversible.inverses.undoing import Undoing
from tapeless.passes.ir.build import element_type
from tapeless.passes.ir.constants import constant_of
from tapeless.passes.ir.places.places import is_read, is_write
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import outer_values, terminator
from tapeless.passes.ir.search import holds
from tapeless.passes.ir.sizes.shapes import lasting_search

Slots = dict[int, tuple[Hole, ...]]
# Operators whose iterations have memory of their own, one after the other.
OPERATORS = ("soac.map", "soac.fused")
MOST_ATTEMPTS = 8
"""After so many, a carried value whose holes still change counts as one that cannot be found again."""


@dataclass(frozen=True)
class Plan:
    """A reversible loop: the solved body, and the unknown part of each carried value that is recovered."""

    op: ir.OpView
    solver: Solver
    slots: Slots

    @property
    def block(self) -> ir.Block:
        """The body."""
        return self.op.operation.regions[0].blocks[0]

    def begin(self, scope: Sweep, i: ir.Value, states: Sequence[ir.Value]) -> Undoing:
        """Writes how the values at the start of iteration `i` are found from `states`, those after it."""
        undoing = Undoing(scope)
        undoing.bind(self.block.arguments[0], i)
        self._name_states(undoing, states)
        undoing.run(self.solver.steps)
        for k, argument in enumerate(arguments_of(self.op, "carried")):
            if k not in self.slots:
                undoing.bind(argument, scope.primal(self.op.operation.results[k]))
            elif self.slots[k]:
                undoing.bind(argument, undoing.bases[argument])
        return undoing

    def _name_states(self, undoing: Undoing, states: Sequence[ir.Value]) -> None:
        for (k, holes), state in zip(self.slots.items(), states, strict=True):
            value = terminator(self.block).operands[k]
            if value not in self.solver.inside:
                continue
            if holes:
                undoing.bases.setdefault(value, state)
            else:
                undoing.bind(value, state)

    def recovered(self, scope: Sweep) -> list[ir.Value]:
        """The recovered values, one per slot."""
        arguments = arguments_of(self.op, "carried")
        return scope.primals(arguments[k] for k in self.slots)

    def finish(self, scope: Sweep) -> None:
        """Runs the statements again that neither ran nor were undone while going back."""
        solver = self.solver
        for k, op in enumerate(solver.statements):
            results = list(op.operation.results)
            if k in solver.ran or (results and results[0] in solver.loops):
                continue
            if results and all(result in solver.known for result in results) and op.operation.name not in RUN_AGAIN:
                scope.forget(op)
            else:
                scope.step(op)


# Their return rules need what running them leaves.
RUN_AGAIN = ("scf.for", "func.call", "ad.checkpoint")


def plan_of(op: ir.OpView, inverses: Inverses, plans: dict[ir.Value, Any]) -> Plan | str:
    """The plan for a loop, or why there is none; `plans` are those made before."""
    name = op.operation.results[0]
    if name not in plans:
        plans[name] = _new_plan(op, inverses, plans)
    made: Plan | str = plans[name]
    return made


def _new_plan(op: ir.OpView, inverses: Inverses, plans: dict[ir.Value, Any]) -> Plan | str:
    if LEAN in op.operation.attributes:
        return "it belongs to a nest made by stripmine or budget"
    if DIGEST in op.operation.attributes or promised(op):
        return "true_dep says what need not be stored"
    if resized(op, lasting_search()):
        return "it changes the sizes of what it carries"
    slots: Slots = {k: () for k in range(len(op.operation.results))}
    for attempt in count():
        solver = _solved(op, inverses, slots, plans)
        found = {k: holes for k, holes in _found(op, solver).items() if k in slots}
        if _same(found, slots):
            break
        slots = found if attempt < MOST_ATTEMPTS else _settled(found, slots)
    reason = _missing(op, solver, slots)
    if reason is None and decides_by(_body(op), (arguments_of(op, "carried")[k] for k in slots)):
        reason = "it compares numbers that come back rounded, which may decide differently where they are equal"
    if reason is None and any(map(_divides_by_data, solver.divided)) and _takes_a_row(op):
        reason = (
            "it carries numbers in one iteration of a map, and would divide by numbers that may be zero to find them"
        )
    return Plan(op, solver, slots) if reason is None else reason


def _divides_by_data(op: ir.OpView) -> bool:
    """Says whether undoing a product divides by a number that may be zero, so that the loop would have to run again."""
    return op.operation.name == "arith.mulf" and all(constant_of(each) is None for each in op.operation.operands)


def _takes_a_row(op: ir.OpView) -> bool:
    """Whether the states of a loop are numbers that each iteration of the operator around it keeps anew."""
    around = op.operation.parent
    while around.name == "scf.if":
        around = around.parent
    is_small = not any(isinstance(each.type, ir.RankedTensorType) for each in op.operation.results)
    return is_small and around.name in OPERATORS and BUDGET not in op.operation.attributes


def _body(op: ir.OpView) -> ir.Block:
    block: ir.Block = op.operation.regions[0].blocks[0]
    return block


def _solved(op: ir.OpView, inverses: Inverses, slots: Slots, plans: dict[ir.Value, Any]) -> Solver:
    """The body's equations, solved for the known parts of its final values."""
    block = op.operation.regions[0].blocks[0]
    solver = Solver(block, inverses, plans=plans)
    solver.known.add(block.arguments[0])
    solver.likes = dict(zip(arguments_of(op, "carried"), op.operation.results, strict=True))
    yielded = terminator(block).operands
    for holes_wanted in (False, True):
        for k, holes in slots.items():
            if bool(holes) == holes_wanted:
                solver.assume(yielded[k], holes)
    return solver.solve()


def _found(op: ir.OpView, solver: Solver) -> Slots:
    found: Slots = {}
    for k, argument in enumerate(arguments_of(op, "carried")):
        holes = solver.holes.get(argument, ())
        if solver.is_known(argument) or (holes and all(hole.lasts(op) for hole in holes)):
            found[k] = () if solver.is_known(argument) else holes
    return found


def _settled(found: Slots, slots: Slots) -> Slots:
    """Drops facts that would go on changing, so that the search ends."""
    return {k: holes for k, holes in found.items() if same_holes(holes, slots[k])}


def _same(left: Slots, right: Slots) -> bool:
    return left.keys() == right.keys() and all(same_holes(left[k], right[k]) for k in left)


def _missing(op: ir.OpView, solver: Solver, slots: Slots) -> str | None:
    """Why the loop cannot be undone: a value that its body reads and that cannot be found again."""
    for k, argument in enumerate(arguments_of(op, "carried")):
        if slots.get(k, (True,)) and (reader := _reader(solver, argument)) is not None:
            return f"carried value {k} cannot be found again from what '{reader.operation.name}' makes of it"
    return None


def _reader(solver: Solver, value: ir.Value) -> ir.OpView | None:
    """A statement that needs more of a value than is known."""
    for use in value.uses:
        op = use.owner
        name = op.operation.name
        if op.operation.block != solver.block:
            return op
        is_spared = op.operation == terminator(solver.block) or name == "tensor.dim"
        if is_read(op):
            is_spared = op.operation.results[0] in solver.known
        elif is_write(op) and use.operand_number == 1:
            is_spared = _reader(solver, op.operation.results[0]) is None
        if not is_spared:
            return op
    return None


DECISIONS = frozenset(
    {
        "arith.cmpf",
        "arith.fptosi",
        "arith.maximumf",
        "arith.minimumf",
        "arith.maxnumf",
        "arith.minnumf",
        "math.ceil",
        "math.floor",
        "math.round",
        "math.roundeven",
        "soac.argsort",
    }
)


def decides_by(block: ir.Block, carried: Iterable[ir.Value]) -> bool:
    """Whether a statement that compares floats, or makes integers of them, depends on floats that are carried."""
    rounded = {value for value in carried if isinstance(element_type(value.type), ir.FloatType)}
    for op in block.operations:
        if not any(value in rounded for value in [*op.operation.operands, *outer_values(op)]):
            continue
        if op.operation.name in DECISIONS or holds(op, *DECISIONS):
            return True
        rounded.update(op.operation.results)
    return False
