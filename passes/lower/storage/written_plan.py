"""A plan of memory as attributes, which one pass leaves on the operations of a function.

```mlir
%y = "soac.map"(%n, %x) ({...}) {tapeless.memory = {makes = array<i64: 1>, results = array<i64: 1>}}
return %y {tapeless.memory = {ends = {out = array<i64: 0, 1>}}}
```
Every piece of memory has a number. An operation says in which its array results lie, and the arrays that its regions
get (`results`, `arguments`; -1 for numbers), which of these, counted in this order, are but a `part` of it, and which
pieces it `makes`. Further: `inside` (pieces that are a part of another one, in pairs), `constant` (pieces that nobody
writes into), `ends` (operands that are built where they end, with the pieces that are), `turned` (pieces that are built
in the order of this transposition), `carries` and `turns` (how a loop hands its arrays on), `slabs` (the axis, the
length of a chain of writes, and which of these fill an array), and `frees` (pieces that are needed no longer).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from tapeless._mlir import ir
from tapeless.passes.lower.storage.aliasing import StoragePlan, is_array
from tapeless.passes.lower.storage.signature import Convention
from tapeless.passes.lower.storage.storage import Storage
from tapeless.passes.lower.storage.tree import SCALARS, Node
from tapeless.passes.marks import CONVENTION, MEMORY

NONE = -1
# What an operation says of pieces of memory, by the name of the field; some are kept by a word.
Fields = dict[str, list[int]]
Words = dict[str, dict[str, list[int]]]


def write_plan(plan: StoragePlan) -> None:
    """Writes a plan on the operations of its function."""
    _Writer(plan).write()
    if plan.own is not None:
        plan.tree.root.op.attributes[CONVENTION] = convention_attribute(plan.own)


def convention_attribute(convention: Convention) -> ir.Attribute:
    """How a function hands back its results: places, and the arguments that have the sizes."""
    places = ir.ArrayAttr.get([ir.StringAttr.get(place) for place in convention.places])
    return ir.DictAttr.get({"places": places, "arguments": numbers_attribute(convention.arguments)})


def numbers_attribute(numbers: Iterable[int]) -> ir.Attribute:
    return ir.DenseI64ArrayAttr.get(list(numbers))


class _Writer:
    """Collects what is to be said of memory on each operation."""

    def __init__(self, plan: StoragePlan) -> None:
        self.plan = plan
        self.numbers: dict[Storage, int] = {}
        self.fields: dict[Node, Fields] = defaultdict(dict)
        self.words: dict[Node, Words] = defaultdict(lambda: defaultdict(dict))

    def write(self) -> None:
        for node in self.plan.tree.nodes:
            self._note_values(node)
        for storage, number in self.numbers.items():
            self._note_storage(storage, number)
        self._note_loops()
        for node, dying in self.plan.deaths.items():
            used = [self.numbers[storage] for storage in dying if storage in self.numbers]
            if used:
                self.fields[node]["frees"] = used
        for node, slabs in self.plan.slabs.items():
            writes = [slabs.chain.index(write) for write in slabs.writes]
            self.fields[node]["slabs"] = [slabs.axis, len(slabs.chain), *writes]
        for node in {*self.fields, *self.words}:
            node.op.attributes[MEMORY] = self._attribute(node)

    def _attribute(self, node: Node) -> ir.Attribute:
        entries = {name: numbers_attribute(numbers) for name, numbers in self.fields[node].items()}
        for name, by_word in self.words[node].items():
            entries[name] = ir.DictAttr.get({word: numbers_attribute(each) for word, each in by_word.items()})
        return ir.DictAttr.get(entries)

    def _note_values(self, node: Node) -> None:
        if node.name.startswith(SCALARS) and node.name != "arith.constant":
            return
        results, arguments = node.results, arguments_in(node)
        for name, values in (("results", results), ("arguments", arguments)):
            found = [self._number(value) for value in values]
            if any(number != NONE for number in found):
                self.fields[node][name] = found
        part = [k for k, value in enumerate([*results, *arguments]) if value in self.plan.storages.partial]
        if part:
            self.fields[node]["part"] = part

    def _number(self, value: ir.Value) -> int:
        if not is_array(value):
            return NONE
        return self.numbers.setdefault(self.plan.storages.memory(value), len(self.numbers))

    def _note_storage(self, storage: Storage, number: int) -> None:
        self._add(storage.home, "makes", number)
        outer = storage.merged
        if outer is not None:
            while outer.merged is not None and not outer.is_part:
                outer = outer.merged
            self._add(storage.home, "inside", number, self.numbers[outer])
        if not storage.writable:
            self._add(storage.home, "constant", number)
        if storage.turned is not None:
            self._add(storage.turned, "turned", number)
        if storage.sink is not None:
            self._add_word(storage.sink.node, "ends", storage.sink.kind, storage.sink.number, number)

    def _note_loops(self) -> None:
        for (node, number), carry in self.plan.carries.items():
            self._add_word(node, "carries", carry.name.lower(), number)
        for (node, number), giver in self.plan.turns.items():
            self._add(node, "turns", number, giver)

    def _add(self, node: Node, name: str, *numbers: int) -> None:
        self.fields[node].setdefault(name, []).extend(numbers)

    def _add_word(self, node: Node, name: str, word: str, *numbers: int) -> None:
        self.words[node][name].setdefault(word, []).extend(numbers)


def arguments_in(node: Node) -> Sequence[Any]:
    """The arguments of all regions of an operation."""
    if not node.regions:
        return ()
    blocks = [block for region in node.op.regions for block in region.blocks]
    return [argument for block in blocks for argument in block.arguments]
