"""Functions taken from the C library, lane by lane."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, func, ir, scf, vector
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.math.lanes import Lanes, element_type

Code = Callable[..., Lanes]

DYNAMIC_POSITION = -(2**63)


@dataclass(frozen=True)
class Guarded:
    """Code for arguments below a limit, and the op of the C library's function for the others."""

    code: Code
    limit: float
    fallback: str


def each_lane(compute: Callable[[Sequence[ir.Value]], ir.Value], *operands: Lanes) -> Lanes:
    """Applies a scalar computation to every lane, in a loop that keeps the code small."""
    vectors = [operand.value for operand in operands]
    lanes = vectors[0].type
    if not isinstance(lanes, ir.VectorType):
        return Lanes(compute(vectors))
    bounds = (0, lanes.shape[0], 1)
    loop = scf.ForOp(*(arith.constant(ir.IndexType.get(), bound) for bound in bounds), [vectors[0]])
    with ir.InsertionPoint(loop.body):
        lane = loop.induction_variable
        result = compute([extract(source, lane) for source in vectors])
        scf.YieldOp([insert(result, loop.inner_iter_args[0], lane)])
    return Lanes(loop.results[0])


def extract(source: ir.Value, lane: ir.Value) -> ir.Value:
    position = ir.DenseI64ArrayAttr.get([DYNAMIC_POSITION])
    return vector.ExtractOp(source, [lane], position, results=[element_type(source.type)]).result


def insert(scalar: ir.Value, target: ir.Value, lane: ir.Value) -> ir.Value:
    return vector.InsertOp(scalar, target, [lane], ir.DenseI64ArrayAttr.get([DYNAMIC_POSITION])).result


def library_call(symbol: str) -> Code:
    """A function of the C library; the single precision one has an `f` at its end."""

    def call(*operands: Lanes) -> Lanes:
        element = operands[0].element
        name = symbol if element.width == 64 else symbol + "f"
        declare(name, element, len(operands))
        return each_lane(lambda scalars: func.CallOp([element], name, list(scalars)).result, *operands)

    return call


def declare(name: str, element: ir.Type, arity: int) -> None:
    """Adds the declaration to the module under construction, once."""
    module = ir.InsertionPoint.current.block.owner.parent
    if name not in ir.SymbolTable(module):
        with ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0]):
            func.FuncOp(name, ([element] * arity, [element]), visibility="private")


lgamma = library_call("lgamma")
