"""Which arrays live in the same memory: storages, their members, and where a storage should be built.

Note [Updating in place]: an operation may overwrite the memory of its operand when nothing reads that memory's old
contents afterwards. "Afterwards" is later in the program, except in the other branch of an `scf.if`, and, when the
operation runs in a loop that the old value comes from outside of, anywhere in that loop.

Note [Sinks]: a fresh array that ends in a known place (a result of the function, a row of a map's result, the next
state of a loop, a slice of another array) is built right there. The place is resolved when its first operation is
emitted. An array whose transposition is a result, and that a map makes from a transposed array, too, is built in the
order of the result: so the map reads and writes memory in one order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.storage.tree import Node, Tree, are_exclusive


@dataclass(frozen=True)
class Sink:
    """Where an array ends: operand `number` of the operation `node` (a yield's holder, a return, a slice update)."""

    kind: str
    node: Node
    number: int


@dataclass(eq=False)
class Storage:
    """One piece of memory over its life: the operation that makes it and every value that lives in it.

    `active` are the members that operations after the last update can still read; `turned` is the transposition of
    the array, if that is what ends in the sink.
    """

    home: Node
    members: list[ir.Value]
    writable: bool = True
    sinkable: bool = True
    sink: Sink | None = None
    turned: Node | None = None
    merged: Storage | None = None
    is_part: bool = False
    active: list[ir.Value] = field(default_factory=list)


class StorageMap:
    """The storage of every array value; answers whether memory may be overwritten and joins values into storages."""

    def __init__(self, tree: Tree, naive: bool) -> None:
        self.tree = tree
        self.naive = naive
        self.storages: dict[ir.Value, Storage] = {}
        self.all: list[Storage] = []
        self.partial: set[ir.Value] = set()
        self.sources: dict[ir.Value, ir.Value] = {}

    def of(self, value: ir.Value) -> Storage:
        """The storage a value lives in, after all merges so far."""
        storage = self.storages[value]
        while storage.merged is not None:
            storage = storage.merged
        return storage

    def memory(self, value: ir.Value) -> Storage:
        """The storage whose memory a value was made for: a part of a larger storage keeps its own place in it."""
        storage = self.storages[value]
        while storage.merged is not None and not storage.is_part:
            storage = storage.merged
        return storage

    def fresh(self, value: ir.Value, home: Node, *, writable: bool = True, sinkable: bool = True) -> Storage:
        """A new storage with one member."""
        storage = Storage(home, [value], writable, sinkable and not self.naive, active=[value])
        self.all.append(storage)
        self.storages[value] = storage
        return storage

    def join(self, value: ir.Value, storage: Storage, *, whole: bool) -> None:
        """Adds a member: the whole array, or a part or rearrangement of it."""
        self.storages[value] = storage
        storage.members.append(value)
        storage.active.append(value)
        if not whole:
            self.partial.add(value)

    def view(self, value: ir.Value, source: ir.Value) -> None:
        """Lets `value` be a part of the array `source`."""
        self.sources[value] = source
        self.join(value, self.of(source), whole=False)

    def merge(self, inner: Storage, outer: Storage, *, whole: bool) -> None:
        """Places one storage into another one, as the same memory or as a part of it."""
        inner.merged, inner.is_part = outer, not whole
        outer.members += inner.members
        outer.active += inner.active
        if not whole:
            self.partial.update(inner.members)

    def can_separate(self, value: ir.Value) -> bool:
        """Whether a value took over memory and nothing came to that later, so that it can have its own instead."""
        storage = self.storages[value]
        return storage.merged is None and len(storage.members) > 1 and storage.members[-1] == value

    def separate(self, value: ir.Value, home: Node) -> None:
        """Gives a value memory of its own, and what it was to be built in."""
        old = self.storages[value]
        old.members.remove(value)
        old.active.remove(value)
        self.fresh(value, home).sink, old.sink = old.sink, None

    def is_whole(self, value: ir.Value) -> bool:
        """Whether a value covers its storage from end to end in the natural order."""
        return value not in self.partial

    def can_overwrite(
        self,
        node: Node,
        operand: ir.Value,
        also_reads: frozenset[int] = frozenset(),
        beside: Callable[[ir.Value], bool] | None = None,
    ) -> bool:
        """Whether `node` may write into the memory of `operand` instead of copying it.

        `also_reads` are positions of operands that `node` copies before it writes, so that they may share the memory;
        members that are `beside` what it writes may be read later.
        """
        storage = self.of(operand)
        if self.naive or not storage.writable or not self.is_whole(operand):
            return False
        own = [k for k, value in enumerate(node.operands) if k not in also_reads and self._shares(value, storage)]
        if len(own) != 1:
            return False
        if any(self._reads_later(each, node) and not (beside and beside(each)) for each in storage.active):
            return False
        storage.active = [member for member in storage.active if self._is_read_after(member, node)]
        return True

    def _is_read_after(self, member: ir.Value, node: Node) -> bool:
        return any(use.position > node.position for use in self.tree.reads(member))

    def _shares(self, value: ir.Value, storage: Storage) -> bool:
        return value in self.storages and self.of(value) is storage

    def _reads_later(self, member: ir.Value, node: Node) -> bool:
        loop = self._loop_between(member, node)
        for use in self.tree.reads(member):
            if loop is not None and loop.contains(use) and (use is not loop or loop.name != "scf.for"):
                return True
            if use.position > node.position and not are_exclusive(use, node):
                return True
        return False

    def _loop_between(self, member: ir.Value, node: Node) -> Node | None:
        """The outermost loop around `node` that does not contain the definition of `member`."""
        definition = self.tree.definition[member]
        is_argument = isinstance(member, ir.BlockArgument)
        found, parent = None, node.parent
        while parent is not None:
            inside = parent.contains(definition) and (is_argument or definition is not parent)
            if inside:
                break
            if parent.is_loop():
                found = parent
            parent = parent.parent
        return found

    def offer_sink(self, value: ir.Value, sink: Sink, end: Node) -> bool:
        """Lets the storage of `value` be built in the sink when it is made in the block that `end` ends."""
        storage = self.of(value)
        if not storage.sinkable or storage.sink is not None or not self.is_whole(value):
            return False
        if not storage.home.same_block(end):
            return False
        storage.sink = sink
        return True

    def offer_turned_sink(self, value: ir.Value, sink: Sink, end: Node) -> None:
        """Lets an array whose transposition is `value` be built in the sink when a map turns it back to that order."""
        turn = self.tree.definition[value]
        if turn.name != "soac.transpose" or value not in turn.results:
            return
        home = self.of(turn.operands[0]).home
        if not _has_axes_of(turn.operands[0], home, self.tree):
            return
        if _turns(home, turn, self.tree) and self.offer_sink(turn.operands[0], sink, end):
            self.of(turn.operands[0]).turned = turn

    def is_untouched(
        self, storage: Storage, first: Node, last: Node, allowed: frozenset[Node], beside: Callable[[ir.Value], bool]
    ) -> bool:
        """Whether nothing from `first` up to `last` reads or updates the storage, but for the allowed operations.

        Members that are `beside` the place in question do not count.
        """
        for member in storage.members:
            uses = [use for use in self.tree.reads(member) if first.position <= use.position < last.position]
            if not allowed.issuperset(uses) and not beside(member):
                return False
        return True

    def last_uses(self) -> dict[Node, list[Storage]]:
        """For every operation, the storages nobody needs once it has run."""
        deaths: dict[Node, list[Storage]] = {}
        for storage in self.all:
            if storage.merged is None and storage.writable:
                deaths.setdefault(self._last_use(storage), []).append(storage)
        return deaths

    def _last_use(self, storage: Storage) -> Node:
        last = storage.home
        for member in storage.members:
            for use in self.tree.uses[member]:
                beside = use.ancestor_beside(storage.home)
                if beside is not None and beside.position > last.position:
                    last = beside
        return last


def _has_axes_of(value: ir.Value, home: Node, tree: Tree) -> bool:
    """Whether a value is a result of an operation, axis by axis; one that is reshaped has others."""
    while value not in home.results:
        view = tree.definition[value]
        if view.name != "tensor.cast":
            return False
        value = view.operands[0]
    return True


def _turns(home: Node, turn: Node, tree: Tree) -> bool:
    """Whether a map reads an array in another order, which a transposition of its result takes back."""
    if home.name not in ("soac.map", "soac.fused") or _has_control(home):
        return False
    back = _axes(turn)
    there = [back.index(axis) for axis in range(len(back))]
    before = [tree.definition[each] for each in home.operands if each in tree.definition]
    return any(node.name == "soac.transpose" and _axes(node) == there for node in before)


def _axes(turn: Node) -> list[int]:
    """The axes of the operand of a transposition, in the order of its result."""
    return [axis.value for axis in turn.op.permutation]


def _has_control(node: Node) -> bool:
    """Whether iterations may go different ways, so that they do not run side by side."""
    inner = [each for region in node.regions for each in region]
    return any(each.name.startswith(("scf.", "soac.argsort")) or _has_control(each) for each in inner)
