"""What the body of an operator lets a scheduler do with it."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ir.places.places import is_data
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.schedule.kinds import can_trap
from tapeless.passes.lower.schedule.work import cost
from tapeless.passes.lower.storage.aliasing import is_accumulator, is_array
from tapeless.passes.lower.storage.tree import Node

# Operations that may be reassociated where they combine the values of a reduction.
RELAXED = frozenset({"arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf"})
# Operations whose sums the compiler may order as it likes.
SUMS = frozenset({"soac.reduce", "soac.fused", "soac.update"})
DIVISIONS = frozenset(f"arith.{name}" for name in ("divsi", "divui", "floordivsi", "ceildivsi", "remsi", "remui"))
ARITHMETIC = frozenset(
    f"arith.{name}" for name in ("addi", "subi", "muli", "select", "index_cast", "extsi", "trunci", "minsi", "maxsi")
)
READS = frozenset({"tensor.extract", "tensor.dim"})
COMMUTATIVE = RELAXED | {f"arith.{name}" for name in ("addi", "muli", "maxsi", "minsi", "andi", "ori", "xori")}
LARGEST_IN_LANES = 12


def is_scalar_code(nodes: Sequence[Node], *, may_read: bool) -> bool:
    """Whether operations compute scalars, with branches between such; they may read arrays or not."""
    return all(
        is_plain(node)
        or (may_read and node.name in READS)
        or (node.name == "scf.if" and not any(map(is_array, node.results)) and _are_scalar(node, may_read))
        for node in nodes
    )


def _are_scalar(node: Node, may_read: bool) -> bool:
    return all(is_scalar_code(region, may_read=may_read) for region in node.regions)


def combines_scalars(node: Node, region: int) -> bool:
    """Whether an operator combines scalars by scalar code, perhaps with branches."""
    nodes = node.regions[region]
    return bool(nodes) and bool(nodes[-1].operands) and is_scalar_code(nodes, may_read=False)


def counts_scalars(node: Node) -> bool:
    """Whether the bodies of a histogram are scalar code, perhaps with branches, of which the first may read arrays."""
    *lift, combine = node.regions
    return all(is_scalar_code(nodes, may_read=True) for nodes in lift) and is_scalar_code(combine, may_read=False)


def is_plain(node: Node) -> bool:
    """Whether an operation is scalar code without regions."""
    return not node.regions and not any(is_array(value) for value in (*node.operands, *node.results))


def combines_plainly(node: Node, region: int) -> bool:
    """Whether an operator combines scalars by scalar code, which can be emitted twice."""
    nodes = node.regions[region]
    return bool(nodes) and bool(nodes[-1].operands) and all(map(is_plain, nodes))


def counts_plainly(node: Node) -> bool:
    """Whether the bodies of a histogram are scalar code that reads arrays at most."""
    *lift, combine = node.regions
    statements = [inner for nodes in lift for inner in nodes]
    return all(is_plain(inner) or inner.name in READS for inner in statements) and all(map(is_plain, combine))


def lifts_plainly(node: Node) -> bool:
    """Whether the first region of an operator is scalar code that reads arrays at most, which can be emitted twice."""
    return is_scalar_code(node.regions[0], may_read=True)


def adds_at_data(node: Node) -> bool:
    """Whether iterations of a map add to an array at indices that are data, or quotients and remainders."""
    inner = [child for region in node.regions for child in region]
    return any(
        (child.name == "soac.update" and any(map(_is_scattered, child.operands[1:-1]))) or adds_at_data(child)
        for child in inner
    )


def sums_without_data(node: Node) -> tuple[int, ...]:
    """The numbers of the accumulators of a map to which iterations add at places that are no data alone."""
    own = node.arguments()[-len(node.op.accs) :]
    numbers, at_data = dict(zip(own, range(len(own)), strict=True)), set[int]()
    is_known = _follow(node, numbers, at_data)
    return tuple(number for number in range(len(own)) if is_known and number not in at_data)


def _follow(node: Node, numbers: dict[ir.Value, int], at_data: set[int]) -> bool:
    """Notes which accumulator each one inside is, and those that are added to at data; whether it could be told."""
    for child in (child for region in node.regions for child in region[:-1]):
        accs = [value for value in child.operands if value in numbers]
        if child.name == "soac.update":
            # Other accumulators are those of arrays that an iteration has for itself.
            numbers.update((child.results[0], numbers[acc]) for acc in accs)
            at_data.update(numbers[acc] for acc in accs if any(map(_is_scattered, child.operands[1:-1])))
            continue
        if child.name == "soac.map":
            own = child.arguments()[len(child.arguments()) - len(accs) :]
            numbers.update((value, numbers[acc]) for value, acc in zip(own, accs, strict=True))
        elif accs:
            return False
        if not _follow(child, numbers, at_data):
            return False
        if any(map(is_accumulator, child.results)):
            made = child.terminator.operands
            numbers.update((old, numbers[new]) for old, new in zip(child.results, made, strict=True) if new in numbers)
    return True


def adds_to_own_rows(node: Node) -> bool:
    """Whether each iteration of a map only adds to the row of its own number, and loops in it each at their own index.

    Threads may then have iterations of the loops in a map, too, as far as these are a nest.
    """
    return _adds_apart(node, [node.arguments()[0]])


def _adds_apart(node: Node, indices: list[ir.Value | None]) -> bool:
    """Whether all indices of the loops around, None for one that has none, are among the places of each addition."""
    for child in (child for region in node.regions for child in region):
        if child.name == "soac.update":
            places = child.operands[1:-1]
            if list(places[:1]) != indices[:1] or any(index not in places for index in indices):
                return False
            continue
        own = [None if child.name == "scf.while" else child.arguments()[0]] if child.is_loop() else []
        if not _adds_apart(child, [*indices, *own]):
            return False
    return True


def _is_scattered(place: ir.Value) -> bool:
    """Whether neighbouring iterations may name places that are no neighbours."""
    return is_data(place) or _is_divided(place)


def _is_divided(place: ir.Value) -> bool:
    """Whether there is a quotient or a remainder in an index."""
    if isinstance(place, ir.BlockArgument):
        return False
    op = place.owner.operation
    return op.name in DIVISIONS or (op.name in ARITHMETIC and any(map(_is_divided, op.operands)))


def adds_up(node: Node) -> bool:
    """Whether all that a histogram does is to add numbers."""
    operations = node.regions[-1][:-1]
    return is_commutative(node) and all(inner.name in ("arith.addf", "arith.addi") for inner in operations)


def updates_integers(node: Node) -> bool:
    """Whether a histogram combines integers in ways that are atomic updates, and so the same in every order."""
    operations = node.regions[-1][:-1]
    names = ("arith.addi", "arith.minsi", "arith.maxsi")
    are_whole = all(str(inner.results[0].type) in ("i32", "i64") for inner in operations)
    return is_commutative(node) and are_whole and all(inner.name in names for inner in operations)


def finds_rare_extremes(node: Node) -> bool:
    """Whether a histogram finds smallest or largest integers, and a test in its body says who has one to offer."""
    operations = node.regions[-1][:-1]
    if len(node.regions) < 2 or not updates_integers(node) or any(inner.name == "arith.addi" for inner in operations):
        return False
    values = node.terminator.operands[1:]
    pairs = zip(values, node.op.neutral, strict=True)
    return all(_may_be(value, neutral, node.regions[0]) for value, neutral in pairs)


def _may_be(value: ir.Value, wanted: ir.Value, nodes: Sequence[Node]) -> bool:
    """Whether a value that some of these operations make is chosen between this constant and something else."""
    maker = next((inner for inner in nodes if value in inner.results), None)
    if maker is not None and maker.name == "arith.select":
        choices = [(choice, nodes) for choice in maker.operands[1:]]
    elif maker is not None and maker.name == "scf.if":
        number = maker.results.index(value)
        choices = [(region[-1].operands[number], region) for region in maker.regions]
    else:
        return False
    return any(_is_equal(choice, wanted) or _may_be(choice, wanted, around) for choice, around in choices)


def _is_equal(value: ir.Value, constant: ir.Value) -> bool:
    number = constant_int(value)
    return number is not None and number == constant_int(constant)


def is_commutative(node: Node) -> bool:
    """Whether a histogram combines every component by one operation whose operands may change places."""
    return combines_in_any_order(node, len(node.regions) - 1)


def combines_in_any_order(node: Node, region: int) -> bool:
    """Whether a region combines every component by one operation whose operands may change places."""
    return all(is_any_order(node, region, number) for number in range(len(node.regions[region][-1].operands)))


def is_any_order(node: Node, region: int, number: int) -> bool:
    """Whether a region combines a component by one operation whose operands may change places."""
    combined, arguments = node.regions[region][-1].operands, node.arguments(region)
    pair = {arguments[number], arguments[len(combined) + number]}
    maker = next((inner for inner in node.regions[region][:-1] if combined[number] in inner.results), None)
    return maker is not None and maker.name in COMMUTATIVE and set(maker.operands) == pair


def fits_lanes(node: Node) -> bool:
    """Whether the operator of a scan is small enough to run on the lanes of vectors, several times for each."""
    operations = node.regions[0][:-1]
    is_arithmetic = all(inner.name.startswith("arith.") and not can_trap(inner.op) for inner in operations)
    return is_arithmetic and cost(operations) <= LARGEST_IN_LANES


def is_product(node: Node) -> bool:
    """Whether a map holds no operators but one map, and that none but one sum."""
    rows = _operators(node)
    if len(rows) != 1 or rows[0].name != "soac.map":
        return False
    sums = _operators(rows[0])
    return len(sums) == 1 and sums[0].name in SUMS and not _operators(sums[0])


def _operators(node: Node) -> list[Node]:
    return [child for region in node.regions for child in region if child.regions or child.name in SUMS]


def holds_sum(node: Node) -> bool:
    """Whether a sum lies anywhere inside."""
    inner = [child for region in node.regions for child in region]
    return any(child.name in SUMS or holds_sum(child) for child in inner)
