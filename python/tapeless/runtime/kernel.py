"""A compiled version of a function: call it, or look at the code it went through."""

from __future__ import annotations

from typing import Any

from tapeless.abi import Abi
from tapeless.api.arguments import describe
from tapeless.api.calls import Calls
from tapeless.api.parameters import complete_count
from tapeless.api.program import Program
from tapeless.backend.code import CompiledCode, Structure
from tapeless.tracebacks import FOR_USERS, hide_frames, user_facing


class Kernel:
    """Native code for one combination of argument types and options."""

    def __init__(self, program: Program, code: CompiledCode) -> None:
        self._program = program
        self._code = code
        self.__name__ = program.source.name
        self.__doc__ = program.source.function.__doc__
        source = program.source
        self._complete = complete_count(source.parameters)
        origin = f"{source.file}:{source.line}: {source.name}()"
        self.calls = Calls(code, [parameter.name for parameter in source.parameters], origin)
        self.call = self.calls.fast(self.calls.general)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        try:
            if named or len(arguments) != self._complete:
                arguments = tuple(self._program.bind(arguments, named))
            return self.call(*arguments)
        except FOR_USERS as error:
            hide_frames(error)
            raise

    def __repr__(self) -> str:
        types = ", ".join(describe(parameter) for parameter in self.abi.parameters)
        return f"<kernel {self.__name__}({types}) for {self._program.options.target}>"

    @property
    def abi(self) -> Abi:
        """The calling contract: types of parameters and results, and where results are placed."""
        return self._code.abi

    @property
    def structure(self) -> Structure:
        """How flat results make up the Python result."""
        return self._code.structure

    @user_facing
    def ir(self, stage: str = "input") -> str:
        """The program after a stage: "input", "ad", "loops", "llvm", or any pass of the pipeline."""
        return self._program.stage_text(stage)

    @user_facing
    def asm(self) -> str:
        """The assembly of the compiled code."""
        return self._program.assembly()

    @user_facing
    def timing(self, *, as_list: bool = False) -> str:
        """Compiles once more and tells how long each part took, in order, or summed by name and sorted."""
        return self._program.timing(as_list)

    def explain(self) -> str:
        """What the kernel takes, gives and costs, in a few lines."""
        image, options = self._code.image, self._program.options
        lines = [
            f"{self.__name__}: target {options.target}, threads {options.threads}, checks {options.checks}",
            *(
                f"  takes   {parameter.name}: {describe(entry)}"
                for parameter, entry in zip(self._program.source.parameters, self.abi.parameters, strict=True)
            ),
            *(f"  gives   {result.dtype} {result.kind}, {result.place}" for result in self.abi.results),
            f"  code    {image.writable_from} bytes, calls {', '.join(sorted(image.imports)) or 'nothing'}",
            f"  checks  {len(self._code.sites)} places that can fail",
        ]
        return "\n".join(lines)
