"""Blocks of StableHLO, operation by operation, by a table of rules; calls are inlined."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import NoReturn

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC, array_type
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.imports.emit.gather import as_index
from tapeless.passes.imports.emit.lazy import Lazy, Value, forced, in_memory, lazy, remapped, shape_of
from tapeless.passes.imports.emit.open_sizes import Shape, Size, is_open, require_same, same
from tapeless.passes.imports.stablehlo import bounds, halves, shape_values, unsigned
from tapeless.passes.imports.stablehlo.bounds import Bounds
from tapeless.passes.imports.stablehlo.elements import core_element
from tapeless.passes.imports.stablehlo.shape_values import Sizes
from tapeless.passes.ir.build import cast_to, index, is_array

ELEMENTS = ("f64", "f32", "i64", "i32", "i1")
"""The types of elements that core IR has."""

KNOWN = (*ELEMENTS, *halves.NAMES)
"""Those that arguments, results and values may have."""


@dataclass(frozen=True)
class Rule:
    """How an operation is translated.

    `translate(translator, operation, operands)` gives its results. Operations that are `by_element` read each element
    of their operands once, so that these need not be in memory. Those that do not take open sizes are refused where
    some are known only when running.
    """

    translate: Callable[..., Sequence[Value]]
    by_element: bool = False
    takes_open: bool = True


@dataclass
class Scope:
    """The values of a block and of those around it, with their ranges, and the sizes among them.

    Integers of the source that are sizes, or have sizes as their elements, have these in `sizes`; what is in `below`
    is a number that is not negative, and less than a size.
    """

    values: ChainMap[ir.Value, Value] = field(default_factory=ChainMap)
    bounds: ChainMap[ir.Value, Bounds] = field(default_factory=ChainMap)
    sizes: ChainMap[ir.Value, Sizes] = field(default_factory=ChainMap)
    below: ChainMap[ir.Value, Size] = field(default_factory=ChainMap)

    def inner(self) -> Scope:
        """A scope for a block inside."""
        return Scope(self.values.new_child(), self.bounds.new_child(), self.sizes.new_child(), self.below.new_child())


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

    def function_body(self, function: ir.OpView, arguments: Sequence[Value], sizes: Shape = ()) -> list[Value]:
        """The results of a function for arguments, the first of which are sizes."""
        outer, self.scope = self.scope, Scope()
        self.scope.sizes.update({a: (size,) for a, size in zip(function.arguments, sizes, strict=False)})
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
        sizes = [self.scope.sizes.get(operand) for operand in op.operands]
        block = self.functions[name].regions[0].blocks[0]
        self.calls.append(name)
        outer, self.scope = self.scope, Scope()
        self.scope.sizes.update({a: b for a, b in zip(block.arguments, sizes, strict=False) if b is not None})
        try:
            return self.block(block, arguments, limits)
        finally:
            self.scope = outer
            self.calls.pop()

    def region(
        self,
        region: ir.Region,
        arguments: Sequence[Value],
        limits: Sequence[Bounds | None] = (),
        below: Mapping[int, Size] | None = None,
    ) -> list[Value]:
        """The operands of the terminator of a region for arguments; it may read values around it."""
        outer, self.scope = self.scope, self.scope.inner()
        for position, size in (below or {}).items():
            self.scope.below[region.blocks[0].arguments[position]] = size
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
        if not rule.takes_open:
            check_sizes(op)
        operands = [self.scope.values[operand] for operand in op.operands]
        with op.location:
            results = halves.nearest_results(op, rule.translate(self, op, operands))
            for result, value in zip(op.results, results, strict=True):
                self.scope.values[result] = self._kept(result, fitted(value, result.type), block)
            sizes = shape_values.of_result(op, [self.scope.sizes.get(operand) for operand in op.operands])
            if sizes is not None:
                self.scope.sizes[op.results[0]] = sizes
        known = bounds.of_result(op, [self.scope.bounds.get(operand) for operand in op.operands])
        if known is not None and op.results[0] not in self.scope.bounds.maps[0]:
            self.scope.bounds[op.results[0]] = known

    def _kept(self, result: ir.Value, value: Value, block: ir.Block) -> Value:
        """The value, in memory unless its elements are read here and by one operation, be it twice as in `d * d`."""
        if not isinstance(value, Lazy) or value.cheap:
            return value
        readers = list(dict.fromkeys(use.owner.operation for use in result.uses))
        is_read_once = len(readers) == 1 and readers[0].block == block
        if is_read_once and (rule := self.rules.get(readers[0].name)) and rule.by_element:
            return value
        return forced(value) if readers else value

    def bounds_of(self, value: ir.Value) -> Bounds | None:
        """Between which numbers a value of the source lies, if that is known."""
        return self.scope.bounds.get(value)

    def hand_on(self, value: ir.Value, result: ir.Value) -> None:
        """Takes note that a result is an integer of the source itself, as far as sizes are concerned."""
        if value in self.scope.below and bounds.is_integer(result.type):
            self.scope.below[result] = self.scope.below[value]

    def is_below(self, value: ir.Value, size: Size) -> bool:
        """Whether an integer of the source is known not to be negative, and to be less than a size."""
        return value in self.scope.below and same(self.scope.below[value], size)

    def sizes_of(self, value: ir.Value) -> Sizes:
        """The elements of a number or a vector of the source as sizes: followed, or read when running."""
        if value in self.scope.sizes:
            return self.scope.sizes[value]
        array = in_memory(self.scope.values[value])
        if not is_array(array):
            return (as_index(array),)
        elements = [tensor.ExtractOp(array, [index(k)]).result for k in range(value.type.shape[0])]
        return tuple(arith.IndexCastOp(ir.IndexType.get(), each).result for each in elements)

    def producer(self, value: ir.Value, name: str) -> ir.Operation | None:
        """The operation of a kind that made a value of the source, if its operands can be read here."""
        if isinstance(value, ir.BlockArgument) or value.owner.operation.name != name:
            return None
        made = value.owner.operation
        return made if all(operand in self.scope.values for operand in made.operands) else None


def check_type(op: ir.Operation | ir.OpView, type_: ir.Type, what: str, *more: str) -> None:
    """Refuses types that core IR has not; elements may be of `more` types."""
    if not isinstance(type_, ir.RankedTensorType):
        refuse(op, f"has {what} of type {type_}; give tensors of {', '.join(KNOWN)}")
    if str(type_.element_type) not in (*KNOWN, *more):
        refuse(op, f"has {what} of type {type_}; convert it to one of {', '.join((*KNOWN, *more))}")


def check_sizes(op: ir.Operation) -> None:
    """Refuses sizes that are known only when running."""
    for value in (*op.operands, *op.results):
        if shape_values.has_open_sizes(value.type):
            refuse(op, f"has an operand or a result of type {value.type}; give this operation sizes that are known")


def fitted(value: Value, type_: ir.RankedTensorType) -> Value:
    """The value with the sizes that a type of the source knows, compared when running where the value's are open."""
    shape = shape_of(value)
    known = [size if size != DYNAMIC else own for size, own in zip(type_.shape, shape, strict=True)]
    if all(isinstance(own, int) or is_open(size) for size, own in zip(known, shape, strict=True)):
        return value
    sizes = tuple(require_same(own, size) if is_open(own) else own for size, own in zip(known, shape, strict=True))
    return replace(lazy(value), shape=sizes)


def typed(value: Value, type_: ir.RankedTensorType) -> ir.Value:
    """The value in memory with the type that a type of the source is in core IR."""
    return cast_to(core_type(type_), in_memory(value))


def check_signs(op: ir.Operation) -> None:
    """Refuses integers without a sign where an operation would take them for others."""
    types = [value.type for value in (*op.operands, *op.results)]
    if not any(map(unsigned.is_unsigned, types)):
        return
    known = op.name in unsigned.SAME_BITS or op.name in unsigned.OTHERWISE or op.name in unsigned.FUNCTIONS
    sizes = types[unsigned.SIZES.get(op.name, len(types)) : len(op.operands)]
    if not known or any(map(unsigned.is_unsigned, sizes)):
        found = next(each for each in (*sizes, *types) if unsigned.is_unsigned(each))
        refuse(op, f"has an operand or a result of type {found}; convert it to i32 or i64 for this operation")


def core_type(type_: ir.RankedTensorType) -> ir.Type:
    """The type in core IR: a scalar for an array without axes."""
    element = core_element(type_)
    return array_type(type_.shape, element) if type_.rank else element


def truth(value: bool, shape: Shape) -> Value:
    """An array of bools that are all the same."""
    i1 = ir.IntegerType.get_signless(1)
    constant = arith.ConstantOp(i1, ir.IntegerAttr.get(i1, -1 if value else 0)).result
    return remapped(constant, shape, ()) if shape else constant
