"""The attribute `soac.schedule`: the form in which an operator runs, which one pass decides and emission obeys.

```mlir
%s = "soac.reduce"(%n, %xs, %zero) ({...}) {soac.schedule = {form = "blocks", smallest = 16384 : i64}} : ...
```
A form is a class; its fields, where they differ from their defaults, stand beside the name. What only the sizes of a
call tell is a number of the form, with which emission has them compared at run time.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, Field, field, fields
from typing import Any

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.verification import Problems

SCHEDULE = "soac.schedule"


@dataclass(frozen=True)
class Schedule:
    """How an operator runs; every form says what its emission has to know."""


@dataclass(frozen=True)
class InOrder(Schedule):
    """One loop here and now. If it `finds` the first place of the smallest or largest element, then two loops."""

    finds: str = ""


@dataclass(frozen=True)
class Column(Schedule):
    """Iterations of an inner map that threads of a map around have, each in the column that it owns."""


@dataclass(frozen=True)
class Deferred(Schedule):
    """Nothing of its own: a later map computes it together with what it needs of it."""


@dataclass(frozen=True)
class Parts(Schedule):
    """Independent iterations in a function of their own, which threads take in chunks of at least `smallest`."""

    smallest: int


@dataclass(frozen=True)
class Blocks(Schedule):
    """Partial results for blocks of at least `smallest` iterations, combined in order.

    Where emission `asks_first`, widths up to `smallest`, found at run time, take one loop. A search in two loops is
    told by what it `finds`. A search after it reads the partial results that it `keeps`, by their numbers.
    """

    smallest: int
    asks_first: bool = False
    finds: str = ""
    keeps: tuple[int, ...] = ()


@dataclass(frozen=True)
class Search(Schedule):
    """The search for an extreme in the one block of its reduction that has it, according to partial results."""


@dataclass(frozen=True)
class Copies(Schedule):
    """At most `most` blocks that change copies of the results, combined in order; how many follows from sizes.

    A block has to do more work where results `are_fixed`, whatever the number of threads. A single block that
    `may_share` runs on threads that add to the result atomically. Where emission `asks_first`, a single block, found at
    run time, takes one loop. Histograms of few bins have as many copies per block as `strands`, which take turns.
    """

    most: int
    are_fixed: bool
    may_share: bool = False
    asks_first: bool = True
    strands: int = 1


@dataclass(frozen=True)
class Pieces(Schedule):
    """Pieces of a scan by vectors of `vector_bits`, each starting from the total of those before.

    Up to `at_once` steps, found at run time, take one loop. Totals and prefixes are found `in_one_pass` or in two.
    """

    at_once: int
    vector_bits: int
    in_one_pass: bool


@dataclass(frozen=True)
class Launch(Schedule):
    """Independent iterations as the threads of a kernel."""


@dataclass(frozen=True)
class Picked(Schedule):
    """A map that is one number but for iterations that a table names: only these run.

    The body reads the table by the `tensor.extract` with the attribute `tapeless.table`. With fewer than
    `iterations_per_place` iterations for each, or if it writes over an array that it reads, it is a launch.
    """

    otherwise: ir.Attribute
    iterations_per_place: int


@dataclass(frozen=True)
class Teams(Schedule):
    """A map whose iterations reduce rows: a thread, a warp or a block for each, as long rows ask for.

    Where some are columns in memory, a block takes neighbouring ones, so that its loads are coalesced. Those that are
    known to be few and long have a warp each, `by_warps`.
    """

    has_columns: bool
    by_warps: bool = False


@dataclass(frozen=True)
class Tree(Schedule):
    """A reduction by blocks of threads: each thread reduces a share, blocks combine these in pairs, and so does one
    block with what all blocks leave. Shares are every so many elements where the order `is_free`, else a run of them.
    A `nest` of so many reductions inside is one with it.
    """

    is_free: bool
    nest: int = 0


@dataclass(frozen=True)
class Tiles(Schedule):
    """A scan by blocks of threads with a tile of elements each: totals of tiles, their starts, prefixes."""


@dataclass(frozen=True)
class Sums(Schedule):
    """What forms of maps with accumulators have in common: rows that iterations add may be taken apart by `columns`.

    `direct`: a thread owns a column. `searched`: in the same launch, threads find the destinations of rows before; in a
    branch that is the same for all iterations if it `is_guarded`.
    """

    columns: str = field(default="", kw_only=True)
    is_guarded: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class OwnCopies(Sums):
    """Threads that change copies of their own, at most `most`, which are combined in order.

    A thread takes every so many iterations if their order `is_free`, else neighbours.
    """

    most: int
    is_free: bool = True


@dataclass(frozen=True)
class OwnRows(Sums):
    """Iterations that only add to rows of their own, in place."""


@dataclass(frozen=True)
class Exact(Sums):
    """Sums at places that are data, by integers that threads add one at a time, in two launches.

    Small arrays are summed into copies, at most `most`, which are combined in order. Of the others, those of the
    numbers `beside` are added to at places that are no data: threads have copies of them in shared memory if they fit.
    """

    most: int
    beside: tuple[int, ...] = ()


@dataclass(frozen=True)
class Atomic(Sums):
    """A thread for each iteration; threads add to the result itself, one at a time."""


@dataclass(frozen=True)
class Best(Schedule):
    """A histogram of smallest numbers, or `are_largest`, as words that threads update; it may have their places, too.

    Words are in the shared memory of blocks, which are combined in order, or in one array.
    """

    are_largest: bool
    has_places: bool


@dataclass(frozen=True)
class Columns(Schedule):
    """A histogram in the shared memory of blocks, where each thread has a column of its own, combined in order.

    A thread takes every so many iterations if their order `is_free`, else neighbours. More bins than fit are counted in
    the way `beyond`: in copies, at most `most`, as exact sums, or by atomic updates of the bins themselves.
    """

    most: int
    is_free: bool
    beyond: str


@dataclass(frozen=True)
class Rare(Schedule):
    """A histogram of smallest or largest integers, to which few iterations have anything to add.

    There is a thread for each iteration, which updates the bin itself if what it has is better than what is there.
    """


@dataclass(frozen=True)
class Claimed(Schedule):
    """A scatter in two launches: iterations claim their places, the last one wins; then winners write."""


IN_ORDER = InOrder()
LAUNCH = Launch()

# The words that a field of this name may have, besides none where that is its default.
WORDS = {
    "finds": ("smallest", "largest"),
    "columns": ("direct", "searched"),
    "beyond": ("copies", "exact", "atomic"),
}
# Fields that are numbers of the type of the elements.
NUMBERS = ("otherwise",)
# What fields of other types are written as.
KINDS = {"int": "a positive integer", "bool": "true or false", "tuple[int, ...]": "array<i64: ...>"}
OF_MAPS = (InOrder, Column, Deferred, Parts, Launch, Picked, Teams, Tiles)
OF_SUMS = (InOrder, Column, Copies, OwnCopies, OwnRows, Exact, Atomic)
OF_HISTOGRAMS = (InOrder, Copies, Best, Columns, Rare)
# The forms that operators can have; those of maps depend on whether there are accumulators.
OPERATORS: dict[str, tuple[type[Schedule], ...]] = {
    "soac.map": (*OF_MAPS, *OF_SUMS),
    "soac.reduce": (InOrder, Blocks, Copies, Tree),
    "soac.fused": (InOrder, Blocks, Search, Copies, Tree, Tiles),
    "soac.scan": (InOrder, Deferred, Pieces, Tiles),
    "soac.hist": OF_HISTOGRAMS,
    "soac.fused_hist": OF_HISTOGRAMS,
    "soac.scatter": (InOrder, Claimed),
}


def form_name(form: type[Schedule]) -> str:
    """The name of a form as it is printed: `own copies` for `OwnCopies`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", form.__name__).lower()


FORMS = {form_name(form): form for forms in OPERATORS.values() for form in forms}


def attribute_of(schedule: Schedule) -> ir.Attribute:
    """A schedule as an attribute: the name of the form, and its fields but for those that have their defaults."""
    defaults = _defaults(type(schedule))
    given = {each.name: getattr(schedule, each.name) for each in _fields(type(schedule))}
    entries = {
        name: _attribute(value) for name, value in given.items() if name not in defaults or value != defaults[name]
    }
    return ir.DictAttr.get({"form": ir.StringAttr.get(form_name(type(schedule))), **entries})


def schedule_of(op: ir.OpView) -> Schedule | None:
    """The schedule that a verified operator has, if any."""
    if SCHEDULE not in op.attributes:
        return None
    given = {entry.name: entry.attr for entry in ir.DictAttr(op.attributes[SCHEDULE])}
    form = FORMS[ir.StringAttr(given.pop("form")).value]
    return form(**{name: _value(name, attribute) for name, attribute in given.items()})


def _value(name: str, attribute: ir.Attribute) -> Any:
    if name in NUMBERS:
        return attribute
    return tuple(attribute) if isinstance(attribute, ir.DenseI64ArrayAttr) else attribute.value


def schedule_problems(op: ir.OpView) -> Problems:
    """What is wrong with the schedule of an operation, if it has one."""
    if SCHEDULE not in op.attributes:
        return
    attribute, forms = op.attributes[SCHEDULE], _forms_for(op)
    if not forms:
        yield f"has {SCHEDULE}; give schedules to operators alone"
        return
    given = {entry.name: entry.attr for entry in attribute} if isinstance(attribute, ir.DictAttr) else {}
    name = given.pop("form", None)
    if not isinstance(name, ir.StringAttr):
        yield f'has {SCHEDULE} = {attribute}; make it {{form = "..."}} with the fields of the form'
        return
    known = {form_name(form): form for form in forms}
    if name.value not in known:
        yield f"has a schedule of the form '{name.value}'; give one of: {', '.join(known)}"
        return
    yield from _field_problems(known[name.value], given)


def _forms_for(op: ir.OpView) -> tuple[type[Schedule], ...]:
    if op.operation.name != "soac.map":
        return OPERATORS.get(op.operation.name, ())
    return OF_SUMS if len(op.accs) else OF_MAPS


def _field_problems(form: type[Schedule], given: dict[str, ir.Attribute]) -> Problems:
    name, known = form_name(form), {each.name: each for each in _fields(form)}
    for each in given:
        if each not in known:
            yield f"has a schedule with {each}, which the form '{name}' has not; it has: {', '.join(known) or 'none'}"
    for each, declared in known.items():
        if each not in given and each not in _defaults(form):
            yield f"lacks {each} in its schedule of the form '{name}'; add {each} = {_wanted(declared)}"
        elif each in given and not _fits(declared, given[each]):
            yield f"has {each} = {given[each]} in its schedule; make it {_wanted(declared)}"


def _wanted(declared: Field[Any]) -> str:
    if declared.name in WORDS:
        return " or ".join(f'"{word}"' for word in WORDS[declared.name])
    return "a number" if declared.name in NUMBERS else KINDS[str(declared.type)]


def _fits(declared: Field[Any], attribute: ir.Attribute) -> bool:
    if declared.name in WORDS:
        return isinstance(attribute, ir.StringAttr) and attribute.value in WORDS[declared.name]
    if declared.type == "bool":
        return isinstance(attribute, ir.BoolAttr)
    if declared.name in NUMBERS:
        return isinstance(attribute, ir.FloatAttr | ir.IntegerAttr)
    if declared.type == "int":
        return isinstance(attribute, ir.IntegerAttr) and attribute.value > 0
    return isinstance(attribute, ir.DenseI64ArrayAttr)


def _fields(form: type[Any]) -> tuple[Field[Any], ...]:
    return fields(form)


def _defaults(form: type[Any]) -> dict[str, Any]:
    return {each.name: each.default for each in fields(form) if each.default is not MISSING}


def _attribute(value: ir.Attribute | tuple[int, ...] | int | str) -> ir.Attribute:
    if isinstance(value, ir.Attribute):
        return value
    if isinstance(value, tuple):
        return ir.DenseI64ArrayAttr.get(value)
    if isinstance(value, bool):
        return ir.BoolAttr.get(value)
    if isinstance(value, int):
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    return ir.StringAttr.get(value)
