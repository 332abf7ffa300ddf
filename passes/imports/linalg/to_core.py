"""`linalg-to-core`: functions of linalg and tensor operations brought to core IR."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import Upstream
from tapeless.passes.driver.inner import run_inner_upstream
from tapeless.passes.imports.linalg import control_flow, number_rules, tensors
from tapeless.passes.imports.linalg.generic import generic
from tapeless.passes.imports.linalg.rebuild import Rebuild, Translate, check_type, copy_block, core_type
from tapeless.passes.imports.real_numbers import check_real
from tapeless.passes.imports.stablehlo.translator import refuse

RULES: dict[str, Translate] = {
    "linalg.generic": generic,
    **number_rules.RULES,
    **tensors.RULES,
    **control_flow.RULES,
}


# Named operations, and arithmetic on whole tensors, become linalg.generic; affine.apply becomes arithmetic.
BEFORE = ("lower-affine", "convert-elementwise-to-linalg", "linalg-generalize-named-ops")


@dataclass(frozen=True)
class ToCore:
    """Translates functions of the dialects linalg, tensor, arith, math, scf and cf to core IR.

    ```mlir
    %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%zeros : tensor<2x4xf32>) -> tensor<2x4xf32>
    ```
    becomes maps over the rows of `%a` and the columns of `%b` with a `soac.reduce` of products in them: parallel
    iterators are maps, reductions by operators that are known are reductions, all others loops. Sums of products have
    the form of `a @ b`, those over windows of a matrix of windows, and running sums are scans. Tensors without axes are
    numbers. Operations that have no translation are refused by name, at their place in the source.
    """

    name: ClassVar[str] = "linalg-to-core"

    def run(self, module: ir.Module) -> None:
        """Translates every function, and removes the originals."""
        check_real(module)
        run_inner_upstream([Upstream(each) for each in BEFORE], module)
        functions = [op for op in module.body.operations if isinstance(op, func.FuncOp)]
        for function in functions:
            _translate(function)
        for function in functions:
            function.operation.erase()
        run_inner_upstream([Upstream("cse"), Upstream("trivial-dce")], module)


def _translate(function: func.FuncOp) -> None:
    """Puts the translation of a function, which has its name, before it."""
    type_ = function.type
    for each in (*type_.inputs, *type_.results):
        check_type(function, each)
    if len(function.regions[0].blocks) > 1:
        refuse(function, "has a body of several blocks; use scf.if, scf.for and scf.while for branches and loops")
    with function.location:
        signature = ir.FunctionType.get(
            [core_type(each) for each in type_.inputs], [core_type(each) for each in type_.results]
        )
        made = func.FuncOp(function.name.value, signature, ip=ir.InsertionPoint(function))
        if "sym_visibility" in function.attributes and function.attributes["sym_visibility"].value != "public":
            made.attributes["sym_visibility"] = function.attributes["sym_visibility"]
        if not function.is_external:
            copy_block(Rebuild(RULES), function.regions[0].blocks[0], made.regions[0])
