"""Slots: which operands, block arguments, yielded values and results of an operator live and die together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tapeless._mlir import ir

Place = tuple[int, int]


@dataclass(frozen=True)
class Slot:
    """One component of an operator; places are (region, position)."""

    operands: tuple[int, ...] = ()
    arguments: tuple[Place, ...] = ()
    yields: tuple[Place, ...] = ()
    results: tuple[int, ...] = ()


def slots_of(op: ir.OpView) -> list[Slot]:
    """The slots of a structured operation; what is in no slot is needed whenever the operation is."""
    return SLOTS[op.operation.name](op)


def is_structured(name: str) -> bool:
    """Whether an operation of this name has slots."""
    return name in SLOTS


def _segments(op: ir.OpView) -> list[int]:
    return list(op.attributes["operandSegmentSizes"])


def _map(op: ir.OpView) -> list[Slot]:
    _, inputs, accs = _segments(op)
    arrays = len(op.results) - accs
    read = [Slot(operands=(1 + k,), arguments=((0, 1 + k),)) for k in range(inputs)]
    written = [Slot(yields=((0, k),), results=(k,)) for k in range(arrays)]
    summed = [Slot((1 + inputs + k,), ((0, 1 + inputs + k),), ((0, arrays + k),), (arrays + k,)) for k in range(accs)]
    return read + written + summed


def _combining(groups_before: int) -> Callable[[ir.OpView], list[Slot]]:
    """Operators on d-tuples whose operand groups after the first `groups_before` operands all have d members."""

    def slots(op: ir.OpView) -> list[Slot]:
        d = len(op.results)
        groups = (len(op.operands) - groups_before) // d if d else 0
        return [
            Slot(tuple(groups_before + g * d + k for g in range(groups)), ((0, k), (0, d + k)), ((0, k),), (k,))
            for k in range(d)
        ]

    return slots


def _fused(op: ir.OpView) -> list[Slot]:
    _, inputs, reduced, scanned = _segments(op)
    read = [Slot(operands=(1 + k,), arguments=((0, 1 + k),)) for k in range(inputs)]

    def combined(region: int, size: int, first: int) -> list[Slot]:
        return [
            Slot(
                operands=(1 + inputs + first + k,),
                arguments=((region, k), (region, size + k)),
                yields=((0, first + k), (region, k)),
                results=(first + k,),
            )
            for k in range(size)
        ]

    both = reduced + scanned
    mapped = [Slot(yields=((0, k),), results=(k,)) for k in range(both, len(op.results))]
    return read + combined(1, reduced, 0) + combined(2, scanned, reduced) + mapped


def _fused_hist(op: ir.OpView) -> list[Slot]:
    """The key, which the lift yields first, belongs to no slot."""
    _, inputs, dests, _ = _segments(op)
    read = [Slot(operands=(1 + k,), arguments=((0, 1 + k),)) for k in range(inputs)]
    counted = [
        Slot(
            operands=(1 + inputs + k, 1 + inputs + dests + k),
            arguments=((1, k), (1, dests + k)),
            yields=((0, 1 + k), (1, k)),
            results=(k,),
        )
        for k in range(dests)
    ]
    return read + counted


def _with_acc(op: ir.OpView) -> list[Slot]:
    dests = len(op.operands)
    summed = [Slot((k,), ((0, k),), ((0, k),), (k,)) for k in range(dests)]
    return summed + [Slot(yields=((0, k),), results=(k,)) for k in range(dests, len(op.results))]


def _for(op: ir.OpView) -> list[Slot]:
    return [Slot((3 + k,), ((0, 1 + k),), ((0, k),), (k,)) for k in range(len(op.results))]


def _if(op: ir.OpView) -> list[Slot]:
    return [Slot(yields=((0, k), (1, k)), results=(k,)) for k in range(len(op.results))]


def _while(op: ir.OpView) -> list[Slot]:
    carried = [Slot((k,), ((0, k),), ((1, k),)) for k in range(len(op.operands))]
    passed = [Slot((), ((1, k),), ((0, 1 + k),), (k,)) for k in range(len(op.results))]
    return carried + passed


SLOTS: dict[str, Callable[[ir.OpView], list[Slot]]] = {
    "soac.map": _map,
    "soac.reduce": _combining(1),
    "soac.scan": _combining(1),
    "soac.hist": _combining(2),
    "soac.fused": _fused,
    "soac.fused_hist": _fused_hist,
    "soac.with_acc": _with_acc,
    "scf.for": _for,
    "scf.if": _if,
    "scf.while": _while,
}
