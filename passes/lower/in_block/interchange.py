"""Loop interchange: sequential loops of the host whose launches all have the same independent iterations.

```mlir
scf.for %t = ... {                                scf.for %j = 0 to %n {
  %a = memref.load %diagonal[%t]                    scf.for %t = ... {
  scf.for %j = 0 to %n {tapeless.launch}              %a = memref.load %diagonal[%t]
    ... %x[%t, %j] ... %y[%j] ...                     ... %x[%t, %j] ... %y[%j] ...
  scf.for %j = 0 to %n {tapeless.launch}              ... %x[%t, %j] ...
    ... %x[%t, %j] ...                              }
}                                                 } {tapeless.launch = "each thread"}
```
An iteration of the launches depends on what the same iteration of launches before it has left, and on nothing else that
the loop writes: columns of a triangular system, lanes of a simulation. One thread for each goes through the loop then,
and waits for no other one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.in_block.allowed import COMPUTING, inner_blocks, number_of_operations, of_host
from tapeless.passes.lower.in_block.bounds import Bounds
from tapeless.passes.lower.in_block.sharing import LOAD, STORE, Arrays, add_terms, is_outside
from tapeless.passes.lower.in_block.work import LAUNCHING, work_of_column
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.lower.launches.host.placement import terminator
from tapeless.passes.lower.launches.kernels.failure import failed_site
from tapeless.passes.lower.launches.plan.values import is_memory
from tapeless.passes.marks import EACH_THREAD, LAUNCH, PARALLEL, SIDE, VARIANTS

# What the host does beside launches, which threads repeat.
REPEATED = frozenset({LOAD, "memref.dim", "scf.yield"})
# What an iteration may not do: take memory, change what others change, too, or wait.
KEPT_OUT = ("memref.alloc", "memref.alloca", "memref.dealloc", "memref.copy", "memref.atomic_rmw", "gpu.barrier")


def interchange(loop: ir.Operation) -> bool:
    """Writes the variant with one launch, if there is one; says whether there is."""
    sides = _choose_sides(loop)
    try:
        width = _common_width(loop)
        if width is None or not _columns_are_independent(loop):
            return False
        bounds = Bounds(loop, before=loop)
        if not all(bounds.is_of_sizes(bound) for bound in [*list(loop.operands)[:3], width]):
            return False
        _write(loop, bounds, width)
        return True
    finally:
        for side in sides:
            del side.attributes[SIDE]


def _choose_sides(op: ir.Operation) -> list[ir.Operation]:
    """Marks, of two ways between which sizes choose, the one whose launches have a thread for each iteration."""
    marked: list[ir.Operation] = []
    for block in inner_blocks(op):
        for inner in [view.operation for view in block.operations]:
            if LAUNCH in inner.attributes or not inner.regions:
                continue
            marked += _choose_sides(inner)
            if VARIANTS not in inner.attributes or not all(len(region.blocks) for region in inner.regions):
                continue
            blocks = [list(region.blocks[0].operations) for region in inner.regions]
            able = [number for number, each in enumerate(blocks) if all(map(_has_threads, _launches(each)))]
            if able and SIDE not in inner.attributes:
                side = min(
                    able, key=lambda number: sum(number_of_operations(each.operation) for each in blocks[number])
                )
                inner.attributes[SIDE] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), side)
                marked.append(inner)
    return marked


def _launches(views: Sequence[ir.OpView]) -> Iterator[ir.Operation]:
    for view in views:
        op = view.operation
        yield from [op] if LAUNCH in op.attributes else (each for each in of_host(op) if LAUNCH in each.attributes)


def _has_threads(launch: ir.Operation) -> bool:
    return ir.StringAttr(launch.attributes[LAUNCH]).value == EACH_THREAD


def _common_width(loop: ir.Operation) -> ir.Value | None:
    """Finds the trip count that all launches of a loop share, if threads may repeat everything else in the loop."""
    inside = list(of_host(loop))
    launches = [op for op in inside if LAUNCH in op.attributes]
    if loop.name != "scf.for" or len(loop.results) or not all(map(_is_repeated, inside)):
        return None
    widths = {launch.operands[1] for launch in launches}
    if len(widths) != 1 or not all(map(_is_column, launches)):
        return None
    (width,) = widths
    return width if is_outside(width, loop) else None


def _is_repeated(op: ir.Operation) -> bool:
    if LAUNCH in op.attributes or op.name in REPEATED or op.name.startswith(COMPUTING):
        return True
    if failed_site(op) is not None:
        return True
    if op.name == "scf.if":
        return SIDE in op.attributes and not any(is_memory(result.type) for result in op.results)
    return op.name == "scf.for" and not len(op.results)


def _is_column(launch: ir.Operation) -> bool:
    """Whether a launch has a thread for each iteration of one loop, from 0 on, which takes no memory for itself."""
    low, _, step = list(launch.operands)[:3]
    if not _has_threads(launch) or PARALLEL not in launch.attributes or len(launch.results):
        return False
    if constant_int(low) != 0 or constant_int(step) != 1 or len(nest_of(launch)) > 1:
        return False
    calls = ops_named(launch.opview, "func.call")
    return not ops_named(launch.opview, *KEPT_OUT) and not calls


def _columns_are_independent(loop: ir.Operation) -> bool:
    """Whether all that a loop writes is read and written at one distance from the index of the launch, on one axis."""
    arrays = Arrays()
    launches = [op for op in of_host(loop) if LAUNCH in op.attributes]
    accesses = [(launch, view.operation) for launch in launches for view in ops_named(launch.opview, LOAD, STORE)]
    written = {root for _, op in accesses if op.name == STORE for root in arrays.of(op.operands[1])}
    if not written or any(arrays.of(op.operands[0]) & written for op in of_host(loop) if op.name == LOAD):
        return False
    for root in written:
        moving: list[set[object]] = []
        for launch, op in accesses:
            array, *places = list(op.operands)[op.name == STORE :]
            if root in arrays.of(array):
                moving.append(set(_moving(loop, launch, places)))
                if array in arrays.viewed:
                    return False
        if not set.intersection(*moving):
            return False
    return True


def _moving(loop: ir.Operation, launch: ir.Operation, places: list[ir.Value]) -> Iterator[object]:
    """The axes along which an access moves with the index of a launch, each with a distance that the loop keeps."""
    index = launch.regions[0].blocks[0].arguments[0]
    for axis, place in enumerate(places):
        terms: Counter[ir.Value] = Counter()
        constant = add_terms(place, 1, terms)
        times = terms.pop(index, 0)
        others = frozenset((term, count) for term, count in terms.items() if count)
        if times == 1 and all(is_outside(term, loop) for term, _ in others):
            yield axis, constant, others


def _write(loop: ir.Operation, bounds: Bounds, width: ir.Value) -> None:
    """Puts a choice in the place of the loop: the launches, where each has more to do than it takes to start it.

    Where launches have no iterations, there is no thread to check what the loop checks.
    """
    block = loop.regions[0].blocks[0]
    started = sum(LAUNCH in op.attributes for op in of_host(loop)) * LAUNCHING
    work = work_of_column(bounds, block)
    with loop.location, ir.InsertionPoint(loop):
        is_little = arith.cmpi(arith.CmpIPredicate.sle, bounds.value(work), bounds.value(started))
        has_threads = arith.cmpi(arith.CmpIPredicate.sgt, width, _constant(width, 0))
        branch = scf.IfOp(arith.andi(is_little, has_threads), has_else=True)
    with loop.location, ir.InsertionPoint(branch.then_block):
        low, step = _constant(width, 0), _constant(width, 1)
        launch = scf.ForOp(low, width, step)
        launch.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_THREAD)
        launch.operation.attributes[PARALLEL] = ir.UnitAttr.get()
        with ir.InsertionPoint(launch.body):
            _for(loop, launch.induction_variable, {})
            scf.YieldOp([])
        scf.YieldOp([])
    with loop.location, ir.InsertionPoint(branch.else_block):
        end = scf.YieldOp([])
    loop.move_before(end.operation)


def _constant(value: ir.Value, number: int) -> ir.Value:
    return arith.constant(value.type, number)


def _for(loop: ir.Operation, column: ir.Value, values: Values) -> None:
    """The loop of one thread."""
    block = loop.regions[0].blocks[0]
    made = scf.ForOp(*(values.get(bound, bound) for bound in list(loop.operands)[:3]))
    own = {**values, block.arguments[0]: made.induction_variable}
    with loop.location, ir.InsertionPoint(made.body):
        _block(block, column, own)
        scf.YieldOp([])


def _block(block: ir.Block, column: ir.Value, values: Values) -> None:
    for view in list(block.operations)[:-1]:
        op = view.operation
        if LAUNCH in op.attributes:
            body = op.regions[0].blocks[0]
            own = {**values, body.arguments[0]: column}
            for inner in list(body.operations)[:-1]:
                copy_op(inner, own)
        elif SIDE in op.attributes:
            (side,) = inner_blocks(op)
            _block(side, column, values)
            ends = [values.get(value, value) for value in terminator(side).operands]
            values.update(zip(op.results, ends, strict=True))
        elif op.name == "scf.for":
            _for(op, column, values)
        else:
            copy_op(view, values)
