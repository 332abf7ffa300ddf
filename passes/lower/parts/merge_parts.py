"""The pass `lower-merge-functions`: parts that do the same are one function."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.parts.normal_form import NormalForm, normal_form

CALLEE = "callee"


@dataclass(frozen=True)
class MergeParts:
    """Merges private functions with equal code, also under permuted parameters.

    ```mlir
    func.func private @f_part0(%lo: index, %hi: index, %a: !llvm.ptr, %b: !llvm.ptr) {...}
    func.func private @f_part1(%lo: index, %hi: index, %b: !llvm.ptr, %a: !llvm.ptr) {the same}
    func.call @f_part1(%c0, %n, %x, %y)    =>    func.call @f_part0(%c0, %n, %y, %x)
    ```
    Programs have many products of matrices of unknown sizes, each of which LLVM would compile in a tenth of a second.
    LLVM knows nothing of the callers of a part, so that it is the same code for all of them.
    """

    name: ClassVar[str] = "lower-merge-functions"
    after: ClassVar[dict[str, str]] = {
        "lower-loops": "it makes the parts that threads run",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Finds the functions that are equal, redirects calls to the first of each kind, and removes the others."""
        taken: dict[str, tuple[str, list[int]]] = {}
        for alike in _candidates(module):
            shapes: dict[Hashable, int] = {}
            known: dict[Hashable, tuple[func.FuncOp, NormalForm]] = {}
            for function in alike:
                form = normal_form(function, shapes)
                first, its = known.setdefault(form.key, (function, form))
                if first is not function:
                    taken[function.name.value] = first.name.value, _positions(its, form)
                    function.operation.erase()
        if taken:
            _redirect(module, taken)


def _candidates(module: ir.Module) -> list[list[func.FuncOp]]:
    """Groups of private functions that may be equal by what is quickly seen, and of which nobody takes the address."""
    addressed = {op.attributes["value"].value for op in ops_named(module.operation.opview, "func.constant")}
    groups: dict[Hashable, list[func.FuncOp]] = {}
    for op in module.body.operations:
        if isinstance(op, func.FuncOp) and not op.is_external and _is_private(op) and op.name.value not in addressed:
            inputs = sorted(str(each) for each in op.type.inputs)
            groups.setdefault((*inputs, len(op.entry_block.operations)), []).append(op)
    return [group for group in groups.values() if len(group) > 1]


def _is_private(function: func.FuncOp) -> bool:
    return "sym_visibility" in function.attributes and function.visibility.value == "private"


def _positions(first: NormalForm, other: NormalForm) -> list[int]:
    """For each parameter of the first function, the position of the argument that the other one takes for it."""
    pairs = sorted(zip(first.order, other.order, strict=True))
    return [position for _, position in pairs]


def _redirect(module: ir.Module, taken: dict[str, tuple[str, list[int]]]) -> None:
    for call in ops_named(module.operation.opview, "func.call"):
        callee = call.attributes[CALLEE].value
        if callee in taken:
            name, positions = taken[callee]
            arguments = list(call.operands)
            call.attributes[CALLEE] = ir.FlatSymbolRefAttr.get(name)
            for place, position in enumerate(positions):
                call.operation.operands[place] = arguments[position]
