"""Control flow that runs backwards: `rev.if`, `rev.for`, `rev.while`, `rev.parallel`."""

from collections.abc import Sequence

from tapeless._mlir import ext, ir
from tapeless.dialects.regions import is_empty
from tapeless.dialects.rev.bodies import (
    body_problems,
    check_attribute_problems,
    optional_body_problems,
    pure_problems,
)
from tapeless.dialects.rev.cells import read, written
from tapeless.dialects.rev.dialect import Operation
from tapeless.dialects.rev.iterations import changes
from tapeless.dialects.verification import Problems

SHADOW_MODES = ("atomic", "privatize", "disjoint")


class IfOp(Operation, name="if", traits=[ir.NoTerminatorTrait]):
    """Runs `then` or `otherwise` as `pre` says; `post` must give the same answer afterwards.

    ```mlir
    "rev.if"() ({
      "rev.yield"(%ok) : (i1) -> ()
    }, {}, {
      "rev.neg"(%y) : (memref<f64>) -> ()
    }, {}) : () -> ()
    ```
    An empty `post` means `pre`, and needs bodies that write nothing `pre` reads. The inverse swaps `pre` and `post` and
    inverts the bodies.
    """

    pre: ext.Region
    post: ext.Region
    then: ext.Region
    otherwise: ext.Region

    def problems(self) -> Problems:
        yield from _condition_problems(self, "pre", self.pre)
        yield from optional_body_problems("then", self.then)
        yield from optional_body_problems("otherwise", self.otherwise)
        if not is_empty(self.post):
            yield from _condition_problems(self, "post", self.post)
        elif (written(self.then) | written(self.otherwise)) & read(self.pre):
            yield "changes a cell that its condition reads; give a post condition"
        yield from check_attribute_problems(self)


class ForOp(Operation, name="for", traits=[ir.NoTerminatorTrait]):
    """Runs the body for lower, lower + step, ... below upper; `reversed` visits the same indices backwards.

    ```mlir
    "rev.for"(%lo, %n, %one) ({
    ^bb0(%i: index):
      "rev.accum"(%y) ({
        %v = memref.load %xs[%i] : memref<?xf64>
        "rev.yield"(%v) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }) {reversed = false} : (index, index, index) -> ()
    ```
    """

    lower: ext.Operand[ir.IndexType]
    upper: ext.Operand[ir.IndexType]
    step: ext.Operand[ir.IndexType]
    reversed: ir.IntegerAttr
    body: ext.Region

    def problems(self) -> Problems:
        return body_problems("body", self.body, [ir.IndexType.get(self.context)], "the index")


class WhileOp(Operation, name="while", traits=[ir.NoTerminatorTrait]):
    """Runs the body while `pre` holds; `post` must be false before the first iteration and true after each one.

    ```mlir
    "rev.while"() ({
      %v = memref.load %y[] : memref<f64>
      %small = arith.cmpf olt, %v, %c : f64
      "rev.yield"(%small) : (i1) -> ()
    }, {
      %v = memref.load %y[] : memref<f64>
      %began = arith.cmpf ogt, %v, %zero : f64
      "rev.yield"(%began) : (i1) -> ()
    }, {
      "rev.accum"(%y) ({
        "rev.yield"(%c) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }) : () -> ()
    ```
    The inverse swaps `pre` and `post` and inverts the body.
    """

    pre: ext.Region
    post: ext.Region
    body: ext.Region

    def problems(self) -> Problems:
        yield from _condition_problems(self, "pre", self.pre)
        yield from _condition_problems(self, "post", self.post)
        yield from body_problems("body", self.body, [], "nothing")
        yield from check_attribute_problems(self)


class ParallelOp(Operation, name="parallel", traits=[ir.NoTerminatorTrait]):
    """Runs the body for every index tuple below `upper`, in any order; iterations change different elements.

    ```mlir
    "rev.parallel"(%n) ({
    ^bb0(%i: index):
      "rev.accum"(%ys, %i) ({
        %v = memref.load %xs[%i] : memref<?xf64>
        "rev.yield"(%v) : (f64) -> ()
      }) {kind = "add"} : (memref<?xf64>, index) -> ()
    }) {shadows = "privatize"} : (index) -> ()
    ```
    Cells that iterations only add numbers to may be shared, and the order of such sums is free. Adjoints of cells that
    several iterations read are sums of that kind. `shadows` says how they are made: each thread sums by itself
    (privatize), or all into one place (atomic, in programs that need not be deterministic); disjoint promises that
    there are none.
    """

    upper: Sequence[ext.Operand[ir.IndexType]]
    shadows: ir.StringAttr
    body: ext.Region

    def problems(self) -> Problems:
        if self.shadows.value not in SHADOW_MODES:
            yield f"has shadows = {self.shadows.value!r}; use one of {', '.join(SHADOW_MODES)}"
        indices = [ir.IndexType.get(self.context)] * len(self.upper)
        yield from body_problems("body", self.body, indices, "one index per bound")
        found = changes(list(self.body.blocks[0].arguments), self.body)
        if found.shared:
            yield "changes elements that several iterations may use; index them by its own indices, or use rev.for"
        if found.added and self.shadows.value == "disjoint":
            yield "has shadows = 'disjoint', but iterations add to elements that they share; use privatize or atomic"


def _condition_problems(op: Operation, name: str, region: ir.Region) -> Problems:
    return pure_problems(name, region, [ir.IntegerType.get_signless(1, op.context)], "the condition")
