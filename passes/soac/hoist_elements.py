"""The pass `soac-hoist-elements` computes what inner maps make of arrays alone once, before the loop around them."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import Rows, map_
from tapeless.passes.ir.costs import COSTLY
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import is_defined_outside, terminator
from tapeless.passes.ir.speculation import is_safe_anywhere
from tapeless.passes.soac.simplify.simplify import Simplify

LOOPS = ("soac.map", "soac.fused", "scf.for")
INNER = ("soac.map", "soac.fused")
# What takes longer than to read its result from memory.
LONG = frozenset({*COSTLY, "soac.fn", "arith.divf", "math.sqrt", "math.rsqrt", "math.cbrt"})


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
    Here the elements of `%s` are those of every row, as where a vector meets a matrix (`x / np.sqrt(var + eps)`).
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
                loop = _loop_around(op) if op.operation.name in INNER else None
                changed |= loop is not None and _hoist_from(op, loop)
    return changed


def _loop_around(op: ir.OpView) -> ir.OpView | None:
    """The loop whose iterations each run an operator once, with a width that is the same in all of them."""
    parent = op.operation.parent
    while parent.name == "soac.with_acc":
        parent = parent.operation.parent
    if parent.name not in LOOPS or not is_defined_outside(op.operands[0], parent.operation):
        return None
    return parent.opview


def _hoist_from(op: ir.OpView, loop: ir.OpView) -> bool:
    """Moves what elements alone decide into a map before the loop; says whether there was anything."""
    statements = _invariant_statements(op, loop)
    wanted = _wanted(op, statements)
    if not wanted:
        return False
    needed = _behind(wanted, statements)
    elements = dict(zip(arguments_of(op, "inputs"), op.inputs, strict=True))
    used = [each for each in elements if any(each in statement.operands for statement in needed)]

    def body(index: ir.Value, given: Rows, _: Rows) -> tuple[Rows, Rows]:
        values: Values = {op.regions[0].blocks[0].arguments[0]: index, **dict(zip(used, given, strict=True))}
        for statement in needed:
            copy_op(statement, values)
        return [values[value] for value in wanted], []

    with ir.InsertionPoint(loop), wanted[0].owner.location:
        arrays, _ = map_(op.operands[0], [elements[each] for each in used], [], body)
    block = op.regions[0].blocks[0]
    for value, array in zip(wanted, arrays, strict=True):
        with ir.InsertionPoint.at_block_begin(block), value.owner.location:
            value.replace_all_uses_with(tensor.ExtractOp(array, [block.arguments[0]]).result)
    return True


def _invariant_statements(op: ir.OpView, loop: ir.OpView) -> list[ir.OpView]:
    """The scalar statements of a body that are the same in all iterations of the loop around, and may run anywhere."""
    block = op.regions[0].blocks[0]
    inputs = zip(arguments_of(op, "inputs"), op.inputs, strict=True)
    known = {element for element, array in inputs if is_defined_outside(array, loop.operation)}
    known.add(block.arguments[0])
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


def _wanted(op: ir.OpView, statements: list[ir.OpView]) -> list[ir.Value]:
    """The numbers that take long to compute, or follow from such, and that the rest of the body reads."""
    made = {statement.results[0] for statement in statements}
    long: dict[ir.Value, None] = {}
    for statement in statements:
        takes_long = statement.operation.name in LONG or any(value in long for value in statement.operands)
        if takes_long and any(value in made or _is_element(value, op) for value in statement.operands):
            long[statement.results[0]] = None
    last = terminator(op.regions[0].blocks[0])
    return [value for value in long if _is_float(value) and _is_read_beyond(value, made, last)]


def _is_element(value: ir.Value, op: ir.OpView) -> bool:
    return isinstance(value, ir.BlockArgument) and value.owner == op.regions[0].blocks[0]


def _is_float(value: ir.Value) -> bool:
    return isinstance(value.type, ir.F64Type | ir.F32Type)


def _is_read_beyond(value: ir.Value, made: set[ir.Value], last: ir.Operation) -> bool:
    users = [use.owner.operation for use in value.uses]
    return any(user == last or len(user.results) != 1 or user.results[0] not in made for user in users)


def _behind(wanted: list[ir.Value], statements: list[ir.OpView]) -> list[ir.OpView]:
    """The statements from which values follow, in order."""
    needed, found = set(wanted), []
    for statement in reversed(statements):
        if statement.results[0] in needed:
            needed.update(statement.operands)
            found.append(statement)
    return found[::-1]
