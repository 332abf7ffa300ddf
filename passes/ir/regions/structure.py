"""The structure of operations with regions: their operands, region arguments and results.

Every list of values is described by the families it consists of; `*` marks those of any number. Member k of a family is
the same thing wherever the family stands: the operand that an iteration is given as an argument, what it yields for it,
and the result it ends as. Families `carried` pass from one iteration to the next, accumulators (`accs`) through all of
them; of any other family, what is given and what is yielded may become whatever is handed in or out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.groups import SEGMENTS, numbers_of

Counts = int | tuple[int, ...]
"""How many operands there are: in all, or in each group where that does not tell."""
OPERATOR = "values* values* -> values*"
Kind = tuple[str, Counts, int]
Spans = tuple[slice, ...]


@dataclass(frozen=True)
class Family:
    """One entry of a layout: a single value, or `many` values."""

    name: str
    many: bool


@dataclass(frozen=True)
class Layout:
    """The families of one list of values, in order; a family may stand there more than once."""

    families: tuple[Family, ...]

    @staticmethod
    def of(text: str) -> Layout:
        """Reads `width inputs* accs*`."""
        return Layout(tuple(Family(name.rstrip("*"), name.endswith("*")) for name in text.split()))

    @property
    def several(self) -> list[str]:
        """The names of its families of any number, in order."""
        return [family.name for family in self.families if family.many]

    def group_sizes(self, counts: Counts) -> Sequence[int]:
        """The size of each family; at most one is of any number when only their sum is known."""
        if not isinstance(counts, int):
            return counts
        spare = counts - (len(self.families) - len(self.several))
        return [spare if family.many else 1 for family in self.families]

    def starts(self, name: str, sizes: dict[str, int]) -> Iterator[int]:
        """The positions at which a family begins."""
        position = 0
        for family in self.families:
            if family.name == name:
                yield position
            position += sizes[family.name] if family.many else 1


@dataclass(frozen=True)
class Body:
    """The arguments of a region and its yielded values."""

    arguments: Layout
    yields: Layout

    @staticmethod
    def of(text: str) -> Body:
        """Reads `index inputs* -> rows*`."""
        arguments, yields = text.split("->")
        return Body(Layout.of(arguments), Layout.of(yields))


@dataclass(frozen=True)
class Structure:
    """The layouts of the operands, regions and results of an operation."""

    operands: Layout
    bodies: tuple[Body, ...]
    results: Layout

    @property
    def families(self) -> list[str]:
        """The families of any number: those that end inside, then those of the results, in their order."""
        given = dict.fromkeys(self.operands.several)
        return [*(name for name in given if name not in self.results.several), *self.results.several]

    def sizes(self, operands: Counts, results: int) -> dict[str, int]:
        """The number of members of each family, from the numbers of operands and of results."""
        pairs = zip(self.operands.families, self.operands.group_sizes(operands), strict=True)
        sizes = {family.name: size for family, size in pairs if family.many}
        known = sum(sizes.get(name, 0) for name in self.results.several)
        sizes.update({name: results - known for name in self.results.several if name not in sizes})
        return sizes


def structure(operands: str, *bodies: str, results: str) -> Structure:
    """A structure from the texts of its layouts."""
    return Structure(Layout.of(operands), tuple(map(Body.of, bodies)), Layout.of(results))


STRUCTURES: dict[str, Structure] = {
    "soac.map": structure("width inputs* accs*", "index inputs* accs* -> rows* accs*", results="rows* accs*"),
    "soac.reduce": structure("width values* values*", OPERATOR, results="values*"),
    "soac.scan": structure("width values* values*", OPERATOR, results="values*"),
    "soac.hist": structure("width keys values* values* values*", OPERATOR, results="values*"),
    "soac.fused": structure(
        "width inputs* reduced* scanned*",
        "index inputs* -> reduced* scanned* rows*",
        "reduced* reduced* -> reduced*",
        "scanned* scanned* -> scanned*",
        results="reduced* scanned* rows*",
    ),
    "soac.fused_hist": structure(
        "width inputs* values* values*", "index inputs* -> key values*", OPERATOR, results="values*"
    ),
    "soac.with_acc": structure("accs*", "accs* -> accs* extras*", results="accs* extras*"),
    "scf.for": structure("lower upper step carried*", "index carried* -> carried*", results="carried*"),
    "scf.if": structure("condition", "-> chosen*", "-> chosen*", results="chosen*"),
    "scf.while": structure("carried*", "carried* -> condition passed*", "passed* -> carried*", results="passed*"),
    "rev.retrace": structure(
        "lower trips stride states* carried*",
        "index states* -> states*",
        "index states* carried* -> carried*",
        results="carried*",
    ),
    "ad.checkpoint": structure("", "-> made*", results="made*"),
}


GROUPED = frozenset(name for name, each in STRUCTURES.items() if len(each.operands.several) > 1)


def kind_of(op: ir.OpView | ir.Operation) -> Kind:
    """All that the places of values in a structured operation depend on."""
    operation = op.operation
    name = operation.name
    counts = tuple(numbers_of(operation.attributes[SEGMENTS])) if name in GROUPED else len(operation.operands)
    return name, counts, len(operation.results)


def operands_of(op: ir.OpView | ir.Operation, family: str) -> list[ir.Value]:
    """The operands of an operation that belong to a family."""
    return _picked(op.operation.operands, _operand_spans(kind_of(op), family))


def arguments_of(op: ir.OpView | ir.Operation, family: str, region: int = 0) -> list[ir.Value]:
    """The arguments of a region that belong to a family."""
    return _picked(op.operation.regions[region].blocks[0].arguments, _argument_spans(kind_of(op), family, region))


def _picked(values: Sequence[ir.Value], spans: Spans) -> list[ir.Value]:
    if len(spans) == 1:
        return list(values[spans[0]])
    return [value for span in spans for value in values[span]]


@cache
def _operand_spans(kind: Kind, family: str) -> Spans:
    return _spans(kind, STRUCTURES[kind[0]].operands, family)


@cache
def _argument_spans(kind: Kind, family: str, region: int) -> Spans:
    return _spans(kind, STRUCTURES[kind[0]].bodies[region].arguments, family)


def _spans(kind: Kind, layout: Layout, family: str) -> Spans:
    name, operands, results = kind
    if family not in layout.several:
        raise KeyError(f"no {family} in the layout of {name}")
    sizes = STRUCTURES[name].sizes(operands, results)
    return tuple(slice(start, start + sizes[family]) for start in layout.starts(family, sizes))
