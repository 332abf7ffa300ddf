"""The rules of `scf.for`: the state at the start of each iteration is stored going forward and restored going back.

Values of the body that cost a function such as exp are stored beside the state, unless the loop is part of a nest made
to save memory.

```
y = y0; for i: y = body(i, y)        forward: states[i] = y, then the body
                                     back, i descending: y = states[i]; body again; its statements in reverse
```
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.ad.marks import DIGEST, LEAN
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ad.redundant.control.promised import check_digest, promised
from tapeless.passes.ad.redundant.control.resized import (
    ResizedStates,
    checked_sizes,
    doubtful,
    largest_sizes,
    resized,
    widened,
)
from tapeless.passes.ad.redundant.control.stored_note import note_stored
from tapeless.passes.ad.redundant.operators.row_sizes import with_seen_sizes_of
from tapeless.passes.ad.redundant.scope.keeping import long_values
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import cast_to, dim, element_type, index, is_array
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.ir.rows import insert_row, row_at
from tapeless.passes.ir.scopes import terminator
from tapeless.passes.ir.sizes.expressions import Dim
from tapeless.passes.ir.sizes.shapes import dim_of, is_sized_before
from tapeless.passes.ir.sizes.size_search import Axis
from tapeless.passes.ir.sizes.sizes import as_value, write

RESIZED = "a loop to be differentiated carries an array of size {} that began with {}; keep its size or leave out hints"


@dataclass(frozen=True)
class StoredStates:
    """The residuals of a forward loop: the number of iterations, and a row per iteration of every stored value.

    Arrays that the loop changes the size of are stored with their sizes.
    """

    trips: ir.Value
    rows: dict[ir.Value, ir.Value]
    resized: dict[ir.Value, ResizedStates]


def for_forward(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the loop and stores the carried values at the start of every iteration, and further values worth storing."""
    lower, upper, step, *initial = sweep.primals(op.operation.operands)
    block = op.operation.regions[0].blocks[0]
    trips = trip_count(lower, upper, step)
    spared = promised(op)
    changing = [k for k in resized(op, sweep.sizes) if k not in spared]
    states = [k for k in range(len(initial)) if k not in spared and k not in changing]
    stored = [*(arguments_of(op, "carried")[k] for k in states), *_kept_values(op)]
    kept = [value.type for value in stored[len(states) :]]
    note_stored(op, (lower, upper, step), [initial[k].type for k in (*states, *changing)], kept)
    carried = [k for k in range(len(initial)) if k not in spared or not sweep.promised.covers(op, k, initial[k])]
    rooms = [_empty_states(trips, initial[k]) for k in states]
    rooms += [_room_for(sweep, op, trips, value) for value in stored[len(states) :]]
    fixed = {k: sizes for k in changing if (sizes := _checked(sweep, op, k)) is not None}
    unknown = [k for k in changing if k not in fixed]
    largest = largest_sizes(sweep, op, initial, unknown, lambda: _run(sweep, block))
    sized = [
        ResizedStates.of_sizes(trips, initial[k].type, fixed[k])
        if k in fixed
        else ResizedStates.empty(trips, initial[k].type, largest[k])
        for k in changing
    ]
    rooms_of_sized = [room for each in sized for room in each.values]
    loop = scf.ForOp(lower, upper, step, [*(initial[k] for k in carried), *rooms, *rooms_of_sized])
    with ir.InsertionPoint(loop.body):
        state = updated(initial, carried, loop.inner_iter_args)
        inner_rooms = list(loop.inner_iter_args)[len(carried) : len(carried) + len(rooms)]
        inner_sized = ResizedStates.like(sized, list(loop.inner_iter_args)[len(carried) + len(rooms) :])
        position = arith.DivSIOp(arith.SubIOp(loop.induction_variable, lower).result, step).result
        sweep.bind(block.arguments, [loop.induction_variable, *state])
        _run(sweep, block)
        rows = [
            insert_row(room, position, value) for room, value in zip(inner_rooms, sweep.primals(stored), strict=True)
        ]
        rows += [row for each, k in zip(inner_sized, changing, strict=True) for row in each.put(position, state[k])]
        following = sweep.primals(terminator(block).operands)
        refuse_resizing(sweep, op, initial, following, [k for k in range(len(initial)) if k not in changing])
        scf.YieldOp([*(following[k] for k in carried), *rows])
    sweep.bind(op.operation.results, updated(initial, carried, loop.results))
    filled = list(loop.results)[len(carried) :]
    arguments = arguments_of(op, "carried")
    sized = ResizedStates.like(sized, filled[len(rooms) :])
    of_sized = {arguments[k]: each for k, each in zip(changing, sized, strict=True)}
    sweep.save(op, StoredStates(trips, dict(zip(stored, filled[: len(rooms)], strict=True)), of_sized))


def _run(sweep: Sweep, block: ir.Block) -> None:
    """The statements of a body, without writes that would store the same values again."""
    for inner in list(block.operations)[:-1]:
        if not sweep.take_promised(inner):
            sweep.copy(inner)


def updated(values: Sequence[ir.Value], positions: Sequence[int], new: Iterable[ir.Value]) -> list[ir.Value]:
    """The values with new ones at these positions."""
    at = dict(zip(positions, new, strict=False))
    return [at.get(k, value) for k, value in enumerate(values)]


def refuse_resizing(
    sweep: Sweep,
    op: ir.OpView,
    initial: Sequence[ir.Value],
    following: Sequence[ir.Value],
    positions: Iterable[int],
) -> None:
    """Raises at run time when an iteration leaves an array with another size than the loop began with."""
    for k in sorted(set(positions) & set(doubtful(op, sweep.sizes))):
        for axis in range(initial[k].type.rank):
            sizes = dim(following[k], axis), dim(initial[k], axis)
            same = arith.CmpIOp(arith.CmpIPredicate.eq, *sizes).result
            kind, message = ir.StringAttr.get("ShapeMismatch"), ir.StringAttr.get(RESIZED)
            soac.AssertOp(same, list(sizes), kind=kind, message=message)


def _kept_values(op: ir.OpView) -> list[ir.Value]:
    """Values of the body that cost a function, of sizes known before the loop; none where reads are checked."""
    if LEAN in op.operation.attributes or DIGEST in op.operation.attributes:
        return []
    values = long_values(op.operation.regions[0].blocks[0])
    return [value for value in values if is_sized_before(value, op)]


def _sizes_before(op: ir.OpView, value: ir.Value) -> list[ir.Value | int | None]:
    if not is_array(value):
        return []
    return [dim_of(value, axis, ir.InsertionPoint(op)) for axis in range(value.type.rank)]


def _room_for(sweep: Sweep, op: ir.OpView, trips: ir.Value, value: ir.Value) -> ir.Value:
    """A buffer with a row per iteration for one value of the body."""
    sizes = [size if isinstance(size, int) else _executed(sweep, size) for size in _sizes_before(op, value)]
    return tensor.EmptyOp([trips, *sizes], element_type(value.type)).result


def _checked(sweep: Sweep, op: ir.OpView, position: int) -> list[ir.Value] | None:
    """The sizes of a carried array in all iterations, if these check them all against sizes from before the loop."""
    sizes, at = checked_sizes(op, position, sweep.sizes), ir.InsertionPoint(op)
    if any(size is None for size in sizes):
        return None
    return [_executed(sweep, as_value(write(size, at), at)) for size in sizes if size is not None]


def _executed(sweep: Sweep, size: ir.Value) -> ir.Value:
    """The executed copy of a size, which may have been written down only now."""
    if size not in sweep.values and not isinstance(size, ir.BlockArgument):
        for operand in size.owner.operation.operands:
            _executed(sweep, operand)
        sweep.copy(size.owner)
    return sweep.primal(size)


def for_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of the initial values and of everything else the body reads."""
    ends = LoopEnds.of(sweep, op)
    ends.add(sweep, return_loop(sweep, ends))


@dataclass(frozen=True)
class LoopEnds:
    """Where adjoints enter a loop and where they leave it.

    `carried` are the positions of active carried values, `targets` the active values from outside; `seeds` are the
    adjoints of the results, `before` those of the targets so far.
    """

    op: ir.OpView
    carried: list[int]
    targets: list[ir.Value]
    seeds: list[ir.Value]
    before: list[ir.Value]

    @staticmethod
    def of(sweep: Sweep, op: ir.OpView) -> LoopEnds:
        """The arguments of a loop in the return sweep."""
        results, arguments = op.operation.results, arguments_of(op, "carried")
        carried = [k for k, value in enumerate(arguments) if value in sweep.activity]
        targets = sweep.free_active(op)
        seeds = [_entering(sweep, op, results[k]) for k in carried]
        return LoopEnds(op, carried, targets, seeds, [_entering(sweep, op, value) for value in targets])

    @property
    def bars(self) -> list[ir.Value]:
        """The adjoints that the return loop carries."""
        return [*self.seeds, *self.before]

    def enter(self, scope: Sweep, bars: Sequence[ir.Value]) -> list[ir.Value | None]:
        """Gives the scope of an iteration its adjoints; gives those of the operands that the body yields."""
        for value, bar in zip(self.targets, bars[len(self.carried) :], strict=True):
            scope.bars.set(value, bar)
        return seeds_at(self.op, self.carried, bars)

    def leave(self, sweep: Sweep, scope: Sweep, bars: Sequence[ir.Value]) -> list[ir.Value]:
        """The adjoints at the start of an iteration, for those at its end, `bars`."""
        arguments = arguments_of(self.op, "carried")
        return next_bars(sweep, scope, [arguments[k] for k in self.carried], self.targets, bars)

    def add(self, sweep: Sweep, bars: Sequence[ir.Value]) -> None:
        """Adds the final adjoints of the return loop."""
        for value, bar in zip(self.targets, bars[len(self.carried) :], strict=True):
            sweep.bars.set(value, bar)
        initial = operands_of(self.op, "carried")
        for k, bar in zip(self.carried, bars, strict=False):
            sweep.bars.add(initial[k], _sized(sweep, self.op, initial[k], bar))


def _entering(sweep: Sweep, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The adjoint of a value that a loop carries: iterations go on with sizes of the value, so it begins with them."""
    return _sized(sweep, op, value, sweep.bars.or_zeros(value, sweep.primal(value)))


def _sized(sweep: Sweep, op: ir.OpView, value: ir.Value, bar: ir.Value) -> ir.Value:
    """The adjoint of a value with its sizes, looked at where control flow around a loop has a part in them."""
    is_chosen = is_array(value) and (
        op.operation.parent.name == "scf.if"
        or any(
            isinstance(size, Dim) and _is_made_by_control(size.array)
            for size in (sweep.sizes.ask(Axis(value, axis)) for axis in range(value.type.rank))
        )
    )
    return with_seen_sizes_of(sweep.primal(value), bar) if is_chosen else bar


def _is_made_by_control(array: ir.Value) -> bool:
    """Whether a branch or a loop gives an array, or hands it to its body."""
    owner = array.owner.owner if isinstance(array, ir.BlockArgument) else array.owner
    return owner.operation.name.startswith("scf.")


def return_loop(sweep: Sweep, ends: LoopEnds) -> list[ir.Value]:
    """The loop over stored states from the last to the first; the adjoints it ends with."""
    op = ends.op
    stored = sweep.saved[op.operation.results[0]]
    block = op.operation.regions[0].blocks[0]
    finals = sweep.primals(op.operation.results)
    sweep.promised.enter(op, finals)
    digests = finals[-1:] if DIGEST in op.operation.attributes else []
    changing = [value in stored.resized for value in (arguments_of(op, "carried")[k] for k in ends.carried)]
    seeds = [widened(seed) if changes else seed for seed, changes in zip(ends.seeds, changing, strict=True)]
    loop = scf.ForOp(index(0), stored.trips, index(1), [*seeds, *ends.before, *digests])
    with ir.InsertionPoint(loop.body):
        position, i = descending(sweep, op, stored.trips, loop.induction_variable)
        sweep.bind(block.arguments, [i, *_states(sweep, op, stored, position)])
        bars = list(loop.inner_iter_args)[: len(ends.bars)]
        scope = sweep.scope()
        scope.given = {value: row_at(stored.rows[value], position) for value in _kept_values(op)}
        read = list(terminator(block).operands)[-len(digests) :] if digests else []
        scope.differentiate(block, ends.enter(scope, bars), read)
        for value, digest in zip(read, list(loop.inner_iter_args)[len(bars) :], strict=True):
            check_digest(sweep.primal(value), digest)
        earlier = ends.leave(sweep, scope, bars)
        scf.YieldOp([*earlier, *(sweep.primal(arguments_of(op, "carried")[-1]) for _ in digests)])
    return list(loop.results)[: len(ends.bars)]


def _states(sweep: Sweep, op: ir.OpView, stored: StoredStates, position: ir.Value) -> list[ir.Value]:
    """The carried values at the start of an iteration; an array that loses nothing is there at the end."""
    pairs = zip(arguments_of(op, "carried"), op.operation.results, strict=True)
    return [_state(sweep, stored, position, *pair) for pair in pairs]


def _state(sweep: Sweep, stored: StoredStates, position: ir.Value, argument: ir.Value, result: ir.Value) -> ir.Value:
    if argument in stored.resized:
        return stored.resized[argument].take(position, argument.type)
    return row_at(stored.rows[argument], position) if argument in stored.rows else sweep.primal(result)


def seeds_at(op: ir.OpView, carried: Sequence[int], bars: Sequence[ir.Value]) -> list[ir.Value | None]:
    """One adjoint per carried value: those at the positions `carried`, nothing elsewhere."""
    given = dict(zip(carried, bars, strict=False))
    return [given.get(k) for k in range(len(op.operation.results))]


def next_bars(
    sweep: Sweep, scope: Sweep, carried: Sequence[ir.Value], targets: Sequence[ir.Value], types: Sequence[ir.Value]
) -> list[ir.Value]:
    """The adjoints at the start of an iteration, in the types of those at its end."""
    values = [scope.bars.or_zeros(value, sweep.primal(value)) for value in [*carried, *targets]]
    return [cast_to(like.type, value) for like, value in zip(types, values, strict=True)]


def descending(sweep: Sweep, op: ir.OpView, trips: ir.Value, k: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The position of the k-th iteration from the end, and its induction variable."""
    lower, _, step = sweep.primals(list(op.operation.operands)[:3])
    position = arith.SubIOp(arith.SubIOp(trips, index(1)).result, k).result
    return position, arith.AddIOp(lower, arith.MulIOp(position, step).result).result


def trip_count(lower: ir.Value, upper: ir.Value, step: ir.Value) -> ir.Value:
    """How often a loop runs; an empty one may have bounds so far apart that their difference wraps."""
    end = arith.MaxSIOp(upper, lower).result
    return arith.CeilDivSIOp(arith.SubIOp(end, lower).result, step).result


def _empty_states(trips: ir.Value, value: ir.Value) -> ir.Value:
    """Room for one state per iteration."""
    if not is_array(value):
        return tensor.EmptyOp([trips], value.type).result
    sizes = [extent if extent != DYNAMIC else dim(value, axis) for axis, extent in enumerate(value.type.shape)]
    return tensor.EmptyOp([trips, *sizes], value.type.element_type).result
