"""The signature of a kernel as one line: `gradient(w: tl.f64[:], n: tl.i64 = 3) -> (tl.f64, tl.f64[:])`."""

from __future__ import annotations

from tapeless.abi import Abi, Result
from tapeless.runtime.calling.arguments import PUBLIC_NAMES, describe
from tapeless.runtime.code import Structure
from tapeless.runtime.interface import Interface
from tapeless.signature import REQUIRED, Parameter


def signature_text(interface: Interface, abi: Abi, structure: Structure) -> str:
    """Names, types and defaults of parameters, and the types of results in the tuples they come back in."""
    described = [
        _parameter_text(parameter, describe(entry))
        for parameter, entry in zip(interface.parameters, abi.parameters, strict=True)
    ]
    first_named = next((k for k, parameter in enumerate(interface.parameters) if parameter.keyword_only), None)
    if first_named is not None:
        described.insert(first_named, "*")
    return f"{interface.name}({', '.join(described)}) -> {_result_text(abi, structure)}"


def _parameter_text(parameter: Parameter, type_text: str) -> str:
    default = "" if parameter.default is REQUIRED else f" = {parameter.default}"
    return f"{parameter.name}: {type_text}{default}"


def _result_text(abi: Abi, structure: Structure) -> str:
    if isinstance(structure, int):
        return _type_text(abi.results[structure])
    inner = [_result_text(abi, part) for part in structure]
    return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"


def _type_text(result: Result) -> str:
    """Sizes that depend on arguments are open."""
    if result.kind == "scalar":
        return PUBLIC_NAMES[result.dtype]
    return f"{PUBLIC_NAMES[result.dtype]}[{', '.join(str(s) if isinstance(s, int) else ':' for s in result.dims)}]"
