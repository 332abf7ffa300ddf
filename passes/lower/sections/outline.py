"""A stretch of code moved into a function of its own, and the call of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.blocks.captures import REMATERIALISED, replace_operands
from tapeless.passes.lower.blocks.threads import bare_values
from tapeless.passes.lower.llvm.entry import use_bare_pointers

STACK = "memref.alloca"


@dataclass
class Uses:
    """What a stretch of operations defines, and which values it uses how often."""

    defined: set[ir.Value] = field(default_factory=set)
    used: Counter[ir.Value] = field(default_factory=Counter)

    @staticmethod
    def of(stretch: Iterable[ir.Operation]) -> Uses:
        """Looks at all operations and at what is in them."""
        found = Uses()

        def visit(op: ir.Operation) -> ir.WalkResult:
            found.used.update(op.operands)
            found.defined.update(op.results)
            for region in op.regions:
                for block in region.blocks:
                    found.defined.update(block.arguments)
            return ir.WalkResult.ADVANCE

        for op in stretch:
            op.walk(visit)
        return found

    def taken(self) -> list[ir.Value]:
        """The values from outside, in the order in which they are used."""
        return [value for value in self.used if value not in self.defined]

    def given(self, stretch: Iterable[ir.Operation]) -> list[ir.Value]:
        """The results that something outside uses."""
        results = [result for op in stretch for result in op.results]
        return [result for result in results if sum(1 for _ in result.uses) > self.used[result]]


def moved_along(stretch: Sequence[ir.Operation]) -> list[ir.Operation]:
    """What goes into the function of a stretch.

    Constants are repeated in it, and buffers on the stack stay before it, since they would end with the function.
    """
    moved = [op for op in stretch if op.name not in REMATERIALISED and op.name != STACK]
    for op in stretch:
        if op.name == STACK:
            op.move_before(moved[0])
    return moved


def outline(function: func.FuncOp, moved: Sequence[ir.Operation], uses: Uses, name: str, apart: bool) -> func.CallOp:
    """Moves operations of one block into a new function, and gives the call that takes their place.

    Arrays that are all memory of their own (`apart`) become pointers that LLVM knows to be no other's.
    """
    given = uses.given(moved)
    repeated = [value for value in uses.taken() if is_repeated(value)]
    handed = [value for value in uses.taken() if not is_repeated(value)]
    location = moved[0].location
    types = ir.FunctionType.get([value.type for value in handed], [value.type for value in given])
    with ir.InsertionPoint(function), location:
        section = func.FuncOp(name, types, visibility="private")
        section.attributes["llvm.no_inline"] = ir.UnitAttr.get()
        block = section.add_entry_block()
    with ir.InsertionPoint(moved[0]), location:
        words = [word for value in handed for word, direct in bare_values(value) if direct] if apart else handed
        call = func.CallOp(types.results, name, words)
    inner = dict(zip(handed, block.arguments, strict=True))
    with ir.InsertionPoint(block), location:
        inner |= {value: value.owner.operation.clone().results[0] for value in repeated}
        end = func.ReturnOp([])
    for value, result in zip(given, call.results, strict=True):
        value.replace_all_uses_with(result)
        inner[result] = value
    for op in moved:
        op.move_before(end)
        replace_operands(op, inner)
    with ir.InsertionPoint(end), location:
        func.ReturnOp(given)
    end.operation.erase()
    if apart:
        use_bare_pointers(section)
    return call


def is_repeated(value: ir.Value) -> bool:
    """Whether a value is made again where it is needed."""
    return not isinstance(value, ir.BlockArgument) and value.owner.operation.name in REMATERIALISED
