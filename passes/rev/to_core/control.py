"""Scopes and control flow: cells that regions change are carried through them as values."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tapeless._mlir import arith, func, ir, scf
from tapeless.dialects import rev
from tapeless.dialects.rev.cells import holds_fixed, is_cell, written
from tapeless.dialects.rev.procedures import find_procedure
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.build import cast_to, index, number
from tapeless.passes.rev.blocks import is_statement
from tapeless.passes.rev.checks.aliasing import SAME_CELL, require_apart
from tapeless.passes.rev.checks.checks import Scale, is_on, require, require_same
from tapeless.passes.rev.checks.returning import returning
from tapeless.passes.rev.forms.mark_exact import EXACT
from tapeless.passes.rev.to_core import fixed
from tapeless.passes.rev.to_core.parallel.maps import as_map
from tapeless.passes.rev.to_core.peaks import Peak, Peaked, has_peak
from tapeless.passes.rev.to_core.pure import compute, run_pure
from tapeless.passes.rev.to_core.stacks import STACKS, empty_stack, require_empty
from tapeless.passes.rev.to_core.state import Name, State, held_types
from tapeless.passes.rev.to_core.statements import STATEMENTS

RUN = ".run"
"""What the function is called that a procedure becomes, behind the procedure's name."""
BRANCH = "the condition of a branch is {} before it and {} after it"
BEGUN = "the condition that iterations leave behind holds before the first of them"
NOT_LEFT = "the condition that iterations leave behind does not hold after one of them"
NO_STEP = "a loop has a step of 0"
DROPPED = "dropped"
"""On ancillas whose last value is of no interest: adjoints of cells that are constant by then."""
ANCILLA = "an ancilla does not hold its last value"


def run_block(state: State, block: ir.Block) -> None:
    """Emits the computations and statements of a block."""
    for op in list(block.operations):
        with op.location:
            if is_statement(op):
                run_statement(state, op)
            else:
                compute(state, op)


def run_statement(state: State, op: ir.OpView) -> None:
    """Emits one statement."""
    name = op.operation.name
    rule = STATEMENTS.get(name) or STACKS.get(name) or CONTROL.get(name)
    if rule is None:
        raise OpRefused(op, "has no form in core IR yet; write it with other statements")
    rule(state, op)


def changed(state: State, regions: Iterable[ir.Region]) -> list[Name]:
    """The cells of a state that regions change, and their peaks, in the order of the state."""
    found = {cell for region in regions for cell in written(region)}
    return [name for name in state.cells if (name.cell if isinstance(name, Peak) else name) in found]


def for_(state: State, op: ir.OpView) -> None:
    """A loop that carries the cells its body changes; backwards it counts the same indices from the last on."""
    lower, upper, step = state.mapped([op.lower, op.upper, op.step])
    if not _is_constant(step):
        require(op, arith.CmpIOp(arith.CmpIPredicate.ne, step, index(0)).result, NO_STEP, is_needed=True)
    count = arith.CeilDivSIOp(arith.SubIOp(upper, lower).result, step).result

    def visit(inner: State, position: ir.Value) -> None:
        if op.reversed.value:
            position = arith.SubIOp(arith.SubIOp(count, index(1)).result, position).result
        inner.values[op.body.blocks[0].arguments[0]] = arith.AddIOp(lower, arith.MulIOp(position, step).result).result
        run_block(inner, op.body.blocks[0])

    loop(state, count, changed(state, [op.body]), visit)


def loop(state: State, count: ir.Value, carried: list[Name], visit: Callable[[State, ir.Value], None]) -> None:
    """A loop from 0 below a count that carries cells, whose body `visit(state, position)` emits."""
    made = scf.ForOp(index(0), count, index(1), state.held(carried))
    with ir.InsertionPoint(made.body):
        inner = _inside(state, carried, made.inner_iter_args)
        visit(inner, made.induction_variable)
        scf.YieldOp(inner.held(carried))
    state.hold(carried, made.results)


def parallel(state: State, op: ir.OpView) -> None:
    """Maps over the indices where iterations have rows of their own, else loops."""
    if not as_map(state, op, lambda inner: run_block(inner, op.body.blocks[0]), lambda inner: in_order(inner, op)):
        in_order(state, op)


def in_order(state: State, op: ir.OpView) -> None:
    """Loops over the indices of a parallel loop, outer ones first."""
    carried, block = changed(state, [op.body]), op.body.blocks[0]

    def nest(inner: State, axis: int) -> None:
        if axis == len(op.upper):
            run_block(inner, block)
            return

        def visit(inside: State, position: ir.Value) -> None:
            inside.values[block.arguments[axis]] = position
            nest(inside, axis + 1)

        loop(inner, inner.mapped([op.upper[axis]])[0], carried, visit)

    nest(state, 0)


def if_(state: State, op: ir.OpView) -> None:
    """A branch that gives the cells either body changes; afterwards `post` must say the same."""
    carried = changed(state, [op.then, op.otherwise])
    (condition,) = run_pure(state, op.pre)
    branch = scf.IfOp(condition, [value.type for value in state.held(carried)], has_else=True)
    for block, region in ((branch.then_block, op.then), (branch.else_block, op.otherwise)):
        with ir.InsertionPoint(block):
            inner = state.copy()
            if len(region.blocks):
                run_block(inner, region.blocks[0])
            scf.YieldOp(inner.held(carried))
    state.hold(carried, branch.results)
    if len(op.post.blocks) and is_on(op):
        (after,) = run_pure(state, op.post)
        shown = [arith.ExtUIOp(ir.IntegerType.get_signless(64), value).result for value in (condition, after)]
        require(op, arith.CmpIOp(arith.CmpIPredicate.eq, condition, after).result, BRANCH, shown)


def while_(state: State, op: ir.OpView) -> None:
    """A loop while `pre` holds; `post` must be false before it and true after each iteration."""
    carried = changed(state, [op.body])
    types = [value.type for value in state.held(carried)]
    if is_on(op):
        (begun,) = run_pure(state, op.post)
        require(op, arith.XOrIOp(begun, number(begun.type, 1)).result, BEGUN)
    made = scf.WhileOp(types, state.held(carried))
    places = [ir.Location.current] * len(types)
    before = ir.Block.create_at_start(made.before, types, places)
    after = ir.Block.create_at_start(made.after, types, places)
    with ir.InsertionPoint(before):
        (goes_on,) = run_pure(_inside(state, carried, before.arguments), op.pre)
        scf.ConditionOp(goes_on, list(before.arguments))
    with ir.InsertionPoint(after):
        inner = _inside(state, carried, after.arguments)
        run_block(inner, op.body.blocks[0])
        if is_on(op):
            require(op, run_pure(inner, op.post)[0], NOT_LEFT)
        scf.YieldOp(inner.held(carried))
    state.hold(carried, made.results)


def ancilla(state: State, op: ir.OpView) -> None:
    """A cell or stack for the duration of the body, which must hold its last value then."""
    block = op.body.blocks[0]
    cell = block.arguments[0]
    (first,) = run_pure(state, op.init)
    if holds_fixed(cell.type):
        state.cells[cell] = fixed.started(state, op, first)
        first = state.cells[cell][0]
    elif is_cell(cell.type):
        state.cells[cell] = (first,)
        if has_peak(cell) and is_on(op) and not {DROPPED, EXACT} & set(op.attributes):
            state.track(cell)
    else:
        state.cells[cell] = empty_stack(first, cell.type.scalar)
    run_block(state, block)
    held, peak = state.cells.pop(cell), state.peak(cell)
    state.cells.pop(Peak(cell), None)
    state.waiting.pop(Peak(cell), None)
    if not is_cell(cell.type):
        require_empty(op, held)
    elif is_on(op) and DROPPED not in op.attributes:
        last = run_pure(state, op.exit)[0] if len(op.exit.blocks) else None
        if holds_fixed(cell.type):
            wanted = first if last is None else fixed.to_grid(op, last)
            fixed.require_equal(op, held[0], wanted, ANCILLA)
        else:
            scale = Scale(peak, is_alone=state.is_differentiated and EXACT not in op.attributes)
            require_same(op, held[0], first if last is None else last, ANCILLA, scale)


def call(state: State, op: ir.OpView) -> None:
    """A call of the function that the procedure becomes; it gives back the cells that it changes."""
    if op.inv.value:
        raise OpRefused(op, "calls an inverse that is not there; run rev-invert first")
    procedure = find_procedure(op)
    assert procedure is not None
    _require_distinct(state, op)
    arguments: list[ir.Value] = []
    for given, wanted in zip(op.arguments, procedure.parameter_types, strict=True):
        held = _values_of(state, given)
        types = held_types(wanted) if is_cell(wanted) else [value.type for value in held]
        arguments += [cast_to(type_, value) for type_, value in zip(types, held, strict=True)]
    parameters = dict(zip(op.arguments, procedure.parameter_types, strict=True))
    results = [type_ for cell in op.written_cells() for type_ in held_types(parameters[cell])]
    peaked = _peaked(state, op, procedure)
    name = op.callee.value + RUN if peaked is None else peaked.name
    tracked = [op.arguments[number_] for number_ in peaked.parameters] if peaked else []
    made = list(func.CallOp([*results, *(cell.type.element_type for cell in tracked)], name, arguments).results)
    for cell, peak in zip(tracked, made[len(results) :], strict=True):
        state.raise_peak(cell, peak)
    values = iter(made)
    for cell in op.written_cells():
        if holds_fixed(cell.type):
            for part, value in enumerate(fixed.taken(state, (next(values), next(values)))):
                state.write(cell, value, (), part)
        elif is_cell(cell.type):
            state.write(cell, next(values))
        else:
            state.hold([cell], [next(values), next(values)])


def _peaked(state: State, op: ir.OpView, procedure: ir.OpView) -> Peaked | None:
    """The function that says how large cells were inside, where some are tracked that come and go there."""
    if not isinstance(procedure, rev.FuncOp) or all(state.peak(cell) is None for cell in op.arguments):
        return None
    coming = returning(procedure)
    pairs = zip(op.arguments, procedure.body.blocks[0].arguments, strict=True)
    numbers = [
        number_ for number_, (cell, inside) in enumerate(pairs) if inside in coming and state.peak(cell) is not None
    ]
    if not numbers:
        return None
    state.asked.append(Peaked(op.callee.value, tuple(numbers)))
    return state.asked[-1]


def safe(state: State, op: ir.OpView) -> None:
    """The code itself."""
    run_block(state, op.body.blocks[0])


def _require_distinct(state: State, op: ir.OpView) -> None:
    """Cells that a call changes share nothing with its others."""
    cells = [cell for cell in op.arguments if is_cell(cell.type)]
    changed_here = [cell for cell in op.written_cells() if is_cell(cell.type)]
    for number_, cell in enumerate(cells):
        for other in cells[number_ + 1 :]:
            if cell in changed_here or other in changed_here:
                require_apart(op, (cell, ()), (other, ()), SAME_CELL, state.translate)


def _values_of(state: State, argument: ir.Value) -> list[ir.Value]:
    if holds_fixed(argument.type):
        return list(fixed.given(tuple(state.read(argument, (), part) for part in state.parts(argument))))
    if argument in state.cells:
        return list(state.cells[argument])
    return [state.read(argument)] if is_cell(argument.type) else state.mapped([argument])


def _inside(state: State, carried: list[Name], values: Iterable[ir.Value]) -> State:
    inner = state.copy()
    inner.hold(carried, values)
    return inner


def _is_constant(value: ir.Value) -> bool:
    return not isinstance(value.owner, ir.Block) and value.owner.name == "arith.constant"


CONTROL: dict[str, Callable[[State, ir.OpView], None]] = {
    "rev.for": for_,
    "rev.parallel": parallel,
    "rev.if": if_,
    "rev.while": while_,
    "rev.ancilla": ancilla,
    "rev.call": call,
    "rev.safe": safe,
}
