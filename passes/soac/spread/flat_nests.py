"""Maps in maps that reduce nests of elements, as one map of reductions that teams of threads share."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.conditions import Condition, all_of, any_of, are_at_least, negated
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.marks import BY_WARPS, DIVIDED
from tapeless.passes.soac.flatten_sums import combine_alike, only_reduces
from tapeless.passes.soac.spread.flat_emission import REDUCTIONS, VIEWS, Flat, count_of
from tapeless.passes.soac.spread.guard import Choice
from tapeless.passes.soac.spread.sides import Sides, sides_of
from tapeless.passes.soac.spread.weights import OPERATORS, is_repeatable, is_short

# Reductions inside of elements that are written out, by their iterations: filters of three by three by three.
MOST_WRITTEN_OUT = 27
MOST_OPERATIONS = 400
# So many reductions of so many elements are few and long. Tiles divide the elements of longer contractions
# (`lower/tiles/parts.py`), but have 16 rows and columns at least: where one side has fewer than four, and warps fill a
# GPU, most of a tile would be idle. Warps read the other side once for each column: with 8 and 10 columns they took 1.5
# and 3 times as long as tiles (an H200, sums of 600 and 8192 elements).
FEW, LONG, LONGEST = 1 << 14, 32, 255
NARROW, ENOUGH_FOR_WARPS = 4, 1 << 11


def flatten_nests(op: ir.OpView) -> bool:
    """Makes one map of maps whose iterations reduce over several axes, and one reduction of each of these.

    ```mlir
    %s = "soac.map"(%n, %x) ({                        %s = "soac.map"(%nk) ({
      map over k:                                     ^bb0(%p):
        reduction over i:                               %n, %k = %p / %k, %p % %k
          reduction over j of f(row of %x, %i, %j)      reduction over %ij of f(%x, %q / %j, %q % %j)
    ```
    A thread for each iteration of the maps would go through all elements. Says whether it did. Reductions over one axis
    may be contractions, which tiles take: a variant of few, long ones is written beside them.
    """
    nest = _maps_of(op)
    sums = _all_sums(nest, op)
    if not sums:
        return False
    if any(len(each) > 1 for each in sums):
        Flat(op, nest, sums).write()
        return True
    if len(nest) < 2 or len(sums) > 1 or _is_divided(op) or _is_summand(op, nest) or _is_beside_decisions(op):
        return False
    return _flatten_few(op, nest, sums)


def _is_beside_decisions(op: ir.OpView) -> bool:
    """Whether a loop around an operation decides by floats: one block can run it, where the host would read them."""
    around = op.operation.parent
    while around is not None and around.operation.name != "func.func":
        if around.operation.name == "scf.while":
            return True
        if around.operation.name == "scf.for":
            branches = ops_named(around.opview, "scf.if")
            if any(_compares_floats(each.operands[0]) for each in branches):
                return True
        around = around.operation.parent
    return False


def _compares_floats(condition: ir.Value) -> bool:
    if isinstance(condition, ir.BlockArgument):
        return False
    op = condition.owner
    if op.operation.name in ("arith.andi", "arith.ori", "arith.xori"):
        return any(map(_compares_floats, op.operands))
    return bool(op.operation.name == "arith.cmpf")


def _is_summand(op: ir.OpView, nest: Sequence[Loop]) -> bool:
    """Whether a product is added to another one, with which tiles share a launch."""
    made_before = [array.owner for array in _own_elements(nest) if isinstance(array, ir.OpResult)]
    made_after = [use.owner for result in op.results for use in result.uses if _adds_to(use.owner, result)]
    return any(map(_reduces, [*made_before, *made_after]))


def _adds_to(user: ir.OpView, array: ir.Value) -> bool:
    """Whether each innermost iteration of a user reads its own element of an array."""
    return user.operation.name == "soac.map" and array in _own_elements(_maps_of(user))


def _reduces(op: ir.OpView) -> bool:
    return op.operation.name == "soac.map" and bool(_all_sums(_maps_of(op), op))


def _own_elements(nest: Sequence[Loop]) -> list[ir.Value]:
    """The arrays of which each innermost iteration of some maps reads its own element."""
    if not nest:
        return []
    read = dict(zip(nest[0].elements, nest[0].inputs, strict=True))
    for loop in nest[1:]:
        read = {own: read[row] for own, row in zip(loop.elements, loop.inputs, strict=True) if row in read}
    return [array for own, array in read.items() if not build.is_array(own)]


def _is_divided(op: ir.OpView) -> bool:
    """Whether an operation stands in a branch for sums that are divided into parts, or are many."""
    around = op.operation.parent
    while around is not None and around.operation.name != "func.func":
        if DIVIDED in around.operation.attributes:
            return True
        around = around.operation.parent
    return False


def _all_sums(nest: Sequence[Loop], op: ir.OpView) -> list[list[ir.OpView]]:
    """The reductions of the innermost of some maps, if these make numbers by such and by scalar code alone."""
    if not nest:
        return []
    body = nest[-1].body
    sums = [_sums_of(each, op) for each in body.operations if each.operation.name in REDUCTIONS]
    if not all(_is_known(each, op) for each in sums) or not _is_scalar(body, op):
        return []
    return [] if any(_written(each[-1]) > MOST_OPERATIONS for each in sums) else sums


def _flatten_few(op: ir.OpView, nest: list[Loop], sums: list[list[ir.OpView]]) -> bool:
    """A variant for few reductions that are long, of which a thread for each leaves most of a GPU idle."""
    sides = sides_of(nest, sums[0][0])
    with op.location, ir.InsertionPoint(op):
        widths, length = [count_of(loop.width) for loop in nest], count_of(sums[0][0].operands[0])
        wanted = _are_few(widths, length, sides)
    if wanted is False:
        return False
    if wanted is True:
        _by_teams(op, nest, sums, sides)
        return True
    choice = Choice.around(op)
    copy = choice.changed.operations[0]
    maps = _maps_of(copy)
    _by_teams(copy, maps, _all_sums(maps, copy), sides)
    choice.branch.operation.operands[0] = wanted
    return True


def _by_teams(op: ir.OpView, nest: list[Loop], sums: list[list[ir.OpView]], sides: Sides | None) -> None:
    """One map of reductions; a contraction has a warp for each, what no tile takes a team by its length."""
    made = Flat(op, nest, sums).write()
    if sides is not None:
        made.operation.attributes[BY_WARPS] = ir.UnitAttr.get(made.context)


def _are_few(widths: Sequence[ir.Value], length: ir.Value, sides: Sides | None) -> Condition:
    """Whether reductions are few and long; those that tiles take must be short for these, or narrow."""
    few_and_long = all_of([negated(are_at_least(widths, FEW + 1)), are_at_least([length], LONG)])
    if sides is None or few_and_long is False:
        return few_and_long
    is_narrow = any_of([negated(are_at_least([widths[loop] for loop in side], NARROW)) for side in sides])
    for_teams = all_of([is_narrow, are_at_least(widths, ENOUGH_FOR_WARPS)])
    return all_of([few_and_long, any_of([negated(are_at_least([length], LONGEST + 1)), for_teams])])


def _maps_of(op: ir.OpView) -> list[Loop]:
    """A map and those in it, each of which is all that the one before does but for what is repeated at little cost."""
    nest: list[Loop] = []
    while op.operation.name == "soac.map" and not len(op.accs):
        nest.append(Loop.seen_as(op))
        inner = [each for each in nest[-1].body.operations if each.operation.name in OPERATORS]
        if len(inner) != 1 or inner[0].operation.name != "soac.map" or nest[-1].lifted() != list(inner[0].results):
            break
        others = [each for each in list(nest[-1].body.operations)[:-1] if each.operation.name not in OPERATORS]
        if not all(map(is_repeatable, others)):
            break
        if not is_defined_outside(inner[0].operands[0], nest[0].op.operation):
            break
        op = inner[0]
    return nest


def _sums_of(op: ir.OpView, around: ir.OpView) -> list[ir.OpView]:
    """A reduction and those in it that combine alike, if each is all that the one before yields; else none."""
    if op.operation.name == "soac.fused" and not only_reduces(op):
        return []
    nest = [op]
    while nest[-1].operation.name == "soac.fused":
        *statements, end = nest[-1].regions[0].blocks[0].operations
        inner = [each for each in statements if each.operation.name in OPERATORS]
        if len(inner) != 1 or inner[0].operation.name not in REDUCTIONS or is_short(inner[0]):
            break
        if inner[0].operation.name == "soac.fused" and not only_reduces(inner[0]):
            break
        if list(end.operands) != list(inner[0].results) or not combine_alike(nest[0], inner[0]):
            break
        if not is_defined_outside(inner[0].operands[0], around.operation):
            break
        if not all(is_repeatable(each) for each in statements if each.operation.name not in OPERATORS):
            break
        nest.append(inner[0])
    return nest


def _is_known(sums: Sequence[ir.OpView], around: ir.OpView) -> bool:
    """Whether a reduction is over numbers, of a length that is known before the maps and not short."""
    if not sums:
        return False
    are_numbers = not any(build.is_array(value) for value in sums[0].results)
    return are_numbers and not is_short(sums[0]) and is_defined_outside(sums[0].operands[0], around.operation)


def _is_scalar(body: ir.Block, around: ir.OpView) -> bool:
    """Whether a body computes numbers from numbers, elements of arrays that come from outside, and reductions."""
    for op in list(body.operations)[:-1]:
        name = op.operation.name
        if name in REDUCTIONS:
            if not all(_is_placed(array, around) for array in Loop.seen_as(op).inputs):
                return False
            inner = [region for region in op.regions[:1] if name == "soac.fused" and len(region.blocks)]
            if not all(_is_scalar(region.blocks[0], around) for region in inner):
                return False
        elif name == "tensor.extract":
            if not _is_placed(op.operands[0], around):
                return False
        elif name not in VIEWS and (len(op.regions) or any(map(build.is_array, (*op.operands, *op.results)))):
            return False
    return not any(build.is_array(value) for value in list(body.operations)[-1].operands)


def _is_placed(array: ir.Value, around: ir.OpView) -> bool:
    """Whether elements of an array are elements of one from outside, at places that are known for each iteration."""
    while not is_defined_outside(array, around.operation):
        if isinstance(array, ir.BlockArgument):
            owner = array.owner.owner
            if owner.operation.name not in ("soac.map", "soac.fused") or array.arg_number == 0:
                return False
            array = owner.operands[array.arg_number]
        elif array.owner.operation.name in VIEWS:
            array = array.owner.operands[0]
        else:
            return False
    return True


def _written(op: ir.OpView) -> int:
    """How many operations the body of a reduction has when short reductions in it are written out."""
    if op.operation.name == "soac.reduce":
        return 1
    total = 0
    for inner in op.regions[0].blocks[0].operations:
        times = 1
        if inner.operation.name in REDUCTIONS:
            width = constant_int(inner.operands[0])
            times = MOST_OPERATIONS + 1 if width is None or width > MOST_WRITTEN_OUT else max(width, 1)
        total += times * (_written(inner) if inner.operation.name in REDUCTIONS else 1)
    return total
