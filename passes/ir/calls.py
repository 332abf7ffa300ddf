"""Functions that stay functions: calls of them, and the sizes of their results."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.scopes import terminator
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.expressions import Dim
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.marks import RECURSIVE, SIZES

NONE = -1


def callee_of(call: ir.OpView) -> str:
    """The name of the function that is called."""
    return ir.FlatSymbolRefAttr(call.operation.attributes["callee"]).value


def is_recursive(function: ir.OpView) -> bool:
    """Whether a function is part of a cycle of calls, as `soac-inline` found."""
    return RECURSIVE in function.operation.attributes


def note_sizes(op: ir.OpView, arguments: list[int]) -> None:
    """Says of a function or call for each result the number of the argument whose sizes it has, or `NONE`."""
    op.operation.attributes[SIZES] = ir.DenseI64ArrayAttr.get(arguments, op.context)


def mark_recursive(module: ir.Module, functions: Mapping[str, ir.OpView]) -> None:
    """Marks functions as recursive, and them and all their calls with the sizes of results.

    That a result has the sizes of an argument is supposed of all calls, and proved of what the functions return: by
    induction over the depth of calls it then holds. What cannot be proved is no longer supposed.
    """
    calls = [call for call in ops_named(module.operation, "func.call") if callee_of(call) in functions]
    supposed = {name: supposed_sizes(function) for name, function in functions.items()}
    while True:
        for op, name in (*((op, name) for name, op in functions.items()), *((op, callee_of(op)) for op in calls)):
            note_sizes(op, supposed[name])
        kept = {name: kept_sizes(function, supposed[name]) for name, function in functions.items()}
        if kept == supposed:
            break
        supposed = kept
    for function in functions.values():
        function.operation.attributes[RECURSIVE] = ir.UnitAttr.get(module.context)


def supposed_sizes(function: ir.OpView) -> list[int]:
    """The arguments whose sizes results may have: as said before, or the arguments of the same types in order."""
    if SIZES in function.operation.attributes:
        return list(ir.DenseI64ArrayAttr(function.operation.attributes[SIZES]))
    inputs, outputs = list(function.type.inputs), list(function.type.results)
    waiting = {type_: [k for k, each in enumerate(inputs) if each == type_] for type_ in outputs}
    is_array = [isinstance(type_, ir.RankedTensorType) for type_ in outputs]
    pairs = zip(outputs, is_array, strict=True)
    return [waiting[type_].pop(0) if array and waiting[type_] else NONE for type_, array in pairs]


def kept_sizes(function: ir.OpView, supposed: list[int]) -> list[int]:
    """The same, without those that the function does not keep."""
    block = function.operation.regions[0].blocks[0]
    returned = terminator(block).operands
    return [
        k if k != NONE and has_sizes(value, block.arguments[k]) else NONE
        for value, k in zip(returned, supposed, strict=True)
    ]


def has_sizes(value: ir.Value, argument: ir.Value) -> bool:
    """Whether an array provably has the type and the sizes of an argument of the function."""
    if value.type != argument.type:
        return False
    axes = [axis for axis, size in enumerate(argument.type.shape) if size == DYNAMIC]
    return all(size_of(value, axis) == Dim(argument, axis) for axis in axes)


def recursive_functions(callees: Mapping[str, Collection[str]]) -> set[str]:
    """The functions on cycles of the call graph; names that are no keys call nothing."""
    return _Components(callees).find()


class _Components:
    """Tarjan's search: functions that reach each other stay on the stack until the first of them is left."""

    def __init__(self, callees: Mapping[str, Collection[str]]) -> None:
        self.callees = callees
        self.number: dict[str, int] = {}
        self.stack: list[str] = []
        self.found: set[str] = set()

    def find(self) -> set[str]:
        for name in self.callees:
            if name not in self.number:
                self._visit(name)
        return self.found

    def _visit(self, name: str) -> int:
        """Visits a function; gives the earliest one on the stack that it reaches, by number."""
        own = lowest = self.number[name] = len(self.number)
        self.stack.append(name)
        for callee in self.callees.get(name, ()):
            if callee not in self.number:
                lowest = min(lowest, self._visit(callee))
            elif callee in self.stack:
                lowest = min(lowest, self.number[callee])
        if lowest == own:
            self._leave(name)
        return lowest

    def _leave(self, first: str) -> None:
        """Takes a component off the stack; one of a single function is a cycle if it calls itself."""
        place = self.stack.index(first)
        component = self.stack[place:]
        del self.stack[place:]
        if len(component) > 1 or first in self.callees.get(first, ()):
            self.found.update(component)


def argument_names(function: ir.Operation) -> list[str]:
    """The names of arguments by their locations, if each has another name; else `arg0`, `arg1`, ..."""
    places = [argument.location for argument in function.regions[0].blocks[0].arguments]
    names = [place.name_str if isinstance(place, ir.NameLoc) else "" for place in places]
    are_names = len(set(names)) == len(names) and all(each.isidentifier() for each in names)
    return names if are_names else [f"arg{position}" for position in range(len(places))]
