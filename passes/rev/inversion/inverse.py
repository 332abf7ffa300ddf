"""The inverse of a procedure: its statements in reverse order, each replaced by the one that undoes it."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.passes.rev.blocks import body_blocks, parts

KINDS = {"add": "sub", "sub": "add", "xor": "xor"}
# On statements on shadows of a compute block whose targets are fresh: the last leg is the first one of the inverse.
LEG, BOTH = "leg", "both"
LEGS = {"first": "last", "last": "first", BOTH: BOTH}
Inverse = Callable[[ir.OpView], None]


def invert(op: ir.OpView) -> None:
    """Turns a statement, or a procedure, into its inverse in place."""
    if LEG in op.attributes:
        op.attributes[LEG] = ir.StringAttr.get(LEGS[op.attributes[LEG].value], op.context)
    INVERSES[op.operation.name](op)


def invert_bodies(op: ir.OpView) -> None:
    """Inverts every block of statements of an operation; their pure operations stay in front, where
    all can use them.
    """
    for block in list(body_blocks(op)):
        invert_block(block)


def invert_block(block: ir.Block) -> None:
    """Reverses the statements of a block, each with its own pure operations, and inverts each."""
    for unit in reversed(parts(block).units):
        for op in unit:
            block.append(op.operation)
        invert(unit[-1])


def _is_its_own(op: ir.OpView) -> None:
    """Nothing changes."""


def _with_other_kind(op: ir.OpView) -> None:
    op.attributes["kind"] = ir.StringAttr.get(KINDS[op.kind.value], op.context)


def _flipped(name: str) -> Inverse:
    def flip(op: ir.OpView) -> None:
        op.attributes[name] = ir.BoolAttr.get(not op.attributes[name].value, op.context)
        invert_bodies(op)

    return flip


def _with_ends_exchanged(op: ir.OpView) -> None:
    """Exchanges pre- and postcondition, the first two regions; an empty second one means the same as the first."""
    before, after = op.operation.regions[0], op.operation.regions[1]
    if len(after.blocks):
        before.blocks[0].append_to(after)
        after.blocks[0].append_to(before)
    invert_bodies(op)


def _with_use_inverted(op: ir.OpView) -> None:
    """Inverts only the statements between computing and uncomputing."""
    invert_block(op.use.blocks[0])


def _renamed(name: str) -> Inverse:
    def rename(op: ir.OpView) -> None:
        with ir.InsertionPoint(op), op.location:
            ir.Operation.create(
                name,
                operands=list(op.operation.operands),
                attributes={key: op.attributes[key] for key in op.attributes},
            )
        op.operation.erase()

    return rename


INVERSES: dict[str, Inverse] = {
    "rev.func": invert_bodies,
    "rev.accum": _with_other_kind,
    "rev.scale": _flipped("divide"),
    "rev.stretch": _flipped("divide"),
    "rev.swap": _is_its_own,
    "rev.neg": _is_its_own,
    "rev.recip": _is_its_own,
    "rev.hadamard": _is_its_own,
    "rev.rot": _flipped("inv"),
    "rev.call": _flipped("inv"),
    "rev.for": _flipped("reversed"),
    "rev.parallel": invert_bodies,
    "rev.if": _with_ends_exchanged,
    "rev.while": _with_ends_exchanged,
    "rev.ancilla": _with_ends_exchanged,
    "rev.compute": _with_use_inverted,
    "rev.push": _renamed("rev.pop"),
    "rev.pop": _renamed("rev.push"),
    "rev.safe": _is_its_own,
    "rev.chain": _with_other_kind,
}
