"""`lower-math`: elementary functions become arithmetic that LLVM inlines and vectorises."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import ClassVar

from tapeless._mlir import func, ir, vector
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.math.functions import GUARDED, INLINED, MARKED
from tapeless.passes.lower.math.lanes import element_type
from tapeless.passes.lower.math.library import PREFIX, Library
from tapeless.passes.lower.math.whole_powers import WHOLE_POWER, as_power
from tapeless.passes.marks import NORMAL

# Tiles of a product have four rows or more.
MOST_INLINED = 3
FUNCTIONS = ("math.", "soac.fn")
RENAMED = {"math.powf": "pow"}
RECIPROCAL_ROOT, BY_STEPS = "reciprocal_root", "reciprocal_root_by_steps"


@dataclass(frozen=True)
class Math:
    """Expands `math` functions and `soac.fn`, on scalars and vectors, to calls of functions of arithmetic.

    ```mlir
    %y = math.exp %x : f64
    // becomes
    %y = call @tl.exp_f64(%x) : (f64) -> f64
    func.func private @tl.exp_f64(%x: f64) -> f64 attributes {llvm.always_inline, ...} { ... }
    ```
    Of a function that a block has for many vectors, as for the rows of a tile, the calls stay (`no_inline`).
    Powers by integers are those by floats. What is one instruction (`math.sqrt`, `math.fma`, `math.floor`) stays as it
    is. A `math.rsqrt` that is looked at where it is not finite (`tapeless.normal`) needs neither root nor division;
    with `root_steps`, LLVM makes it of the processor's estimates.
    """

    name: ClassVar[str] = "lower-math"
    after: ClassVar[dict[str, str]] = {
        "lower-vectorise": "functions are written out for lanes",
        "lower-fma": "functions have fused multiply-adds of their own",
    }
    root_steps: bool = False

    def run(self, module: ir.Module) -> None:
        library = Library(module)
        calls: list[func.CallOp] = []
        with module.context:
            for op in elementary_ops(module):
                name = function_name(op)
                if self.root_steps and name == RECIPROCAL_ROOT:
                    let_estimate(op)
                    name = BY_STEPS
                calls.append(replace(op, name, library))
            keep_repeated(calls)


def elementary_ops(module: ir.Module) -> list[ir.Operation]:
    """Every op that computes a function of the library, outside of the library's own functions."""
    names = {*INLINED, *MARKED, *GUARDED}
    found: list[ir.Operation] = []
    for function in module.body:
        is_own = function.operation.name == "func.func" and not function.sym_name.value.startswith(PREFIX)
        for op in functions_in(function.operation):
            function_op = as_power(op) if op.name == WHOLE_POWER else op
            if is_own and _is_elementary(function_op, names):
                found.append(function_op)
    return found


def functions_in(root: ir.Operation) -> list[ir.Operation]:
    """The operations below one that compute functions of numbers, outer ones first."""
    found: list[ir.Operation] = []
    onward = ir.WalkResult.ADVANCE

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name.startswith(FUNCTIONS):
            found.append(op)
        return onward

    root.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def _is_elementary(op: ir.Operation, names: Collection[str]) -> bool:
    return function_name(op) in names and isinstance(element_type(op.operands[0].type), ir.F64Type | ir.F32Type)


def function_name(op: ir.Operation) -> str:
    """The library's name of the function of an operation."""
    if op.name == "soac.fn":
        return ir.StringAttr(op.attributes["function"]).value
    if op.name == "math.rsqrt" and NORMAL in op.attributes:
        return RECIPROCAL_ROOT
    return RENAMED.get(op.name, op.name.removeprefix("math."))


def let_estimate(op: ir.Operation) -> None:
    """Tells LLVM that roots in the function around an op may be estimated, where a division allows that."""
    from tapeless.passes.lower.math.elementary.roots import ESTIMATED

    while op.name != "func.func":
        op = op.parent.operation
    op.attributes["llvm.passthrough"] = ir.ArrayAttr.get([ir.ArrayAttr.get(list(map(ir.StringAttr.get, ESTIMATED)))])


def replace(op: ir.Operation, name: str, library: Library) -> func.CallOp:
    """Puts a call of a function in the place of one op."""
    with ir.InsertionPoint(op), op.location:
        operands = [flattened(operand) for operand in op.operands]
        callee = library.function(name, [operand.type for operand in operands])
        call = func.CallOp(callee, operands)
        result = reshaped(call.result, op.result.type)
    op.result.replace_all_uses_with(result)
    op.erase()
    return call


def keep_repeated(calls: Sequence[func.CallOp]) -> None:
    """Leaves calls on vectors as they are, rather than inlined, where a block has many of one function.

    Those are the rows of a tile: each is long enough that a call costs little beside it, and its code would be there
    once for every row of every shape of tiles.
    """
    alike: dict[tuple[ir.Block, str], list[ir.Operation]] = defaultdict(list)
    for call in calls:
        if isinstance(call.result.type, ir.VectorType):
            alike[call.operation.block, call.callee.value].append(call.operation)
    for group in alike.values():
        if len(group) > MOST_INLINED:
            for each in group:
                each.attributes["no_inline"] = ir.UnitAttr.get()


def flattened(value: ir.Value) -> ir.Value:
    """Vectors of any rank as rank 1: the library has functions on scalars and rank-1 vectors only."""
    kind = value.type
    if not isinstance(kind, ir.VectorType):
        return value
    return reshaped(value, ir.VectorType.get([math.prod(kind.shape)], kind.element_type))


def reshaped(value: ir.Value, kind: ir.Type) -> ir.Value:
    return value if value.type == kind else vector.shape_cast(kind, value)
