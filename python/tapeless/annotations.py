"""Annotations of structures: which parts they fix, and arguments compared with them.

A layout says what an annotation fixes. A type is that of a number or array, `Parts` a structure whose parts are known,
`Each` a list, tuple or dict of any length whose parts are alike, and None leaves all to the call.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections import abc
from collections.abc import Callable, Iterator, Sequence
from types import UnionType
from typing import Any, ForwardRef, Union, get_args, get_origin, is_typeddict

from tapeless.dataclasses_on_use import dataclass
from tapeless.trees import (
    DICT,
    FIELDS,
    LIST,
    NAMED,
    TUPLE,
    Node,
    branch,
    is_structure,
    opened,
    step,
    words,
)
from tapeless.types import ArrayType, ScalarType, Type, TypeTree, is_any_array, type_of_annotation


@dataclass(frozen=True, slots=True)
class Parts:
    """A structure with a layout for each of its parts."""

    node: Node
    items: tuple[Layout, ...]


@dataclass(frozen=True, slots=True)
class Each:
    """A list, tuple or dict of any length, with one layout for all parts."""

    kind: str
    item: Layout


Layout = Type | Parts | Each | None


class NoType(Exception):
    """An annotation of a part that is no type of the language."""


def is_annotation(annotation: Any) -> bool:
    """Whether an annotation names structures, or static values."""
    if type(annotation) in (dict, tuple, list) or is_typeddict(annotation):
        return True
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        members = get_args(annotation)
        return all(is_annotation(each) or is_any_array(each) or type_of_annotation(each) for each in members)
    meant = origin or annotation
    if meant in (Any, object, None, str, type(None), Callable, abc.Callable):
        return True
    return isinstance(meant, type) and is_structure(meant)


def layout_of(annotation: Any, name: str, above: tuple[type, ...] = ()) -> Layout:
    """The structure that an annotation fixes; `above` are the classes that it stands in.

    Raises `NoType` with the path of a part that is no type of the language.
    """
    if isinstance(annotation, (ScalarType, ArrayType)):
        return annotation
    if type(annotation) in (dict, tuple, list):
        return _of_display(annotation, name, above)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        return _unless_open(Node(TUPLE), [layout_of(each, name, above) for each in arguments])
    if origin in (list, tuple, dict) and arguments:
        item = layout_of(arguments[1 if origin is dict else 0], name, above)
        return None if item is None else Each(origin.__name__, item)
    return _of_class(annotation, name, above) if isinstance(annotation, type) and annotation not in above else None


def _of_display(annotation: Any, name: str, above: tuple[type, ...]) -> Layout:
    """A dict, tuple or list of annotations fixes the structure, also where it leaves parts to the call."""
    parts = opened(annotation)
    assert parts is not None
    node, entries = parts
    items: list[Layout] = []
    for position, entry in enumerate(entries):
        path = name + step(node, position)
        type_ = type_of_annotation(entry)
        if type_ is None and not is_annotation(entry) and not is_any_array(entry):
            raise NoType(path)
        items.append(type_ if type_ is not None else layout_of(entry, path, above))
    return Parts(node, tuple(items))


def _of_class(cls: type, name: str, above: tuple[type, ...]) -> Layout:
    """A class whose fields are annotated with types of the language fixes these; all else is left to the call."""
    if dataclasses.is_dataclass(cls):
        node = Node(FIELDS, tuple(each.name for each in dataclasses.fields(cls)), cls)
    elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
        node = Node(NAMED, cls._fields, cls)
    elif is_typeddict(cls) and not cls.__optional_keys__:  # type: ignore[attr-defined]
        node = Node(DICT, tuple(cls.__annotations__), dict)
    else:
        return None
    annotations: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        annotations |= _annotations(base)
    return _unless_open(node, [layout_of(annotations.get(key), name, (*above, cls)) for key in node.keys])


def _annotations(cls: type) -> dict[str, Any]:
    """The annotations of a class; where a name in them is not there, the call decides."""
    names = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    try:
        found = inspect.get_annotations(cls, eval_str=True)
        return {name: _evaluated(each, names) for name, each in found.items()}
    except (NameError, AttributeError, TypeError, SyntaxError):
        return {}


def _evaluated(annotation: Any, names: dict[str, Any]) -> Any:
    """Named tuples and typed dicts hold annotations that were written as text as references."""
    return eval(annotation.__forward_arg__, names) if isinstance(annotation, ForwardRef) else annotation


def _unless_open(node: Node, items: Sequence[Layout]) -> Layout:
    return Parts(node, tuple(items)) if any(each is not None for each in items) else None


def fixed_types(layout: Layout) -> Iterator[Type]:
    """All types of parts that a layout fixes."""
    if isinstance(layout, Parts):
        for item in layout.items:
            yield from fixed_types(item)
    elif isinstance(layout, Each):
        yield from fixed_types(layout.item)
    elif layout is not None:
        yield layout


def complete_types(layout: Layout) -> TypeTree | None:
    """The types that a layout fixes; None if it leaves something to the call."""
    if not isinstance(layout, Parts):
        return None if isinstance(layout, Each) else layout
    items = [complete_types(each) for each in layout.items]
    return None if any(each is None for each in items) else branch(layout.node, items)


def with_axis(layout: Layout, axis: Any, change: Callable[[Type, int], Type]) -> Layout:
    """A layout whose arrays are stacked along axes, which are a prefix of the structure; `change` stacks one type."""
    if layout is None or axis is None:
        return layout
    prefix = opened(axis)
    if isinstance(layout, Parts):
        axes = [axis] * len(layout.items) if prefix is None else _parts_like(layout.node, prefix)
        if axes is None:
            return None
        return Parts(layout.node, tuple(with_axis(*each, change) for each in zip(layout.items, axes, strict=True)))
    if prefix is not None or not isinstance(axis, int):
        return None
    return Each(layout.kind, with_axis(layout.item, axis, change)) if isinstance(layout, Each) else change(layout, axis)


def _parts_like(node: Node, prefix: tuple[Node, Sequence[Any]]) -> Sequence[Any] | None:
    """The parts of a structure in the order of another one; None where these are not alike."""
    given, items = prefix
    if given.kind != node.kind or len(items) != len(node.keys or items):
        return None
    if node.kind != DICT:
        return items
    by_key = dict(zip(given.keys, items, strict=True))
    return [by_key[key] for key in node.keys] if by_key.keys() == set(node.keys) else None


@dataclass(frozen=True)
class Access:
    """How arguments are walked: their structure, the same with other parts, the change of a leaf, refusals.

    `leaf` gets the type that is annotated, or None, the leaf and its path. `describe` puts a value into words.
    """

    opened: Callable[[Any], tuple[Node, Sequence[Any]] | None]
    built: Callable[[Node, Sequence[Any]], Any]
    leaf: Callable[[Type | None, Any, str], Any]
    describe: Callable[[Any], str]
    refuse: Callable[[str, str], Exception]


def conformed(access: Access, layout: Layout, value: Any, name: str) -> Any:
    """An argument as its annotation says; refused with the path of the part that is otherwise."""
    parts = access.opened(value)
    if layout is None or isinstance(layout, (ScalarType, ArrayType)):
        return _leaf(access, layout, value, name, parts)
    kind = layout.kind if isinstance(layout, Each) else layout.node.kind
    if parts is None or parts[0].kind != kind or not _is_of_class(layout, parts[0]):
        raise _refusal(access, layout, value, name)
    node, items = parts
    layouts: Sequence[Layout] = (
        [layout.item] * len(items) if isinstance(layout, Each) else _matching(access, layout, value, name, node, items)
    )
    paths = (name + step(node, position) for position in range(len(items)))
    return access.built(node, [conformed(access, *each) for each in zip(layouts, items, paths, strict=True)])


def _leaf(access: Access, layout: Type | None, value: Any, name: str, parts: tuple[Node, Sequence[Any]] | None) -> Any:
    if parts is None:
        return access.leaf(layout, value, name)
    if layout is not None:
        raise _refusal(access, layout, value, name)
    node, items = parts
    made = [conformed(access, None, item, name + step(node, position)) for position, item in enumerate(items)]
    return access.built(node, made)


def _is_of_class(layout: Parts | Each, node: Node) -> bool:
    """Whether a structure is of the annotated class, or of one that is derived from it."""
    if isinstance(layout, Each) or layout.node.kind not in (FIELDS, NAMED):
        return True
    assert node.cls is not None and layout.node.cls is not None
    return issubclass(node.cls, layout.node.cls)


def _matching(
    access: Access, layout: Parts, value: Any, name: str, node: Node, items: Sequence[Any]
) -> Sequence[Layout]:
    """A layout for each part of a structure: by position, or by name."""
    if layout.node.kind in (TUPLE, LIST):
        if len(items) != len(layout.items):
            raise _refusal(access, layout, value, name)
        return layout.items
    known = dict(zip(layout.node.keys, layout.items, strict=True))
    if layout.node.kind == DICT and known.keys() != set(node.keys):
        raise _refusal(access, layout, value, name)
    return [known.get(key) for key in node.keys]


def _refusal(access: Access, layout: Layout, value: Any, name: str) -> Exception:
    return access.refuse(
        f"'{name}' is {access.describe(value)}, and annotated as {spelt(layout)}", f"pass {spelt(layout)}"
    )


def spelt(layout: Layout) -> str:
    """A layout in the words of a message."""
    if isinstance(layout, Each):
        return f"a {layout.kind} of {spelt(layout.item)} each"
    if isinstance(layout, Parts):
        return words(layout.node, len(layout.items))
    return "anything" if layout is None else repr(layout)
