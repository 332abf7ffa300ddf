"""Objects made by the Python code of their class, while a function is translated, from stand-ins for its values.

Constructors run when compiling. They may keep what they are given, where they like, and compute with what is known
then: numbers in the source, strings, None, functions. Whatever else they do with a value is refused, for it would have
to happen in compiled code.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TapelessError
from tapeless.frontend.values.capture import captured_value
from tapeless.frontend.values.value import STRUCTURES, Decorated, Opaque, Scalar, Value, structured
from tapeless.trees import DICT, FIELDS, LIST, NAMED, TUPLE, Node, Unusable, attributes_of, closed, opened, step

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

OPEN = (TUPLE, LIST, DICT, NAMED, FIELDS)
"""Structures that constructors are given as such; what is in others is behind one stand-in."""

MAKING, FLATTENING = "making a {}", "flatten of {}"


class Used(BaseException):
    """Something is computed with a stand-in; no code of a constructor is meant to catch it."""


@dataclass
class Uses:
    """Whether one of the stand-ins of a call was used, also where that was caught."""

    is_any: bool = False


class StandIn:
    """Stands for a value of the language. It can be kept, and compared by identity, and nothing else."""

    __slots__ = ("_uses", "_value")

    def __init__(self, value: Value, uses: Uses) -> None:
        object.__setattr__(self, "_value", value)
        object.__setattr__(self, "_uses", uses)


def _refuse(self: StandIn, *_arguments: Any) -> Any:
    uses: Uses = object.__getattribute__(self, "_uses")
    uses.is_any = True
    raise Used


BINARY = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
# Reading attributes is what isinstance does, too.
REFUSED = (
    *("getattribute", "setattr", "delattr", "bool", "len", "iter", "next", "contains", "getitem", "setitem", "delitem"),
    *("call", "hash", "eq", "ne", "lt", "le", "gt", "ge", "str", "repr", "format", "bytes", "int", "float", "complex"),
    *("index", "round", "trunc", "floor", "ceil", "neg", "pos", "abs", "invert", "enter", "exit", "copy", "deepcopy"),
    *("reduce", "reduce_ex", "array", "array_ufunc", "array_function", "dir", "sizeof", "fspath", "reversed"),
    *(f"{side}{name}" for side in ("", "r", "i") for name in BINARY),
)
for _name in REFUSED:
    setattr(StandIn, f"__{_name}__", _refuse)


def made_by_class(t: Translator, cls: type, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """The structure of the object that a class makes of arguments."""
    uses = Uses()
    given = [_stood_for(each, uses) for each in arguments]
    named = {name: _stood_for(each, uses) for name, each in keywords.items()}
    made = _ran(t, MAKING.format(cls.__name__), uses, lambda: cls(*given, **named))
    parts = _ran(t, FLATTENING.format(cls.__name__), uses, lambda: opened(made))
    if parts is None or type(made) is StandIn:
        raise t.error(f"{cls.__name__} makes no object of its class", f"return a {cls.__name__} from its __new__")
    _check_attributes(t, cls, parts[0], made)
    paths = (f"{cls.__name__}{step(parts[0], k)}" for k in range(len(parts[1])))
    return structured(parts[0], [_meant(t, part, path) for part, path in zip(parts[1], paths, strict=True)])


def _stood_for(value: Value, uses: Uses) -> Any:
    """A value as a constructor gets it."""
    if isinstance(value, Scalar) and value.weak and value.literal is not None:
        return value.literal
    if isinstance(value, Opaque) and not isinstance(value.value, Unusable):
        return value.value
    if isinstance(value, Decorated) and value.given is not None:
        return value.given
    if isinstance(value, STRUCTURES) and value.node.kind in OPEN:
        return closed(value.node, [_stood_for(item, uses) for item in value.items])
    return StandIn(value, uses)


def _meant(t: Translator, part: Any, path: str) -> Value:
    """The value of a part of an object that a constructor made."""
    if type(part) is StandIn:
        return object.__getattribute__(part, "_value")
    parts = opened(part)
    if parts is None:
        return captured_value(t, part, path)
    return structured(parts[0], [_meant(t, each, f"{path}{step(parts[0], k)}") for k, each in enumerate(parts[1])])


def _check_attributes(t: Translator, cls: type, node: Node, made: Any) -> None:
    """Objects of dataclasses are made again from their fields."""
    others = [name for name in attributes_of(made) if name not in node.keys] if node.kind == FIELDS else []
    if others:
        raise t.error(
            f"making a {cls.__name__} sets '{others[0]}', which is no field and would be lost",
            "make it a field, or a property",
        )


def _ran(t: Translator, what: str, uses: Uses, run: Callable[[], Any]) -> Any:
    """Runs Python code of a class; refuses forbidden operations, and reports exceptions."""
    try:
        result = run()
    except Used as error:
        raise _refusal(t, what, error) from None
    except TapelessError as error:
        raise t.error(f"{what}: {error}", None) from None
    except Exception as error:
        if uses.is_any:
            raise _refusal(t, what, error) from None
        raise t.error(f"{what} raises {type(error).__name__}: {error}", "pass what its class takes") from error
    if uses.is_any:
        raise _refusal(t, what, None)
    return result


def _refusal(t: Translator, what: str, error: BaseException | None) -> Exception:
    return t.error(
        f"{what} computes with what the class was given{_place(error)}, which compiled code does not do",
        "compute before, and let the class keep it (what flatten gives as no part must be known when compiling), or "
        "return the values, and make the object in the caller",
    )


def _place(error: BaseException | None) -> str:
    """The line of the constructor that used a stand-in."""
    frames = error.__traceback__ if error is not None else None
    found = ""
    while frames is not None:
        code, line = frames.tb_frame.f_code, frames.tb_lineno
        text = linecache.getline(code.co_filename, line).strip()
        if code.co_filename != __file__ and text:
            found = f" ({code.co_name}, line {line}: {text})"
        frames = frames.tb_next
    return found
