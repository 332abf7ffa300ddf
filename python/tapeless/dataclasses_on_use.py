"""Dataclasses whose methods are compiled when they are first called.

`dataclasses.dataclass` compiles up to six methods when a class is defined, for nearly a millisecond, and the compiler
has hundreds of classes of which a process uses a part. Here a class has its fields at once, and each method by its
first call: `from tapeless.dataclasses_on_use import dataclass`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

Method = Callable[..., Any]
Field = dataclasses.Field[Any]

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, repr=True, slots=False):
        """As `dataclasses.dataclass` with these options; one with slots is made at once."""
        if cls is None:
            return lambda given: dataclass(given, frozen=frozen, eq=eq, repr=repr, slots=slots)
        if slots:
            return dataclasses.dataclass(cls, frozen=frozen, eq=eq, repr=repr, slots=True)
        written = {name for name, value in vars(cls).items() if value is not None}
        cls = dataclasses.dataclass(cls, init=False, repr=False, eq=False)
        methods = {"__init__": _on_use(cls, "__init__", lambda: _initialiser(cls, frozen))}
        if repr:
            methods["__repr__"] = _repr
        if eq:
            methods["__eq__"] = _on_use(cls, "__eq__", lambda: _comparison(cls))
            methods["__hash__"] = _on_use(cls, "__hash__", lambda: _hash(cls)) if frozen else None
        for name in methods.keys() - written:
            setattr(cls, name, methods[name])
        if frozen:
            cls.__setattr__, cls.__delattr__ = _refuse_to_set, _refuse_to_delete
        return cls


def _on_use(cls: type, name: str, make: Callable[[], Method]) -> Method:
    """A method that makes another one when it is first called, which takes its place."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = make()
        made.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, made)
        return made(self, *args, **kwargs)

    method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
    return method


def _compiled(name: str, parameters: str, body: list[str], **scope: Any) -> Method:
    exec(f"def {name}({parameters}):\n " + "\n ".join(body or ["pass"]), scope)
    made: Method = scope[name]
    return made


def _comparison(cls: Any) -> Method:
    compared = [each.name for each in dataclasses.fields(cls) if each.compare]
    ours, theirs = (_tuple_of(whose, compared) for whose in ("self", "other"))
    body = [f"return {ours} == {theirs} if other.__class__ is self.__class__ else NotImplemented"]
    return _compiled("__eq__", "self, other", body)


def _hash(cls: Any) -> Method:
    hashed = [each.name for each in dataclasses.fields(cls) if (each.compare if each.hash is None else each.hash)]
    return _compiled("__hash__", "self", [f"return hash({_tuple_of('self', hashed)})"])


def _tuple_of(whose: str, names: list[str]) -> str:
    return "(" + "".join(f"{whose}.{name}, " for name in names) + ")"


def _initialiser(cls: Any, frozen: bool) -> Method:
    """The method that sets all fields."""
    fields = dataclasses.fields(cls)
    body = [line for each in fields for line in _setting(each, frozen)]
    body += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    by_place, by_name = (
        [_parameter(each) for each in fields if each.init and each.kw_only is is_] for is_ in (False, True)
    )
    parameters = ", ".join(["self", *by_place, *(["*", *by_name] if by_name else [])])
    values = {f"__of_{each.name}": _default(each) for each in fields}
    return _compiled("__init__", parameters, body, **values, __absent=_ABSENT, __set=object.__setattr__)


_ABSENT = object()


def _default(field: Field) -> Any:
    """The value of a field that is not given, or what makes it."""
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory


def _parameter(field: Field) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return f"{field.name}=__absent"
    return field.name if field.default is dataclasses.MISSING else f"{field.name}=__of_{field.name}"


def _setting(field: Field, frozen: bool) -> Iterator[str]:
    """The line that sets a field; one that is no parameter and has a value is read from the class."""
    name, value = field.name, field.name
    if field.default_factory is not dataclasses.MISSING:
        value = f"__of_{name}() if {name} is __absent else {name}" if field.init else f"__of_{name}()"
    elif not field.init:
        return
    yield f"__set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}"


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
