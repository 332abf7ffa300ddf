"""Operators: the names of the language, and how tables of them are written."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from tapeless.tracebacks import user_facing

Methods = tuple[str, ...]


class Documentation:
    """The doc string of a class, and of its instances the text of the manual, which is read when somebody asks."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __get__(self, operator: Operator | None, _owner: type) -> str:
        if operator is None:
            return self.text
        from tapeless.manual.text import documentation

        return documentation(operator.__name__, operator.summary)


class Operator:
    __doc__ = Documentation(
        "A function of the language; `at_once`, which the package sets, computes what a call from Python asks for."
    )

    __module__ = "tapeless.lang"  # where pickles find operators by their names
    __tapeless__ = True
    at_once: ClassVar[Callable[[Operator, tuple[Any, ...], dict[str, Any]], Any]]

    def __init__(
        self, name: str, pattern: Callable[..., Any], summary: str, key: str | None = None, methods: Methods = ()
    ) -> None:
        self.__name__ = self.__qualname__ = name
        self.key = key or name
        self.__signature__ = inspect.signature(pattern)
        self.summary = summary
        self.methods = {
            each: Operator(f"{name}.{each}", _METHODS[each].pattern, _METHODS[each].summary) for each in methods
        }

    def __getattr__(self, name: str) -> Any:
        """A method, as functions of two numbers have them: `tl.add.reduce`."""
        methods: dict[str, Operator] = self.__dict__.get("methods", {})
        if name not in methods:
            raise AttributeError(f"{self!r} has no attribute {name!r}")
        return methods[name]

    @user_facing
    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return Operator.at_once(self, arguments, named)

    def __reduce__(self) -> str:
        """Pickled by its name, and copied as itself."""
        return self.__name__

    def __repr__(self) -> str:
        return f"tl.{self.__name__}" if self.key == self.__name__ else self.key


class Declared(NamedTuple):
    """The parameters of an operator, as those of a function that does nothing, its sentence and its methods."""

    pattern: Callable[..., Any]
    summary: str
    methods: Methods = ()


_METHODS = {
    "reduce": Declared(lambda x, axis=0, *, keepdims=False: None, "All elements along axes combined to one."),
    "accumulate": Declared(lambda x, axis=0: None, "All prefixes along an axis combined."),
    "outer": Declared(lambda x, y: None, "The function of all pairs of an element of x and one of y."),
}


def operator(pattern: Callable[..., Any], summary: str) -> Declared:
    return Declared(pattern, summary)


def one(summary: str) -> Declared:
    return Declared(lambda x: None, summary)


def two(summary: str) -> Declared:
    return Declared(lambda x, y: None, summary)


def ufunc(summary: str, *, is_associative: bool = False) -> Declared:
    """A function of two numbers, elementwise, with the methods that it has in numpy and a meaning for here."""
    return Declared(lambda x, y: None, summary, ("reduce", "accumulate", "outer") if is_associative else ("outer",))


def reduction(summary: str) -> Declared:
    return Declared(lambda x, axis=None, *, keepdims=False: None, summary)


def along(summary: str, axis: int | None = None) -> Declared:
    return Declared(lambda x, axis=axis: None, summary)


def table(prefix: str = "", **declared: Declared) -> dict[str, Operator]:
    """Operators by name; those of a namespace have its name before their own."""
    return {
        name: Operator(prefix + name, each.pattern, each.summary, None, each.methods) for name, each in declared.items()
    }
