"""`ad.vjp` and `ad.jvp`: the derivative of a function, applied to seeds."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.ad.dialect import Operation
from tapeless.dialects.ad.signatures import (
    callee_problems,
    is_differentiable,
    operand_problems,
    seeded,
    signature,
)
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.groups import MANY_RUNS
from tapeless.dialects.symbols import find_function
from tapeless.dialects.verification import Problems
from tapeless.methods import DEFAULT, IMPLEMENTED

SEED_SIZE = "seed_size"
IDENTITY = "identity"


class VjpOp(Operation, name="vjp"):
    """Results of a function and the adjoints of the arguments listed in `wrt`, for given cotangents.

    ```mlir
    %y, %x_bar = "ad.vjp"(%x, %c, %y_bar) {
      callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
    } : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    ```
    Operands: all arguments of the callee, then one cotangent per result that is a float or an array of floats. Results:
    those of the callee, then one adjoint per entry of `wrt`. With the attribute `seed_size = k : i64` every cotangent
    and adjoint has a leading axis of k (`-1`: a size known only at run time), one slice per seed. `method` is
    redundant, reversible or coarsened. A text without `wrt` means all floats and arrays of floats, one without `method`
    the default method.
    """

    runs = MANY_RUNS

    primals: Sequence[ext.Operand[Any]]
    seeds: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    callee: ir.FlatSymbolRefAttr
    wrt: ir.ArrayAttr
    method: ir.StringAttr

    def add_defaults(self) -> None:
        _add_request_defaults(self)

    def problems(self) -> Problems:
        yield from _request_problems(self)
        callee = signature(find_function(self, self.callee.value))
        size = seed_size(self)
        cotangents = seeded(list(filter(is_differentiable, callee.results)), size)
        seeds = [seed.type for seed in self.seeds]
        yield from operand_problems("seeds", seeds, cotangents, "one cotangent per float result of the callee")
        adjoints = seeded([callee.inputs[position.value] for position in self.wrt], size)
        outs = [out.type for out in self.outs]
        wanted = [*callee.results, *adjoints]
        yield from operand_problems("results", outs, wanted, "those of the callee, then one adjoint per wrt")


class JvpOp(Operation, name="jvp"):
    """Results of a function and their tangents, for given tangents of the arguments listed in `wrt`.

    ```mlir
    %y, %dy = "ad.jvp"(%x, %c, %dx) {
      callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
    } : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    ```
    Operands: all arguments of the callee, then one tangent per entry of `wrt`. Results: those of the callee, then one
    tangent per result that is a float or an array of floats. `seed_size`, `wrt` and `method` as for `ad.vjp`. The
    attribute `identity` says that the seeds are the rows of an identity: seed k is one at element k of the only
    argument in `wrt`, counted in row-major order, and zero elsewhere.
    """

    runs = MANY_RUNS

    primals: Sequence[ext.Operand[Any]]
    seeds: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    callee: ir.FlatSymbolRefAttr
    wrt: ir.ArrayAttr
    method: ir.StringAttr

    def add_defaults(self) -> None:
        _add_request_defaults(self)

    def problems(self) -> Problems:
        yield from _request_problems(self)
        callee = signature(find_function(self, self.callee.value))
        size = seed_size(self)
        tangents = seeded([callee.inputs[position.value] for position in self.wrt], size)
        seeds = [seed.type for seed in self.seeds]
        yield from operand_problems("seeds", seeds, tangents, "one tangent per wrt")
        outs = [out.type for out in self.outs]
        wanted = [*callee.results, *seeded(list(filter(is_differentiable, callee.results)), size)]
        yield from operand_problems("results", outs, wanted, "those of the callee, then one tangent per float result")


def seed_size(op: VjpOp | JvpOp) -> int | None:
    """The number of seeds, `DYNAMIC`, or None when there is no seed axis."""
    if SEED_SIZE not in op.attributes:
        return None
    size = op.attributes[SEED_SIZE].value
    return DYNAMIC if size == -1 else size


def _add_request_defaults(op: VjpOp | JvpOp) -> None:
    """Adds the arguments and the method that a request leaves out; one of an unknown function stays as it is."""
    attributes = op.operation.attributes
    if "method" not in attributes:
        attributes["method"] = ir.StringAttr.get(DEFAULT, op.context)
    callee = attributes.get("callee")
    if "wrt" in attributes or not isinstance(callee, ir.FlatSymbolRefAttr):
        return
    function = find_function(op, callee.value)
    if function is not None:
        inputs = enumerate(signature(function).inputs)
        attributes["wrt"] = positions_attribute([at for at, type_ in inputs if is_differentiable(type_)], op.context)


def positions_attribute(positions: Sequence[int], context: ir.Context) -> ir.ArrayAttr:
    """Positions of arguments as the attribute `wrt` holds them."""
    integer = ir.IntegerType.get_signless(64, context)
    return ir.ArrayAttr.get([ir.IntegerAttr.get(integer, position) for position in positions], context)


def _request_problems(op: VjpOp | JvpOp) -> Problems:
    if op.method.value not in IMPLEMENTED:
        yield f"has the unknown method {op.method.value!r}; use one of {', '.join(IMPLEMENTED)}"
    yield from _seed_size_problems(op)
    yield from callee_problems(op, op.callee.value)
    inputs = signature(find_function(op, op.callee.value)).inputs
    primals = [primal.type for primal in op.primals]
    yield from operand_problems("primals", primals, inputs, "the arguments of the callee")
    yield from _wrt_problems(op.wrt, inputs)


def _seed_size_problems(op: VjpOp | JvpOp) -> Problems:
    if SEED_SIZE not in op.attributes:
        return
    size = op.attributes[SEED_SIZE]
    if not isinstance(size, ir.IntegerAttr) or size.value < -1:
        yield f"has {SEED_SIZE} = {size}; give a size, or -1 for one known only at run time"


def _wrt_problems(wrt: ir.ArrayAttr, inputs: Sequence[ir.Type]) -> Problems:
    if not all(isinstance(position, ir.IntegerAttr) for position in wrt):
        yield f"has wrt = {wrt}; give positions of arguments"
    positions = [position.value for position in wrt]
    if len(set(positions)) != len(positions):
        yield f"has wrt = {positions}; list each argument once"
    for position in positions:
        if not 0 <= position < len(inputs):
            yield f"has {position} in wrt; the callee has {len(inputs)} arguments"
        if not is_differentiable(inputs[position]):
            yield f"asks for the derivative in argument {position} of type {inputs[position]}; leave it out of wrt"
