"""Where every array lies: as the plan's storages and sinks say, and as views and the arguments of bodies imply."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from tapeless._mlir import ir
from tapeless.passes.lower.storage.aliasing import StoragePlan, operator_arguments
from tapeless.passes.lower.storage.plan_check.affine import Affine, affine
from tapeless.passes.lower.storage.plan_check.bindings import ARGUMENTS, VIEWS, slice_step, viewed
from tapeless.passes.lower.storage.plan_check.iterations import iteration
from tapeless.passes.lower.storage.plan_check.places import ONE, Range, Selection, Spot
from tapeless.passes.lower.storage.storage import Sink, Storage
from tapeless.passes.lower.storage.tree import Node


class Spots:
    """Answers where an array is, of which array it is a view, and in which memory it lies."""

    def __init__(self, plan: StoragePlan) -> None:
        self.plan = plan
        self.storages = plan.storages
        self._spots: dict[ir.Value, Spot] = {}
        self._sources: dict[ir.Value, ir.Value] = {}
        self._memories: dict[Storage, Hashable] = {}
        self._slices: dict[Node, Selection] = {}

    def is_array(self, value: ir.Value) -> bool:
        return value in self.storages.storages

    def source(self, value: ir.Value) -> ir.Value:
        """The array of which a value is a view, a row or another name; itself if it was made or handed over."""
        names = []
        while value not in self._sources:
            names.append(value)
            behind = None if self._is_bin(value) else self._behind(value)
            if behind is None:
                break
            value = behind[0]
        found = self._sources.get(value, value)
        self._sources.update(dict.fromkeys(names, found))
        return found

    def _is_bin(self, value: ir.Value) -> bool:
        """Whether a value is the row of a histogram that an iteration is about to update."""
        node = self.plan.tree.definition[value]
        is_argument = node.name == "soac.hist" and isinstance(value, ir.BlockArgument)
        return is_argument and value.arg_number < len(node.results)

    def memory(self, value: ir.Value) -> Hashable:
        """The piece of memory an array lies in."""
        return self._memory(self.storages.memory(value))

    def spot(self, value: ir.Value) -> Spot:
        """The part of memory an array takes."""
        steps = []
        while value not in self._spots:
            behind = self._behind(value)
            if behind is None:
                self._spots[value] = self._place(self.storages.memory(value))
            else:
                steps.append((value, behind[1]))
                value = behind[0]
        spot = self._spots[value]
        for view, step in reversed(steps):
            spot = self._spots[view] = step(spot)
        return spot

    def _memory(self, storage: Storage) -> Hashable:
        if storage not in self._memories:
            self._memories[storage] = self._memory_of_sink(storage.sink) or storage
        return self._memories[storage]

    def _memory_of_sink(self, sink: Sink | None) -> Hashable:
        if sink is None:
            return None
        model = self._sink_model(sink)
        return sink if model is None else self.memory(model)

    def _sink_model(self, sink: Sink) -> ir.Value | None:
        """The array in which a sink lies; nothing for results of the function and for the next state of a loop."""
        if sink.kind in ("out", "next"):
            return None
        if sink.kind.startswith("running"):
            return operator_arguments(sink.node, int(sink.kind.removeprefix("running")))[0][sink.number]
        return sink.node.results[0 if sink.kind == "part" else sink.number]

    def _place(self, storage: Storage) -> Spot:
        sink = storage.sink
        model = None if sink is None else self._sink_model(sink)
        if sink is None or model is None:
            return Spot(storage if sink is None else sink)
        around = self.spot(model)
        if sink.kind == "part":
            return around.then(self.part_step(sink.node, sink.number))
        return around.at(iteration(sink.node)) if sink.kind == "row" else around

    def slice_step(self, node: Node) -> Selection:
        """The elements that a slice operation names; asked often, found once."""
        if node not in self._slices:
            self._slices[node] = slice_step(node)
        return self._slices[node]

    def part_step(self, node: Node, number: int) -> Selection:
        """Where an operand lies in the result of a slice write or a concatenation."""
        if node.name == "tensor.insert_slice":
            return self.slice_step(node)
        axis = ir.IntegerAttr(node.op.attributes["dim"]).value
        offset = Affine(0)
        for before in node.operands[:number]:
            offset = offset.plus(affine(self.plan.size(before, axis)))
        part = node.operands[number]
        sizes = [affine(self.plan.size(part, each)) for each in range(part.type.rank)]
        starts = [offset if each == axis else Affine(0) for each in range(part.type.rank)]
        return Selection(
            tuple(Range(*both, ONE) for both in zip(starts, sizes, strict=True)), tuple(range(part.type.rank))
        )

    def _behind(self, value: ir.Value) -> tuple[ir.Value, Callable[[Spot], Spot]] | None:
        """The array that a value is another name of, or a part of, and how to get from one's spot to the other's."""
        node = self.plan.tree.definition[value]
        if not isinstance(value, ir.BlockArgument):
            return (node.operands[0], lambda spot: viewed(node, spot)) if node.name in VIEWS else None
        rule = ARGUMENTS.get(node.name)
        return None if rule is None else rule(node, value)
