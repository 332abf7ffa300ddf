"""Slopes: contributions of a pure region to the shadows of the cells that it reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import func, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import rev
from tapeless.dialects.groups import SEGMENTS
from tapeless.dialects.rev.activity import holds_floats
from tapeless.dialects.rev.cells import base, value_type
from tapeless.dialects.rev.dialect import YieldOp
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.rebuild import Values, copy_op, retarget
from tapeless.passes.ir.rows import row_at
from tapeless.passes.rev.adjoint.shadows import Shadows
from tapeless.passes.rev.blocks import used_by

READS = ("memref.load", "rev.read")
LOOKS = (*READS, "memref.dim", "rev.view")
CHECK = "soac.assert"
INSIDE = (
    "reads elements of the array it changes inside of an operator, which has no adjoint yet; use a loop of statements"
)
Seed = Callable[[], ir.Value]


@dataclass(frozen=True)
class Slopes:
    """A pure region as a function of its reads."""

    block: ir.Block
    function: str
    inputs: list[ir.Value]
    """The arguments of the function, as values of the region or from outside."""
    active: list[ir.OpView]
    """The reads of floats among them."""
    result: ir.Type


def slopes_of(shadows: Shadows, op: ir.OpView, region_number: int) -> Slopes:
    """The function of a region of a statement; the region is that of a copy, which `forget` removes."""
    scratch = op.operation.clone(ip=ir.InsertionPoint(op))
    block = scratch.regions[region_number].blocks[0]
    _bring_in_floats(block)
    _read_in_front(op, block)
    looks = [
        inner for inner in block.operations if inner.operation.name in READS or inner.operation.name == "memref.dim"
    ]
    inputs = [*(inner.operation.results[0] for inner in looks), *_free(block)]
    active = [
        inner for inner in looks if inner.operation.name in READS and holds_floats(inner.operation.results[0].type)
    ]
    name = f"{shadows.procedure}.value{shadows.functions}"
    shadows.functions += 1
    result = _outline(op, block, name, inputs)
    return Slopes(block, name, inputs, active, result)


def forget(slopes: Slopes) -> None:
    """Removes the copy of the statement that slopes were found in."""
    slopes.block.owner.operation.erase()


def accumulate(
    shadows: Shadows, op: ir.OpView, slopes: Slopes, seed: Seed, kind: str, where: ir.InsertionPoint
) -> None:
    """Adds the contributions to the shadows of the region's reads, or subtracts them; `seed` emits its cotangent."""
    order = range(len(slopes.active)) if kind == "sub" else reversed(range(len(slopes.active)))
    with where, op.location:
        for position in order:
            _accumulate_one(shadows, slopes, position, seed, kind)


def _accumulate_one(shadows: Shadows, slopes: Slopes, position: int, seed: Seed, kind: str) -> None:
    cell, *indices = slopes.active[position].operation.operands
    checks = [inner for inner in slopes.block.operations if inner.operation.name == CHECK]
    wanted = {cell, *indices, *(value for inner in checks for value in inner.operation.operands)}
    values = _copy_slice(slopes.block, wanted, keep_checks=True)
    target = values.get(cell, cell)
    made = ir.Operation.create(
        rev.AccumOp.OPERATION_NAME,
        operands=[shadows.of(target), *(values.get(index, index) for index in indices)],
        attributes={"kind": ir.StringAttr.get(kind)},
        regions=1,
    )
    shadows.mark(made)
    with ir.InsertionPoint(ir.Block.create_at_start(made.regions[0])):
        YieldOp([_pulled_back(slopes, position, seed, shadows.method)])


def _pulled_back(slopes: Slopes, position: int, seed: Seed, method: str) -> ir.Value:
    """The adjoint of one read."""
    values = _copy_slice(slopes.block, set(slopes.inputs))
    primals = [values.get(value, value) for value in slopes.inputs]
    wrt = [slopes.inputs.index(read.operation.results[0]) for read in slopes.active]
    cotangent = seed()
    request = ir.Operation.create(
        "ad.vjp",
        results=[slopes.result, *(slopes.inputs[k].type for k in wrt)],
        operands=[*primals, cotangent],
        attributes={
            "callee": ir.FlatSymbolRefAttr.get(slopes.function),
            "wrt": ir.ArrayAttr.get([ir.IntegerAttr.get(ir.IntegerType.get_signless(64), k) for k in wrt]),
            "method": ir.StringAttr.get(method),
            SEGMENTS: ir.DenseI32ArrayAttr.get([len(primals), 1]),
        },
    )
    return request.results[1 + position]


def _copy_slice(block: ir.Block, wanted: set[ir.Value], keep_checks: bool = False) -> Values:
    """Copies, at the insertion point, of the backward slice of values in a block; the map from old to new values."""
    found: list[ir.OpView] = []
    wanted = set(wanted)
    for inner in reversed(list(block.operations)[:-1]):
        is_kept = keep_checks and inner.operation.name == CHECK
        if is_kept or wanted & set(inner.operation.results):
            found.append(inner)
            wanted |= used_by(inner)
    values: Values = {}
    for inner in reversed(found):
        copy_op(inner, values)
    return values


def _free(block: ir.Block) -> list[ir.Value]:
    """The values from outside that a block computes with; cells are looked at, and no values."""
    inside = {value for inner in block.operations for value in inner.operation.results}
    inside |= {value for inner in block.operations for region in inner.operation.regions for value in _made_in(region)}
    found: dict[ir.Value, None] = {}
    for inner in block.operations:
        if inner.operation.name not in (*LOOKS, CHECK):
            found.update((value, None) for value in _operands(inner.operation) if value not in inside)
    return list(found)


def _operands(op: ir.Operation) -> list[ir.Value]:
    """The values that an operation and those inside of it use, in order."""
    inside = (inner for region in op.regions for block in region.blocks for inner in block.operations)
    return [*op.operands, *(value for inner in inside for value in _operands(inner.operation))]


def _made_in(region: ir.Region) -> set[ir.Value]:
    found: set[ir.Value] = set()
    for block in region.blocks:
        found.update(block.arguments)
        for inner in block.operations:
            found.update(inner.operation.results, *(_made_in(each) for each in inner.operation.regions))
    return found


def _bring_in_floats(block: ir.Block) -> None:
    """Copies the computations of floats from outside into a block, so that it reads all cells itself."""
    while outside := [
        value for value in _free(block) if holds_floats(value.type) and not isinstance(value.owner, ir.Block)
    ]:
        for value in outside:
            made = value.owner.clone(ip=ir.InsertionPoint.at_block_begin(block))
            renamed = dict(zip(value.owner.results, made.results, strict=True))
            for inner in list(block.operations)[1:]:
                retarget(inner.operation, renamed)


def _read_in_front(op: ir.OpView, block: ir.Block) -> None:
    """Reads inside of operators become parts of the whole array, which is read in front."""
    for inner in [inner for top in block.operations for region in top.operation.regions for inner in _looks_in(region)]:
        cell, *indices = inner.operation.operands
        if base(cell) in {base(each) for each in op.written_cells()} and inner.operation.name in READS:
            raise OpRefused(op, INSIDE)
        with inner.location:
            with ir.InsertionPoint.at_block_begin(block):
                if inner.operation.name == "memref.dim":
                    whole = ir.Operation.create(
                        "memref.dim", [inner.operation.results[0].type], [cell, indices[0]]
                    ).results[0]
                    indices = []
                else:
                    whole = ir.Operation.create("rev.read", [value_type(cell.type)], [cell]).results[0]
            with ir.InsertionPoint(inner):
                inner.operation.results[0].replace_all_uses_with(_part(whole, indices))
        inner.operation.erase()


def _part(whole: ir.Value, indices: Sequence[ir.Value]) -> ir.Value:
    if indices and len(indices) == whole.type.rank:
        return tensor.ExtractOp(whole, list(indices)).result
    for index in indices:
        whole = row_at(whole, index)
    return whole


def _looks_in(region: ir.Region) -> list[ir.OpView]:
    found = []
    for block in region.blocks:
        for inner in block.operations:
            if inner.operation.name in (*READS, "memref.dim"):
                found.append(inner)
            for nested in inner.operation.regions:
                found += _looks_in(nested)
    return found


def _outline(op: ir.OpView, block: ir.Block, name: str, inputs: Sequence[ir.Value]) -> ir.Type:
    """A private function of the inputs that gives the yielded values of a block; its type."""
    procedure = op.operation
    while procedure.name != rev.FuncOp.OPERATION_NAME:
        procedure = procedure.parent.operation
    (yielded,) = list(block.operations)[-1].operation.operands
    with ir.InsertionPoint(procedure), op.location:
        types = ir.FunctionType.get([value.type for value in inputs], [yielded.type])
        made = func.FuncOp(name, types, visibility="private")
        entry = made.add_entry_block()
    values: Values = dict(zip(inputs, entry.arguments, strict=True))
    with ir.InsertionPoint(entry), op.location:
        for inner in list(block.operations)[:-1]:
            if inner.operation.name not in (*LOOKS, CHECK):
                copy_op(inner, values)
        func.ReturnOp([values.get(yielded, yielded)])
    return yielded.type
