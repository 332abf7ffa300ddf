"""Blocks of StableHLO, operation by operation, by a table of rules; calls are replaced by what they call."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from tapeless._mlir import arith, ir
from tapeless.dialects.array_types import array_type
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.imports.emit.lazy import Lazy, Value, forced, remapped
from tapeless.passes.imports.stablehlo import bounds, unsigned
from tapeless.passes.imports.stablehlo.bounds import Bounds

ELEMENTS = ("f64", "f32", "i64", "i32", "i1")


@dataclass(frozen=True)
class Rule:
    """How an operation is translated.

    `translate(translator, operation, operands)` gives its results. Operations that are `by_element` read each element
    of their operands once, so that these need not be in memory.
    """

    translate: Callable[..., Sequence[Value]]
    by_element: bool = False


@dataclass
class Scope:
    """What the values of a block and those around it are, and between which numbers they lie."""

    values: ChainMap[ir.Value, Value] = field(default_factory=ChainMap)
    bounds: ChainMap[ir.Value, Bounds] = field(default_factory=ChainMap)

    def inner(self) -> Scope:
        """A scope for a block inside."""
        return Scope(self.values.new_child(), self.bounds.new_child())


def refuse(op: ir.Operation | ir.OpView, reason: str) -> NoReturn:
    """Refuses an operation at its place in the source."""
    raise OpRefused(op, reason)


class Translator:
    """The functions of a module, and the scope of the block that is translated."""

    def __init__(self, functions: Mapping[str, ir.OpView], rules: Mapping[str, Rule]) -> None:
        self.functions = functions
        self.rules = rules
        self.scope = Scope()
        self.calls: list[str] = []
        self.private: dict[str, str] = {}
        """The names of private functions of core IR, by those of the functions that they are translated from."""
        self.ruled: set[str] = set()
        """Those that have their derivative rules."""

    def function_body(self, function: ir.OpView, arguments: Sequence[Value]) -> list[Value]:
        """What a function returns for arguments."""
        outer, self.scope = self.scope, Scope()
        try:
            return self.block(function.regions[0].blocks[0], arguments)
        finally:
            self.scope = outer

    def call(self, op: ir.Operation, name: str, arguments: Sequence[Value]) -> list[Value]:
        """The body of a function of the module, translated here."""
        if name not in self.functions or not self.functions[name].regions[0].blocks:
            refuse(op, f"calls @{name}, which has no body; define it in the module")
        if name in self.calls:
            refuse(op, f"calls @{name}, which calls itself; write a loop")
        limits = [self.scope.bounds.get(operand) for operand in op.operands]
        self.calls.append(name)
        outer, self.scope = self.scope, Scope()
        try:
            return self.block(self.functions[name].regions[0].blocks[0], arguments, limits)
        finally:
            self.scope = outer
            self.calls.pop()

    def region(
        self, region: ir.Region, arguments: Sequence[Value], limits: Sequence[Bounds | None] = ()
    ) -> list[Value]:
        """What the block of a region hands on for arguments; it may read what is around it."""
        outer, self.scope = self.scope, self.scope.inner()
        try:
            return self.block(region.blocks[0], arguments, limits)
        finally:
            self.scope = outer

    def block(self, block: ir.Block, arguments: Sequence[Value], limits: Sequence[Bounds | None] = ()) -> list[Value]:
        """The operands of the last operation of a block, when its arguments are these."""
        self.scope.values.update(zip(block.arguments, arguments, strict=True))
        self.scope.bounds.update({a: b for a, b in zip(block.arguments, limits, strict=False) if b is not None})
        operations = list(block.operations)
        for view in operations[:-1]:
            self._operation(view.operation, block)
        return [self.scope.values[operand] for operand in operations[-1].operands]

    def _operation(self, op: ir.Operation, block: ir.Block) -> None:
        rule = self.rules.get(op.name)
        if rule is None:
            refuse(op, "has no translation to core IR; compute this part otherwise, or outside of the module")
        for result in op.results:
            check_type(op, result.type, "a result", *unsigned.NAMES)
        check_signs(op)
        operands = [self.scope.values[operand] for operand in op.operands]
        with op.location:
            results = rule.translate(self, op, operands)
            for result, value in zip(op.results, results, strict=True):
                self.scope.values[result] = self._kept(result, value, block)
        known = bounds.of_result(op, [self.scope.bounds.get(operand) for operand in op.operands])
        if known is not None and op.results[0] not in self.scope.bounds.maps[0]:
            self.scope.bounds[op.results[0]] = known

    def _kept(self, result: ir.Value, value: Value, block: ir.Block) -> Value:
        """The value, in memory unless its elements are read once and here."""
        if not isinstance(value, Lazy) or value.cheap:
            return value
        uses = list(result.uses)
        is_read_once = len(uses) == 1 and uses[0].owner.operation.block == block
        if is_read_once and (rule := self.rules.get(uses[0].owner.operation.name)) and rule.by_element:
            return value
        return forced(value) if uses else value

    def bounds_of(self, value: ir.Value) -> Bounds | None:
        """Between which numbers a value of the source lies, if that is known."""
        return self.scope.bounds.get(value)

    def producer(self, value: ir.Value, name: str) -> ir.Operation | None:
        """The operation of a kind that made a value of the source, if its operands can be read here."""
        if isinstance(value, ir.BlockArgument) or value.owner.operation.name != name:
            return None
        made = value.owner.operation
        return made if all(operand in self.scope.values for operand in made.operands) else None


def check_type(op: ir.Operation | ir.OpView, type_: ir.Type, what: str, *more: str) -> None:
    """Refuses types that core IR has not; elements may be of `more` types."""
    if not isinstance(type_, ir.RankedTensorType):
        refuse(op, f"has {what} of type {type_}; give tensors of {', '.join(ELEMENTS)}")
    if str(type_.element_type) not in (*ELEMENTS, *more):
        refuse(op, f"has {what} of type {type_}; convert it to one of {', '.join((*ELEMENTS, *more))}")
    if not type_.has_static_shape:
        refuse(op, f"has {what} of type {type_}; give all sizes when the program is exported")


def check_signs(op: ir.Operation) -> None:
    """Refuses integers without a sign where an operation would take them for others."""
    types = [value.type for value in (*op.operands, *op.results)]
    if not any(map(unsigned.is_unsigned, types)):
        return
    known = op.name in unsigned.SAME_BITS or op.name in unsigned.OTHERWISE or op.name in unsigned.FUNCTIONS
    indices = types[unsigned.INDICES.get(op.name, len(types)) : len(op.operands)]
    if not known or any(map(unsigned.is_unsigned, indices)):
        found = next(each for each in (*indices, *types) if unsigned.is_unsigned(each))
        refuse(op, f"has an operand or a result of type {found}; convert it to i32 or i64 for this operation")


def core_type(type_: ir.RankedTensorType) -> ir.Type:
    """The type in core IR: a scalar for an array without axes."""
    element = unsigned.core_element(type_)
    return array_type(type_.shape, element) if type_.rank else element


def truth(value: bool, shape: Sequence[int]) -> Value:
    """An array of bools that are all the same."""
    i1 = ir.IntegerType.get_signless(1)
    constant = arith.ConstantOp(i1, ir.IntegerAttr.get(i1, -1 if value else 0)).result
    return remapped(constant, shape, ()) if shape else constant
