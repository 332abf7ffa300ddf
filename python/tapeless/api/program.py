"""What a kernel is compiled from: a source, the types of its arguments, and options."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tapeless.api.lock import COMPILING
from tapeless.api.options import Options
from tapeless.api.parameters import bind_call
from tapeless.backend import cache
from tapeless.backend.code import CompiledCode
from tapeless.backend.toolchain import toolchain_digest
from tapeless.frontend.source import Source
from tapeless.types import Type

if TYPE_CHECKING:
    from tapeless._mlir import ir
    from tapeless.backend.compile import CompileOptions


@dataclass(frozen=True, eq=False)
class Program:
    """One specialisation of a function."""

    source: Source
    types: tuple[Type, ...]
    options: Options

    def bind(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """One value per parameter."""
        return bind_call(self.source.name, self.source.parameters, arguments, named)

    def key(self) -> str:
        """A digest of everything that decides the compiled code."""
        parts = (self.source.fingerprint(), repr(self.types), repr(self.options), toolchain_digest())
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def code(self) -> CompiledCode:
        """The compiled code, from the cache if it is there."""
        key = self.key()
        code = cache.load(key)
        if code is None:
            with COMPILING:
                code = self.compile()
            cache.store(key, code, {"function": self.source.name, "types": repr(self.types), "file": self.source.file})
        return code

    def compile(self) -> CompiledCode:
        """Compiles without looking at the cache."""
        from tapeless.backend.compile import compile_module

        return compile_module(self.emit(), self._compile_options())

    def emit(self) -> ir.Module:
        """The program as core IR."""
        from tapeless.frontend.emit import emit

        return emit(self.source, self.types)

    def stage_text(self, stage: str) -> str:
        """The text of the program after a stage of the compilation."""
        from tapeless.backend.compile import stage_text

        with COMPILING:
            return stage_text(self.emit(), stage, self._compile_options())

    def assembly(self) -> str:
        """The assembly text of the compiled code."""
        from tapeless.backend.compile import assembly

        with COMPILING:
            return assembly(self.emit(), self._compile_options())

    def _compile_options(self) -> CompileOptions:
        from tapeless.backend.compile import CompileOptions

        options = self.options
        return CompileOptions(options.threads, options.checks == "on", options.fastmath_flags)
