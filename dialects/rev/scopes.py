"""Scopes: ancillas, compute-use-uncompute, and code that changes no cell."""

from tapeless._mlir import ext, ir
from tapeless.dialects.regions import is_empty
from tapeless.dialects.rev.accesses import can_be_computed_before, pairs_between, positions
from tapeless.dialects.rev.activity import depends_on_floats
from tapeless.dialects.rev.bodies import body_problems, check_attribute_problems, pure_problems
from tapeless.dialects.rev.cells import is_cell, value_type, written
from tapeless.dialects.rev.dialect import Operation, StackType
from tapeless.dialects.rev.places import are_apart
from tapeless.dialects.verification import Problems


class AncillaOp(Operation, name="ancilla", traits=[ir.NoTerminatorTrait]):
    """A cell that lives for the duration of the body: it starts as `init` and must hold `exit` at the end.

    ```mlir
    "rev.ancilla"() ({
      "rev.yield"(%c) : (f64) -> ()
    }, {}, {
    ^bb0(%z: memref<f64>):
      "rev.swap"(%z, %y) : (memref<f64>, memref<f64>) -> ()
      "rev.swap"(%z, %y) : (memref<f64>, memref<f64>) -> ()
    }) : () -> ()
    ```
    An empty `exit` means the value of `init`. For a stack, `!rev.stack<f64>`, `init` yields its capacity and the stack
    starts and ends empty. The inverse swaps `init` and `exit` and inverts the body.
    """

    init: ext.Region
    exit: ext.Region
    body: ext.Region

    def problems(self) -> Problems:
        if len(self.body.blocks) != 1 or len(self.body.blocks[0].arguments) != 1:
            yield "has no cell as the argument of its body; give the body one block with one argument"
        cell = self.body.blocks[0].arguments[0].type
        if not (is_cell(cell) or isinstance(cell, StackType)):
            yield f"makes an ancilla of type {cell}; make it a memref or a !rev.stack"
        held = value_type(cell) if is_cell(cell) else ir.IndexType.get(self.context)
        yield from pure_problems("init", self.init, [held], "the first value, or the capacity of a stack")
        if not is_empty(self.exit):
            yield from pure_problems("exit", self.exit, [held], "the last value")
        yield from body_problems("body", self.body, [cell], "the ancilla")
        for name, region in (("init", self.init), ("exit", self.exit)):
            if not is_empty(region) and is_cell(cell) and depends_on_floats(region):
                yield f"has a value of {name} that depends on a float cell or parameter; begin with a constant"
        yield from check_attribute_problems(self)


class ComputeOp(Operation, name="compute", traits=[ir.NoTerminatorTrait]):
    """Runs `compute`, then `use`, then the inverse of `compute`.

    ```mlir
    "rev.compute"() ({
      "rev.accum"(%x) ({
        "rev.yield"(%c) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }, {
      "rev.accum"(%y) ({
        %v = memref.load %x[] : memref<f64>
        "rev.yield"(%v) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }) : () -> ()
    ```
    `use` must not write what `compute` reads or writes; other elements of an array that `compute` reads are allowed and
    checked at run time. The inverse inverts `use` only.
    """

    compute: ext.Region
    use: ext.Region

    def problems(self) -> Problems:
        yield from body_problems("compute", self.compute, [], "nothing")
        yield from body_problems("use", self.use, [], "nothing")
        if written(self.use) & written(self.compute):
            yield "writes in use a cell that compute writes; use a cell of its own"
        for write, read in pairs_between(self.use, self.compute):
            if are_apart(write.place(), read.place()) is False:
                yield "writes in use a cell that compute reads; copy it into an ancilla first"
            if not all(can_be_computed_before(each, self) for each in (*positions(write), *positions(read))):
                yield "writes in use an array that compute reads at indices that are not known before; copy it first"


class SafeOp(Operation, name="safe", traits=[ir.NoTerminatorTrait]):
    """Code outside the reversible world that changes no cell, such as a run-time check; runs in both directions.

    ```mlir
    "rev.safe"() ({
      "soac.assert"(%ok) {kind = "InvertibilityError", message = "not positive"} : (i1) -> ()
    }) : () -> ()
    ```
    """

    body: ext.Region

    def problems(self) -> Problems:
        yield from body_problems("body", self.body, [], "nothing")
        if written(self.body):
            yield "writes a cell; use statements outside rev.safe for that"
