"""The state of the walk over a host function: its plan, the places of values, and operations that wait for a kernel.

Operations that work on memory of the device, or on numbers in it, wait (`pending`) until something must happen after
them; all that wait then become one kernel of a single thread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.launches.host.placement import Placement
from tapeless.passes.lower.launches.kernels.kernel import EqualKernels, Kernel, store_scalar
from tapeless.passes.lower.launches.plan.plan import Expr, Plan
from tapeless.passes.lower.launches.plan.values import (
    SLOT_BYTES,
    SLOTS,
    Array,
    HostValue,
    Known,
    Repeated,
    Slot,
    is_memory,
)


@dataclass(frozen=True)
class Moves:
    """Numbers that go to slots, all at once."""

    pairs: tuple[tuple[ir.Value, int], ...]


class Host:
    """One walk; `kernels` is the body of the module that kernels go to, `walk` visits the operations of a block."""

    def __init__(self, function: ir.Operation, kernels: ir.Block, name: str, *, can_fail: bool) -> None:
        self.plan, self.kernels, self.name, self.can_fail = Plan(), kernels, name, can_fail
        self.placement = Placement(function)
        self.env: dict[ir.Value, HostValue] = {}
        self.walk: Callable[[ir.Block], None]
        self.slots = 0
        self.wanted: dict[ir.Value, int] = {}
        """Slots in which branches leave what they hand on, by the values that they hand on."""
        self.made: list[Kernel] = []
        self._kernels = 0
        self._finished = EqualKernels()
        self._pending: list[ir.Operation | Moves] = []
        self._freed: list[Expr] = []
        self._bound_here: list[tuple[ir.Value, HostValue]] = []

    def known(self, value: ir.Value) -> Expr:
        """A number for the host, read from the device if it has to be."""
        found = self.env.get(value)
        if isinstance(found, Known):
            return found.expr
        slot, name = self.settled(value), self.plan.name()
        self.plan.add("read", name=name, type=slot_type(value.type), **{"from": slot_address(slot)})
        self._bind(value, Known(name))
        return name

    def settled(self, value: ir.Value) -> int:
        """The slot of a number, which has been computed when this returns."""
        if isinstance(self.env.get(value), Repeated):
            number = self.new_slot()
            self.wait_for_moves([(value, number)])
            self.flush()
            self._bind(value, Slot(number))
        elif value not in self.env:
            self.flush()
        found = self.env[value]
        assert isinstance(found, Slot)
        return found.number

    def array(self, value: ir.Value) -> Array:
        """Where an array is."""
        found = self.env[value]
        assert isinstance(found, Array)
        return found

    def slot_of_any(self, values: Sequence[ir.Value]) -> int:
        """Where a number is best left that all of these are: where a branch hands it on, else anywhere."""
        wanted = next((self.wanted[value] for value in values if value in self.wanted), None)
        return self.new_slot() if wanted is None else wanted

    def new_slot(self) -> int:
        self.slots += 1
        return self.slots - 1

    @contextmanager
    def region(self, steps: list[dict]) -> Iterator[None]:
        """Fills the steps of a loop or branch; numbers that are read in it are not known behind it."""
        outer, self._bound_here = self._bound_here, []
        with self.plan.within(steps):
            yield
            self.flush()
        for value, before in reversed(self._bound_here):
            self.env[value] = before
        self._bound_here = outer

    def _bind(self, value: ir.Value, found: HostValue) -> None:
        self._bound_here.append((value, self.env[value]))
        self.env[value] = found

    def wait(self, op: ir.Operation) -> None:
        """Has an operation run by the next kernel of one thread."""
        self._pending.append(op)

    def wait_for_moves(self, pairs: Sequence[tuple[ir.Value, int]]) -> None:
        """Has numbers put into slots by the next kernel of one thread, after everything that waits."""
        if pairs:
            self._pending.append(Moves(tuple(pairs)))

    def free(self, address: Expr) -> None:
        """Gives memory back as soon as nothing that waits needs it."""
        if self._pending:
            self._freed.append(address)
        else:
            self.plan.add("free", name=address)

    def flush(self) -> None:
        """Makes a kernel of all that waits."""
        waiting, self._pending = self._pending, []
        if waiting:
            self._run_in_one_thread(waiting)
        freed, self._freed = self._freed, []
        for address in freed:
            self.plan.add("free", name=address)

    def new_kernel(self, *, are_apart: bool) -> Kernel:
        name = f"{_symbol(self.name)}_kernel{self._kernels}"
        self._kernels += 1
        return Kernel(self.env, self.plan, self.kernels, name, are_apart=are_apart)

    def launch(self, kernel: Kernel, blocks: Expr, threads: Expr, shared: Expr = 0) -> None:
        """Has a finished kernel run, with so many bytes of shared memory beside those of its code."""
        kernel.close()
        first = self._finished.first(kernel)
        if first is kernel:
            self.made.append(kernel)
        grid, block = [blocks, 1, 1], [threads, 1, 1]
        self.plan.add("launch", kernel=first.name, grid=grid, block=block, shared=shared, arguments=kernel.arguments)

    def _run_in_one_thread(self, waiting: Sequence[ir.Operation | Moves]) -> None:
        kernel = self.new_kernel(are_apart=False)
        made = [op for op in waiting if not isinstance(op, Moves)]
        uses = _uses_inside(made)
        with ir.Location.unknown(), kernel.begin(can_fail=self.can_fail):
            for item in waiting:
                if isinstance(item, Moves):
                    values = [(kernel.value(value), number) for value, number in item.pairs]
                    for value, number in values:
                        store_scalar(value, kernel.slot(number))
                else:
                    kernel.clone(item)
            for result in [result for op in made for result in op.results]:
                if len(list(result.uses)) > uses[result]:
                    number = self.new_slot()
                    store_scalar(kernel.inner[result], kernel.slot(number))
                    self.env[result] = Slot(number)
        self.launch(kernel, 1, 1)

    def finish(self, returned: Sequence[ir.Value]) -> None:
        """The results of the function: numbers and arrays."""
        for value in returned:
            if not is_memory(value.type) and not isinstance(self.env.get(value), Known):
                self.settled(value)
        self.flush()
        self.plan.add("return", values=[self._returned(value) for value in returned])
        if self.slots:
            step = {"do": "allocate", "name": SLOTS, "bytes": self.slots * SLOT_BYTES}
            self.plan.body.insert(0, step)

    def _returned(self, value: ir.Value) -> dict[str, object]:
        found = self.env[value]
        if isinstance(found, Array):
            return {"address": found.address, "dims": list(found.sizes)}
        if isinstance(found, Slot):
            return {"read": slot_address(found.number), "type": slot_type(value.type)}
        assert isinstance(found, Known)
        return {"value": found.expr}


def slot_address(number: int) -> Expr:
    """The address of a slot for the host."""
    return ["addi", "i64", SLOTS, number * SLOT_BYTES] if number else SLOTS


def slot_type(type_: ir.Type) -> str:
    """The type of a number in a slot, as the runtime reads it."""
    return "i64" if isinstance(type_, ir.IndexType) else str(type_)


def _uses_inside(ops: Sequence[ir.Operation]) -> Counter[ir.Value]:
    """How often operations, and those in them, use each value."""
    uses: Counter[ir.Value] = Counter()

    def visit(op: ir.Operation) -> ir.WalkResult:
        uses.update(op.operands)
        return ir.WalkResult.ADVANCE

    for op in ops:
        op.walk(visit)
    return uses


def _symbol(name: str) -> str:
    """A name that PTX takes: other characters than those of names in C, which Python's may have, are written as `_`."""
    return re.sub(r"^[0-9]|[^A-Za-z0-9_]", "_", name)
