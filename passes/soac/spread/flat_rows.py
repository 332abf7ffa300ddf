"""Maps in maps that reduce the rows of an array with both axes, as one map over all rows."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects.regions import terminator
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.scopes import is_defined_outside, outer_values
from tapeless.passes.soac.spread.weights import OPERATORS

REDUCTIONS = frozenset({"soac.fused", "soac.reduce"})
VIEWS = frozenset({"tensor.extract_slice", "soac.transpose", "soac.reverse"})


def flatten_rows(op: ir.OpView) -> bool:
    """Makes one map of two, so that several threads can reduce a row together; says whether it did.

    ```mlir
    %s = "soac.map"(%n, %y) ({                        %flat = tensor.reshape %y(%nk, %d)
      map over k: reduction of the row                %r = "soac.map"(%nk, %flat) ({ reduction of the row })
                                                      %s = tensor.reshape %r(%n, %k)
    ```
    """
    nest = _nest_of(op)
    if nest is None:
        return False
    outer, inner = nest
    rows = dict(zip(outer.elements, outer.inputs, strict=True))
    whole = [element for element, array in zip(inner.elements, inner.inputs, strict=True) if array in rows]
    given = dict(zip(inner.elements, inner.inputs, strict=True))
    with op.location, ir.InsertionPoint(op):
        width = arith.muli(outer.width, inner.width)
        flat = [_reshaped(rows[given[element]], 2, [width]) for element in whole]

        def body(index: ir.Value, elements: build.Rows, _: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
            column = arith.remui(index, inner.width)
            values: Values = {inner.body.arguments[0]: column, **dict(zip(whole, elements, strict=True))}
            for element, array in given.items():
                if element not in values:
                    values[element] = tensor.ExtractOp(array, [column]).result
            for each in list(inner.body.operations)[:-1]:
                copy_op(each, values)
            return [values.get(value, value) for value in terminator(inner.op.regions[0]).operands], []

        made = build.map_(width, flat, [], body)[0]
        results = [
            _as_type(old.type, new, [outer.width, inner.width]) for old, new in zip(op.results, made, strict=True)
        ]
    replace_op(op, results)
    return True


def _nest_of(op: ir.OpView) -> tuple[Loop, Loop] | None:
    """Both maps, if the inner one reduces rows that are its own, and uses nothing else of the outer one."""
    if op.operation.name != "soac.map" or len(op.accs):
        return None
    outer = Loop.seen_as(op)
    inner_op, *others = outer.body.operations
    if len(others) != 1 or inner_op.operation.name != "soac.map" or len(inner_op.accs):
        return None
    if outer.lifted() != list(inner_op.results) or not is_defined_outside(inner_op.operands[0], op.operation):
        return None
    inner = Loop.seen_as(inner_op)
    operators = [each for each in inner.body.operations if each.operation.name in OPERATORS]
    if not operators or any(each.operation.name not in REDUCTIONS for each in operators):
        return None
    if any(build.is_array(value) for value in inner.lifted()):
        return None
    whole = [element for element, array in zip(inner.elements, inner.inputs, strict=True) if array in outer.elements]
    if any(array not in whole for each in operators for array in Loop.seen_as(each).inputs):
        return None
    others_given = [array for array in inner.inputs if array not in outer.elements]
    if any(array.type.rank != 1 for array in others_given) or not _are_whole(outer, inner):
        return None
    return outer, inner


def _are_whole(outer: Loop, inner: Loop) -> bool:
    """Whether the outer map does nothing but hand rows of whole arrays to the inner one."""
    if any(not _is_contiguous(array) or array.type.rank < 3 for array in outer.inputs):
        return False
    own = {*outer.elements, outer.body.arguments[0]}
    return not any(value in own for each in inner.body.operations for value in outer_values(each))


def _is_contiguous(array: ir.Value) -> bool:
    return isinstance(array.owner, ir.Block) or array.owner.operation.name not in VIEWS


def _reshaped(array: ir.Value, joined: int, width: Sequence[ir.Value]) -> ir.Value:
    """An array whose first axes are one."""
    sizes = [*width, *(build.dim(array, axis) for axis in range(joined, array.type.rank))]
    shape = [build.static_size(width[0]), *array.type.shape[joined:]]
    return _as_type(ir.RankedTensorType.get(shape, array.type.element_type), array, sizes)


def _as_type(type_: ir.RankedTensorType, array: ir.Value, sizes: Sequence[ir.Value]) -> ir.Value:
    shape = tensor.from_elements(ir.RankedTensorType.get([len(sizes)], ir.IndexType.get()), list(sizes))
    return tensor.ReshapeOp(type_, array, shape).result
