"""Loops that change the sizes of arrays they carry: one more run before tells how large these become.

There is room for as many states of the largest sizes, and each state is stored with its own sizes:

```
sizes = the largest of each axis, by running the loop
for i: states[i, :len(y)] = y; lengths[i] = len(y); y = body(i, y)        back: y = states[i, :lengths[i]]
```
A size that each iteration checks against one from before the loop (`y = a @ y`: the columns of `a`) is that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import dim, is_array
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.ir.rows import insert_row, row_at, slice_of, with_slice
from tapeless.passes.ir.scopes import terminator
from tapeless.passes.ir.sizes.expressions import Dim, Size
from tapeless.passes.ir.sizes.size_search import Axis, Equal, Search
from tapeless.passes.ir.sizes.sizes import can_write

Sizes = list[ir.Value | int]


def resized(op: ir.OpView, sizes: Search) -> list[int]:
    """The positions of carried arrays that an iteration may leave with another size than any array began with.

    Loops that only hand arrays on from one position to another (`u, before = before, u`) are taken to keep sizes, which
    is checked when they run.
    """
    arguments, ends = arguments_of(op, "carried"), terminator(op.operation.regions[0].blocks[0]).operands
    return [k for k in doubtful(op, sizes) if not _is_handed_on(sizes, ends[k], arguments)]


def doubtful(op: ir.OpView, sizes: Search) -> list[int]:
    """The positions of carried arrays that are not seen to keep the sizes that they began with."""
    pairs = list(zip(arguments_of(op, "carried"), operands_of(op, "carried"), strict=True))
    return [k for k, (argument, start) in enumerate(pairs) if is_array(start) and _changes(sizes, argument, start)]


def _changes(sizes: Search, argument: ir.Value, start: ir.Value) -> bool:
    return any(sizes.ask(Axis(argument, axis)) != sizes.ask(Axis(start, axis)) for axis in range(start.type.rank))


def _is_handed_on(sizes: Search, end: ir.Value, arguments: Sequence[ir.Value]) -> bool:
    """Whether an array leaves an iteration with the sizes that some array came with."""
    found = [sizes.ask(Axis(end, axis)) for axis in range(end.type.rank)]
    return any(
        is_array(argument)
        and argument.type.rank == end.type.rank
        and all(size == sizes.ask(Axis(argument, axis)) for axis, size in enumerate(found))
        for argument in arguments
    )


def checked_sizes(op: ir.OpView, position: int, sizes: Search) -> list[Size | None]:
    """The sizes before a loop that its iterations check those of a carried array against, for each open axis."""
    array, block = arguments_of(op, "carried")[position], op.operation.regions[0].blocks[0]
    known, at = sizes.ask(Equal(block)), ir.InsertionPoint(op)
    axes = [axis for axis in range(array.type.rank) if array.type.is_dynamic_dim(axis)]

    def before(axis: int) -> Size | None:
        equal = known.equal_to(sizes.ask(Axis(array, axis)))
        return next((size for size in equal if isinstance(size, (int, Dim)) and can_write(size, at)), None)

    return [before(axis) for axis in axes]


def largest_sizes(
    sweep: Sweep, op: ir.OpView, initial: Sequence[ir.Value], positions: Sequence[int], run: Callable[[], None]
) -> dict[int, Sizes]:
    """How large arrays become at most, by running the loop; `run` writes its body."""
    if not positions:
        return {}
    block = op.operation.regions[0].blocks[0]
    lower, upper, step = sweep.primals(list(op.operation.operands)[:3])
    starts = [size for k in positions for size in _open_sizes(initial[k])]
    loop = scf.ForOp(lower, upper, step, [*initial, *starts])
    with ir.InsertionPoint(loop.body):
        sweep.bind(block.arguments, [loop.induction_variable, *list(loop.inner_iter_args)[: len(initial)]])
        run()
        following = sweep.primals(terminator(block).operands)
        reached = [size for k in positions for size in _open_sizes(following[k])]
        before = list(loop.inner_iter_args)[len(initial) :]
        largest = [arith.MaxSIOp(*pair).result for pair in zip(before, reached, strict=True)]
        scf.YieldOp([*following, *largest])
    found = iter(list(loop.results)[len(initial) :])
    return {k: _filled(initial[k].type, found) for k in positions}


@dataclass(frozen=True)
class ResizedStates:
    """Room for one state per iteration, and for the sizes it has, unless all states have those of `fixed`."""

    rows: ir.Value
    sizes: list[ir.Value]
    fixed: list[ir.Value] | None = None

    @staticmethod
    def empty(trips: ir.Value, type_: ir.RankedTensorType, largest: Sizes) -> ResizedStates:
        """Room for states up to these sizes."""
        number = ir.IntegerType.get_signless(64)
        open_axes = [axis for axis in range(type_.rank) if type_.is_dynamic_dim(axis)]
        rows = tensor.EmptyOp([trips, *largest], type_.element_type).result
        return ResizedStates(rows, [tensor.EmptyOp([trips], number).result for _ in open_axes])

    @staticmethod
    def of_sizes(trips: ir.Value, type_: ir.RankedTensorType, sizes: list[ir.Value]) -> ResizedStates:
        """Room for states that all have these sizes."""
        rows = tensor.EmptyOp([trips, *_filled(type_, iter(sizes))], type_.element_type).result
        return ResizedStates(rows, [], sizes)

    @staticmethod
    def like(rooms: Sequence[ResizedStates], values: Sequence[ir.Value]) -> list[ResizedStates]:
        """The same rooms, made of other values."""
        left = iter(values)
        return [ResizedStates(next(left), [next(left) for _ in room.sizes], room.fixed) for room in rooms]

    @property
    def values(self) -> list[ir.Value]:
        """The carried values of a loop that fills the buffer."""
        return [self.rows, *self.sizes]

    def put(self, position: ir.Value, state: ir.Value) -> list[ir.Value]:
        """The room with the state of an iteration."""
        here = _open_sizes(state) if self.fixed is None else self.fixed
        sizes = _filled(state.type, iter(here))
        rest = state.type.rank
        rows = with_slice(self.rows, state, [position, *[0] * rest], [1, *sizes], [1] * (rest + 1))
        number = ir.IntegerType.get_signless(64)
        numbers = [arith.IndexCastOp(number, size).result for size in here[: len(self.sizes)]]
        return [rows, *(insert_row(*each) for each in zip(self.sizes, [position] * len(numbers), numbers, strict=True))]

    def take(self, position: ir.Value, type_: ir.RankedTensorType) -> ir.Value:
        """The state of an iteration."""
        index = ir.IndexType.get()
        stored = [arith.IndexCastOp(index, row_at(each, position)).result for each in self.sizes]
        here = stored if self.fixed is None else self.fixed
        sizes, rest = _filled(type_, iter(here)), type_.rank
        return slice_of(self.rows, [position, *[0] * rest], [1, *sizes], [1] * (rest + 1), type_)


def widened(array: ir.Value) -> ir.Value:
    """The initial value of a loop that changes the size of an array."""
    return soac.WidenOp(array, array.type).result


def _open_sizes(array: ir.Value) -> list[ir.Value]:
    return [dim(array, axis) for axis in range(array.type.rank) if array.type.is_dynamic_dim(axis)]


def _filled(type_: ir.RankedTensorType, found: Iterator[ir.Value]) -> Sizes:
    """The sizes of a type, the dynamic ones in turn from those that were found."""
    return [next(found) if type_.is_dynamic_dim(axis) else type_.shape[axis] for axis in range(type_.rank)]
