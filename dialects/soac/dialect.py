"""The dialect `soac` itself, its accumulator type, and the terminator of its regions."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects import operation
from tapeless.dialects.groups import SOME_RUNS
from tapeless.dialects.soac.schedules import schedule_problems
from tapeless.dialects.verification import Problems


class Soac(ext.Dialect, name="soac"):
    """Second-order array combinators with value semantics on ranked tensors.

    Every operator names its `width` (an `index`): the number of iterations, and the size of axis 0 of every array it
    reads element by element. Regions may use values from outside; they end in `soac.yield`.
    """


class Operation(operation.Operation, dialect=Soac):
    """Base class of the operations of `soac`, which may have a schedule."""

    def schedule_problems(self) -> Problems:
        return schedule_problems(self)


class AccType(Soac.Type, name="acc"):
    """A write-only accumulator over an array: `!soac.acc<tensor<?xf64>>`. Updates add; each value is used once."""

    array: ir.TypeAttr

    @property
    def tensor(self) -> ir.RankedTensorType:
        """The type of the array behind the accumulator."""
        return ir.TypeAttr(self.array).value


class YieldOp(Operation, name="yield", traits=[ir.IsTerminatorTrait, ext.Pure]):
    """Ends a region and gives its values to the operator around it.

    ```mlir
    %ys, %indices = "soac.map"(%n) ({
    ^bb0(%i: index):
      "soac.yield"(%c, %i) : (f64, index) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> (tensor<?xf64>, tensor<?xindex>)
    ```
    """

    runs = SOME_RUNS

    values: Sequence[ext.Operand[Any]]
