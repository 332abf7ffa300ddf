"""`soac`: second-order array combinators with value semantics on ranked tensors.

Every operator names its `width` (an `index`): the number of iterations, and the size of axis 0 of every array it reads
element by element. Regions may use values from outside; they end in `soac.yield`.
"""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects import grouped
from tapeless.dialects.effects import EffectOfBody, NoEffect


class Soac(ext.Dialect, name="soac"):
    """Bulk-parallel array operators."""


class Operation(grouped.Operation, dialect=Soac):
    """Base class of the operations of `soac`."""


class AccType(Soac.Type, name="acc"):
    """A write-only accumulator over an array: `!soac.acc<tensor<?xf64>>`. Updates add; each value is used once."""

    array: Any

    @property
    def tensor(self) -> ir.RankedTensorType:
        """The type of the array behind the accumulator."""
        return ir.RankedTensorType(ir.TypeAttr(self.array).value)


class YieldOp(Operation, name="yield", traits=[ir.IsTerminatorTrait]):
    """Ends a region: `"soac.yield"(%a, %b) : (f64, f64) -> ()`."""

    values: Sequence[ext.Operand[Any]]


class MapOp(Operation, name="map", traits=[EffectOfBody]):
    """Applies the body to every index; element arguments are slices of axis 0, results are stacked along a new axis 0.

    ```mlir
    %ys = "soac.map"(%n, %xs) ({
    ^bb0(%i: index, %x: f64):
      %y = arith.mulf %x, %c : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    ```
    Block arguments: the index, one element per input, one `!soac.acc` per accumulator.
    Yields: one value per array result, then every accumulator. Results: arrays, then accumulators.
    """

    width: ext.Operand[ir.IndexType]
    inputs: Sequence[ext.Operand[Any]]
    accs: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    body: ext.Region


class ReduceOp(Operation, name="reduce", traits=[EffectOfBody]):
    """Combines the elements of d arrays with an associative operator on d-tuples, starting from `neutral`.

    ```mlir
    %s = "soac.reduce"(%n, %xs, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    ```
    """

    width: ext.Operand[ir.IndexType]
    inputs: Sequence[ext.Operand[Any]]
    neutral: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    combine: ext.Region


class ScanOp(Operation, name="scan", traits=[EffectOfBody]):
    """All prefixes (or, with `reverse`, suffixes) of a reduction; `exclusive` starts from `neutral`.

    ```mlir
    %ys = "soac.scan"(%n, %xs, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false}
      : (index, tensor<?xf64>, f64) -> tensor<?xf64>
    ```
    The operator always gets its operands in array order, also with `reverse`.
    """

    width: ext.Operand[ir.IndexType]
    inputs: Sequence[ext.Operand[Any]]
    neutral: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    exclusive: ir.IntegerAttr
    reverse: ir.IntegerAttr
    combine: ext.Region


class FusedOp(Operation, name="fused", traits=[EffectOfBody]):
    """One loop that maps, reduces and scans: what fusion makes of the operators above.

    `lift` gets the index and one element per input and yields the r reduced, then the s scanned, then the mapped
    values; `reduce` combines 2r values, `scan` combines 2s values (an empty region when r or s is 0). Results come in the same order.
    Scans are inclusive and forward; `lift` does not see their results.
    """

    width: ext.Operand[ir.IndexType]
    inputs: Sequence[ext.Operand[Any]]
    reduce_neutral: Sequence[ext.Operand[Any]]
    scan_neutral: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    lift: ext.Region
    reduce: ext.Region
    scan: ext.Region


class HistOp(Operation, name="hist", traits=[EffectOfBody]):
    """`result[k] = dest[k] op (the values whose key is k, in order)`; keys outside `dest` are ignored.

    ```mlir
    %h = "soac.hist"(%n, %keys, %dest, %values, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}
      : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
    ```
    """

    width: ext.Operand[ir.IndexType]
    keys: ext.Operand[Any]
    dests: Sequence[ext.Operand[Any]]
    values: Sequence[ext.Operand[Any]]
    neutral: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    combine: ext.Region


class ScatterOp(Operation, name="scatter", traits=[NoEffect]):
    """`dest` with `result[keys[i]] = values[i]`; keys outside are ignored, duplicate keys carry equal values.

    `%r = "soac.scatter"(%n, %dest, %keys, %values) : (index, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) -> tensor<?xf64>`
    """

    width: ext.Operand[ir.IndexType]
    dest: ext.Operand[Any]
    keys: ext.Operand[Any]
    values: ext.Operand[Any]
    out: ext.Result[Any]


class WithAccOp(Operation, name="with_acc", traits=[EffectOfBody]):
    """Turns arrays into accumulators for the duration of the body; results are the summed arrays, then extra values.

    ```mlir
    %sum = "soac.with_acc"(%zeros) ({
    ^bb0(%acc: !soac.acc<tensor<?xf64>>):
      %next = "soac.update"(%acc, %i, %v) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%next) : (!soac.acc<tensor<?xf64>>) -> ()
    }) : (tensor<?xf64>) -> tensor<?xf64>
    ```
    """

    dests: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    body: ext.Region


class UpdateOp(Operation, name="update"):
    """Adds a value (a scalar or a trailing slice) at an index of an accumulator; indices outside are ignored."""

    acc: ext.Operand[Any]
    indices: Sequence[ext.Operand[ir.IndexType]]
    value: ext.Operand[Any]
    out: ext.Result[Any]


class TransposeOp(Operation, name="transpose", traits=[ext.Pure]):
    """Permutes axes: result axis k is operand axis `permutation[k]` (`[1, 0]`, an array of `i64`)."""

    operand: ext.Operand[Any]
    out: ext.Result[Any]
    permutation: ir.ArrayAttr


class ReverseOp(Operation, name="reverse", traits=[ext.Pure]):
    """Reverses one axis (`axis` is an `i64` attribute)."""

    operand: ext.Operand[Any]
    out: ext.Result[Any]
    axis: ir.IntegerAttr


class ArgsortOp(Operation, name="argsort", traits=[NoEffect]):
    """The stable sorting permutation of a rank-1 array, NaN last: `tensor<?xf64> -> tensor<?xi64>`."""

    operand: ext.Operand[Any]
    out: ext.Result[Any]


class FnOp(Operation, name="fn", traits=[ext.Pure]):
    """A scalar function that `math` lacks: `"soac.fn"(%x) {function = "sigmoid"} : (f64) -> f64`.

    Names: sigmoid, softplus, sign, lgamma, digamma, trigamma (one operand) and hypot (two).
    """

    args: Sequence[ext.Operand[Any]]
    out: ext.Result[Any]
    function: ir.StringAttr


class AssertOp(Operation, name="assert"):
    """Raises when the condition is false: `"soac.assert"(%ok, %i, %n) {kind = "IndexOutOfRange", message = "..."}`.

    `kind` names an error class of `tapeless.errors`; each `{}` in `message` is replaced by the next value operand
    (`index`, `i64` or `f64`). The location is the user's source line.
    """

    condition: ext.Operand[ir.IntegerType[1]]
    values: Sequence[ext.Operand[Any]]
    kind: ir.StringAttr
    message: ir.StringAttr
