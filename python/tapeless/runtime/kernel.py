"""A compiled version of a function: call it, save it, or look at the code it went through."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol

from tapeless.abi import Abi
from tapeless.errors import BundleError
from tapeless.runtime.calling.arguments import describe
from tapeless.runtime.calling.loaders import LOADERS
from tapeless.runtime.calling.parameters import bind_call, complete_count
from tapeless.runtime.code import CompiledCode, Structure
from tapeless.runtime.interface import Interface
from tapeless.tracebacks import FOR_USERS, hide_frames, user_facing


class Compilation(Protocol):
    """What a kernel was compiled from, able to go through the compiler again."""

    def stage_text(self, stage: str) -> str: ...
    def decisions(self) -> list[str]: ...
    def assembly(self) -> str: ...
    def timing(self, as_list: bool) -> str: ...


class Kernel:
    """Native code for one combination of argument types and options; loaded ones have no compilation to show."""

    def __init__(self, interface: Interface, code: CompiledCode, compilation: Compilation | None = None) -> None:
        self.interface = interface
        self._code = code
        self._compilation = compilation
        self.__name__ = interface.name
        self.__doc__ = interface.doc
        self._complete = complete_count(interface.parameters)
        names = [parameter.name for parameter in interface.parameters]
        self.calls = LOADERS[interface.target](code, names, interface.origin)
        self.call = self.calls.fast(self.calls.general)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        try:
            if named or len(arguments) != self._complete:
                arguments = tuple(bind_call(self.__name__, self.interface.parameters, arguments, named))
            return self.call(*arguments)
        except FOR_USERS as error:
            hide_frames(error)
            raise

    def __repr__(self) -> str:
        types = ", ".join(describe(parameter) for parameter in self.abi.parameters)
        return f"<kernel {self.__name__}({types}) for {self.interface.target}>"

    @property
    def abi(self) -> Abi:
        """The calling contract: types of parameters and results, and where results are placed."""
        return self._code.abi

    @property
    def structure(self) -> Structure:
        """How flat results make up the Python result."""
        return self._code.structure

    @user_facing
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the kernel to a file, which `tl.load` reads on machines with the same kind of processor."""
        from tapeless.runtime.saved import saved_form

        Path(path).write_bytes(saved_form(self._code, self.interface))

    @user_facing
    def ir(self, stage: str = "input") -> str:
        """The program after a stage: "input", "ad", "loops", "llvm", or any pass of the pipeline."""
        return self._compiled_here("IR").stage_text(stage)

    @user_facing
    def asm(self) -> str:
        """The assembly of the compiled code."""
        return self._compiled_here("assembly").assembly()

    @user_facing
    def timing(self, *, as_list: bool = False) -> str:
        """Compiles once more and tells how long each part took, in order, or summed by name and sorted."""
        return self._compiled_here("compile time").timing(as_list)

    def _compiled_here(self, wanted: str) -> Compilation:
        if self._compilation is None:
            raise BundleError(f"{self!r} was loaded and has no {wanted}; ask the kernel that tl.compile gives")
        return self._compilation

    def explain(self) -> str:
        """What the kernel takes, gives and costs, in a few lines."""
        image, interface = self._code.image, self.interface
        lines = [
            f"{self.__name__}: target {interface.target}, threads {interface.threads}, checks {interface.checks}",
            *(
                f"  takes   {parameter.name}: {describe(entry)}"
                for parameter, entry in zip(interface.parameters, self.abi.parameters, strict=True)
            ),
            *(f"  gives   {result.dtype} {result.kind}, {result.place}" for result in self.abi.results),
            f"  code    {image.writable_from} bytes, calls {', '.join(sorted(image.imports)) or 'nothing'}",
            f"  checks  {len(self._code.sites)} places that can fail",
            *(f"  {way}" for way in (self._compilation.decisions() if self._compilation is not None else ())),
        ]
        return "\n".join(lines)
