"""Objects of classes that are made inside of functions are those that Python makes, or it is said why not."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)


class Point(NamedTuple):
    x: Any
    y: Any = 2.0

    def total(self) -> Any:
        return self.x + self.y


class Diagonal(Point):
    def __new__(cls, x: Any) -> Diagonal:
        return super().__new__(cls, x, x)


Pair = namedtuple("Pair", "a b", defaults=(3.0,))


@dataclass
class Plain:
    x: Any
    y: Any = 2.0

    def total(self) -> Any:
        return self.x + self.y


@dataclass(kw_only=True, frozen=True, slots=True)
class Frozen:
    x: Any
    name: str = "a"


@dataclass
class Defaults:
    x: Any
    kept: ClassVar[int] = 3
    rest: list[float] = field(default_factory=lambda: [1.0, 2.0])
    last: float = field(init=False, default=5.0)


@dataclass
class Derived(Plain):
    w: Any = 7.0


@dataclass
class After:
    x: Any
    shift: InitVar[Any] = 1.0
    both: Any = field(init=False)

    def __post_init__(self, shift: Any) -> None:
        self.both = (self.x, shift)


@dataclass
class OwnInit:
    x: Any

    def __init__(self, first: Any, second: Any) -> None:
        self.x = second if first is None else first


class Undecorated(Plain):
    def __init__(self, y: Any) -> None:
        super().__init__(y, y)


class Line:
    def __init__(self, slope: Any, start: Any = 0.0, *, name: str = "line", count: int = 2) -> None:
        self.slope, self.start, self.name = slope, [start] * count, name.upper()


def line_of(name: str, parts: Any) -> Line:
    line = Line.__new__(Line)
    line.slope, line.start, line.name = parts[0], list(parts[1:]), name
    return line


tl.register(Line, lambda line: ((line.slope, *line.start), line.name), line_of)


class WithMethod:
    def __init__(self, w: Any, b: Any = None) -> None:
        self.w, self.b = w, b

    @tl.function
    def scaled(self, x: Any) -> Any:
        return self.w * x


MADE: dict[str, Callable[[Any], Any]] = {
    "named tuple": lambda x: Point(x, x * 2.0),
    "its default": lambda x: Point(x),
    "its names": lambda x: Point(y=x, x=1.0),
    "arguments of a tuple": lambda x: Point(*(x, x)),
    "arguments of a dict": lambda x: Point(**{"y": x, "x": 1.0}),
    "named tuple with its own __new__": lambda x: Diagonal(x * 2.0),
    "namedtuple()": lambda x: Pair(x),
    "dataclass": lambda x: Plain(x, 4.0),
    "its method": lambda x: Plain(x, x).total() * Point(x).total(),
    "frozen, with slots, by name": lambda x: Frozen(x=x),
    "factories, class variables and no arguments": lambda x: Defaults(x * 3.0),
    "derived": lambda x: Derived(x, w=x * x),
    "__post_init__": lambda x: After(x, x + 1.0),
    "__post_init__ of literals": lambda x: After(x),
    "its own __init__": lambda x: OwnInit(None, x),
    "derived, with its own __init__": lambda x: Undecorated(x),
    "registered": lambda x: Line(x),
    "registered, by name": lambda x: Line(x, x * 2.0, name="other", count=3),
    "registered, and read": lambda x: Line(x, x * 2.0, count=3).start[2] * Line(x).slope,
    "objects with functions": lambda x: WithMethod(x, None).scaled(2.0),
    "nested": lambda x: Plain({"a": Point(x)}, [x, Pair(x), (Line(x), "s")]),
    "replace": lambda x: dataclasses.replace(Plain(x, 4.0), y=x * 5.0),
    "replace runs __post_init__": lambda x: dataclasses.replace(After(x), x=x * 2.0, shift=x),
    "asdict": lambda x: dataclasses.asdict(Plain(Plain(x), [Point(x, Plain(x)), {"k": Plain(x)}])),
    "astuple": lambda x: dataclasses.astuple(Plain(Plain(x), [Point(x, Plain(x)), {"k": Plain(x)}])),
}


def plain(value: Any) -> Any:
    """A structure with classes by name, to be compared."""
    if isinstance(value, Line):
        return "Line", plain(value.slope), plain(value.start), value.name
    if isinstance(value, tuple):
        return type(value).__name__, *map(plain, value)
    if isinstance(value, list):
        return [*map(plain, value)]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if dataclasses.is_dataclass(value):
        return type(value).__name__, {each.name: plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    return value


@pytest.mark.one_in(2)
@pytest.mark.parametrize("case", MADE)
def test_they_are_those_that_python_makes(case: str) -> None:
    make = MADE[case]
    assert plain(tl.function(make)(3.0)) == plain(make(3.0))


def of_all(x: Any) -> Any:
    p, line = Point(x * x, x), Line(x, x * x)
    for _ in range(2):
        p = Point(p.y, p.x)
    if x > 0.0:
        line = Line(line.start[0], line.slope)
    return Plain(p.x * line.slope, After(p.total() * x).both[0])


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_derivatives(method: str) -> None:
    f = tl.function(of_all)
    x, step = 1.3, 1e-6
    value, slope = tl.jvp(f, (x,), (1.0,), method=method)
    assert plain(value) == plain(of_all(x))
    reverse = tl.jacrev(f, method=method)(x)
    for name in ("x", "y"):
        expected = (getattr(of_all(x + step), name) - getattr(of_all(x - step), name)) / (2 * step)
        assert getattr(slope, name) == pytest.approx(expected, rel=1e-8)
        assert getattr(reverse, name) == pytest.approx(expected, rel=1e-8)


def test_rows() -> None:
    xs = np.array([1.0, 2.0])
    mapped = tl.vmap(lambda v: Line(v, v * 2.0))(xs)
    np.testing.assert_array_equal(mapped.start[0], 2.0 * xs)
    np.testing.assert_array_equal(tl.function(lambda xs: tl.map(lambda v: Point(v, v * 2.0), xs))(xs).y, 2.0 * xs)


@dataclass
class Checked:
    x: Any

    def __post_init__(self) -> None:
        if self.x < 0.0:
            raise ValueError("negative")


@dataclass
class Converted:
    x: Any

    def __post_init__(self) -> None:
        self.x = np.asarray(self.x)


@dataclass
class Caught:
    x: Any

    def __post_init__(self) -> None:
        try:
            self.x = float(self.x)
        except BaseException:
            self.x = 0.0


@dataclass
class Asked:
    x: Any
    kind: str = field(init=False)

    def __post_init__(self) -> None:
        self.kind = "array" if isinstance(self.x, np.ndarray) else "number"


@dataclass
class Extra:
    x: Any

    def __post_init__(self) -> None:
        self.cache = {}


class Refusing:
    def __init__(self, x: Any, n: int) -> None:
        if n < 0:
            raise ValueError("n is negative")
        self.x, self.n = x, n


tl.register(Refusing, lambda each: ((each.x,), (each.n,)), lambda rest, parts: Refusing(*parts, *rest))


class Named:
    def __init__(self, x: Any, name: Any) -> None:
        self.x, self.name = x, name


tl.register(Named, lambda each: ((each.x,), each.name), lambda name, parts: Named(*parts, name))


class Foreign:
    def __init__(self, x: Any) -> None:
        self.x = x


REFUSED: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "compares": (
        lambda x: Checked(x),
        r"computes with what the class was given \(__post_init__, line \d+: if self.x < 0.0:\)",
        "",
    ),
    "converts": (
        lambda x: Converted(x),
        r"computes with what the class was given \(__post_init__",
        "return the values, and make the object in the caller",
    ),
    "catches": (lambda x: Caught(x), "computes with what the class was given, which", "compute before"),
    "asks": (lambda x: Asked(x), "computes with what the class was given", ""),
    "keeps more": (lambda x: Extra(x), "making a Extra sets 'cache', which is no field", "make it a field"),
    "raises": (lambda x: Refusing(x, -1), "raises ValueError: n is negative", "pass what its class takes"),
    "what is no part": (lambda x: Named(x, x), "flatten of Named computes with what", "must be known when compiling"),
    "too few": (lambda x: Plain(), "Plain lacks the argument 'x'", "its parameters: x, y"),
    "too many": (lambda x: Line(x, x, x), "Line takes 2 positional arguments, not 3", ""),
    "unknown": (lambda x: Plain(x, z=x), "Plain has no parameter 'z'", ""),
    "no argument": (lambda x: Defaults(x, last=x), "Defaults has no parameter 'last'", ""),
    "no argument of replace": (lambda x: dataclasses.replace(Defaults(x), last=x), "'last' is no argument of", ""),
    "asdict": (lambda x: dataclasses.asdict(x), "asdict takes one object of a dataclass", ""),
    "another class": (lambda x: Foreign(x), "'Foreign' is a class that is no structure", "tl.register"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case: str) -> None:
    make, message, instead = REFUSED[case]
    with pytest.raises(tl.TapelessError, match=message) as error:
        tl.function(make)(3.0)
    assert f"{Path(__file__).name}:{make.__code__.co_firstlineno}:" in str(error.value)
    assert instead in str(error.value)


PROGRAM = """
import tapeless as tl
class Kept:
    def __init__(self, x, y):
        self.x = {kept}
tl.register(Kept, lambda k: ((k.x,), None), lambda _, parts: Kept(parts[0], parts[0]))
@tl.function
def f(x):
    return Kept(x, x * 2.0)
print(f(1.0).x)
"""


def test_other_constructors_are_other_kernels(tmp_path: Path) -> None:
    """Kernels are found on disk by what they depend on, which is the code of constructors, too."""
    program, found = tmp_path / "program.py", []
    for kept in ("x", "y", "x"):
        program.write_text(PROGRAM.format(kept=kept))
        done = subprocess.run((sys.executable, program), capture_output=True, text=True, check=True)
        found.append(float(done.stdout))
    assert found == [1.0, 2.0, 1.0]
