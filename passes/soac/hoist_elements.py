"""The pass `soac-hoist-elements` computes what inner maps make of arrays alone once, before the loop around them."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import Rows, map_
from tapeless.passes.ir.costs import COSTLY
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.speculation import is_safe_anywhere
from tapeless.passes.soac.simplify.simplify import Simplify

LOOPS = ("soac.map", "soac.fused", "scf.for")
INNER = ("soac.map", "soac.fused")
# What takes longer than to read its result from memory.
LONG = frozenset({*COSTLY, "soac.fn", "arith.divf", "math.sqrt", "math.rsqrt", "math.cbrt"})

# Operators in each other, the outermost first; inner ones work on elements of rows of outer ones.
Nest = list[ir.OpView]


@dataclass(frozen=True)
class HoistElements:
    """Hoists divisions, roots and functions of elements out of loops around the map that computes them.

    ```mlir
    "soac.map"(%n, %m) ({                                %t = "soac.map"(%d, %s) ({ sqrt })
    ^bb0(%i: index, %row: tensor<?xf64>):                "soac.map"(%n, %m) ({
      "soac.map"(%d, %row, %s) ({                          "soac.map"(%d, %row, %t) ({
      ^bb0(%j: index, %x: f64, %e: f64):                   ^bb0(%j: index, %x: f64, %r: f64):
        %r = math.sqrt %e                                    %y = arith.divf %x, %r
        %y = arith.divf %x, %r
    ```
    Here the elements of `%s` are those of every row, as where a vector meets a matrix (`x / np.sqrt(var + eps)`). So do
    those of rows, where a matrix meets what has an axis more (`(points[:, None, :] - means) * np.exp(-scales)`).
    """

    name: ClassVar[str] = "soac-hoist-elements"
    after: ClassVar[dict[str, str]] = {
        "soac-parallelise": "plain loops are maps only then",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Splits every inner map once, and simplifies the result."""
        with ir.Location.unknown(module.context):
            if _hoist_below(module.operation.opview):
                Simplify().run(module)


def _hoist_below(root: ir.OpView) -> bool:
    changed = False
    for region in root.regions:
        for block in region.blocks:
            for op in list(block.operations):
                changed |= _hoist_below(op)
                for nest, loop in _nests(op):
                    changed |= _hoist_from(nest, loop)
    return changed


def _nests(op: ir.OpView) -> list[tuple[Nest, ir.OpView]]:
    """An inner map with the loop around it, and with the map of which it works on rows and the loop around that."""
    if op.operation.name not in INNER or (loop := _loop_around(op, op)) is None:
        return []
    around = _loop_around(loop, op) if loop.operation.name in INNER else None
    return [([op], loop)] if around is None else [([op], loop), ([loop, op], around)]


def _loop_around(op: ir.OpView, innermost: ir.OpView) -> ir.OpView | None:
    """The loop whose iterations each run an operator once, with widths that are the same in all of them."""
    parent = op.operation.parent
    while parent.name == "soac.with_acc":
        parent = parent.operation.parent
    widths = op.operands[0], innermost.operands[0]
    if parent.name not in LOOPS or not all(is_defined_outside(width, parent.operation) for width in widths):
        return None
    return parent.opview


def _hoist_from(nest: Nest, loop: ir.OpView) -> bool:
    """Moves what elements alone decide into maps before the loop; says whether there was anything."""
    elements = _elements(nest, loop)
    statements = _invariant_statements(nest[-1], loop, {*elements, *map(_index, nest)})
    wanted = _wanted(statements, {*_of_whole_arrays(nest, elements), *([_index(nest[0])] if len(nest) == 1 else [])})
    if not wanted:
        return False
    needed = _behind(wanted, statements)
    read = {value for statement in needed for value in statement.operands}
    with ir.InsertionPoint(loop), wanted[0].owner.location:
        arrays = _tables(nest, elements, _read_of(nest, elements, read), needed, wanted, {})
    with ir.InsertionPoint.at_block_begin(nest[-1].regions[0].blocks[0]):
        for value, array in zip(wanted, arrays, strict=True):
            value.replace_all_uses_with(
                tensor.ExtractOp(array, list(map(_index, nest)), loc=value.owner.location).result
            )
    return True


def _index(op: ir.OpView) -> ir.Value:
    return op.regions[0].blocks[0].arguments[0]


def _elements(nest: Nest, loop: ir.OpView) -> Values:
    """Elements and rows that are the same in all iterations of a loop around the nest, with the arrays they are of."""
    found: Values = {}
    for op in nest:
        for element, array in zip(arguments_of(op, "inputs"), op.inputs, strict=True):
            if array in found or is_defined_outside(array, loop.operation):
                found[element] = array
    return found


def _of_whole_arrays(nest: Nest, elements: Values) -> set[ir.Value]:
    """The elements of arrays with an axis for each operator of a nest, which are as many as the nest has iterations."""
    found = {each for each in arguments_of(nest[0], "inputs") if each in elements}
    for op in nest[1:]:
        found = {each for each in arguments_of(op, "inputs") if each in elements and elements[each] in found}
    return found


def _read_of(nest: Nest, elements: Values, read: set[ir.Value]) -> set[ir.Value]:
    """Elements that are read, and the rows that they are of."""
    found = set(read)
    for op in reversed(nest):
        found.update(elements[each] for each in arguments_of(op, "inputs") if each in found and each in elements)
    return found


def _tables(
    nest: Nest, elements: Values, read: set[ir.Value], needed: list[ir.OpView], wanted: list[ir.Value], values: Values
) -> list[ir.Value]:
    """The wanted numbers for all places of a nest, as arrays."""
    op, *inner = nest
    used = [each for each in arguments_of(op, "inputs") if each in read and each in elements]

    def body(index: ir.Value, given: Rows, _: Rows) -> tuple[Rows, Rows]:
        here: Values = {**values, _index(op): index, **dict(zip(used, given, strict=True))}
        if inner:
            return _tables(inner, elements, read, needed, wanted, here), []
        for statement in needed:
            copy_op(statement, here)
        return [here[value] for value in wanted], []

    arrays = [values.get(elements[each], elements[each]) for each in used]
    return map_(op.operands[0], arrays, [], body)[0]


def _invariant_statements(op: ir.OpView, loop: ir.OpView, known: set[ir.Value]) -> list[ir.OpView]:
    """The scalar statements of a body that are the same in all iterations of the loop around, and may run anywhere."""
    block = op.regions[0].blocks[0]
    found = []
    for statement in list(block.operations)[:-1]:
        operands = list(statement.operands)
        if any(value not in known and not is_defined_outside(value, loop.operation) for value in operands):
            continue
        if len(statement.regions) or len(statement.results) != 1 or not is_safe_anywhere(statement):
            continue
        known.add(statement.results[0])
        found.append(statement)
    return found


def _wanted(statements: list[ir.OpView], elements: set[ir.Value]) -> list[ir.Value]:
    """The numbers of these elements that take long to compute, or follow from such, and that the rest reads."""
    made = {statement.results[0] for statement in statements}
    of_elements = set(elements)
    long: dict[ir.Value, None] = {}
    for statement in statements:
        if not any(value in of_elements for value in statement.operands):
            continue
        of_elements.add(statement.results[0])
        if statement.operation.name in LONG or any(value in long for value in statement.operands):
            long[statement.results[0]] = None
    return [value for value in long if _is_float(value) and _is_read_beyond(value, made)]


def _is_float(value: ir.Value) -> bool:
    return isinstance(value.type, ir.F64Type | ir.F32Type)


def _is_read_beyond(value: ir.Value, made: set[ir.Value]) -> bool:
    users = [use.owner.operation for use in value.uses]
    return any(len(user.results) != 1 or user.results[0] not in made for user in users)


def _behind(wanted: list[ir.Value], statements: list[ir.OpView]) -> list[ir.OpView]:
    """The statements from which values follow, in order."""
    needed, found = set(wanted), []
    for statement in reversed(statements):
        if statement.results[0] in needed:
            needed.update(statement.operands)
            found.append(statement)
    return found[::-1]
