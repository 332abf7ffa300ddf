"""Predicates and merges of branches: `phi.cmp`, `phi.logic`, `phi.gamma`, `phi.switch`."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.effects import NoEffect
from tapeless.dialects.phi.checks import fact_problems, name_problems, region_problems, same_type_problems
from tapeless.dialects.phi.dialect import Operation
from tapeless.dialects.regions import is_empty
from tapeless.dialects.verification import Problems, types_text

PREDICATES = ("eq", "ne", "lt", "le", "gt", "ge")
CONNECTIVES = {"not": 1, "and": 2, "or": 2, "xor": 2}
BOOL = ir.IntegerType[1]


class CmpOp(Operation, name="cmp", traits=[ext.Pure]):
    """Compares two values: eq, ne, lt, le, gt, ge.

    ```mlir
    %p = "phi.cmp"(%a, %b) {predicate = "lt"} : (f64, f64) -> i1
    ```
    Where an operand is NaN, ne holds and nothing else does. Integers are compared with their signs.
    """

    lhs: ext.Operand[Any]
    rhs: ext.Operand[Any]
    out: ext.Result[BOOL]
    predicate: ir.StringAttr

    def problems(self) -> Problems:
        yield from name_problems("predicate", self.predicate.value, PREDICATES)
        if self.lhs.type != self.rhs.type:
            yield f"compares {self.lhs.type} with {self.rhs.type}; make the types equal"
        yield from _bool_result_problems(self)


class LogicOp(Operation, name="logic", traits=[ext.Pure]):
    """Combines predicates: not (one operand), and, or, xor (two).

    ```mlir
    %q = "phi.logic"(%ok, %ok) {connective = "and"} : (i1, i1) -> i1
    ```
    """

    args: Sequence[ext.Operand[BOOL]]
    out: ext.Result[BOOL]
    connective: ir.StringAttr

    def problems(self) -> Problems:
        name = self.connective.value
        yield from name_problems("connective", name, tuple(CONNECTIVES))
        if len(self.args) != CONNECTIVES[name]:
            yield f"has {len(self.args)} operands; give {name} {CONNECTIVES[name]}"
        yield from _bool_result_problems(self)


class GammaOp(Operation, name="gamma", traits=[NoEffect]):
    """The merge of two branches: the first arm where the condition holds, else the second.

    ```mlir
    %y = "phi.gamma"(%ok, %a, %b) ({}, {}) : (i1, f64, f64) -> f64
    %z = "phi.gamma"(%ok) ({
      %root = "phi.mono"(%a) {exps = [#phi.rat<1 : i64, 2 : i64>], coeff = 1 : i64} : (f64) -> f64
      "phi.yield"(%root) : (f64) -> ()
    }, {
      "phi.yield"(%b) : (f64) -> ()
    }) : (i1) -> f64
    ```
    Arms are two operands and empty regions, both of which are computed, or two regions of which one runs.
    """

    condition: ext.Operand[BOOL]
    arms: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    then: ext.Region
    otherwise: ext.Region

    def problems(self) -> Problems:
        outs = [out.type for out in self.outs]
        if is_empty(self.then) and is_empty(self.otherwise):
            if len(self.arms) != 2 or len(outs) != 1:
                yield f"has {len(self.arms)} arms and {len(outs)} results; give two arms and one result, or two regions"
            yield from same_type_problems(self.arms, outs[0])
        else:
            if self.arms:
                yield "has both arms and regions; give one or the other"
            yield from region_problems("then", self.then, [], "nothing", outs, "the results")
            yield from region_problems("otherwise", self.otherwise, [], "nothing", outs, "the results")
        yield from fact_problems(self)


class SwitchOp(Operation, name="switch", traits=[ext.Pure]):
    """The merge of k branches: the arm at an index, the last one for any larger index.

    ```mlir
    %y = "phi.switch"(%i, %a, %b, %c) : (index, f64, f64, f64) -> f64
    ```
    """

    selector: ext.Operand[ir.IndexType]
    arms: Sequence[ext.Operand[Any]]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        if not self.arms:
            yield "has no arms; give at least one"
        yield from same_type_problems(self.arms, self.out.type)
        yield from fact_problems(self)


def _bool_result_problems(op: CmpOp | LogicOp) -> Problems:
    if str(op.out.type) != "i1":
        yield f"has results {types_text([op.out.type])}; make it i1"
