"""Maps with the scans and maps that they alone use, which are never stored: a tile of elements is computed at once.

Scans of the same elements by the same operator are one, whether they are exclusive or not.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import Tiles
from tapeless.passes.lower.blocks.accumulators import zero_of
from tapeless.passes.lower.blocks.copies import element_type
from tapeless.passes.lower.grid.tiles.cascades import Cascade, Prefix, Stage
from tapeless.passes.lower.grid.tiles.in_block import Numbers
from tapeless.passes.lower.grid.tiles.scans import operator_of
from tapeless.passes.lower.grid.tiles.shape import Shape
from tapeless.passes.lower.loops.bulk import element, scalars, start_running
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import store
from tapeless.passes.lower.scans.scan_steps import Scan
from tapeless.passes.lower.schedule.work import cost
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import DEFERRED


def scan_and_map_by_tiles(opened: Map, _: Tiles) -> None:
    """A marked map, computed together with all deferred operators that it needs."""
    Elements(opened).compute()


class Elements:
    """The arrays that a map needs, element by element: loaded, computed by deferred maps, or prefixes of scans."""

    def __init__(self, opened: Map) -> None:
        self.opened, self.emitter = opened, opened.emitter
        self.made: dict[ir.Value, Node] = {}
        self._find(opened.node)
        self.nodes = list(dict.fromkeys(self.made.values()))
        used = [array for node in (*self.nodes, opened.node) for array in node.op.inputs]
        self.loaded = [array for array in dict.fromkeys(used) if array not in self.made]
        different: dict[Hashable, list[Node]] = {}
        for node in self.nodes:
            if node.name == "soac.scan":
                different.setdefault(_what_is_scanned(node), []).append(node)
        self.scans = sorted(different.values(), key=lambda same: self._level(same[0]))

    def _find(self, node: Node) -> None:
        """Collects the deferred operators behind the inputs of one."""
        definitions = self.emitter.plan.tree.definition
        for array in node.op.inputs:
            maker = definitions.get(array)
            if maker is not None and DEFERRED in maker.op.attributes and array not in self.made:
                self.made |= dict.fromkeys(maker.results, maker)
                self._find(maker)

    def _level(self, node: Node) -> int:
        """How many scans have to come one after the other before a scan, or to the end of a map."""
        behind = [self.made[array] for array in node.op.inputs if array in self.made]
        return max((self._level(each) + (each.name == "soac.scan") for each in behind), default=0)

    def compute(self) -> None:
        """Emits the launches."""
        emitter, builder = self.emitter, self.emitter.builder
        views = [emitter.view(array) for array in self.loaded]
        stages = [self._stage(same[0]) for same in self.scans]
        types = [element_type(view) for view in (*views, *self.opened.targets)]
        kept = [*types, *(value.type for stage in stages for value in stage.operator.neutral)]
        operations = sum(cost(region) for node in (*self.nodes, self.opened.node) for region in node.regions)
        zeros = [zero_of(builder, view) for view in views]

        def load(position: ir.Value, _: bool) -> Numbers:
            return scalars([element(builder, view, position) for view in views])

        shape = Shape.of(types, kept, operations)
        Cascade(emitter, self.opened.width, shape, zeros, load, stages, self._deliver).run()

    def _stage(self, node: Node) -> Stage:
        emitter, op = self.emitter, node.op
        running = start_running(emitter, node, 0, op.neutral)
        scan = Scan(emitter, node, [], [], self.opened.width, running, False, ir.BoolAttr(op.reverse).value)

        def lift(position: ir.Value, loaded: Numbers, prefixes: Sequence[Prefix]) -> Numbers:
            return [self._element(array, position, loaded, prefixes) for array in op.inputs]

        return Stage(operator_of(scan), lift, self._level(node))

    def _element(self, array: ir.Value, position: ir.Value, loaded: Numbers, prefixes: Sequence[Prefix]) -> ir.Value:
        maker = self.made.get(array)
        if maker is None:
            return loaded[self.loaded.index(array)]
        number = maker.results.index(array)
        if maker.name == "soac.scan":
            before, after = next(prefix for same, prefix in zip(self.scans, prefixes, strict=False) if maker in same)
            return (before if ir.BoolAttr(maker.op.exclusive).value else after)[number]
        return self._row(maker, position, loaded, prefixes)[number]

    def _row(self, node: Node, position: ir.Value, loaded: Numbers, prefixes: Sequence[Prefix]) -> Numbers:
        """The results of a map for one element."""
        emitter = self.emitter
        index, *arguments = node.arguments()
        needed = [pair for pair in zip(arguments, node.op.inputs, strict=True) if emitter.plan.tree.uses[pair[0]]]
        elements = [self._element(array, position, loaded, prefixes) for _, array in needed]
        emitter.forget(node)
        emitter.env[index] = position
        emitter.env.update(zip([argument for argument, _ in needed], elements, strict=True))
        emitter.emit_block(node.regions[0])
        return [emitter.scalar(value) for value in node.terminator.operands]

    def _deliver(self, position: ir.Value, loaded: Numbers, prefixes: Sequence[Prefix]) -> None:
        row = self._row(self.opened.node, position, loaded, prefixes)
        for value, target in zip(row, self.opened.targets, strict=True):
            store(self.emitter.builder, value, target, [position])


def _what_is_scanned(node: Node) -> Hashable:
    """The key of scans that differ at most in whether they are exclusive."""
    inside = node.regions[0]
    made = [*node.arguments(), *(result for inner in inside for result in inner.results)]
    own: dict[ir.Value, Hashable] = {value: number for number, value in enumerate(made)}
    body = [
        (inner.name, *_attributes(inner.op), *(own.get(value, value) for value in inner.operands)) for inner in inside
    ]
    return str(node.op.reverse), *node.operands, *body


def _attributes(op: ir.OpView) -> list[str]:
    return [f"{name} = {op.attributes[name]}" for name in op.attributes]
