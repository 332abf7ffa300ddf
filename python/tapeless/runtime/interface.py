"""How a kernel is called and where it comes from, as plain data that a saved kernel carries with its code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError
from tapeless.runtime.structures import Structure, structure_from_json, structure_to_json
from tapeless.signature import REQUIRED, Parameter
from tapeless.trees import named_leaves

DEFAULTS = (bool, int, float, str, type(None))
CHECKS = ("on", "off", "status")


@dataclass(frozen=True)
class Interface:
    """The function a kernel was compiled from, as its callers know it, and the options that show.

    `takes` is one structure per parameter, whose leaves are places of flat parameters; None where each is one itself.
    """

    name: str
    doc: str | None
    file: str
    line: int
    parameters: tuple[Parameter, ...]
    target: str
    threads: int
    checks: str
    takes: tuple[Structure, ...] | None = None

    @property
    def names(self) -> list[str]:
        """The names of the parameters."""
        return [parameter.name for parameter in self.parameters]

    @property
    def flat_names(self) -> list[str]:
        """The names of the flat parameters of the code, those of parts being paths: `params['w']`."""
        if self.takes is None:
            return self.names
        return [path for name, tree in zip(self.names, self.takes, strict=True) for path, _ in named_leaves(tree, name)]

    @property
    def origin(self) -> str:
        """The function, as messages name it."""
        return f"{self.file}:{self.line}: {self.name}()"

    @property
    def kind(self) -> str:
        """The target without its generation."""
        return self.target.partition(":")[0]

    def to_json(self) -> dict[str, Any]:
        """The input of `from_json`; types are left to the calling contract."""
        entries = {**vars(self), "parameters": [_parameter_to_json(self, each) for each in self.parameters]}
        if self.takes is None:
            del entries["takes"]
        else:
            entries["takes"] = [structure_to_json(tree) for tree in self.takes]
        return entries

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Interface:
        """Raises TypeError or LookupError for anything but a result of `to_json`."""
        takes = data.get("takes")
        if takes is not None:
            takes = tuple(map(structure_from_json, takes))
        parameters = tuple(map(_parameter_from_json, data["parameters"]))
        interface = Interface(**{**data, "parameters": parameters, "takes": takes})
        if takes is not None and len(takes) != len(parameters):
            raise ValueError(f"it has {len(takes)} structures for {len(parameters)} parameters")
        for name, kind in FIELD_TYPES.items():
            if type(getattr(interface, name)) not in kind:
                raise TypeError(f"'{name}' is {getattr(interface, name)!r}")
        if interface.threads < 1 or interface.checks not in CHECKS:
            raise ValueError(f"it has {interface.threads} threads and checks {interface.checks!r}")
        if len({each.name for each in interface.parameters}) != len(interface.parameters):
            raise ValueError("two parameters have the same name")
        return interface


FIELD_TYPES: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "doc": (str, type(None)),
    "file": (str,),
    "line": (int,),
    "target": (str,),
    "threads": (int,),
    "checks": (str,),
}


def _parameter_to_json(interface: Interface, parameter: Parameter) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": parameter.name, "keyword_only": parameter.keyword_only}
    if parameter.default is REQUIRED:
        return entry
    default = parameter.default.item() if isinstance(parameter.default, np.generic) else parameter.default
    if not isinstance(default, DEFAULTS):
        raise ArgumentError(
            f"{interface.origin}: the default of '{parameter.name}' is not a number, and a saved kernel keeps only "
            "numbers and strings; save a function without this default"
        )
    return {**entry, "default": default}


def _parameter_from_json(entry: Mapping[str, Any]) -> Parameter:
    name, default, keyword_only = entry["name"], entry.get("default", REQUIRED), entry["keyword_only"]
    is_default = default is REQUIRED or isinstance(default, DEFAULTS)
    if not (isinstance(name, str) and is_default and isinstance(keyword_only, bool)):
        raise TypeError(f"a parameter is {entry!r}")
    return Parameter(name, None, default, keyword_only)
