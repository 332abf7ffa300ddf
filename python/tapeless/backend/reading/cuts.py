"""Arguments that stand for results, as they are or through a function that has a name."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.backend.reading.functions import find

STOP = "tapeless.stop_gradient"


def close_cuts(module: ir.Module, name: str, cuts: Sequence[str]) -> None:
    """Puts the last results of a function in place of its last arguments, each through what its cut names."""
    function = find(module, name)
    block = function.regions[0].blocks[0]
    end = block.operations[len(block.operations) - 1].operation
    kept = len(end.operands) - len(cuts)
    arguments = list(block.arguments)[len(block.arguments) - len(cuts) :]
    for position, (argument, cut) in enumerate(zip(arguments, cuts, strict=True)):
        value = end.operands[kept + position]  # read here: it may have been an argument before
        if cut == STOP:
            stands = _stopped(module, f"{name}.same{position}", value, end)
        else:
            made = ir.Operation.create(cut, [value.type], [value], loc=end.location, ip=ir.InsertionPoint(end))
            stands = made.results[0]
        argument.replace_all_uses_with(stands)
    _sort(block)
    returned = list(end.operands)[:kept]
    ir.Operation.create(end.name, [], returned, loc=end.location, ip=ir.InsertionPoint(end))
    end.erase()
    keep(function, range(len(block.arguments) - len(cuts)))


def _stopped(module: ir.Module, name: str, value: ir.Value, before: ir.Operation) -> ir.Value:
    """The value through a composite, whose decomposition is the identity."""
    kind = ir.FunctionType.get([value.type], [value.type])
    location = before.location
    attributes = {
        "sym_name": ir.StringAttr.get(name),
        "function_type": ir.TypeAttr.get(kind),
        "sym_visibility": ir.StringAttr.get("private"),
    }
    position = ir.InsertionPoint(module.body)
    same = ir.Operation.create("func.func", [], [], attributes, regions=1, loc=location, ip=position)
    block = same.regions[0].blocks.append(value.type, arg_locs=[location])
    ir.Operation.create("func.return", [], [block.arguments[0]], loc=location, ip=ir.InsertionPoint(block))
    marked = {
        "name": ir.StringAttr.get(STOP),
        "decomposition": ir.FlatSymbolRefAttr.get(name),
        "version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 1),
    }
    made = ir.Operation.create(
        "stablehlo.composite", [value.type], [value], marked, loc=location, ip=ir.InsertionPoint(before)
    )
    return made.results[0]


def _sort(block: ir.Block) -> None:
    """Moves operations behind those whose results they read."""
    *operations, end = [each.operation for each in block.operations]
    placed: set[ir.Operation] = set()
    for operation in operations:
        waiting = [operation]
        while waiting:
            current = waiting[-1]
            needed = [each for each in _producers(current, block) if each not in placed and each != current]
            if needed and current not in placed:
                waiting += needed
                continue
            waiting.pop()
            if current not in placed:
                placed.add(current)
                current.move_before(end)


def _producers(operation: ir.Operation, block: ir.Block) -> list[ir.Operation]:
    """The operations of the block whose results an operation reads, also inside of it."""
    found: list[ir.Operation] = []

    def visit(inner: ir.Operation) -> ir.WalkResult:
        for operand in inner.operands:
            if not isinstance(operand.owner, ir.Block) and operand.owner.operation.block == block:
                found.append(operand.owner.operation)
        return ir.WalkResult.ADVANCE

    operation.walk(visit)
    return found


def keep(function: ir.Operation, arguments: Sequence[int]) -> None:
    """The function with some of its arguments, the others having no uses, and with the results that it returns."""
    block = function.regions[0].blocks[0]
    for position in reversed(range(len(block.arguments))):
        if position not in arguments:
            block.erase_argument(position)
    returned = block.operations[len(block.operations) - 1].operation.operands
    types = [each.type for each in block.arguments], [each.type for each in returned]
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(*types))
    for name in ("arg_attrs", "res_attrs"):
        if name in function.attributes:
            del function.attributes[name]
