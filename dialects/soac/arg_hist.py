"""`soac.arg_hist`: where the extremes of a histogram were found, as its derivative asks."""

from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.array_types import leading_sizes_agree
from tapeless.dialects.effects import NoEffect
from tapeless.dialects.soac.checks import array_problems
from tapeless.dialects.soac.dialect import Operation
from tapeless.dialects.verification import Problems


class ArgHistOp(Operation, name="arg_hist", traits=[NoEffect]):
    """The first position, for each bin of a histogram of extremes, of a value that is its extreme.

    ```mlir
    %first = "soac.arg_hist"(%keys, %xs, %dest, %ys)
      : (tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xi64>
    ```
    The last operand is what `soac.hist` gives for these keys, values and destination, and an operator that keeps the
    smallest or the largest. The destination wins ties. Where it does, and where no value of the bin is equal to its
    extreme (as NaN is to nothing), the result is no position: negative, or more than there are.
    """

    keys: ext.Operand[Any]
    values: ext.Operand[Any]
    dest: ext.Operand[Any]
    best: ext.Operand[Any]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        keys, values, dest, best = (each.type for each in (self.keys, self.values, self.dest, self.best))
        yield from array_problems("an operand", [keys, values, dest, best])
        yield from array_problems("a result", [self.out.type])
        if keys.rank != 1 or not isinstance(keys.element_type, ir.IndexType | ir.IntegerType):
            yield f"has keys {keys}; give a rank-1 tensor of integers"
        if values.rank != 1 or not leading_sizes_agree((keys, values)):
            yield f"has values {values} for keys {keys}; give a rank-1 tensor of the same size"
        if not isinstance(values.element_type, ir.F64Type | ir.F32Type):
            yield f"has values {values}; give floats"
        for bins in (dest, best):
            if bins.rank != 1 or bins.element_type != values.element_type:
                yield f"has bins {bins} for values {values}; make them rank-1 tensors of the same element type"
        out = self.out.type
        if out.rank != 1 or str(out.element_type) != "i64" or not leading_sizes_agree((best, dest, out)):
            yield f"has result {out} for bins {best}; make it a rank-1 tensor of i64 of the same size"
