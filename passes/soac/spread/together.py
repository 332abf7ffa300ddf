"""Sums of rows at few places that iterations look for: search and sums in one launch, where blocks have room for both.

The lowering finds the same shape again (`lower/grid/row_columns/together`), and the same sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.ir import build
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import can_write
from tapeless.passes.soac.spread.apart import finds_before_adding
from tapeless.passes.soac.spread.guard import Choice, value_of
from tapeless.passes.soac.spread.sums.inward import add_elements
from tapeless.passes.soac.spread.weights import OPERATORS, operations_in, uses_accumulators

# A block takes so many iterations at a time, and has so many threads.
ITERATIONS, THREADS = 128, 256
# What a block may need of shared memory for the rows of its iterations and for sums, and a thread for its sums; rows
# are no longer than this. With more places, the search is better done by tiles.
MOST_BYTES, MOST_TABLE, MOST_COLUMNS = 64 << 10, 192, 128
LONGEST = 1 << 20


def keep_together(op: ir.OpView) -> bool:
    """Gives an accumulation by one map a variant in which search and sums stay together, if blocks can do that."""
    loop = _only_map(op)
    if loop is None or not finds_before_adding(loop):
        return False
    choice = Choice.around(op)
    copy = choice.changed.operations[0]
    add_elements(copy)
    loop = _only_map(copy)
    inner = [] if loop is None else _inner_maps(loop)
    if loop is None or not inner or not _decide(choice, copy, loop, inner[0].operands[0]):
        choice.undo()
        return False
    return True


def _only_map(accumulation: ir.OpView) -> ir.OpView | None:
    """The map that adds, if there is nothing beside it but simple operations."""
    loops = [each for each in operations_in(accumulation) if len(each.regions)]
    return loops[0] if len(loops) == 1 and loops[0].operation.name == "soac.map" else None


def _inner_maps(loop: ir.OpView) -> list[ir.OpView]:
    """The maps over elements of rows in a loop that finds numbers and then only adds such rows, all of one length."""
    found: list[ir.OpView] = []
    rest: list[ir.OpView] = []
    for each in list(loop.body.blocks[0].operations)[:-1]:
        is_search = each.operation.name in OPERATORS and not uses_accumulators(each)
        (found if is_search else rest).append(each)
    if any(build.is_array(value) for each in found for value in each.results):
        return []
    statements = [inner for each in rest for inner in _with_branches(each)]
    maps = [each for each in statements if each.operation.name in OPERATORS]
    if len({each.operands[0] for each in maps}) != 1 or not is_defined_outside(maps[0].operands[0], loop.operation):
        return []
    return maps if all(map(_adds_elements, maps)) else []


def _with_branches(op: ir.OpView) -> Iterator[ir.OpView]:
    yield op
    if op.operation.name == "scf.if":
        for inner in operations_in(op):
            yield from _with_branches(inner)


def _adds_elements(inner: ir.OpView) -> bool:
    """Whether a map does nothing but add numbers to elements whose last index is its own."""
    if inner.operation.name != "soac.map" or len(inner.results) != len(inner.accs):
        return False
    index = inner.body.blocks[0].arguments[0]
    statements = [each for op in operations_in(inner) for each in _with_branches(op)]
    if any(each.operation.name in OPERATORS for each in statements):
        return False
    updates = [each for each in statements if each.operation.name == "soac.update"]
    return bool(updates) and all(
        len(each.indices) == each.acc.type.tensor.rank and each.indices[-1] == index for each in updates
    )


def _decide(choice: Choice, accumulation: ir.OpView, loop: ir.OpView, length: ir.Value) -> bool:
    """Writes the condition of the variant, if all it depends on is known before."""
    at = ir.InsertionPoint(choice.branch)
    wanted = scalar_size(length)
    rows = [array for array in loop.inputs if array.type.rank == 2 and size_of(array, 1) == wanted]
    sums = list(accumulation.operands)
    needed: list[Size] = [wanted, *(size_of(array, axis) for array in sums for axis in range(array.type.rank - 1))]
    if not rows or any(array.type.rank < 1 for array in sums) or not all(can_write(size, at) for size in needed):
        return False
    with choice.branch.location, at:
        columns = _size(wanted, at)
        each = _total([_elements(array, at) for array in sums])
        bytes_of_row = sum(_bytes(array) for array in rows) * ITERATIONS
        row = arith.muli(arith.addi(columns, build.index(1)), build.index(bytes_of_row))
        needed_bytes = arith.addi(row, arith.muli(each, build.index(THREADS)))
        tests = [(needed_bytes, MOST_BYTES), (each, MOST_TABLE), (columns, MOST_COLUMNS)]
        conditions = [arith.cmpi(arith.CmpIPredicate.sle, value, build.index(most)) for value, most in tests]
        condition = conditions[0]
        for other in conditions[1:]:
            condition = arith.andi(condition, other)
    choice.branch.operation.operands[0] = condition
    return True


def _elements(array: ir.Value, at: ir.InsertionPoint) -> ir.Value:
    """The bytes of a column of an array, or many if it has more than that."""
    total = build.index(_bytes(array))
    for axis in range(array.type.rank - 1):
        total = arith.minsi(arith.muli(total, _size(size_of(array, axis), at)), build.index(LONGEST))
    return total


def _size(size: Size, at: ir.InsertionPoint) -> ir.Value:
    return arith.minsi(value_of(size, at), build.index(LONGEST))


def _total(values: Sequence[ir.Value]) -> ir.Value:
    total = values[0]
    for value in values[1:]:
        total = arith.addi(total, value)
    return total


def _bytes(array: ir.Value) -> int:
    element = array.type.element_type
    return 8 if isinstance(element, ir.IndexType) else max(element.width // 8, 1)
