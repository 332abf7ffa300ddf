"""The input of a compilation: a source, the types of its arguments, and options."""

from __future__ import annotations

import hashlib
import io
import weakref
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from tapeless.api.example_sizes import known_integers, with_sizes
from tapeless.api.garbage import collection_paused
from tapeless.api.options import FLUSH, ON, Options
from tapeless.backend import cache
from tapeless.backend.lock import COMPILING
from tapeless.backend.own_stack import with_room
from tapeless.backend.toolchain import toolchain_digest
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend import Emitted, Source, emit
from tapeless.frontend.syntax.faults import faults_explained
from tapeless.frontend.syntax.tree_digest import tree_digest
from tapeless.runtime.calling.arguments import describe
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.interface import Interface
from tapeless.runtime.structures import Structure, is_storable
from tapeless.trees import leaves, mapped
from tapeless.types import ArrayType, ScalarType, Type, TypeTree, strong

if TYPE_CHECKING:
    from tapeless._mlir import ir
    from tapeless.backend.compile import CompileOptions
    from tapeless.backend.saving.request import Request
    from tapeless.runtime.bundle.contents import SavedTarget


# By the key of a program, and by its IR, which programs of other types or functions may share.
_in_use: weakref.WeakValueDictionary[str, CompiledCode] = weakref.WeakValueDictionary()


@dataclass(frozen=True, eq=False)
class Program:
    """One specialisation of a function; one that `stretches` broadcasts sizes that are 1 when running."""

    source: Source
    types: tuple[TypeTree, ...]
    options: Options
    stretches: bool = False

    @property
    def interface(self) -> Interface:
        """The interface of the compiled code for callers."""
        source, options = self.source, self.options
        return Interface(
            source.name,
            source.function.__doc__,
            source.file,
            source.line,
            source.parameters,
            options.target,
            options.threads,
            options.checks,
            self._takes,
        )

    @property
    def _takes(self) -> tuple[Structure, ...] | None:
        """The structures of arguments; None if every one is a number or an array."""
        if all(isinstance(each, (ScalarType, ArrayType)) for each in self.types):
            return None
        places = count()
        return mapped(self.types, lambda _: next(places))

    @property
    def _flat_types(self) -> tuple[Type, ...]:
        return tuple(map(strong, leaves(self.types)))

    def key(self) -> str:
        """A digest of everything that decides the compiled code."""
        with faults_explained(self.source.file, self.source.line):
            fingerprint, types = self.source.fingerprint(), tree_digest(self.source, self.types)
        parts = (fingerprint, types, repr(self.options), repr(self.stretches), toolchain_digest())
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def code(self) -> CompiledCode:
        """The compiled code: that of another kernel of this process, else from the disk, else compiled now."""
        return self.obtained()[0]

    @with_room
    def obtained(self) -> tuple[CompiledCode, str]:
        """The compiled code, and how it came about."""
        key = self.key()
        with COMPILING:
            code, how = _in_use.get(key), "took from another version"
            if code is None:
                code, how = self._load(key), "loaded from the kernel cache"
            if code is None:
                code, how = self._made()
                if is_storable(code.structure):
                    cache.store(key, code, self._description())
            if is_storable(code.structure):
                cache.renew(key, code, self._description())
            _in_use[key] = code
        return code, how

    def _load(self, key: str) -> CompiledCode | None:
        """The code on disk, if it takes the arguments of this program."""
        code = cache.load(key)
        if code is None or [describe(each) for each in code.abi.parameters] != [
            repr(each) for each in self._flat_types
        ]:
            return None
        return code

    def _description(self) -> dict[str, str]:
        return {"function": self.source.name, "types": repr(self.types), "file": self.source.file}

    def _made(self) -> tuple[CompiledCode, str]:
        """The code of another program of this process that is the same IR with the same options, else compiled now."""
        from tapeless.backend.compile import compile_module
        from tapeless.interrupts import interrupts_kept

        with collection_paused(), interrupts_kept():
            emitted = self._emit()
            ir_key = hashlib.sha256(_bytecode(emitted.module) + repr(self.options).encode()).hexdigest()
            code, how = _in_use.get(ir_key), "took from another version"
            if code is None:
                code, how = compile_module(emitted.module, self._compile_options()), "compiled"
            made = replace(code, structure=emitted.structure)
            _in_use[ir_key] = made
            return made, how

    def _emit(self) -> Emitted:
        return emit(self.source, self.types, method=self.options.method, stretches=self.stretches)

    @with_room
    def results(self) -> tuple[Structure, tuple[Type, ...]]:
        """How flat results make up the Python result, and their types; found without compiling."""
        from tapeless.interrupts import interrupts_kept

        with COMPILING, collection_paused(), interrupts_kept():
            emitted = self._emit()
            return emitted.structure, emitted.result_types

    @with_room
    def stage_text(self, stage: str) -> str:
        """The text of the program after a stage of the compilation."""
        from tapeless.backend.compile import stage_text

        with COMPILING:
            return stage_text(self._emit().module, stage, self._compile_options())

    @with_room
    def decisions(self, notation: str, examples: Sequence[Any] = ()) -> list[str]:
        """The decisions of methods and fusion, for the sizes of example arguments if there are any."""
        from tapeless.backend.compile import decisions

        sized, known, parameters = self, {}, self.source.parameters
        if examples:
            sized = replace(self, types=with_sizes(self.types, parameters, examples))
            known = known_integers(parameters, examples)
        with COMPILING:
            return decisions(sized._emit().module, self._compile_options(), notation, known)

    @with_room
    def assembly(self) -> str:
        """The assembly text of the compiled code."""
        from tapeless.backend.compile import assembly

        with COMPILING:
            return assembly(self._emit().module, self._compile_options())

    @with_room
    def timing(self, as_list: bool) -> str:
        """How long each part of a compilation takes, as a table."""
        from tapeless.backend.timed import timing_report

        with COMPILING, collection_paused():
            return timing_report(lambda: self._emit().module, self._compile_options(), as_list=as_list)

    @with_room
    def saved_targets(
        self, names: Sequence[str] | None, symbol: str | None, code: CompiledCode
    ) -> tuple[SavedTarget, ...]:
        """Code for every target named; the one that this was compiled for, to `code`, if none is."""
        from tapeless.backend.saving.targets import default_target, saved_targets
        from tapeless.interrupts import interrupts_kept

        request = self._saving(symbol, code)
        with COMPILING, collection_paused(), interrupts_kept():
            return saved_targets((default_target(request.options),) if names is None else names, request)

    @with_room
    def emitted(self, kind: str, target: str | None, symbol: str | None, code: CompiledCode) -> bytes:
        """Code of a kind for the target of a name, or the one that this was compiled for."""
        from tapeless.backend.saving.targets import default_target, emitted
        from tapeless.interrupts import interrupts_kept

        request = self._saving(symbol, code)
        with COMPILING, collection_paused(), interrupts_kept():
            return emitted(kind, target or default_target(request.options), request)

    def _saving(self, symbol: str | None, code: CompiledCode) -> Request:
        from tapeless.backend.saving.c_names import check_symbol, symbol_of
        from tapeless.backend.saving.request import Request

        if symbol is not None:
            check_symbol(symbol)
        return Request(
            self._emit_again, self._compile_options(), code, self.interface, symbol or symbol_of(self.source.name)
        )

    def _emit_again(self) -> tuple[ir.Module, Structure]:
        emitted = self._emit()
        return emitted.module, emitted.structure

    def _compile_options(self) -> CompileOptions:
        from tapeless.backend.compile import CompileOptions
        from tapeless.backend.targets import target_and_machine

        options = self.options
        target, machine = target_and_machine(options.target)
        return CompileOptions(
            options.threads,
            options.checks != "off",
            options.fastmath_flags,
            options.deterministic,
            machine,
            target,
            options.fallback,
            options.checks == "status",
            options.denormals == FLUSH,
            options.recipes == ON,
        )


def _bytecode(module: ir.Module) -> bytes:
    """A module with its locations, which are those of errors."""
    written = io.BytesIO()
    module.operation.write_bytecode(written)
    return written.getvalue()
