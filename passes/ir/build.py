"""Builders for array code at the current insertion point: maps and reductions from Python functions, sums, zeros."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC, row_type, stack_type
from tapeless.dialects.groups import SEGMENTS

Rows = Sequence[ir.Value]
ANY_ORDER = "#arith.fastmath<reassoc,contract>"


def flags() -> ir.Attribute:
    """The fast-math flags of float ops that passes make."""
    return ir.Attribute.parse("#arith.fastmath<contract>")


def any_order() -> ir.Attribute:
    """The fast-math flags of sums, and of products in them, that may be reordered."""
    return ir.Attribute.parse(ANY_ORDER)


def is_array(value: ir.Value) -> bool:
    """Whether a value is a tensor."""
    return isinstance(value.type, ir.RankedTensorType)


def element_type(type_: ir.Type) -> ir.Type:
    """The type of an array's elements, or a scalar type itself."""
    return type_.element_type if isinstance(type_, ir.RankedTensorType) else type_


def index(value: int) -> ir.Value:
    """An `index` constant."""
    return arith.ConstantOp(ir.IndexType.get(), value).result


def number(type_: ir.Type, value: float) -> ir.Value:
    """A float or integer constant of a scalar type."""
    is_float = isinstance(type_, ir.F64Type | ir.F32Type)
    attr = ir.FloatAttr.get(type_, value) if is_float else ir.IntegerAttr.get(type_, int(value))
    return arith.ConstantOp(type_, attr).result


def dim(array: ir.Value, axis: int) -> ir.Value:
    """The size of an axis as an `index`."""
    size = array.type.shape[axis]
    return tensor.DimOp(array, index(axis)).result if size == DYNAMIC else index(size)


def filled(type_: ir.RankedTensorType, sizes: Sequence[ir.Value], value: ir.Value) -> ir.Value:
    """An array of one value; `sizes` has one `index` per axis."""
    dynamic = [size for size, extent in zip(sizes, type_.shape, strict=True) if extent == DYNAMIC]
    return tensor.SplatOp(type_, value, dynamic).result


def zeros_like(value: ir.Value) -> ir.Value:
    """Zero with the type and sizes of `value`."""
    zero = number(element_type(value.type), 0.0)
    if not is_array(value):
        return zero
    return filled(value.type, [dim(value, axis) for axis in range(value.type.rank)], zero)


def static_size(width: ir.Value) -> int:
    """The width as a type's extent: its constant, or dynamic."""
    owner = width.owner
    if not isinstance(owner, ir.Block) and owner.operation.name == "arith.constant":
        return ir.IntegerAttr(owner.operation.attributes["value"]).value
    return DYNAMIC


def common_width(arrays: Sequence[ir.Value], width: ir.Value) -> int:
    """The static size of axis 0 that arrays and width agree on, or dynamic."""
    known = [array.type.shape[0] for array in arrays if array.type.shape[0] != DYNAMIC]
    return known[0] if known else static_size(width)


def op_around(
    name: str,
    groups: Sequence[Sequence[ir.Value]],
    arguments: Sequence[ir.Type],
    emit: Callable[[list[ir.Value]], tuple[Rows, Sequence[ir.Type]]],
) -> list[ir.Value]:
    """An op of one region whose block `emit(arguments)` writes, giving its yielded values and the op's result types."""
    scratch = ir.Operation.create("soac.with_acc", regions=1)
    block = ir.Block.create_at_start(scratch.regions[0], list(arguments), [ir.Location.current] * len(arguments))
    with ir.InsertionPoint(block):
        yielded, results = emit(list(block.arguments))
        soac.YieldOp(list(yielded))
    sizes = ir.DenseI32ArrayAttr.get([len(group) for group in groups])
    made = ir.Operation.create(
        name,
        results=list(results),
        operands=[value for group in groups for value in group],
        attributes={SEGMENTS: sizes} if len(groups) > 1 else {},
        regions=1,
    )
    block.append_to(made.regions[0])
    scratch.erase()
    return list(made.results)


def map_(
    width: ir.Value,
    inputs: Sequence[ir.Value],
    accs: Sequence[ir.Value],
    body: Callable[[ir.Value, Rows, Rows], tuple[Rows, Rows]],
) -> tuple[list[ir.Value], list[ir.Value]]:
    """A `soac.map` whose body `body(index, elements, accumulators)` emits; gives arrays and accumulators."""
    extent = common_width(inputs, width)

    def emit(arguments: list[ir.Value]) -> tuple[Rows, list[ir.Type]]:
        values, kept = body(arguments[0], arguments[1 : 1 + len(inputs)], arguments[1 + len(inputs) :])
        types = [stack_type(extent, value.type) for value in values]
        return [*values, *kept], [*types, *(acc.type for acc in kept)]

    rows = [row_type(array.type) for array in inputs]
    arguments = [ir.IndexType.get(), *rows, *(acc.type for acc in accs)]
    results = op_around("soac.map", [[width], inputs, accs], arguments, emit)
    arrays = len(results) - len(accs)
    return results[:arrays], results[arrays:]


def mapped(width: ir.Value, inputs: Sequence[ir.Value], body: Callable[..., ir.Value]) -> ir.Value:
    """The array of `body(*elements)` for the rows of the inputs."""
    arrays, _ = map_(width, inputs, [], lambda _, elements, __: ([body(*elements)], []))
    return arrays[0]


def elementwise(body: Callable[..., ir.Value], *arrays: ir.Value) -> ir.Value:
    """`body` on corresponding scalars of arrays of equal shape."""
    if not is_array(arrays[0]):
        return body(*arrays)
    return mapped(dim(arrays[0], 0), arrays, lambda *rows: elementwise(body, *rows))


def add(left: ir.Value, right: ir.Value, order: Callable[[], ir.Attribute] = flags) -> ir.Value:
    """The sum of two scalars or of two arrays of equal shape; the result has the type of `left`."""
    total = elementwise(lambda a, b: arith.AddFOp(a, b, fastmath=order()).result, left, right)
    return cast_to(left.type, total)


def cast_to(type_: ir.Type, value: ir.Value) -> ir.Value:
    """The value with this type: arrays may differ in which sizes are static."""
    return value if value.type == type_ else tensor.CastOp(type_, value).result


def reduce_(
    width: ir.Value,
    inputs: Sequence[ir.Value],
    neutral: Sequence[ir.Value],
    combine: Callable[[Rows, Rows], Rows],
) -> list[ir.Value]:
    """A `soac.reduce` whose operator `combine(left, right)` emits."""
    return list(soac.reduce(width, inputs, neutral, operator(combine)).operation.results)


def scan_(
    width: ir.Value,
    inputs: Sequence[ir.Value],
    neutral: Sequence[ir.Value],
    combine: Callable[[Rows, Rows], Rows],
    *,
    exclusive: bool = False,
    reverse: bool = False,
) -> list[ir.Value]:
    """A `soac.scan` whose operator `combine(left, right)` emits."""
    extent = common_width(inputs, width)
    types = [stack_type(extent, value.type) for value in neutral]
    made = soac.scan(width, inputs, neutral, operator(combine), exclusive=exclusive, reverse=reverse, results=types)
    return list(made.operation.results)


def operator(combine: Callable[[Rows, Rows], Rows]) -> Callable[..., Rows]:
    """The body of an operator on tuples, which gets both of them as one list, from `combine(left, right)`."""
    return lambda *pair: combine(pair[: len(pair) // 2], pair[len(pair) // 2 :])


def sum_rows(width: ir.Value, array: ir.Value, zero: ir.Value) -> ir.Value:
    """The sum over axis 0; `zero` is the neutral row."""
    return reduce_(width, [array], [zero], lambda a, b: [add(a[0], b[0])])[0]


def sum_all(array: ir.Value) -> ir.Value:
    """The sum of all elements of an array; a scalar is its own sum."""
    if not is_array(array):
        return array
    width = dim(array, 0)
    if array.type.rank > 1:
        array = mapped(width, [array], sum_all)
    return sum_rows(width, array, number(array.type.element_type, 0.0))
