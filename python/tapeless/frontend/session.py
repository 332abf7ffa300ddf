"""The state that the translations of all functions of one module share."""

from __future__ import annotations

import ast
import re
from dataclasses import field
from typing import TYPE_CHECKING, Any

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.handlers import Handlers
from tapeless.frontend.syntax.cycles import calls_itself
from tapeless.frontend.syntax.imported import Imported
from tapeless.frontend.values.builder import Types
from tapeless.methods import DEFAULT

if TYPE_CHECKING:
    from tapeless.frontend.calls.specialise import Arguments, Specialisation
    from tapeless.frontend.syntax.source import Source

# Functions of the runtime and of the C library by the names that compiled code calls them.
OF_LIBRARIES = re.compile(r"tl_\w*|__nv_\w*|lgammaf?")


@dataclass
class Customised:
    """A function of the module whose source has derivative rules, and whether these are in the module."""

    source: Source
    arguments: Arguments
    function: Specialisation
    is_attached: bool = False


@dataclass(eq=False)
class Session:
    """A module being made: its functions so far, and those whose translation is under way.

    With `stretches`, sizes that are known when running may be 1 and broadcast.
    """

    module: ir.Module
    types: Types
    handlers: Handlers
    method: str = DEFAULT
    stretches: bool = False
    functions: dict[Any, Specialisation] = field(default_factory=dict)
    under_way: list[Source] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    customised: dict[str, Customised] = field(default_factory=dict)
    imported: dict[Imported, str] = field(default_factory=dict)
    """The names of functions that came from modules of other producers."""
    procedures: dict[Any, Any] = field(default_factory=dict)
    flat_procedures: dict[Any, Source] = field(default_factory=dict)
    """Procedures on the cells of structures, by the source and the shapes of arguments."""
    arrays: set[ast.expr] = field(default_factory=set)
    """Comprehensions inside of others that become arrays, and so are arrays too."""
    summed: set[ast.expr] = field(default_factory=set)
    """Comprehensions inside of others whose elements are added, and so are sums of their own."""
    exact: Session | None = None
    recursive_calls: int = 0
    _recursive: dict[Source, bool] = field(default_factory=dict)
    _locations: dict[tuple[str, int, int], ir.Location] = field(default_factory=dict)

    def location(self, file: str, node: ast.AST) -> ir.Location:
        key = (file, node.lineno, node.col_offset)
        if key not in self._locations:
            self._locations[key] = ir.Location.file(file, node.lineno, node.col_offset + 1)
        return self._locations[key]

    def is_recursive(self, source: Source) -> bool:
        """Whether a function can come to call itself, found once."""
        if source not in self._recursive:
            self._recursive[source] = calls_itself(source)
        return self._recursive[source]

    def fresh_name(self, name: str) -> str:
        """A symbol name not used in the module yet, nor by the libraries that compiled code calls."""
        name = f"user_{name}" if OF_LIBRARIES.fullmatch(name) else name
        candidate, serial = name, 0
        while candidate in self.names:
            serial += 1
            candidate = f"{name}_{serial}"
        self.names.add(candidate)
        return candidate
