"""Arrays of one shape that are written in a loop and trade names from step to step: the time levels of a scheme."""

from __future__ import annotations

from dataclasses import dataclass

from fuzz.draft import Draft
from fuzz.expressions import expression
from fuzz.expressions.integers import condition
from fuzz.sizes import sliced
from fuzz.statements import loops, nested, write
from fuzz.statements.assignments import tamed
from fuzz.types import BOOL, Type, floats

PARTS = ("1:-1", "1:-1", ":-2", "2:", "1:", ":-1", "::2", "1::2", ":2", "-2:", "::-1", ":")
STEPS = (
    "{to} = 2.0 * {at} - {to} + 0.1 * {near}",
    "{to} = {at} * 0.5 - {to}",
    "{to} = 0.3 * {near} - 0.9 * {to}",
    "{to} += 0.2 * tl.sin({near})",
    "{to} -= {at} * {near} * 0.1",
    "{to} *= 0.8",
    "{to} = tl.tanh({near} + {to})",
    "{to} = {near}",
    "{to} = -{to}",
)


@dataclass(frozen=True)
class Place:
    """Where a level is: a variable, or the row of one on an axis."""

    name: str
    axis: int = 0
    row: str = ""

    def __str__(self) -> str:
        return f"{self.name}[{', '.join([':'] * self.axis + [self.row])}]" if self.row else self.name

    def part(self, cuts: list[str]) -> str:
        """Its elements at these slices, one for each of its own axes."""
        return f"{self.name}[{', '.join([*cuts[: self.axis], *[self.row] * bool(self.row), *cuts[self.axis :]])}]"


def levels(d: Draft) -> list[Place]:
    """A loop over two to four levels; in one of three, one of them is a row."""
    held = [holder(d)] if d.chance(0.3) else []
    type_ = held[0][1] if held else level_type(d)
    places = [*some_levels(d, type_, d.weighted({2: 6, 3: 3, 4: 1}) - len(held)), *(place for place, _ in held)]
    in_loop(d, places, type_)
    return places


def in_map(d: Draft) -> None:
    """The loop in a function that is mapped or called."""
    nested.function(d, lambda d: f"tl.sum({d.pick(levels(d))})")


def in_steps(d: Draft) -> None:
    """The loop in a loop."""
    loops.repeated(d, *loops.known_trips(d), levels)


def level_type(d: Draft) -> Type:
    known = [each.type for each in d.scope.variables if each.type.is_float and each.type.rank > 0]
    return d.pick(known) if known and d.chance(0.8) else floats(*(d.size() for _ in range(d.rng.randint(1, 2))))


def holder(d: Draft) -> tuple[Place, Type]:
    """A row or column of an array, as one of the levels."""
    array = d.pick(d.scope.writable(lambda type_: type_.is_float and type_.rank > 1))
    axis = d.rng.randrange(array.type.rank)
    size, rest = array.type.sizes[axis], (*array.type.sizes[:axis], *array.type.sizes[axis + 1 :])
    at = d.pick(range(min(min(size), 3)))
    return Place(array.name, axis, str(at)), array.type.shaped(*rest)


def some_levels(d: Draft, type_: Type, count: int) -> list[Place]:
    """Variables of this type, and new ones where there are too few."""
    known = [Place(each.name) for each in d.scope.writable(type_.fits)]
    found = d.rng.sample(known, min(len(known), count if d.chance(0.7) else 1))
    while len(found) < count:
        found.append(Place(d.assign_new("level", type_, tamed(d, type_, expression(d, type_, 2))).name))
    return found


def in_loop(d: Draft, places: list[Place], type_: Type) -> None:
    """The loop: a number of steps that the text or an axis says, or while a condition holds."""

    def body(d: Draft) -> None:
        step(d, places, type_)

    kind = d.weighted({"counted": 4, "axis": 3, "while": 2})
    if kind == "while":
        loops.while_counted(d, body)
    else:
        loops.repeated(d, *(loops.known_trips(d) if kind == "counted" else loops.axis_trips(d)), body)


def step(d: Draft, places: list[Place], type_: Type) -> None:
    """One step: levels are written, some other statement perhaps, and names are traded."""
    for _ in range(d.weighted({1: 5, 2: 3, 3: 1})):
        written(d, places, type_)
    if d.chance(0.25):
        write.block(d, 1)
    if d.chance(0.15):
        d.add(f"if {condition(d, BOOL, 1)}:")
        with d.block():
            traded(d, places)
    else:
        traded(d, places)
    if d.chance(0.2):
        written(d, places, type_)


def written(d: Draft, places: list[Place], type_: Type) -> None:
    """A part of one level from parts of the others, or all of it."""
    to, *others = d.rng.sample(places, len(places))
    if d.chance(0.25):
        form = d.pick(STEPS).format(to=to, at=others[0], near=d.pick(others))
        d.add(form if d.chance(0.8) else f"{to} = {to} * 0.5 + {tamed(d, type_, expression(d, type_, 2))}")
        return
    cuts = [d.pick(PARTS) if axis == 0 or d.chance(0.6) else ":" for axis in range(type_.rank)]
    moved = [
        d.pick([text for text in PARTS if sliced(size, text) == sliced(size, cut)])
        for size, cut in zip(type_.sizes, cuts, strict=True)
    ]
    near = (d.pick(others) if d.chance(0.9) else to).part(moved)
    d.add(d.pick(STEPS).format(to=to.part(cuts), at=others[0].part(cuts), near=near))


def traded(d: Draft, places: list[Place]) -> None:
    """All levels move on by one, two of them trade places, or by way of a third name."""
    some = places if d.chance(0.7) else d.rng.sample(places, 2)
    moved = d.pick((some[1:] + some[:1], some[-1:] + some[:-1]))
    if d.chance(0.2) and len(some) == 2 and not any(each.row for each in some):
        kept = d.fresh("kept")
        for line in (f"{kept} = {some[0]}", f"{some[0]} = {some[1]}", f"{some[1]} = {kept}"):
            d.add(line)
        return
    values = [f"{each} * 0.5" if d.chance(0.06) else str(each) for each in moved]
    d.add(f"{', '.join(map(str, some))} = {', '.join(values)}")


EVERYWHERE = {levels: 6, in_map: 3, in_steps: 2}
"""The loop alone and inside of others."""
