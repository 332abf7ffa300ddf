"""Values that LLVM leaves undefined are given one, so that no check of theirs can be optimised away.

- A bool in memory is any byte: what is not 0 is true. As an `i1`, LLVM takes bytes other than 0 and 1 for impossible.
- A constant that is no integer, such as NaN, becomes some integer when it is converted, the same one wherever it is
  used. Other floats become what the processor makes of them.
"""

from __future__ import annotations

from tapeless._mlir import ir

NOT_EQUAL = 1


def define_values(function: ir.Operation) -> None:
    """Rewrites the loads of bools and the conversions to integers of a function of the llvm dialect."""
    loads: list[ir.Operation] = []
    conversions: list[ir.Operation] = []

    def collect(op: ir.Operation) -> ir.WalkResult:
        if op.name == "llvm.load" and _is_bit(op.results[0].type):
            loads.append(op)
        elif op.name == "llvm.fptosi" and _is_constant(op.operands[0]):
            conversions.append(op)
        return ir.WalkResult.ADVANCE

    function.walk(collect)
    for load in loads:
        _load_byte(load)
    for conversion in conversions:
        _freeze(conversion)


def _is_bit(type_: ir.Type) -> bool:
    return isinstance(type_, ir.IntegerType) and type_.width == 1


def _is_constant(value: ir.Value) -> bool:
    return not isinstance(value, ir.BlockArgument) and value.owner.operation.name == "llvm.mlir.constant"


def _load_byte(load: ir.Operation) -> None:
    byte = ir.IntegerType.get_signless(8)
    attributes = {name: load.attributes[name] for name in load.attributes}
    with ir.InsertionPoint(load), load.location:
        loaded = ir.Operation.create("llvm.load", [byte], list(load.operands), attributes).result
        zero = ir.Operation.create("llvm.mlir.constant", [byte], [], {"value": ir.IntegerAttr.get(byte, 0)}).result
        predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), NOT_EQUAL)
        is_true = ir.Operation.create(
            "llvm.icmp", [load.results[0].type], [loaded, zero], {"predicate": predicate}
        ).result
    load.results[0].replace_all_uses_with(is_true)
    load.erase()


def _freeze(conversion: ir.Operation) -> None:
    result = conversion.results[0]
    uses = list(result.uses)
    with ir.InsertionPoint.after(conversion), conversion.location:
        fixed = ir.Operation.create("llvm.freeze", [result.type], [result]).result
    for use in uses:
        use.owner.operands[use.operand_number] = fixed
