"""The estimated work of a thread of each kernel, and its line of the source: for those who look at a plan.

The work of a kernel is an expression of its parameters, `p1`, `p2`, ... by their numbers, of `blocks` and `threads`,
the sizes of the launch: a unit for each operation, times the lengths of the loops around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from tapeless._mlir import ir
from tapeless.passes.diagnostics import place_of
from tapeless.passes.lower.launches.kernels.contents import Contents
from tapeless.passes.lower.launches.plan.integers import (
    added,
    constant,
    expression,
    is_expression,
    largest,
    product,
    steps,
)
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.lower.launches.plan.values import is_integer
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT

CAST = "builtin.unrealized_conversion_cast"
# Units of operations by their names or the first part of these; all others count one.
FREE = frozenset(
    {
        "arith.constant",
        "arith.index_cast",
        CAST,
        "gpu.return",
        "llvm.insertvalue",
        "llvm.mlir.undef",
        "memref.cast",
        "memref.dim",
        "memref.reinterpret_cast",
        "scf.yield",
        "scf.condition",
    }
)
UNITS_OF_FUNCTIONS = 16
FUNCTIONS = ("math.", "func.call", "llvm.call")
# Loops whose length only memory tells, and short ones, are taken to be so long.
UNKNOWN_LENGTH = 16
# Where a thread is: the first of the first block, which has no less to do than others.
POSITIONS: dict[str, Expr] = {
    "gpu.block_id": 0,
    "gpu.thread_id": 0,
    "gpu.block_dim": "threads",
    "gpu.grid_dim": "blocks",
}
# Lengths of loops of more terms than this are not worth the room that they take in a plan, in which each has its own.
MOST_TERMS = 24


def tell_work(kernels: Sequence[Contents], entries: dict[str, dict[str, Any]]) -> None:
    """Adds to a plan's kernels the work of a thread, where that stands in the source, and whether threads take memory
    from the heap of the device.
    """
    for contents in kernels:
        kernel = contents.function
        entry = entries[ir.StringAttr(kernel.attributes["sym_name"]).value]
        entry["work"] = _Thread(kernel).work()
        if contents.allocations:
            entry["allocates"] = True
        line = _line(kernel)
        if line is not None:
            entry["line"] = line


class _Thread:
    """One thread of a kernel; `sizes` has the known integers."""

    def __init__(self, kernel: ir.Operation) -> None:
        self._block = kernel.regions[0].blocks[0]
        self._known: dict[ir.Value, Expr | None] = {
            argument: f"p{number}" for number, argument in enumerate(self._block.arguments) if number
        }
        self._terms: dict[int, int] = {}
        """Of lists that are known, or parts of such, which therefore stay where they are."""

    def work(self) -> Expr:
        return self._of_block(self._block)

    def _of_block(self, block: ir.Block) -> Expr:
        return _total([self._of(view.operation) for view in block.operations])

    def _of(self, op: ir.Operation) -> Expr:
        name = op.name
        if name in FREE:
            return 0
        if not len(op.regions):
            return UNITS_OF_FUNCTIONS if name.startswith(FUNCTIONS) else 1
        if name == "scf.for":
            return self._of_loop(op)
        parts = [self._of_block(block) for region in op.regions for block in region.blocks]
        if name == "scf.while":
            return product([UNKNOWN_LENGTH, _sum(parts[0], parts[1])])
        if len(parts) == 2 and name == "scf.if" and (condition := self._size(op.operands[0])) is not None:
            return ["select", "index", condition, *parts]
        return largest(parts)

    def _of_loop(self, op: ir.Operation) -> Expr:
        bounds = [self._size(bound) for bound in list(op.operands)[:3]]
        block = op.regions[0].blocks[0]
        length: Expr = UNKNOWN_LENGTH
        low, high, step = bounds
        if low is not None and high is not None and step is not None:
            length = UNKNOWN_LENGTH if _is_short(op) else steps(low, high, step)
            self._known[block.arguments[0]] = _middle(low, high)
        inside = self._of_block(block)
        return 0 if inside == 0 else _product(inside, length)

    def _size(self, value: ir.Value) -> Expr | None:
        """The host's expression of an integer, if it has one."""
        if value not in self._known:
            is_made = isinstance(value, ir.OpResult)
            self._known[value] = self._made(value.owner.operation) if is_made else None
        return self._known[value]

    def _made(self, op: ir.Operation) -> Expr | None:
        if op.name in POSITIONS:
            return POSITIONS[op.name]
        if op.name == "arith.constant":
            return constant(op) if is_integer(op.results[0].type) else None
        if op.name == "memref.dim":
            return self._axis(op)
        if not is_expression(op):
            return None
        operands = [self._size(operand) for operand in op.operands]
        found = [operand for operand in operands if operand is not None]
        if len(found) < len(operands) or sum(map(self._terms_of, found)) > MOST_TERMS:
            return None
        return _shortened(op, found)

    def _terms_of(self, expr: Expr) -> int:
        """The number of parameters and numbers in a known expression, which has parts in common with others."""
        if not isinstance(expr, list):
            return 1
        if id(expr) not in self._terms:
            self._terms[id(expr)] = sum(map(self._terms_of, expr[2:]))
        return self._terms[id(expr)]

    def _axis(self, op: ir.Operation) -> Expr | None:
        """The size of an array that the kernel was given, which stands in its descriptor."""
        array, axis = op.operands[0], self._size(op.operands[1])
        while isinstance(array, ir.OpResult) and array.owner.operation.name in ("memref.cast", CAST):
            array = array.owner.operation.operands[0]
        while isinstance(array, ir.OpResult) and array.owner.operation.name == "llvm.insertvalue":
            field = array.owner.operation
            if list(ir.DenseI64ArrayAttr(field.attributes["position"])) == [3, axis]:
                return self._size(field.operands[1])
            array = field.operands[0]
        return None


def _is_short(loop: ir.Operation) -> bool:
    """Whether a loop is one over the remainder, as a thread with several iterations has at the end of an array."""
    return ATTRIBUTE in loop.attributes and loop.attributes[ATTRIBUTE] == ir.Attribute.parse(SHORT)


def _shortened(op: ir.Operation, operands: list[Expr]) -> Expr:
    """The result of an operation, without terms that add nothing."""
    if op.name == "arith.index_cast":
        return operands[0]
    if op.name == "arith.muli" and 0 in operands:
        return 0
    if op.name == "arith.muli" and 1 in operands:
        return operands[1 - operands.index(1)]
    return _sum(*operands) if op.name == "arith.addi" else expression(op, operands)


def _sum(left: Expr, right: Expr) -> Expr:
    return left if right == 0 else right if left == 0 else added(left, right)


def _total(parts: list[Expr]) -> Expr:
    """The sum of many parts, as an expression that is nested as little as possible."""
    terms = [part for part in parts if not isinstance(part, int)]
    units = sum(part for part in parts if isinstance(part, int))
    while len(terms) > 1:
        terms = [
            _sum(*terms[place : place + 2]) if place + 1 < len(terms) else terms[place]
            for place in range(0, len(terms), 2)
        ]
    return _sum(terms[0], units) if terms else units


def _product(inside: Expr, length: Expr) -> Expr:
    return inside if length == 1 else product([inside, length])


def _middle(low: Expr, high: Expr) -> Expr:
    """The representative of a loop's index in the bounds of others."""
    total = added(low, high)
    return total // 2 if isinstance(total, int) else ["floordivsi", "index", total, 2]


def _line(kernel: ir.Operation) -> str | None:
    """The line of the source that most operations of a kernel come from."""
    locations: Counter[ir.Attribute] = Counter()

    def visit(op: ir.Operation) -> ir.WalkResult:
        locations[op.location.attr] += 1
        return ir.WalkResult.ADVANCE

    kernel.walk(visit)
    lines: Counter[str] = Counter()
    for location, count in locations.items():
        place = place_of(ir.Location.from_attr(location))
        if place is not None:
            lines[f"{PurePath(place.file).name}:{place.line}"] += count
    return next((line for line, _ in lines.most_common(1)), None)
