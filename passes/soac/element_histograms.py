"""`soac-element-histograms`: histograms whose values are rows, as sums or histograms of the elements of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.soac.builders import with_acc
from tapeless.passes.ir import build
from tapeless.passes.ir.rebuild import copy_op, replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.cascade.places import is_outside_operators

MAP = "soac.map"
SCALAR = ("arith.", "math.", "soac.fn", "soac.guard", "scf.if")
FILL = "tensor.splat"
NOWHERE = -1

Values = list[ir.Value]


@dataclass(frozen=True)
class ElementHistograms:
    """Splits histograms of rows with an elementwise operator into histograms of elements.

    ```mlir
    %h = "soac.hist"(%n, %keys, %dest, %rows, %z) ({     %h = "soac.with_acc"(%dest) ({
    ^bb0(%a, %b: tensor<?xf64>):                           map over %key of %keys and %row of %rows:
      map over %m: addf                                      map over %m: "soac.update"(%acc, %key, %j, %x)
    })
    ```
    Sums of floats become accumulations, which the loop that makes the rows can take part in. With other operators, the
    bins of all elements are one histogram of numbers, whose keys have the column in them. For targets that give
    elements to threads: a histogram of rows would be one row after the other. Its neutral rows must be fills.
    """

    name: ClassVar[str] = "soac-element-histograms"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Rewrites every such histogram that no operator contains."""
        for op in ops_named(module.operation.opview, "soac.hist"):
            if is_outside_operators(op) and len(op.dests) and build.is_array(op.neutral[0]):
                _take_apart(op)


def _take_apart(op: ir.OpView) -> None:
    neutral = [_filling(value) for value in op.neutral]
    shapes = {tuple(row.type.shape) for row in op.neutral}
    if any(value is None for value in neutral) or len(shapes) > 1 or not _is_elementwise(op.combine.blocks[0]):
        return
    rank = op.neutral[0].type.rank
    with ir.InsertionPoint(op), op.location:
        if _are_float_sums(op):
            results = list(with_acc(list(op.dests), [], lambda *accs: _added(op, rank, accs)).operation.results)
        else:
            results = _counted(op, [value for value in neutral if value is not None])
    replace_op(op, results)


def _filling(row: ir.Value) -> ir.Value | None:
    """The number that all elements of a row are."""
    if isinstance(row.owner, ir.Block) or row.owner.operation.name not in (FILL, "arith.constant"):
        return None
    owner = row.owner.operation
    if owner.name == FILL:
        return owner.operands[0]
    value = ir.DenseElementsAttr(owner.attributes["value"])
    if not value.is_splat:
        return None
    with ir.InsertionPoint(owner), owner.location:
        return arith.constant(row.type.element_type, value.get_splat_value())


def _is_elementwise(block: ir.Block) -> bool:
    """Whether the yielded values of a block are elementwise in its arguments, all rows of one shape."""
    arguments = set(block.arguments)
    rows = {value for value in arguments if build.is_array(value)}
    *operations, last = list(block.operations)
    if not rows:
        return all(op.operation.name.startswith(SCALAR) for op in operations)
    for op in operations:
        if op.operation.name != MAP or len(op.accs) or not set(op.inputs) <= rows:
            return False
        inner = op.body.blocks[0]
        if list(inner.arguments[0].uses) or not _is_elementwise(inner) or _uses_inside(op, arguments):
            return False
        rows.update(op.results)
    return set(last.operands) <= rows


def _uses_inside(op: ir.OpView, values: set[ir.Value]) -> bool:
    """Whether the body of a map uses values that are not its own."""
    found = False

    def visit(inner: ir.Operation) -> ir.WalkResult:
        nonlocal found
        found = found or any(operand in values for operand in inner.operands)
        return ir.WalkResult.ADVANCE

    for inner in op.body.blocks[0].operations:
        inner.operation.walk(visit)
    return found


def _combined(arguments: Sequence[ir.Value], block: ir.Block, elements: Sequence[ir.Value]) -> Values:
    """The result of an elementwise block for elements of these of its arguments, which are all that it uses."""
    values = dict(zip(arguments, elements, strict=True))
    *operations, last = list(block.operations)
    for op in operations:
        if op.operation.name == MAP:
            inner = op.body.blocks[0]
            given = [values[array] for array in op.inputs]
            values.update(zip(op.results, _combined(list(inner.arguments)[1:], inner, given), strict=True))
        else:
            copy_op(op, values)
    return [values.get(value, value) for value in last.operands]


def _are_float_sums(op: ir.OpView) -> bool:
    """Whether every component of rows is added to the same component, in floating point."""
    return all(_is_sum(op.combine.blocks[0], number) for number in range(len(op.dests)))


def _is_sum(block: ir.Block, number: int) -> bool:
    """Whether a result of an elementwise block is the sum of its own two arguments."""
    arguments = list(block.arguments)
    count = len(list(block.operations)[-1].operands)
    rows = arguments[len(arguments) - 2 * count :]
    result = list(block.operations)[-1].operands[number]
    return _adds(result, {rows[number], rows[count + number]})


def _adds(value: ir.Value, pair: set[ir.Value]) -> bool:
    if isinstance(value.owner, ir.Block):
        return False
    op = value.owner.operation
    if op.name == "arith.addf":
        return set(op.operands) == pair
    if op.name != MAP:
        return False
    view, place = op.opview, list(op.results).index(value)
    inner = view.body.blocks[0]
    own = dict(zip(view.inputs, list(inner.arguments)[1:], strict=True))
    last = list(inner.operations)[-1]
    return pair <= set(own) and _adds(last.operands[place], {own[each] for each in pair})


def _added(op: ir.OpView, rank: int, accs: Sequence[ir.Value]) -> Values:
    """Accumulators to which every element of every row is added at the key of the row."""

    def of_row(_: ir.Value, given: build.Rows, kept: build.Rows) -> tuple[Values, Values]:
        key, *rows = given
        return [], _add_elements([_as_index(key)], rows, list(kept), rank)

    return build.map_(op.width, [op.keys, *op.values], accs, of_row)[1]


def _add_elements(places: Values, rows: Sequence[ir.Value], accs: Values, rank: int) -> Values:
    if rank == 0:
        pairs = zip(accs, rows, strict=True)
        return [soac.UpdateOp(acc, places, value, acc.type).operation.results[0] for acc, value in pairs]

    def of_element(index: ir.Value, given: build.Rows, kept: build.Rows) -> tuple[Values, Values]:
        return [], _add_elements([*places, index], given, list(kept), rank - 1)

    return build.map_(build.dim(rows[0], 0), rows, accs, of_element)[1]


def _counted(op: ir.OpView, neutral: Values) -> Values:
    """The results by a histogram of all elements: the bins of a column are every so many, the column is the first."""
    zero, nowhere = build.index(0), build.index(NOWHERE)
    sizes = [build.dim(op.values[0], axis) for axis in range(1, op.values[0].type.rank)]
    columns = sizes[0]
    for size in sizes[1:]:
        columns = arith.muli(columns, size)
    bins = build.dim(op.dests[0], 0)

    def key_of(number: ir.Value, *_: build.Rows) -> tuple[Values, Values]:
        row, column = arith.divsi(number, columns), arith.remsi(number, columns)
        key = _as_index(tensor.extract(op.keys, [row]))
        inside = arith.andi(
            arith.cmpi(arith.CmpIPredicate.sge, key, zero), arith.cmpi(arith.CmpIPredicate.slt, key, bins)
        )
        place = arith.addi(arith.muli(key, columns), column)
        return [arith.index_cast(_word(), arith.select(inside, place, nowhere))], []

    total = arith.muli(op.width, columns)
    keys = build.map_(total, [], [], key_of)[0][0]
    values = [_flat(value, total) for value in op.values]
    every = arith.muli(bins, columns)
    dests = [_flat(dest, every) for dest in op.dests]
    made = soac.HistOp(total, keys, dests, values, neutral, [dest.type for dest in dests])
    block = op.combine.blocks[0]
    soac.fill(
        made.combine, [value.type for value in neutral] * 2, lambda *pair: _combined(list(block.arguments), block, pair)
    )
    return [_shaped(out, dest) for out, dest in zip(made.operation.results, op.dests, strict=True)]


def _word() -> ir.Type:
    return ir.IntegerType.get_signless(64)


def _as_index(key: ir.Value) -> ir.Value:
    return key if isinstance(key.type, ir.IndexType) else arith.index_cast(ir.IndexType.get(), key)


def _flat(array: ir.Value, size: ir.Value) -> ir.Value:
    """The elements of an array as a vector."""
    shape = tensor.from_elements(ir.RankedTensorType.get([1], ir.IndexType.get()), [size])
    return tensor.reshape(ir.RankedTensorType.get([DYNAMIC], array.type.element_type), array, shape)


def _shaped(flat: ir.Value, like: ir.Value) -> ir.Value:
    """A vector with the sizes of another array."""
    sizes = [build.dim(like, axis) for axis in range(like.type.rank)]
    shape = tensor.from_elements(ir.RankedTensorType.get([len(sizes)], ir.IndexType.get()), sizes)
    return tensor.reshape(like.type, flat, shape)
