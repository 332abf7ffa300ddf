"""Dataclasses made on use are as those of the standard library, which they are compared with."""

from __future__ import annotations

import dataclasses
import pickle
from dataclasses import field
from typing import ClassVar

import pytest

from tapeless.dataclasses_on_use import dataclass


def classes(decorate):
    """Classes of all kinds that occur, decorated."""

    @decorate(frozen=True)
    class Plain:
        """Fields with and without values."""

        name: ClassVar[str] = "plain"
        absent: int
        items: tuple[int, ...] = ()
        hidden: int = field(default=3, repr=False, compare=False)

    @decorate(frozen=True)
    class Derived(Plain):
        """Fields of a base, another value of one, and two by name."""

        items: tuple[int, ...] = (1,)
        first: int = field(default=4, kw_only=True)
        last: str = field(kw_only=True)

    @decorate()
    class Changing:
        """Fields that are made, one of them no parameter, and what runs behind."""

        start: float
        seen: list[float] = field(default_factory=list)
        own: dict[str, int] = field(default_factory=dict, init=False)

        def __post_init__(self):
            self.seen.append(self.start)

    @decorate(frozen=True, eq=False, repr=False)
    class Alone:
        """Equal to nothing else."""

        value: int

    @decorate(frozen=True)
    class Written:
        """Methods of its own."""

        value: int

        def __repr__(self):
            return "written"

        def __eq__(self, other):
            return isinstance(other, Written)

        def __hash__(self):
            return 7

    @decorate(frozen=True, slots=True)
    class Slots:
        """Without a dictionary."""

        value: int = 2

    return {each.__name__: each for each in (Plain, Derived, Changing, Alone, Written, Slots)}


OURS, THEIRS = classes(dataclass), classes(dataclasses.dataclass)
ARGUMENTS = {
    "Plain": [((1,), {}), ((1, (2,)), {}), ((), {"absent": 1, "hidden": 5}), ((1,), {"hidden": 9})],
    "Derived": [((1,), {"last": "z"}), ((1, (2,), 3), {"first": 8, "last": ""})],
    "Changing": [((1.0,), {}), ((2.0, [3.0]), {}), ((), {"start": 1.0})],
    "Alone": [((1,), {}), ((1,), {})],
    "Written": [((1,), {}), ((2,), {})],
    "Slots": [((), {}), ((1,), {})],
}
REFUSED = {
    "Plain": [((), {}), ((1, 2, 3, 4), {}), ((1,), {"other": 1})],
    "Derived": [((1,), {}), ((1, (), 3, 4, "z"), {})],
    "Changing": [((1.0, [], {}), {})],
}


def made(classes_, name):
    return [classes_[name](*by_place, **by_name) for by_place, by_name in ARGUMENTS[name]]


@pytest.mark.parametrize("name", ARGUMENTS)
def test_objects_are_those_of_the_standard_library(name):
    ours, theirs = made(OURS, name), made(THEIRS, name)
    if name not in ("Alone", "Written"):
        assert list(map(repr, ours)) == list(map(repr, theirs))
    assert [[a == b for b in ours] for a in ours] == [[a == b for b in theirs] for a in theirs]
    for mine, other in zip(ours, theirs, strict=True):
        assert dataclasses.asdict(mine) == dataclasses.asdict(other)
        assert mine != other
        assert dataclasses.replace(mine, **{} if name != "Changing" else {"seen": []}).__class__ is OURS[name]
    assert OURS[name].__match_args__ == THEIRS[name].__match_args__
    assert [each.name for each in dataclasses.fields(OURS[name])] == [
        each.name for each in dataclasses.fields(THEIRS[name])
    ]


@pytest.mark.parametrize("name", ["Plain", "Derived", "Written", "Slots"])
def test_equal_objects_have_one_hash(name):
    assert list(map(hash, made(OURS, name))) == list(map(hash, made(THEIRS, name)))


def test_what_changes_has_no_hash_and_objects_share_no_made_value():
    with pytest.raises(TypeError, match="unhashable"):
        hash(OURS["Changing"](1.0))
    first, second = OURS["Changing"](1.0), OURS["Changing"](1.0)
    first.own["x"] = 1
    assert second.own == {} and second.seen == [1.0]


@pytest.mark.parametrize(("name", "given"), [(name, given) for name in REFUSED for given in REFUSED[name]])
def test_wrong_arguments_are_refused_in_the_same_words(name, given):
    messages = []
    for classes_ in (OURS, THEIRS):
        with pytest.raises(TypeError) as caught:
            classes_[name](*given[0], **given[1])
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("name", ["Plain", "Derived", "Alone", "Written", "Slots"])
def test_frozen_objects_stay(name):
    one = made(OURS, name)[0]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field"):
        one.value = 5
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field"):
        del one.value


@dataclass(frozen=True)
class Stored:
    """A class that pickle finds."""

    value: int
    more: tuple[int, ...] = ()


def test_objects_are_pickled():
    assert pickle.loads(pickle.dumps(Stored(3, (1,)))) == Stored(3, (1,))


def test_no_method_is_compiled_before_it_is_called():
    @dataclass(frozen=True)
    class Unused:
        """Two of them are never made."""

        value: int

    made_on_use = {name: vars(Unused)[name] for name in ("__init__", "__eq__", "__hash__")}
    Unused(1)
    changed = {name for name, method in made_on_use.items() if vars(Unused)[name] is not method}
    assert changed == {"__init__"}
