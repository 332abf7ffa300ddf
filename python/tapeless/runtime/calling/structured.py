"""Structured arguments of a call as flat ones: a Python function written for the structures that a kernel takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tapeless.errors import TypeMismatch
from tapeless.runtime.structures import Structure
from tapeless.trees import (
    DICT,
    FIELDS,
    LIST,
    NAMED,
    TUPLE,
    Static,
    Unusable,
    described,
    expected,
    is_static,
    items_of,
    node_of,
    opened,
    step,
)

Read = Callable[..., tuple[Any, ...] | None]


def make_reader(takes: Sequence[Structure]) -> Read:
    """A function of one value per parameter that gives the flat arguments, or None if a structure is another one."""
    writer = _Writer()
    lines = [line for k, tree in enumerate(takes) for line in writer.lines(tree, f"p{k}")]
    parameters = ", ".join(f"p{k}" for k in range(len(takes)))
    text = [f"def read({parameters}):", *lines, f"    return ({''.join(f'{leaf}, ' for leaf in writer.leaves)})"]
    exec("\n".join(text), writer.names)
    return writer.names["read"]


class _Writer:
    """Lines that take values apart, and the names of the leaves they find."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"opened": opened, "is_usable": _is_usable}
        self.leaves: list[str] = []
        self._count = 0

    def lines(self, tree: Structure, value: str) -> Iterator[str]:
        if isinstance(tree, Static):
            yield from self._refusing(self._differs(value, tree.value))
            return
        node = node_of(tree)
        if node is None:
            self.leaves.append(value)
            return
        items = items_of(tree)
        parts = [self._fresh() for _ in items]
        targets = f"({''.join(f'{part}, ' for part in parts)})"
        if node.kind in (TUPLE, LIST):
            yield from self._refusing(f"type({value}) is not {node.kind} or len({value}) != {len(items)}")
            yield f"    {targets} = {value}"
        elif node.kind == DICT:
            keys, kind = self._named(list(node.keys)), self._named(node.cls)
            yield from self._refusing(f"type({value}) is not {kind} or [*{value}] != {keys}")
            yield f"    {targets} = {value}.values()"
        elif node.kind == NAMED:
            yield from self._refusing(f"type({value}) is not {self._named(node.cls)}")
            yield f"    {targets} = {value}"
        elif node.kind == FIELDS:
            yield from self._refusing(f"type({value}) is not {self._named(node.cls)}")
            yield from (f"    {part} = {value}.{name}" for part, name in zip(parts, node.keys, strict=True))
        else:
            found = self._fresh()
            yield f"    {found} = opened({value})"
            yield from self._refusing(
                f"{found} is None or {found}[0] != {self._named(node)} or len({found}[1]) != {len(items)}"
            )
            yield f"    {targets} = {found}[1]"
        for item, part in zip(items, parts, strict=True):
            yield from self.lines(item, part)

    def _differs(self, value: str, static: Any) -> str:
        if isinstance(static, Unusable):
            return f"is_usable({value}, {self._named(static)})"
        if isinstance(static, str):
            return f"type({value}) is not str or {value} != {static!r}"
        return f"{value} is not {self._named(static)}"

    def _refusing(self, condition: str) -> Iterator[str]:
        yield f"    if {condition}:"
        yield "        return None"

    def _fresh(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def _named(self, value: Any) -> str:
        name = f"c{len(self.names)}"
        self.names[name] = value
        return name


def _is_usable(value: Any, unusable: Unusable) -> bool:
    """Whether an attribute that meant nothing when the version was compiled has become something else."""
    return is_static(value) or opened(value) is not None or described(value) != unusable.description


def difference(tree: Structure, value: Any, path: str) -> str | None:
    """Where a value has another structure than a tree, and the value there; None if it has the same."""
    node, parts = node_of(tree), opened(value)
    if isinstance(tree, Static):
        is_same = isinstance(tree.value, Unusable) or (type(value) is type(tree.value) and value == tree.value)
        return None if is_same else f"'{path}' is {described(value)}, and {expected(tree)} is needed; pass that"
    if node is None:
        if parts is None and not is_static(value):
            return None
        return f"'{path}' is {described(value)}, and a number or an array is needed; pass one"
    if parts is None or parts[0].kind != node.kind or parts[0].cls is not node.cls:
        return f"'{path}' is {described(value)}, and {expected(tree)} is needed; pass that"
    items = items_of(tree)
    if node.kind == DICT and set(parts[0].keys) == set(node.keys):
        given = [value[key] for key in node.keys]
    elif node.kind == DICT:
        return _keys_differ(node.keys, parts[0].keys, path)
    elif (parts[0].aux, parts[0].exact) != (node.aux, node.exact):
        return f"'{path}' has {parts[0].aux!r} as what is no part, and {node.aux!r} is needed; pass that"
    elif len(parts[1]) != len(items) or parts[0] != node:
        return f"'{path}' is {described(value)}, and {expected(tree)} is needed; pass that"
    else:
        given = list(parts[1])
    pairs = enumerate(zip(items, given, strict=True))
    problems = (difference(item, part, path + step(node, k)) for k, (item, part) in pairs)
    return next((problem for problem in problems if problem is not None), None)


def _keys_differ(wanted: Sequence[Any], given: Sequence[Any], path: str) -> str:
    missing = [key for key in wanted if key not in given]
    if missing:
        has = f"it has {', '.join(map(repr, given))}" if given else "it is empty"
        return f"'{path}' has no {missing[0]!r}; {has}, and {', '.join(map(repr, wanted))} are needed"
    extra = next(key for key in given if key not in wanted)
    return f"'{path}' has {extra!r}, which is not taken; {', '.join(map(repr, wanted))} are needed"


def flat(takes: Sequence[Structure], names: Sequence[str], values: Sequence[Any]) -> list[Any]:
    """The flat arguments of a kernel, whatever the order of entries in dicts; raises for another structure."""
    for tree, name, value in zip(takes, names, values, strict=True):
        problem = difference(tree, value, name)
        if problem is not None:
            raise TypeMismatch(problem)
    return [leaf for tree, value in zip(takes, values, strict=True) for leaf in leaves_like(tree, value)]


def leaves_like(tree: Structure, value: Any) -> Iterator[Any]:
    """The leaves of a value that has the structure of a tree, in the order of the tree's."""
    node = node_of(tree)
    if node is None:
        if not isinstance(tree, Static):
            yield value
        return
    parts = opened(value)
    assert parts is not None
    given = [value[key] for key in node.keys] if node.kind == DICT else parts[1]
    for item, part in zip(items_of(tree), given, strict=True):
        yield from leaves_like(item, part)
