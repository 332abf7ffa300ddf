"""The pass `lower-merge-functions`: parts that do the same are one function."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.parts.normal_form import NUMBERS, NormalForm, normal_form

CALLEE = "callee"


@dataclass(frozen=True)
class MergeParts:
    """Merges private functions with equal code, also under permuted parameters, and where one takes fewer numbers.

    ```mlir
    func.func private @f_part0(%lo: index, %hi: index, %a: !llvm.ptr, %b: !llvm.ptr) {...}
    func.func private @f_part1(%lo: index, %hi: index, %b: !llvm.ptr, %a: !llvm.ptr) {the same}
    func.func private @f_part2(%hi: index, %a: !llvm.ptr, %b: !llvm.ptr) {the same, %hi for %lo}
    func.call @f_part1(%c0, %n, %x, %y)    =>    func.call @f_part0(%c0, %n, %y, %x)
    func.call @f_part2(%n, %x, %y)         =>    func.call @f_part0(%n, %n, %x, %y)
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
        """Finds the functions that are equal, redirects calls to one of each kind, and removes the others."""
        taken: dict[str, tuple[str, list[int]]] = {}
        for alike in _candidates(module):
            shapes: dict[Hashable, int] = {}
            kept: dict[Hashable, list[tuple[func.FuncOp, NormalForm]]] = {}
            for function in alike:
                form = normal_form(function, shapes)
                same = kept.setdefault(form.key, [])
                found = ((its.name.value, general.arguments_for(form)) for its, general in same)
                name, positions = next((each for each in found if each[1] is not None), (None, None))
                if name is None or positions is None:
                    same.append((function, form))
                else:
                    taken[function.name.value] = name, positions
                    function.operation.erase()
        if taken:
            _redirect(module, taken)


def _candidates(module: ir.Module) -> list[list[func.FuncOp]]:
    """Groups private functions by the types of their arrays and their lengths, but for those whose address is taken.

    Those with more parameters come first: others may be uses of them.
    """
    addressed = {op.attributes["value"].value for op in ops_named(module.operation.opview, "func.constant")}
    groups: dict[Hashable, list[func.FuncOp]] = {}
    for op in module.body.operations:
        if isinstance(op, func.FuncOp) and not op.is_external and _is_private(op) and op.name.value not in addressed:
            arrays = sorted(str(each) for each in op.type.inputs if not isinstance(each, NUMBERS))
            groups.setdefault((*arrays, len(op.entry_block.operations)), []).append(op)
    by_parameters = (sorted(group, key=lambda op: -len(op.type.inputs)) for group in groups.values())
    return [group for group in by_parameters if len(group) > 1]


def _is_private(function: func.FuncOp) -> bool:
    return "sym_visibility" in function.attributes and function.visibility.value == "private"


def _redirect(module: ir.Module, taken: dict[str, tuple[str, list[int]]]) -> None:
    for call in ops_named(module.operation.opview, "func.call"):
        callee = call.attributes[CALLEE].value
        if callee in taken:
            name, positions = taken[callee]
            arguments = [call.operands[position] for position in positions]
            attributes = {each: call.attributes[each] for each in call.attributes}
            attributes[CALLEE] = ir.FlatSymbolRefAttr.get(name)
            with ir.InsertionPoint(call), call.location:
                types = [result.type for result in call.results]
                other = ir.Operation.create(call.operation.name, types, arguments, attributes)
            replace_op(call, other.results)
