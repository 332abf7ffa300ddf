"""The return sweep over one scope: run it forward again, then every statement's rule in reverse order."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import field, replace
from typing import Any, TypeVar, cast

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import NoRuleError
from tapeless.passes.ad.activity import Activity
from tapeless.passes.ad.copying import Values, copy_op, repeat_op
from tapeless.passes.ad.redundant.control.promised import PromisedArrays
from tapeless.passes.ad.redundant.scope.bars import Bars
from tapeless.passes.ad.refusals import refusal
from tapeless.passes.ir.places.places import Place
from tapeless.passes.ir.scopes import terminator
from tapeless.passes.ir.sizes.shapes import lasting_search
from tapeless.passes.ir.sizes.size_search import Search

Rule = Callable[["Sweep", ir.OpView], None]
Value = TypeVar("Value")


@dataclass(frozen=True)
class Rules:
    """How ops run forward in a differentiated scope (a plain copy where nothing is said) and how they run back."""

    forward: Mapping[str, Rule]
    back: Mapping[str, Rule]

    def but(self, *, forward: dict[str, Rule] | None = None, back: dict[str, Rule] | None = None) -> Rules:
        """These rules with others for some operations; the others are not looked up."""
        return Rules(changed(self.forward, forward or {}), changed(self.back, back or {}))


def changed(table: Mapping[str, Value], others: Mapping[str, Value]) -> Mapping[str, Value]:
    """A table with other entries for some keys; none of it is looked up."""
    return ChainMap(*(cast("MutableMapping[str, Value]", each) for each in (others, table)))


@dataclass
class Sweep:
    """One scope under differentiation; rules call its methods at the current insertion point.

    `values` maps primal values to their (re-)executed copies and is shared by all scopes of one derivative; `saved`
    holds what a forward rule leaves for its return rule; `bars` are the adjoints of this scope; `repeats` tells that
    the scope has been executed before, `given` holds what was kept from then; `promised` tells which writes need
    not run again; `sizes` are those of primal arrays, found once each; `written` are the places of writes that made
    adjoints, `found` is what else rules find out once.
    """

    rules: Rules
    activity: Activity
    values: Values
    bars: Bars
    saved: dict[ir.Value, Any] = field(default_factory=dict)
    repeats: bool = False
    promised: PromisedArrays = field(default_factory=PromisedArrays)
    given: dict[ir.Value, ir.Value] = field(default_factory=dict)
    sizes: Search = field(default_factory=lasting_search)
    written: dict[ir.Value, Place] = field(default_factory=dict)
    found: dict[ir.Value, Any] = field(default_factory=dict)

    @staticmethod
    def start(rules: Rules, activity: Activity, values: Values) -> Sweep:
        """The outermost scope of a derivative."""
        return Sweep(rules, activity, values, Bars(activity))

    def scope(self) -> Sweep:
        """A scope inside this one, with adjoints of its own."""
        return replace(self, bars=Bars(self.activity), repeats=True, given={})

    def primal(self, value: ir.Value) -> ir.Value:
        """The executed copy of a primal value."""
        return self.values.get(value, value)

    def primals(self, values: Iterable[ir.Value]) -> list[ir.Value]:
        """The executed copies of primal values."""
        return [self.primal(value) for value in values]

    def bind(self, names: Iterable[ir.Value], values: Iterable[ir.Value]) -> None:
        """Lets the primal values `names` mean `values` from here on."""
        self.values.update(zip(names, values, strict=True))

    def free_active(self, op: ir.OpView) -> list[ir.Value]:
        """The active values from outside that the regions of `op` read."""
        return self.activity.free_in(op)

    def run_forward(self, block: ir.Block) -> None:
        """Emits the scope's statements, with the residuals for their return rules."""
        for op in _statements(block):
            self.step(op)

    def step(self, op: ir.OpView) -> None:
        """Emits one statement, with the residuals for its return rule."""
        if self._take_given(op) or self.take_promised(op):
            return
        with op.location:
            forward = self.rules.forward.get(op.operation.name)
            if forward is not None and self._is_active(op):
                forward(self, op)
            else:
                self.copy(op)

    def save(self, op: ir.OpView, what: object) -> None:
        """Leaves something for the return rule of `op`, found by its first result."""
        self.saved[op.operation.results[0]] = what

    def _take_given(self, op: ir.OpView) -> bool:
        """Whether the results of `op` are stored already, so that it need not run again."""
        results = list(op.operation.results)
        if not results or not all(result in self.given for result in results):
            return False
        self.forget(op)
        self.bind(results, [self.given[result] for result in results])
        return True

    def take_promised(self, op: ir.OpView) -> bool:
        """Whether `op` writes the values that are there already, so that it need not run again."""
        array = self.promised.skips(op, self.values)
        if array is None:
            return False
        self.bind(op.operation.results, [array])
        return True

    def forget(self, op: ir.OpView) -> None:
        """Drops the residuals of an earlier execution of `op`, which belong to another scope."""
        for result in list(op.operation.results)[:1]:
            self.saved.pop(result, None)

    def copy(self, op: ir.OpView) -> None:
        """A statement as it is; a scope that runs again leaves out checks."""
        self.forget(op)
        (repeat_op if self.repeats else copy_op)(op, self.values)

    def run_back(self, block: ir.Block) -> None:
        """Emits the adjoint of every statement that has one, last first."""
        for op in reversed(_statements(block)):
            if self._has_bar(op):
                with op.location:
                    self._rule(op)(self, op)

    def differentiate(self, block: ir.Block, seeds: Sequence[ir.Value | None], read: Sequence[ir.Value] = ()) -> None:
        """Both sweeps over a scope whose results have the adjoints `seeds`; of these, only `read` are known after it.

        A branch whose values are results and nothing else does not run forward: its return rule runs it once more. So a
        chain of branches, each in the one before, is written once and not once for each of them.
        """
        for op in _statements(block):
            if _is_result_alone(op, read):
                self.forget(op)
            else:
                self.step(op)
        self.pull(block, seeds)

    def pull(self, block: ir.Block, seeds: Sequence[ir.Value | None]) -> None:
        """The return sweep over an executed scope whose results have the adjoints `seeds`."""
        for value, seed in zip(terminator(block).operands, seeds, strict=True):
            self.bars.add(value, seed)
        self.run_back(block)

    def _has_bar(self, op: ir.OpView) -> bool:
        return any(self.bars.has(result) for result in op.operation.results)

    def _is_active(self, op: ir.OpView) -> bool:
        return self.activity.any(op.operation.results)

    def _rule(self, op: ir.OpView) -> Rule:
        name = op.operation.name
        if name not in self.rules.back:
            raise refusal(NoRuleError, op, "has no derivative rule; give one with custom_vjp")
        return self.rules.back[name]


def _statements(block: ir.Block) -> list[ir.OpView]:
    return list(block.operations)[:-1]


def _is_result_alone(op: ir.OpView, read: Sequence[ir.Value]) -> bool:
    """Whether an operation is a branch that only the end of its block reads, and whose values nobody asks for."""
    if op.operation.name != "scf.if" or any(result in read for result in op.operation.results):
        return False
    return all(
        use.owner.operation.name == "scf.yield" and use.owner.operation.block == op.operation.block
        for result in op.operation.results
        for use in result.uses
    )
