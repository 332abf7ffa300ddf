"""Proofs that an integer of a program is not negative, by the bounds of its terms."""

from __future__ import annotations

from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.expressions import Computed, Dim
from tapeless.passes.lower.storage.plan_check.affine import Affine, Atom, Distance, Elsewhere, affine, single
from tapeless.passes.lower.storage.plan_check.iterations import elsewhere
from tapeless.passes.lower.storage.tree import Node

DEPTH = 6
PRODUCTS = frozenset({"arith.muli", "arith.divsi", "arith.floordivsi", "arith.ceildivsi"})
# Ways to bound an atom; each gives expressions that the atom is between, or of which it is one.
Bounds: TypeAlias = list[list[Affine]]


def is_not_negative(value: Affine, depth: int = DEPTH) -> bool:
    """Whether an expression is provably zero or more."""
    if not value.terms:
        return value.constant >= 0
    if depth == 0:
        return False
    for atom, count in value.terms:
        rest = value.plus(single(atom), -count)
        for bounds in lows(atom) if count > 0 else highs(atom):
            if all(is_not_negative(rest.plus(bound, count), depth - 1) for bound in bounds):
                return True
    return False


def lows(atom: Atom) -> Bounds:
    """Lower bounds of an atom: one of several for a maximum, both together for a minimum."""
    if isinstance(atom, Distance):
        return [[Affine(1)]]
    if isinstance(atom, (Dim, Node)):
        return [[Affine(0)]]
    if isinstance(atom, Elsewhere):
        return [[elsewhere(bound, atom.loop) for bound in bounds] for bounds in lows(atom.atom)]
    if isinstance(atom, Computed):
        return [[Affine(0)]] if _is_product_of_sizes(atom) else _of_extreme(atom, "arith.maxsi", "arith.minsi")
    loop = _loop_of_index(atom)
    if loop is None:
        return []
    return [[affine(loop.operands[0]) if loop.operation.name == "scf.for" else Affine(0)]]


def highs(atom: Atom) -> Bounds:
    """Upper bounds of an atom."""
    if isinstance(atom, Elsewhere):
        return [[elsewhere(bound, atom.loop) for bound in bounds] for bounds in highs(atom.atom)]
    if isinstance(atom, Computed):
        return _of_extreme(atom, "arith.minsi", "arith.maxsi")
    loop = _loop_of_index(atom)
    if loop is None:
        return []
    return [[affine(loop.operands[1 if loop.operation.name == "scf.for" else 0]).moved(-1)]]


def _is_product_of_sizes(atom: Computed) -> bool:
    """Whether an atom is a product, or a quotient, of numbers that are not negative."""
    return atom.name in PRODUCTS and all(is_not_negative(affine(operand)) for operand in atom.operands)


def _of_extreme(atom: Computed, either: str, both: str) -> Bounds:
    operands = [affine(operand) for operand in atom.operands]
    if atom.name == either:
        return [[operand] for operand in operands]
    return [operands] if atom.name == both else []


def _loop_of_index(atom: Atom) -> ir.OpView | None:
    """The loop whose index an atom is."""
    if not isinstance(atom, ir.BlockArgument) or atom.arg_number != 0:
        return None
    holder = atom.owner.owner
    first = holder.regions[0].blocks[0] == atom.owner
    return holder if first and holder.operation.name in ("scf.for", "soac.map", "soac.fused") else None
