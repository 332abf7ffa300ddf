"""Functions written anew, operation by operation: by a rule, or as they are, with numbers for arrays without axes."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence

from tapeless._mlir import ir
from tapeless.passes.imports.stablehlo.translator import ELEMENTS, refuse
from tapeless.passes.ir.build import flags

Translate = Callable[["Rebuild", ir.Operation, Sequence[ir.Value]], Sequence[ir.Value]]
FASTMATH = "fastmath"


class Rebuild:
    """The map from values of the old functions to the new ones; operations are made at the current insertion point."""

    def __init__(self, rules: Mapping[str, Translate]) -> None:
        self.rules = rules
        self.values: ChainMap[ir.Value, ir.Value] = ChainMap()
        self.indices: Mapping[int, ir.Value] = {}

    def block(self, block: ir.Block, arguments: Sequence[ir.Value]) -> list[ir.Value]:
        """The operands of a block's terminator for arguments."""
        outer = self.values
        self.values = outer.new_child()
        try:
            self.values.update(zip(block.arguments, arguments, strict=True))
            operations = [each.operation for each in block.operations]
            for op in operations[:-1]:
                self.operation(op)
            return [self.values[operand] for operand in operations[-1].operands]
        finally:
            self.values = outer

    def operation(self, op: ir.Operation) -> None:
        """Translates one operation."""
        for result in op.results:
            check_type(op, result.type)
        rule = self.rules.get(op.name)
        if rule is None:
            refuse(op, "has no translation to core IR; compute this part otherwise, or outside of the module")
        operands = [self.values[operand] for operand in op.operands]
        with op.location:
            results = rule(self, op, operands)
        self.values.update(zip(op.results, results, strict=True))

    def producer(self, value: ir.Value, name: str) -> ir.Operation | None:
        """The old operation of a kind that makes a value."""
        if isinstance(value, ir.BlockArgument) or value.owner.operation.name != name:
            return None
        return value.owner.operation


def copied(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    """The operation as it is; float operations without flags get those of core IR, blocks are translated."""
    attributes = {name: op.attributes[name] for name in op.attributes}
    if FASTMATH in attributes and "none" in str(attributes[FASTMATH]):
        attributes[FASTMATH] = flags()
    types = [core_type(result.type) for result in op.results]
    made = ir.Operation.create(op.name, types, list(operands), attributes, regions=len(op.regions))
    for old, new in zip(op.regions, made.regions, strict=True):
        if old.blocks:
            copy_block(rebuild, old.blocks[0], new)
    return list(made.results)


def copy_block(rebuild: Rebuild, old: ir.Block, region: ir.Region) -> None:
    """Translates a block into a region, with its last operation."""
    types = [core_type(argument.type) for argument in old.arguments]
    block = region.blocks.append(*types, arg_locs=[argument.location for argument in old.arguments])
    last = old.operations[len(old.operations) - 1].operation
    with ir.InsertionPoint(block):
        ends = rebuild.block(old, list(block.arguments))
        with last.location:
            attributes = {name: last.attributes[name] for name in last.attributes}
            ir.Operation.create(last.name, [], ends, attributes)


def check_type(op: ir.Operation | ir.OpView, type_: ir.Type) -> None:
    """Refuses types that core IR has not."""
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    if isinstance(type_, ir.RankedTensorType) and type_.encoding is not None:
        refuse(op, f"has a value of type {type_}; give tensors without an encoding")
    if str(element) not in (*ELEMENTS, "index"):
        refuse(op, f"has a value of type {type_}; give numbers and tensors of {', '.join(ELEMENTS)}")


def core_type(type_: ir.Type) -> ir.Type:
    """The type in core IR: a scalar for an array without axes."""
    return type_.element_type if isinstance(type_, ir.RankedTensorType) and type_.rank == 0 else type_
