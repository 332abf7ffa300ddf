"""Sums of products in one block, written again with common factors taken out of the sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass

ADDITIONS = ("arith.addf", "arith.subf")
LINEAR = (*ADDITIONS, "arith.negf", "arith.mulf")
MAKERS = {"arith.addf": arith.AddFOp, "arith.subf": arith.SubFOp, "arith.mulf": arith.MulFOp}
LONGEST_SUM = 64
MOST_FACTORS = 8
WORTHWHILE = 0.9  # a product that is added costs nothing by itself, so fewer operations may take as long


@dataclass(frozen=True)
class Term:
    """`base` times one factor after the other, perhaps negated."""

    base: ir.Value
    factors: tuple[ir.Value, ...] = ()
    is_negative: bool = False

    def times(self, factor: ir.Value) -> Term:
        return replace(self, factors=(*self.factors, factor))

    def without(self, factors: Iterable[ir.Value]) -> Term:
        """The term divided by some of its factors."""
        left_out, kept = Counter(factors), []
        for factor in self.factors:
            if left_out[factor]:
                left_out[factor] -= 1
            else:
                kept.append(factor)
        return replace(self, factors=tuple(kept))

    def negated(self, is_negated: bool = True) -> Term:
        return replace(self, is_negative=self.is_negative != is_negated)


class Rewriter:
    """Follows the sums and products of a block in order, and emits each where its value is first needed."""

    def __init__(self, block: ir.Block) -> None:
        self.block = block
        self.terms: dict[ir.Value, Term] = {}
        self.sums: dict[ir.Value, list[Term]] = {}
        self.made: dict[tuple[str, ir.Value, ir.Value], ir.Value] = {}
        self.created: list[ir.Operation] = []
        self.needed: list[tuple[ir.Value, ir.Value]] = []

    def run(self) -> None:
        """Replaces the block's sums and products when that leaves clearly fewer of them."""
        ops = [op for op in self.block.operations if is_linear(op)]
        if not any(op.operation.name in ADDITIONS for op in ops):
            return
        for op in ops:
            with ir.InsertionPoint(op), op.location:
                self._visit(op)
        if len(self.created) < WORTHWHILE * len(ops):
            for old, new in self.needed:
                old.replace_all_uses_with(new)
            _erase([op.operation for op in ops])
        else:
            _erase(self.created)

    def _visit(self, op: ir.OpView) -> None:
        self.flags = op.operation.attributes["fastmath"]
        result, operands = op.operation.results[0], list(op.operation.operands)
        if op.operation.name == "arith.mulf":
            self.terms[result] = self._product(*operands)
        else:
            last_is_negated = op.operation.name != "arith.addf"
            terms = [term for value in operands[:-1] for term in self._take(value)]
            terms += [term.negated(last_is_negated) for term in self._take(operands[-1])]
            if self._is_summand(result) and len(terms) < LONGEST_SUM:
                self.sums[result] = terms
                return
            self.terms[result] = self._factored(terms)
        if any(not self._follows(use.owner) for use in result.uses):
            self.needed.append((result, self._value(self.terms[result])))

    def _product(self, value: ir.Value, factor: ir.Value) -> Term:
        term = self._term(value).times(self._value(self._term(factor)))
        return term if len(term.factors) < MOST_FACTORS else Term(self._value(term))

    def _term(self, value: ir.Value) -> Term:
        return self.terms.get(value, Term(value))

    def _take(self, value: ir.Value) -> list[Term]:
        """The terms of a sum that is emitted with another one, or the value as a single term."""
        return self.sums.pop(value) if value in self.sums else [self._term(value)]

    def _is_summand(self, value: ir.Value) -> bool:
        """Whether a value is needed for one sum and nothing else."""
        uses = list(value.uses)
        return len(uses) == 1 and self._follows(uses[0].owner) and uses[0].owner.operation.name != "arith.mulf"

    def _follows(self, op: ir.OpView) -> bool:
        """Whether this rewriter visits an operation that uses a value of the block."""
        return op.operation.block == self.block and is_linear(op)

    def _factored(self, terms: Sequence[Term]) -> Term:
        """The sum of terms as a single term: the common factors are taken out."""
        common = Counter(terms[0].factors)
        for term in terms[1:]:
            common &= Counter(term.factors)
        factors = tuple(common.elements())
        if len(terms) == 1:
            return terms[0]
        total = self._total([term.without(factors) for term in terms])
        return replace(total, factors=(*total.factors, *factors))

    def _total(self, terms: list[Term]) -> Term:
        """The sum of terms; those that share a factor are summed up before it is applied, the most shared one first."""
        while (factor := _most_shared(terms)) is not None:
            group = [term for term in terms if factor in term.factors]
            first = terms.index(group[0])
            joined = self._factored([term.without([factor]) for term in group]).times(factor)
            terms = [term for term in terms if factor not in term.factors]
            terms.insert(first, joined)
            if len(terms) == 1:
                return joined
        return self._sum(terms)

    def _sum(self, terms: Sequence[Term]) -> Term:
        """Terms without a common factor, added up; a sum of nothing but negative ones is negated."""
        is_negative = all(term.is_negative for term in terms)
        added = [term for term in terms if term.is_negative == is_negative]
        subtracted = [term for term in terms if term.is_negative != is_negative]
        total = self._magnitude(added[0])
        for term in added[1:]:
            total = self._emit("arith.addf", total, self._magnitude(term))
        for term in subtracted:
            total = self._emit("arith.subf", total, self._magnitude(term))
        return Term(total, is_negative=is_negative)

    def _value(self, term: Term) -> ir.Value:
        value = self._magnitude(term)
        if not term.is_negative:
            return value
        return self._record(arith.NegFOp(value, fastmath=self.flags))

    def _magnitude(self, term: Term) -> ir.Value:
        value = term.base
        for factor in term.factors:
            value = self._emit("arith.mulf", value, factor)
        return value

    def _emit(self, name: str, left: ir.Value, right: ir.Value) -> ir.Value:
        """An operation, or an earlier one with the same operands."""
        key = (name, left, right)
        if key not in self.made:
            self.made[key] = self._record(MAKERS[name](left, right, fastmath=self.flags))
        return self.made[key]

    def _record(self, op: ir.OpView) -> ir.Value:
        self.created.append(op.operation)
        return op.operation.results[0]


def is_linear(op: ir.OpView) -> bool:
    """Whether an operation on numbers is a sum, a negation or a product whose order is free."""
    if op.operation.name not in LINEAR or not isinstance(op.operation.results[0].type, ir.F64Type | ir.F32Type):
        return False
    return "reassoc" in str(op.operation.attributes["fastmath"])


def _most_shared(terms: Sequence[Term]) -> ir.Value | None:
    """The factor that most terms have, if any two have one."""
    shares = Counter(factor for term in terms for factor in dict.fromkeys(term.factors))
    factor, share = max(shares.items(), key=lambda item: item[1], default=(None, 0))
    return factor if share > 1 else None


def _erase(ops: Sequence[ir.Operation]) -> None:
    for op in reversed(ops):
        op.erase()
