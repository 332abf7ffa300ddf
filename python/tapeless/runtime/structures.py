"""Structures of arguments and results in files: as JSON, with classes by the name under which a process finds them.

A leaf is its place, a tuple a list; `{"kind": "dict", "keys": [...], "items": [...]}` is any other structure, and
`{"static": ...}` a value that chose the code.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from tapeless.errors import ArgumentError, BundleError
from tapeless.trees import DICT, FIELDS, LIST, NAMED, OBJECT, REGISTERED, Branch, Node, Static, is_found, is_registered

# How flat results make up the Python result, and flat arguments Python arguments: a tree whose leaves are places.
Structure = int | tuple["Structure", ...] | Branch | Static

PLAIN = (str, int, float, bool, type(None))
KINDS = (LIST, DICT, NAMED, FIELDS, OBJECT, REGISTERED)


def positions(structure: Any) -> Iterator[Any]:
    """The places in a structure, in order; None for anything else."""
    if isinstance(structure, Static):
        return
    if isinstance(structure, (tuple, Branch)):
        for part in structure.items if isinstance(structure, Branch) else structure:
            yield from positions(part)
    else:
        yield structure if type(structure) is int else None


def word_of(path: str) -> str:
    """The path of a part as one word, for C and for files: `params_w`, `result0`, `result1_0`."""
    word = "_".join(re.findall(r"\w+", path))
    return re.sub(r"^result_(?=\d)", "result", word)


def is_storable(structure: Structure) -> bool:
    """Whether another process can read the structure from a file."""
    try:
        structure_to_json(structure)
    except ArgumentError:
        return False
    return True


def structure_to_json(structure: Structure) -> Any:
    """The input of `structure_from_json`; ArgumentError names objects that no other process could find."""
    if isinstance(structure, tuple):
        return [structure_to_json(part) for part in structure]
    if isinstance(structure, Static):
        return {"static": _plain(structure.value)}
    if not isinstance(structure, Branch):
        return structure
    node = structure.node
    if node.kind not in KINDS:
        raise ArgumentError(
            f"a {node.kind} as an argument cannot be kept in a file; save tl.compile of a function without it"
        )
    return {
        "kind": node.kind,
        "keys": [_plain(key) for key in node.keys],
        "class": None if node.cls is None else _name_of(node.cls),
        "aux": _plain(node.aux),
        "items": [structure_to_json(item) for item in structure.items],
    }


def structure_from_json(data: Any) -> Structure:
    """Raises TypeError or LookupError for anything but a result of `structure_to_json`."""
    if isinstance(data, list):
        return tuple(structure_from_json(part) for part in data)
    if not isinstance(data, dict):
        return data
    if set(data) == {"static"}:
        return Static(_unplain(data["static"]))
    kind, name = data["kind"], data["class"]
    if kind not in KINDS or type(data["keys"]) is not list or type(data["items"]) is not list:
        raise TypeError(f"a structure is {data!r}")
    items = tuple(structure_from_json(item) for item in data["items"])
    keys = tuple(map(_unplain, data["keys"]))
    if (kind in (LIST, REGISTERED)) != (not keys and kind != DICT) and len(keys) != len(items):
        raise TypeError(f"a structure has {len(items)} parts and {len(keys)} names")
    return Branch(Node(kind, keys, None if name is None else _class_of(name, kind), _unplain(data["aux"])), items)


def _plain(value: Any) -> Any:
    """A key, or a static part, as JSON keeps it: tuples are tables, so that no list is taken for one."""
    if isinstance(value, tuple):
        return {"tuple": [_plain(part) for part in value]}
    if type(value) in PLAIN:
        return value
    raise ArgumentError(
        f"{value!r} in a structure cannot be kept in a file, only numbers, strings and tuples of them; "
        "save tl.compile of a function without it"
    )


def _unplain(data: Any) -> Any:
    if isinstance(data, dict):
        return tuple(_unplain(part) for part in data["tuple"])
    if type(data) not in PLAIN:
        raise TypeError(f"a name in a structure is {data!r}")
    return data


BUILT_IN: dict[str, type] = {"dict": dict, "OrderedDict": OrderedDict}


def _name_of(cls: type) -> str:
    if cls in BUILT_IN.values():
        return cls.__name__
    if not is_found(cls):
        raise ArgumentError(
            f"no other process could find the class {cls.__qualname__} of {cls.__module__}, whose objects this "
            "function takes or gives; define it at the top level of a module"
        )
    return f"{cls.__module__}:{cls.__qualname__}"


def _class_of(name: Any, kind: str) -> type:
    if name in BUILT_IN:
        return BUILT_IN[name]
    module, _, path = name.partition(":")
    try:
        place: Any = sys.modules.get(module) or importlib.import_module(module)
        for part in path.split("."):
            place = getattr(place, part)
    except (ImportError, AttributeError) as error:
        raise BundleError(
            f"the saved kernel takes or gives objects of {path}, which module '{module}' has not here ({error}); "
            "import or define it before tl.load"
        ) from None
    if not isinstance(place, type):
        raise BundleError(f"{path} of module '{module}' is no class; define the class that the kernel was saved with")
    if kind == REGISTERED and not is_registered(place):
        raise BundleError(f"the class {path} is not registered here; call tl.register before tl.load")
    return place
