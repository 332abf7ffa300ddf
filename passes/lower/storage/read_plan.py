"""A plan of memory read from the attributes that it was written in (`written_plan.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from tapeless._mlir import ir
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.lower.storage.aliases.slabs import Slabs
from tapeless.passes.lower.storage.aliasing import Carry, StoragePlan, is_array
from tapeless.passes.lower.storage.signature import Convention, Place
from tapeless.passes.lower.storage.storage import Sink, Storage, StorageMap
from tapeless.passes.lower.storage.tree import SCALARS, Node, Tree
from tapeless.passes.lower.storage.written_plan import NONE, arguments_in
from tapeless.passes.marks import CONVENTION, MEMORY

LISTS = frozenset({"results", "arguments", "part", "makes", "inside", "constant", "turned", "turns", "slabs", "frees"})
BY_WORDS = frozenset({"ends", "carries"})
NO_PLAN = "has no plan of memory; run lower-plan-storage before"


def read_plans(functions: Sequence[ir.OpView]) -> list[StoragePlan]:
    """The plans of functions, which may call each other."""
    conventions = {
        function.name.value: convention_of(function)
        for function in functions
        if CONVENTION in function.operation.attributes
    }
    return [_Reader(function, conventions).read() for function in functions]


def convention_of(function: ir.OpView) -> Convention:
    """How a function hands back its results."""
    attribute = function.operation.attributes[CONVENTION]
    try:
        given = {entry.name: entry.attr for entry in ir.DictAttr(attribute)}
        places: Any = tuple(ir.StringAttr(place).value for place in ir.ArrayAttr(given["places"]))
        arguments = tuple(ir.DenseI64ArrayAttr(given["arguments"]))
    except (KeyError, ValueError):
        raise _broken(function, CONVENTION) from None
    results = len(function.type.results)
    if not set(places) <= set(get_args(Place)) or len(places) != results or len(arguments) != results:
        raise _broken(function, CONVENTION)
    return Convention(places, arguments)


def _broken(op: ir.OpView, name: str) -> OpRefused:
    return OpRefused(op, f"has {name} = {op.operation.attributes[name]}; run lower-plan-storage to write it anew")


class _Reader:
    """Gives storages their values, in the order of the program, and then what else is said of them."""

    def __init__(self, function: ir.OpView, conventions: Mapping[str, Convention]) -> None:
        self.tree = Tree(function)
        self.map = StorageMap(self.tree, naive=False)
        own = conventions.get(function.name.value)
        self.plan = StoragePlan(self.tree, self.map, {}, conventions=conventions, own=own)
        self.storages: dict[int, Storage] = {}
        self.said: dict[Node, dict[str, Any]] = {}

    def read(self) -> StoragePlan:
        for node in self.tree.nodes:
            self._read_pieces(node)
        for node, said in self.said.items():
            self._read_values(node, said)
        for node, said in self.said.items():
            try:
                self._read_storages(node, said)
            except (KeyError, IndexError, ValueError, StopIteration):
                raise _broken(node.op, MEMORY) from None
        return self.plan

    def _read_pieces(self, node: Node) -> None:
        """What is said on an operation, and the pieces of memory that it makes."""
        if node.name.startswith(SCALARS) and node.name != "arith.constant":
            return
        if MEMORY not in node.op.attributes:
            if any(map(is_array, (*node.results, *arguments_in(node)))):
                raise OpRefused(node.op, NO_PLAN)
            return
        said = self.said[node] = self._said(node)
        for number in said.get("makes", ()):
            if number in self.storages:
                raise _broken(node.op, MEMORY)
            self.storages[number] = Storage(node, [])

    def _read_values(self, node: Node, said: dict[str, Any]) -> None:
        arguments = arguments_in(node)
        values = [*node.results, *arguments]
        numbers = [*said.get("results", [NONE] * len(node.results)), *said.get("arguments", [NONE] * len(arguments))]
        if len(numbers) != len(values):
            raise _broken(node.op, MEMORY)
        part = said.get("part", ())
        for position, (value, number) in enumerate(zip(values, numbers, strict=True)):
            if number == NONE:
                if is_array(value):
                    raise OpRefused(node.op, NO_PLAN)
                continue
            if number not in self.storages or not is_array(value):
                raise _broken(node.op, MEMORY)
            self.map.join(value, self.storages[number], whole=position not in part)

    def _said(self, node: Node) -> dict[str, Any]:
        try:
            given = {entry.name: entry.attr for entry in ir.DictAttr(node.op.attributes[MEMORY])}
            said: dict[str, Any] = {
                name: list(ir.DenseI64ArrayAttr(each)) for name, each in given.items() if name in LISTS
            }
            for name in BY_WORDS & given.keys():
                said[name] = {e.name: list(ir.DenseI64ArrayAttr(e.attr)) for e in ir.DictAttr(given[name])}
        except ValueError:
            raise _broken(node.op, MEMORY) from None
        if said.keys() != given.keys():
            raise _broken(node.op, MEMORY)
        return said

    def _read_storages(self, node: Node, said: dict[str, Any]) -> None:
        storages = self.storages
        for inner, outer in _pairs(said.get("inside", ())):
            storages[inner].merged, storages[inner].is_part = storages[outer], True
        for number in said.get("constant", ()):
            storages[number].writable = False
        for number in said.get("turned", ()):
            storages[number].turned = node
        for kind, ends in said.get("ends", {}).items():
            for operand, number in _pairs(ends):
                storages[number].sink = Sink(kind, node, operand)
        for carry, numbers in said.get("carries", {}).items():
            self.plan.carries |= {(node, number): Carry[carry.upper()] for number in numbers}
        self.plan.turns |= {(node, number): giver for number, giver in _pairs(said.get("turns", ()))}
        if "frees" in said:
            self.plan.deaths[node] = [storages[number] for number in said["frees"]]
        if "slabs" in said:
            self._read_slabs(node, *said["slabs"])

    def _read_slabs(self, first: Node, axis: int, length: int, *writes: int) -> None:
        chain = [first]
        while len(chain) < length:
            before = chain[-1].results[0]
            reads = [each for each in self.tree.reads(before) if each.name == "tensor.insert_slice"]
            chain.append(next(each for each in reads if each.operands[1] == before))
        slabs = Slabs(axis, [chain[number] for number in writes], chain)
        self.plan.slabs[first] = slabs
        self.plan.chained |= dict.fromkeys(chain[1:], slabs)


def _pairs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(numbers[::2], numbers[1::2], strict=True)
