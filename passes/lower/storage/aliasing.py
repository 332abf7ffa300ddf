"""Which array lives in which storage: the plan that one rule per kind of operation fills, in program order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac import AccType
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.calls import callee_of
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import lasting_search
from tapeless.passes.ir.sizes.size_search import Axis, Search
from tapeless.passes.lower.storage.signature import Convention
from tapeless.passes.lower.storage.storage import Storage, StorageMap
from tapeless.passes.lower.storage.tree import Node, Tree

if TYPE_CHECKING:
    from tapeless.passes.lower.storage.aliases.slabs import Slabs

# The types of values that live in memory.
ARRAYS = (ir.RankedTensorType, AccType)

Rule = Callable[["StoragePlan", Node], None]


class Carry(Enum):
    """How a loop hands an array to its next iteration."""

    IN_PLACE = "the same memory is updated"
    TURNING = "buffers take turns"
    RESIZED = "what is made anew is allocated in every iteration, because the size may change"


@dataclass
class StoragePlan:
    """The results of the analysis: storages, the way loops carry arrays, and which storages die where.

    `turns` names the carried arrays whose next value lies in the buffer of another one, and that. `slabs` has the first
    writes of chains that fill new arrays, `chained` the others. `conventions` says how functions are called that are
    not inlined, `own` how this one is, if it is one of them.
    """

    tree: Tree
    storages: StorageMap
    rules: Mapping[str, Rule]
    carries: dict[tuple[Node, int], Carry] = field(default_factory=dict)
    turns: dict[tuple[Node, int], int] = field(default_factory=dict)
    deaths: dict[Node, list[Storage]] = field(default_factory=dict)
    slabs: dict[Node, Slabs] = field(default_factory=dict)
    chained: dict[Node, Slabs] = field(default_factory=dict)
    sizes: Search = field(default_factory=lasting_search)
    conventions: Mapping[str, Convention] = field(default_factory=dict)
    own: Convention | None = None

    def size(self, value: ir.Value, axis: int) -> Size:
        """The size of an axis; asked often, found once, as is every size that it was found from."""
        return self.sizes.ask(Axis(value, axis))

    def is_same(self, left: Size, right: Size) -> bool:
        """Whether two sizes are equal, perhaps because of a check that comes later."""
        return self._checked.are_equal(left, right)

    def convention(self, call: Node) -> Convention:
        """How the function of a call is called; one that was to be inlined has no convention."""
        found = self.conventions.get(callee_of(call.op))
        if found is None:
            raise OpRefused(call.op, "cannot be lowered to loops; define the function and inline it with 'soac-inline'")
        return found

    @computed_once
    def _checked(self) -> EqualSizes:
        """The sizes that the function checks to be equal."""
        equal = EqualSizes()
        for node in self.tree.root.regions[0]:
            equal.enter(node.op)
        return equal


def is_array(value: ir.Value) -> bool:
    """Whether a value lives in memory (arrays and accumulators do, scalars do not)."""
    return isinstance(value.type, ARRAYS)


def is_accumulator(value: ir.Value) -> bool:
    return isinstance(value.type, AccType)


def visit_block(plan: StoragePlan, nodes: list[Node]) -> None:
    """Assigns the arrays of a block; operations without a rule make new memory."""
    for node in nodes:
        plan.rules.get(node.name, make_fresh)(plan, node)


def make_fresh(plan: StoragePlan, node: Node) -> None:
    """Every array result is new memory."""
    for result in node.results:
        if is_array(result):
            plan.storages.fresh(result, node)


def update_operand(
    plan: StoragePlan,
    node: Node,
    number: int,
    result: ir.Value,
    also_reads: frozenset[int],
    beside: Callable[[ir.Value], bool] | None = None,
) -> bool:
    """Lets `result` take over the memory of an operand, or gives it memory of its own; says whether it took over.

    Parts of the operand that are `beside` what is written may be looked at later.
    """
    operand = node.operands[number]
    if plan.storages.can_overwrite(node, operand, also_reads, beside):
        plan.storages.join(result, plan.storages.of(operand), whole=True)
        return True
    plan.storages.fresh(result, node)
    return False


def operator_arguments(node: Node, region: int) -> tuple[list[ir.Value], list[ir.Value]]:
    """The arguments of a combining region for the running values and for the elements; suffix scans swap them."""
    arguments = node.arguments(region)
    count = len(arguments) // 2
    first, second = arguments[:count], arguments[count:]
    if node.name == "soac.scan" and ir.BoolAttr(node.op.reverse).value:
        return second, first
    return first, second
