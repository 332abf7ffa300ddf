"""The signature of a kernel as one line: `gradient(w: tl.f64[:], n: tl.i64 = 3) -> (tl.f64, tl.f64[:])`."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.abi import Abi, Result
from tapeless.runtime.calling.arguments import PUBLIC_NAMES, describe
from tapeless.runtime.interface import Interface
from tapeless.runtime.structures import Structure
from tapeless.signature import REQUIRED, Parameter
from tapeless.trees import DICT, LIST, Branch, Static, described


def signature_text(interface: Interface, abi: Abi, structure: Structure) -> str:
    """Names, types and defaults of parameters, and the types of results in the tuples they come back in."""
    types = [describe(entry) for entry in abi.parameters]
    takes = interface.takes or tuple(range(len(types)))
    shown = [
        _parameter_text(parameter, _structure_text(types, tree))
        for parameter, tree in zip(interface.parameters, takes, strict=True)
    ]
    first_named = next((k for k, parameter in enumerate(interface.parameters) if parameter.keyword_only), None)
    if first_named is not None:
        shown.insert(first_named, "*")
    gives = _structure_text([_type_text(each) for each in abi.results], structure)
    return f"{interface.name}({', '.join(shown)}) -> {gives}"


def _parameter_text(parameter: Parameter, type_text: str) -> str:
    default = "" if parameter.default is REQUIRED else f" = {parameter.default}"
    return f"{parameter.name}: {type_text}{default}"


def _structure_text(types: Sequence[str], structure: Structure) -> str:
    """The types at the places of a structure, as the structure would be written."""
    if isinstance(structure, int):
        return types[structure]
    if isinstance(structure, Static):
        return repr(structure.value) if isinstance(structure.value, str) else described(structure.value)
    if not isinstance(structure, Branch):
        inner = [_structure_text(types, part) for part in structure]
        return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"
    node, inner = structure.node, [_structure_text(types, part) for part in structure.items]
    if node.kind == LIST:
        return f"[{', '.join(inner)}]"
    if node.kind == DICT:
        return f"{{{', '.join(f'{key!r}: {part}' for key, part in zip(node.keys, inner, strict=True))}}}"
    assert node.cls is not None
    pairs = [f"{key}={part}" for key, part in zip(node.keys, inner, strict=True)] if node.keys else inner
    return f"{node.cls.__name__}({', '.join(pairs)})"


def _type_text(result: Result) -> str:
    """Sizes that depend on arguments are open."""
    if result.kind == "scalar":
        return PUBLIC_NAMES[result.dtype]
    return f"{PUBLIC_NAMES[result.dtype]}[{', '.join(str(s) if isinstance(s, int) else ':' for s in result.dims)}]"
