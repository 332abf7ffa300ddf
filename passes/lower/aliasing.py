"""Assigns every array of a function to a storage: one rule per kind of operation, in program order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from tapeless._mlir import ir
from tapeless.passes.soac.shapes import scalar_size, size_of
from tapeless.passes.soac.sizes import Computed, Dim, Size
from tapeless.passes.soac.slices import kept_axes, slice_offsets, slice_sizes, slice_strides

from .storage import Sink, Storage, StorageMap
from .tree import Node, Tree


class Carry(Enum):
    """How a loop hands an array to its next iteration."""

    IN_PLACE = "the same memory is updated"
    SWAPPED = "two buffers take turns"
    RESIZED = "every iteration allocates, because the size may change"


@dataclass
class Plan:
    """What the analysis found: storages, the way loops carry arrays, and which storages die where."""

    tree: Tree
    storages: StorageMap
    carries: dict[tuple[Node, int], Carry] = field(default_factory=dict)
    deaths: dict[Node, list[Storage]] = field(default_factory=dict)
    known_sizes: dict[tuple[ir.Value, int], Size] = field(default_factory=dict)

    def size(self, value: ir.Value, axis: int) -> Size:
        """The size of an axis; asked often, found once."""
        key = (value, axis)
        if key not in self.known_sizes:
            self.known_sizes[key] = size_of(value, axis)
        return self.known_sizes[key]


def is_array(value: ir.Value) -> bool:
    """Whether a value lives in memory (arrays and accumulators do, scalars do not)."""
    return isinstance(value.type, ir.RankedTensorType) or is_accumulator(value)


def is_accumulator(value: ir.Value) -> bool:
    return str(value.type).startswith("!soac.acc")


def make_plan(function: ir.OpView, naive: bool) -> Plan:
    """Analyses a function of core IR."""
    tree = Tree(function)
    plan = Plan(tree, StorageMap(tree, naive))
    for argument in tree.root.arguments():
        if is_array(argument):
            plan.storages.fresh(argument, tree.root, writable=False, sinkable=False)
    visit_block(plan, tree.root.regions[0])
    plan.deaths = plan.storages.last_uses()
    return plan


def visit_block(plan: Plan, nodes: list[Node]) -> None:
    for node in nodes:
        RULES.get(node.name, make_fresh)(plan, node)


def make_fresh(plan: Plan, node: Node) -> None:
    """Every array result is new memory."""
    for result in node.results:
        if is_array(result):
            plan.storages.fresh(result, node)


def make_constant(plan: Plan, node: Node) -> None:
    if is_array(node.results[0]):
        plan.storages.fresh(node.results[0], node, writable=False, sinkable=False)


def make_view(plan: Plan, node: Node) -> None:
    plan.storages.view(node.results[0], node.operands[0])


def make_cast(plan: Plan, node: Node) -> None:
    source = node.operands[0]
    plan.storages.join(node.results[0], plan.storages.of(source), whole=plan.storages.is_whole(source))


def update_operand(plan: Plan, node: Node, number: int, result: ir.Value, also_reads: frozenset[int]) -> bool:
    """Lets `result` take over the memory of an operand, or gives it memory of its own; says whether it took over."""
    operand = node.operands[number]
    if plan.storages.can_overwrite(node, operand, also_reads):
        plan.storages.join(result, plan.storages.of(operand), whole=True)
        return True
    plan.storages.fresh(result, node)
    return False


def update_insert(plan: Plan, node: Node) -> None:
    update_operand(plan, node, 1, node.results[0], frozenset())


def update_scatter(plan: Plan, node: Node) -> None:
    update_operand(plan, node, 1, node.results[0], frozenset())


def update_slice(plan: Plan, node: Node) -> None:
    """`tensor.insert_slice`: in place if possible, and then the source may be built in the slice.

    A source that reads the array it is written into cannot be built in place. When the slice is nearly all of the array
    (`u[1:-1] = f(u)`), a new array is built around the source instead: that copies only what lies outside the slice.
    """
    part, target = node.operands[:2]
    whole = plan.storages.of(target)
    if can_build_in_slice(plan, node, whole):
        if update_operand(plan, node, 1, node.results[0], frozenset({0})):
            sink_part(plan, node, 0, whole)
    elif covers_nearly_all(plan, node) and plan.storages.of(part).sinkable:
        build_around(plan, node, 0, plan.storages.fresh(node.results[0], node))
    else:
        update_operand(plan, node, 1, node.results[0], frozenset({0}))


def can_build_in_slice(plan: Plan, node: Node, whole: Storage) -> bool:
    """Whether nothing looks at the updated array while the source is made, but for the elements about to be written."""
    storage = plan.storages.of(node.operands[0])
    if storage is whole or not storage.home.same_block(node) or storage.home.position <= whole.home.position:
        return False
    allowed = {node}
    if reads_same_slice(plan, storage.home, node, whole):
        allowed.add(storage.home)
    return plan.storages.is_untouched(whole, storage.home, node, frozenset(allowed))


def reads_same_slice(plan: Plan, maker: Node, node: Node, whole: Storage) -> bool:
    """Whether a map reads the array only through the very slice that it is going to fill, element by element."""
    if maker.name != "soac.map":
        return False
    for value in maker.op.inputs:
        if plan.storages.of(value) is whole:
            reader = plan.tree.definition[value]
            if reader.name != "tensor.extract_slice" or not is_same_slice(reader, node):
                return False
            if not _element_is_pointwise(plan, maker, value):
                return False
    return True


def is_same_slice(reader: Node, writer: Node) -> bool:
    """Whether an extracted and an inserted slice name the same elements in the same order."""
    gets = (slice_offsets, slice_sizes, slice_strides, kept_axes)
    return all(get(reader.op) == get(writer.op) for get in gets)


def covers_nearly_all(plan: Plan, node: Node) -> bool:
    """Whether a slice leaves out only a fixed number of elements along each axis."""
    strides, sizes = slice_strides(node.op), slice_sizes(node.op)
    if any(stride != 1 for stride in strides) or len(kept_axes(node.op)) < len(sizes):
        return False
    return all(is_nearly(slice_size, plan.size(node.operands[1], k)) for k, slice_size in enumerate(sizes))


def is_nearly(part: ir.Value | int, whole: Size) -> bool:
    """Whether a size is another one less a number (at least zero)."""
    size = part if isinstance(part, int) else scalar_size(part)
    if isinstance(size, int) and isinstance(whole, int):
        return 2 * size > whole
    if isinstance(size, Computed) and size.name in ("arith.maxsi", "arith.subi") and isinstance(size.operands[1], int):
        return size.operands[0] == whole or is_nearly_computed(size.operands[0], whole)
    return size == whole


def is_nearly_computed(size: Size, whole: Size) -> bool:
    return isinstance(size, Computed) and size.name == "arith.subi" and size.operands[0] == whole


def sink_part(plan: Plan, node: Node, number: int, whole: Storage) -> None:
    """Builds operand `number` of `node` inside the storage `whole`."""
    part = node.operands[number]
    storage = plan.storages.of(part)
    if plan.storages.offer_sink(part, Sink("part", node, number), node):
        plan.storages.merge(storage, whole, whole=False)


def build_around(plan: Plan, node: Node, number: int, result: Storage) -> None:
    """Builds operand `number` of `node` inside the node's new result, whose memory is then needed earlier."""
    part = node.operands[number]
    storage = plan.storages.of(part)
    if storage is not result and plan.storages.offer_sink(part, Sink("part", node, number), node):
        plan.storages.merge(storage, result, whole=False)
        if storage.home.position < result.home.position:
            result.home = storage.home


def make_concat(plan: Plan, node: Node) -> None:
    """The operands of a concatenation may be built inside the result."""
    result = plan.storages.fresh(node.results[0], node)
    for number in range(len(node.operands)):
        build_around(plan, node, number, result)


def carries_same_size(plan: Plan, argument: ir.Value) -> bool:
    """Whether a loop-carried array provably has the same size in every iteration."""
    return all(plan.size(argument, axis) != Dim(argument, axis) for axis in range(argument.type.rank))


def visit_for(plan: Plan, node: Node) -> None:
    storages = plan.storages
    arguments, starts = node.arguments()[1:], node.operands[3:]
    carried = [k for k, argument in enumerate(arguments) if is_array(argument)]
    for k in carried:
        storages.fresh(arguments[k], node)
    visit_block(plan, node.regions[0])
    for k in carried:
        carry_array(plan, node, k, arguments[k], starts[k], node.terminator.operands[k], node.terminator)
        finish_carry(plan, node, k, arguments[k], node.results[k])


def carry_array(
    plan: Plan, node: Node, number: int, argument: ir.Value, start: ir.Value, following: ir.Value, end: Node
) -> None:
    """Decides how a loop carries one array and whether it may begin in the memory of its start value."""
    storages, key = plan.storages, (node, number)
    own = storages.of(argument)
    if not storages.naive and storages.of(following) is own and storages.is_whole(following):
        plan.carries[key] = Carry.IN_PLACE
        if storages.can_overwrite(node, start, frozenset(k for k, v in enumerate(node.operands) if v != start)):
            storages.merge(own, storages.of(start), whole=True)
        return
    plan.carries[key] = Carry.SWAPPED if carries_same_size(plan, argument) else Carry.RESIZED
    own.sinkable = False
    storages.offer_sink(following, Sink("next", node, number), end)


def finish_carry(plan: Plan, node: Node, number: int, argument: ir.Value, result: ir.Value) -> None:
    """Gives the loop's result its storage: that of the carried array, or its own when buffers were swapped."""
    storages = plan.storages
    if plan.carries[node, number] is Carry.IN_PLACE:
        storages.join(result, storages.of(argument), whole=True)
    else:
        storages.fresh(result, node)


def visit_while(plan: Plan, node: Node) -> None:
    """Both regions of `scf.while` see the carried arrays; those the condition hands on unchanged are not copied."""
    storages = plan.storages
    before, after = node.arguments(0), node.arguments(1)
    carried = [k for k, argument in enumerate(before) if is_array(argument)]
    for k in carried:
        storages.fresh(before[k], node)
    visit_block(plan, node.regions[0])
    forwarded = node.regions[0][-1].operands[1:]
    for argument, value in zip(after, forwarded, strict=True):
        if is_array(argument):
            if value in before:
                storages.join(argument, storages.of(value), whole=True)
            else:
                storages.fresh(argument, node, sinkable=False, writable=False)
    visit_block(plan, node.regions[1])
    end = node.regions[1][-1]
    for k in carried:
        carry_array(plan, node, k, before[k], node.operands[k], end.operands[k], end)
    for result, value in zip(node.results, forwarded, strict=True):
        if is_array(result):
            if value in before and plan.carries[node, before.index(value)] is Carry.IN_PLACE:
                storages.join(result, storages.of(value), whole=True)
            else:
                storages.fresh(result, node)


def visit_if(plan: Plan, node: Node) -> None:
    """A result shares the memory its branches agree on; otherwise both branches build it in one place."""
    storages = plan.storages
    for nodes in node.regions:
        visit_block(plan, nodes)
    for number, result in enumerate(node.results):
        if not is_array(result):
            continue
        branches = [nodes[-1] for nodes in node.regions]
        values = [branch.operands[number] for branch in branches]
        shared = storages.of(values[0])
        agree = all(storages.of(value) is shared and storages.is_whole(value) for value in values)
        if agree and shared.writable and not node.contains(shared.home) and not storages.naive:
            storages.join(result, shared, whole=True)
            continue
        storages.fresh(result, node)
        for branch, value in zip(branches, values, strict=True):
            storages.offer_sink(value, Sink("branch", node, number), branch)


def visit_map(plan: Plan, node: Node) -> None:
    storages, op = plan.storages, node.op
    bind_elements(plan, node.arguments()[1 : 1 + len(op.inputs)], op.inputs)
    accumulators = node.arguments()[1 + len(op.inputs) :]
    for argument, operand in zip(accumulators, op.accs, strict=True):
        storages.join(argument, storages.of(operand), whole=True)
    visit_block(plan, node.regions[0])
    arrays = len(node.results) - len(accumulators)
    for number, result in enumerate(node.results[:arrays]):
        storages.fresh(result, node)
        offer_row(plan, node, number, node.terminator)
    for result, operand in zip(node.results[arrays:], op.accs, strict=True):
        storages.join(result, storages.of(operand), whole=True)


def bind_elements(plan: Plan, elements: list[ir.Value], arrays: list[ir.Value]) -> None:
    """Rows handed to a body are parts of the arrays they come from."""
    for element, array in zip(elements, arrays, strict=True):
        if is_array(element):
            plan.storages.view(element, array)


def offer_row(plan: Plan, node: Node, number: int, end: Node) -> None:
    if is_array(end.operands[number]):
        plan.storages.offer_sink(end.operands[number], Sink("row", node, number), end)


def operator_arguments(node: Node, region: int) -> tuple[list[ir.Value], list[ir.Value]]:
    """The arguments of a combining region for the running values and for the elements; suffix scans swap them."""
    arguments = node.arguments(region)
    count = len(arguments) // 2
    first, second = arguments[:count], arguments[count:]
    if node.name == "soac.scan" and ir.BoolAttr(node.op.reverse).value:
        return second, first
    return first, second


def visit_operator(
    plan: Plan,
    node: Node,
    region: int,
    neutral: list[ir.Value],
    values: list[ir.Value],
    results: list[ir.Value | None],
) -> None:
    """A combining region on arrays: the running value takes over the neutral one's memory, the result the running's."""
    if not node.regions[region]:
        return
    storages = plan.storages
    running, elements = operator_arguments(node, region)
    for argument in running:
        if is_array(argument):
            storages.fresh(argument, node)
    bind_elements(plan, elements, values)
    visit_block(plan, node.regions[region])
    for number, (argument, result) in enumerate(zip(running, results, strict=True)):
        if is_array(argument):
            sink = Sink(f"running{region}", node, number)
            sink_running(plan, sink, argument, node.regions[region][-1])
            if storages.can_overwrite(node, neutral[number]):
                storages.merge(storages.of(argument), storages.of(neutral[number]), whole=True)
            if result is not None:
                storages.join(result, storages.of(argument), whole=True)


def sink_running(plan: Plan, sink: Sink, running: ir.Value, end: Node) -> None:
    """Builds the combined array over the running one when it is read element by element where it is written."""
    storages = plan.storages
    value, own = end.operands[sink.number], plan.storages.of(running)
    source = storages.of(value)
    if source is own:
        return
    if reads_pointwise(plan, source.home, own.members):
        storages.offer_sink(value, sink, end)


def reads_pointwise(plan: Plan, node: Node, members: list[ir.Value]) -> bool:
    """Whether a nest of maps reads these arrays only at the element it is about to write."""
    if node.name != "soac.map" or node.op.accs:
        return False
    for member in members:
        for use in plan.tree.reads(member):
            if node.contains(use) and not (use is node and _element_is_pointwise(plan, node, member)):
                return False
            if use.position > node.end and node.parent.contains(use):
                return False
    return True


def _element_is_pointwise(plan: Plan, node: Node, array: ir.Value) -> bool:
    for argument, value in zip(node.arguments()[1:], node.op.inputs, strict=False):
        if value == array and is_array(argument):
            uses = set(plan.tree.reads(argument))
            if not all(use.parent is node and reads_pointwise(plan, use, [argument]) for use in uses) or len(uses) > 1:
                return False
    return True


def visit_reduce(plan: Plan, node: Node) -> None:
    visit_operator(plan, node, 0, node.op.neutral, node.op.inputs, list(node.results))


def visit_scan(plan: Plan, node: Node) -> None:
    visit_operator(plan, node, 0, node.op.neutral, node.op.inputs, [None] * len(node.op.inputs))
    make_fresh(plan, node)


def visit_fused(plan: Plan, node: Node) -> None:
    op = node.op
    bind_elements(plan, node.arguments(0)[1:], op.inputs)
    visit_block(plan, node.regions[0])
    reduced, scanned = len(op.reduce_neutral), len(op.scan_neutral)
    lifted = node.terminator.operands
    visit_operator(plan, node, 1, op.reduce_neutral, lifted[:reduced], list(node.results[:reduced]))
    visit_operator(plan, node, 2, op.scan_neutral, lifted[reduced : reduced + scanned], [None] * scanned)
    for number, result in enumerate(node.results[reduced:], reduced):
        plan.storages.fresh(result, node)
        if number >= reduced + scanned:
            offer_row(plan, node, number, node.terminator)


def visit_hist(plan: Plan, node: Node) -> None:
    op = node.op
    for number, result in enumerate(node.results):
        update_operand(plan, node, 2 + number, result, frozenset())
    running, values = node.arguments()[: len(op.dests)], node.arguments()[len(op.dests) :]
    for argument, result in zip(running, node.results, strict=True):
        if is_array(argument):
            plan.storages.join(argument, plan.storages.of(result), whole=False)
    bind_elements(plan, values, op.values)
    visit_block(plan, node.regions[0])


def visit_with_acc(plan: Plan, node: Node) -> None:
    storages, count = plan.storages, len(node.operands)
    for number, argument in enumerate(node.arguments()):
        if storages.can_overwrite(node, node.operands[number]):
            storages.join(argument, storages.of(node.operands[number]), whole=True)
        else:
            storages.fresh(argument, node)
    visit_block(plan, node.regions[0])
    for argument, result in zip(node.arguments(), node.results, strict=False):
        storages.join(result, storages.of(argument), whole=True)
    for number, result in enumerate(node.results[count:], count):
        if is_array(result):
            storages.fresh(result, node)
            storages.offer_sink(node.terminator.operands[number], Sink("branch", node, number), node.terminator)


def visit_update(plan: Plan, node: Node) -> None:
    plan.storages.join(node.results[0], plan.storages.of(node.operands[0]), whole=True)


def visit_return(plan: Plan, node: Node) -> None:
    for number, value in enumerate(node.operands):
        if is_array(value):
            plan.storages.offer_sink(value, Sink("out", node, number), node)


RULES: dict[str, Callable[[Plan, Node], None]] = {
    "arith.constant": make_constant,
    "tensor.extract_slice": make_view,
    "tensor.reshape": make_view,
    "soac.transpose": make_view,
    "soac.reverse": make_view,
    "tensor.cast": make_cast,
    "tensor.insert": update_insert,
    "tensor.insert_slice": update_slice,
    "tensor.concat": make_concat,
    "soac.scatter": update_scatter,
    "soac.map": visit_map,
    "soac.reduce": visit_reduce,
    "soac.scan": visit_scan,
    "soac.fused": visit_fused,
    "soac.hist": visit_hist,
    "soac.with_acc": visit_with_acc,
    "soac.update": visit_update,
    "scf.for": visit_for,
    "scf.while": visit_while,
    "scf.if": visit_if,
    "func.return": visit_return,
}
