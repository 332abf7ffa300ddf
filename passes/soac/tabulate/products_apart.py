"""Products of matrices that maps in maps compute among other things, as nests of their own."""

from __future__ import annotations

from tapeless._mlir import ir, tensor
from tapeless.dialects.effects import is_or_holds
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import Rows, map_
from tapeless.passes.ir.costs import CHECKS, adds_up
from tapeless.passes.ir.places.places import Place
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import is_defined_outside, outer_values
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of

# The iterations of other operators run together as they are.
SEQUENTIAL = frozenset({"func.func", "scf.for", "scf.while", "scf.if"})


def set_products_apart(root: ir.OpView) -> bool:
    """Moves the products of rows in a map in a map before both, to a nest that does nothing else; says whether any did.

    ```
    for i: for j: y[i, j] = f(sum of a[i] * b[j])          for i: for j: p[i, j] = sum of a[i] * b[j]
                                                           for i: for j: y[i, j] = f(p[i, j])
    ```
    Only where the outer map hands out rows of as many elements, so that programs that never have a number for each pair
    of rows in memory do not get one.
    """
    changed = False
    for region in root.operation.regions:
        for block in region.blocks:
            for loop in list(block.operations):
                if loop.operation.name in SEQUENTIAL:
                    changed |= set_products_apart(loop)
                elif loop.operation.name == "soac.map" and not len(loop.accs) and not is_or_holds(loop, CHECKS):
                    inner = [each for each in loop.body.blocks[0].operations if each.operation.name == "soac.map"]
                    changed |= any([_from_nest(op, loop) for op in inner])
    return changed


def _from_nest(op: ir.OpView, loop: ir.OpView) -> bool:
    """Moves the products out of a map in a map."""
    if len(op.accs) or not is_defined_outside(op.width, loop.operation):
        return False
    if not any(_is_as_long(row, op.width) for row in terminator(loop.body).operands):
        return False
    sums = [each for each in op.body.blocks[0].operations if each.operation.name == "soac.reduce" and adds_up(each)]
    return any([_set_apart(each, op, loop) for each in sums])


def _is_as_long(row: ir.Value, width: ir.Value) -> bool:
    """Whether a row that a map hands out has as many elements as a map in it has iterations."""
    return isinstance(row.type, ir.RankedTensorType) and size_of(row, 0) == scalar_size(width)


def _set_apart(total: ir.OpView, op: ir.OpView, loop: ir.OpView) -> bool:
    """Moves one sum out, if it is a product of rows of two arrays and not all that the maps do."""
    terms = total.inputs[0]
    if len(total.inputs) != 1 or isinstance(terms, ir.BlockArgument) or terms.owner.operation.name != "soac.map":
        return False
    product = terms.owner
    if not _multiplies(product) or product.operation.block != op.body.blocks[0]:
        return False
    left = [row for row in product.inputs if _is_row_of(row, loop, loop)]
    right = [row for row in product.inputs if _is_row_of(row, op, loop)]
    if len(left) != 1 or len(right) != 1 or _is_alone(op, loop):
        return False
    own = {terms, *left, *right}
    outside = [*outer_values(total), *outer_values(product)]
    if not all(value in own or is_defined_outside(value, loop.operation) for value in outside):
        return False
    places = [each.body.blocks[0].arguments[0] for each in (loop, op)]
    table = _nest(total, product, left[0], right[0], op, loop)
    with ir.InsertionPoint(total), total.location:
        total.results[0].replace_all_uses_with(tensor.extract(table, places))
    return True


def _nest(
    total: ir.OpView, product: ir.OpView, left: ir.Value, right: ir.Value, op: ir.OpView, loop: ir.OpView
) -> ir.Value:
    """The product of all rows of two arrays before the maps."""

    def rows(i: ir.Value, given: Rows, _: Rows) -> tuple[Rows, Rows]:
        values: Values = {loop.body.blocks[0].arguments[0]: i}
        _enter(values, left, loop, given)

        def columns(j: ir.Value, given: Rows, _: Rows) -> tuple[Rows, Rows]:
            here = {**values, op.body.blocks[0].arguments[0]: j}
            _enter(here, right, op, given)
            copy_op(product, here)
            copy_op(total, here)
            return [here[total.results[0]]], []

        return map_(op.width, _inputs(right, op), [], columns)[0], []

    with ir.InsertionPoint(loop), total.location:
        return map_(loop.width, _inputs(left, loop), [], rows)[0][0]


def _inputs(row: ir.Value, op: ir.OpView) -> list[ir.Value]:
    """The input of a map that a row is an element of; none if its body reads it."""
    elements = dict(zip(arguments_of(op, "inputs"), op.inputs, strict=True))
    return [elements[row]] if row in elements else []


def _enter(values: Values, row: ir.Value, op: ir.OpView, given: Rows) -> None:
    if _inputs(row, op):
        values[row] = given[0]
    else:
        copy_op(row.owner, values)


def _is_row_of(row: ir.Value, op: ir.OpView, loop: ir.OpView) -> bool:
    """Whether a value is the row of an array from outside at the index of a map."""
    if isinstance(row, ir.BlockArgument):
        return any(is_defined_outside(array, loop.operation) for array in _inputs(row, op))
    if row.owner.operation.name != "tensor.extract_slice" or row.owner.operation.block != op.body.blocks[0]:
        return False
    place, index = Place.of(row.owner), op.body.blocks[0].arguments[0]
    is_at_index = place.ranges[0].offset == index and 0 not in place.kept
    is_whole = all(place.is_whole_along(axis) for axis in range(1, len(place.ranges)))
    others = [value for value in row.owner.operation.operands if value != index]
    return is_at_index and is_whole and all(is_defined_outside(value, loop.operation) for value in others)


def _multiplies(product: ir.OpView) -> bool:
    """Whether a map multiplies the elements of two rows."""
    statements = list(product.regions[0].blocks[0].operations)
    is_plain = len(statements) == 2 and statements[0].operation.name == "arith.mulf" and not len(product.accs)
    return is_plain and len(product.inputs) == 2 and len(product.results) == 1


def _is_alone(op: ir.OpView, loop: ir.OpView) -> bool:
    """Whether the maps do nothing else."""
    inner, outer = (list(each.body.blocks[0].operations)[:-1] for each in (op, loop))
    beside = [each for each in inner if each.operation.name != "tensor.extract_slice"]
    return len(beside) == 2 and len(outer) == 1
