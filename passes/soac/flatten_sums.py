"""`soac-flatten-sums`: sums over all axes of arrays as sums over their elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.groups import SEGMENTS
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.cascade.places import has_scalar_body, is_outside_operators

COMMUTATIVE = frozenset(
    {"addf", "mulf", "maximumf", "minimumf", "addi", "muli", "maxsi", "minsi", "andi", "ori", "xori"}
)
VIEWS = frozenset({"tensor.extract_slice", "soac.transpose", "soac.reverse"})
MOST_OPERATIONS = 64


@dataclass(frozen=True)
class FlattenSums:
    """Flattens a nest of reductions by one commutative operator into one loop.

    ```mlir
    %s = "soac.fused"(%n, %rows, %zero) ({            %flat = tensor.reshape %rows(%nm)
    ^bb0(%i: index, %row: tensor<?xf64>):             %s = "soac.fused"(%nm, %flat, %zero) ({
      %r = "soac.reduce"(%m, %row, %zero) ...         ^bb0(%k: index, %x: f64):
      "soac.yield"(%r)                                  "soac.yield"(%x)
    }, { addf }, {})                                  }, { addf }, {})
    ```
    Every array must have all axes of the nest, also those that inner bodies read, and no body may ask for an index. For
    targets that give elements to threads; where rows are parts of larger arrays, nothing is done.
    """

    name: ClassVar[str] = "soac-flatten-sums"
    after: ClassVar[dict[str, str]] = {
        "soac-fuse": "fusion makes the nests of reductions",
    }

    def run(self, module: ir.Module) -> None:
        """Flattens every nest that no operator contains."""
        for op in ops_named(module.operation.opview, "soac.fused"):
            if is_outside_operators(op):
                _flatten(op)


def _flatten(op: ir.OpView) -> None:
    nest = _nest_of(op)
    if len(nest) < 2:
        return
    arrays = [_whole(nest, array) for array in nest[-1].inputs]
    if any(array is None or not _is_contiguous(array) for array in arrays):
        return
    if not all(combine_alike(nest[0], other) for other in nest[1:]) or _uses_index(nest):
        return
    if not has_scalar_body(nest[-1], MOST_OPERATIONS, may_read=True) or _reads_outer_elements(nest):
        return
    with ir.InsertionPoint(op), op.location:
        width = nest[0].width
        for inner in nest[1:]:
            width = arith.muli(width, inner.width)
        size = constant_int(nest[0].width)
        for inner in nest[1:]:
            own = constant_int(inner.width)
            size = None if size is None or own is None else size * own
        width = width if size is None else arith.constant(ir.IndexType.get(), size)
        shape = tensor.from_elements(ir.RankedTensorType.get([1], ir.IndexType.get()), [width])
        flat = [_reshaped(array, shape, DYNAMIC if size is None else size) for array in arrays]
        made = _made(op, nest[-1], width, flat)
    replace_op(op, list(made.results))


def _nest_of(op: ir.OpView) -> list[ir.OpView]:
    """A reduction to scalars, and those that are all that the body of the one before yields, of known width."""
    nest = [op]
    while only_reduces(nest[-1]):
        body = list(nest[-1].regions[0].blocks[0].operations)
        if len(body) != 2 or body[0].operation.name not in ("soac.fused", "soac.reduce"):
            break
        inner = body[0]
        if list(body[1].operands) != list(inner.operation.results) or not _is_before(inner.width, op):
            break
        if not all(_is_before(value, op) for value in _neutral(inner)):
            break
        nest.append(inner)
    return nest if only_reduces(nest[-1]) or nest[-1].operation.name == "soac.reduce" else nest[:-1]


def only_reduces(op: ir.OpView) -> bool:
    is_fused = op.operation.name == "soac.fused"
    is_plain = is_fused and not len(op.scan_neutral) and len(op.results) == len(op.reduce_neutral)
    return is_plain and not any(isinstance(result.type, ir.RankedTensorType) for result in op.results)


def _neutral(op: ir.OpView) -> list[ir.Value]:
    return list(op.reduce_neutral if op.operation.name == "soac.fused" else op.neutral)


def _is_before(value: ir.Value, op: ir.OpView) -> bool:
    """Whether a value is made outside of an operation."""
    around = value.owner.owner if isinstance(value.owner, ir.Block) else value.owner.operation.parent
    while around is not None:
        if around.operation == op.operation:
            return False
        around = around.operation.parent
    return True


def _whole(nest: Sequence[ir.OpView], array: ir.Value) -> ir.Value | None:
    """The array of which an input of the innermost reduction is the row of rows, if it has all axes of the nest."""
    for outer in reversed(nest[:-1]):
        block = outer.regions[0].blocks[0]
        if not isinstance(array.owner, ir.Block) or array.owner != block:
            return None
        array = outer.inputs[ir.BlockArgument(array).arg_number - 1]
    return array


def _is_contiguous(array: ir.Value) -> bool:
    return isinstance(array.owner, ir.Block) or array.owner.operation.name not in VIEWS


def combine_alike(left: ir.OpView, right: ir.OpView) -> bool:
    """Whether two reductions have the same neutral elements and operators, which are single operations."""
    pairs = zip(_neutral(left), _neutral(right), strict=False)
    if len(_neutral(left)) != len(_neutral(right)) or not all(_is_same(one, other) for one, other in pairs):
        return False
    names = [_operator_names(op) for op in (left, right)]
    return names[0] is not None and names[0] == names[1]


def _is_same(left: ir.Value, right: ir.Value) -> bool:
    if left == right:
        return True
    owners = [value.owner for value in (left, right)]
    if any(isinstance(owner, ir.Block) or owner.operation.name != "arith.constant" for owner in owners):
        return False
    return owners[0].operation.attributes["value"] == owners[1].operation.attributes["value"]


def _operator_names(op: ir.OpView) -> list[str] | None:
    """The operation that combines each component, if it is one whose operands may change places."""
    region = op.reduce if op.operation.name == "soac.fused" else op.combine
    block = region.blocks[0]
    arguments, last = list(block.arguments), list(block.operations)[-1]
    names = []
    for number, value in enumerate(last.operands):
        if isinstance(value.owner, ir.Block):
            return None
        made = value.owner.operation
        pair = {arguments[number], arguments[len(arguments) // 2 + number]}
        if made.name.removeprefix("arith.") not in COMMUTATIVE or set(made.operands) != pair:
            return None
        names.append(made.name)
    return names


def _uses_index(nest: Sequence[ir.OpView]) -> bool:
    fused = [op for op in nest if op.operation.name == "soac.fused"]
    return any(len(list(op.regions[0].blocks[0].arguments[0].uses)) > 0 for op in fused)


def _reads_outer_elements(nest: Sequence[ir.OpView]) -> bool:
    """Whether the innermost body reads an outer iteration's element of an array with fewer axes."""
    inner = nest[-1]
    read = list(outer_values(inner))[len(inner.operands) :]
    return not all(_is_before(value, nest[0]) for value in read)


def _reshaped(array: ir.Value, shape: ir.Value, size: int) -> ir.Value:
    return tensor.reshape(ir.RankedTensorType.get([size], array.type.element_type), array, shape)


def _made(op: ir.OpView, inner: ir.OpView, width: ir.Value, arrays: Sequence[ir.Value]) -> ir.OpView:
    """The reduction over all elements, with the body of the innermost one."""
    neutral = list(op.reduce_neutral)
    groups = [1, len(arrays), len(neutral), 0]
    made = ir.Operation.create(
        "soac.fused",
        results=[value.type for value in op.results],
        operands=[width, *arrays, *neutral],
        attributes={SEGMENTS: ir.DenseI32ArrayAttr.get(groups)},
        regions=3,
    )
    if inner.operation.name == "soac.fused":
        inner.regions[0].blocks[0].append_to(made.regions[0])
    else:
        types = [ir.IndexType.get(), *(array.type.element_type for array in arrays)]
        block = ir.Block.create_at_start(made.regions[0], types, [op.location] * len(types))
        with ir.InsertionPoint(block):
            ir.Operation.create("soac.yield", operands=list(block.arguments)[1:])
    op.reduce.blocks[0].append_to(made.regions[1])
    return made.opview
