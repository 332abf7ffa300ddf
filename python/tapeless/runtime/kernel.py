"""A compiled version of a function: call it, save it, or look at the code it went through."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tapeless.abi import DRIFT, Abi
from tapeless.errors import ArgumentError, BundleError, ShapeMismatch, TargetError
from tapeless.runtime.calling.arguments import describe
from tapeless.runtime.calling.calls import Call
from tapeless.runtime.calling.loaders import BOOKS, LOADERS
from tapeless.runtime.calling.numbers import Origins
from tapeless.runtime.calling.ordering import NO_MATCH, no_match
from tapeless.runtime.calling.parameters import bind_call, complete_count
from tapeless.runtime.calling.structured import Read, flat, make_reader
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.explanation import Explanation
from tapeless.runtime.interface import Interface
from tapeless.runtime.reports import Page, can_report, drift_lines
from tapeless.runtime.status import Status, status_of
from tapeless.runtime.structures import Structure
from tapeless.tracebacks import FOR_USERS, hide_frames, user_facing

if TYPE_CHECKING:
    from tapeless.runtime.bundle.contents import SavedTarget

STATUS = "status"
STREAM = "stream"


class Compilation(Protocol):
    """The input of a kernel's compilation, able to go through the compiler again."""

    def stage_text(self, stage: str) -> str: ...
    def decisions(self, notation: str, examples: Sequence[Any] = ()) -> list[str]: ...
    def assembly(self) -> str: ...
    def timing(self, as_list: bool) -> str: ...
    def saved_targets(
        self, names: Sequence[str] | None, symbol: str | None, code: CompiledCode
    ) -> tuple[SavedTarget, ...]: ...
    def emitted(self, kind: str, target: str | None, symbol: str | None, code: CompiledCode) -> bytes: ...


class Loaded(NamedTuple):
    """Where a loaded kernel came from: the whole bundle, and the name of the target in it that runs here."""

    bundle: bytes
    target: str


ABOUT_ONES = (
    "note: kernels are compiled once, and repeat axes whose size of 1 is known then; give it in the signature, as in "
    "tl.f64[:, 1], or call the function itself, which is compiled again for sizes of 1"
)


class Kernel:
    """Native code for one combination of argument types and options; loaded ones have no compilation to show.

    >>> tl.compile(lambda x, n: x**n, (tl.f64, tl.i64))
    <kernel lambda(tl.f64, tl.i64) for cpu>
    """

    def __init__(
        self,
        interface: Interface,
        code: CompiledCode,
        compilation: Compilation | None = None,
        loaded: Loaded | None = None,
    ) -> None:
        self.interface = interface
        self._code = code
        self._compilation = compilation
        self._loaded = loaded
        self.__name__ = interface.name
        self.__doc__ = interface.doc
        self._complete = complete_count(interface.parameters)
        self._takes_stream = STREAM not in interface.names
        is_asked = interface.checks == STATUS or can_report(code.sites)
        self._book = BOOKS[interface.kind](len(code.sites)) if is_asked else None
        self.calls = LOADERS[interface.kind](code, interface.flat_names, interface.origin, self._book)
        call = self.calls.fast(self.calls.general)
        self._read = None if interface.takes is None else make_reader(interface.takes)
        self.call = call if self._read is None else partial(self._call_flat, call, self._read)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """The results of the function for these arguments; on a GPU, `stream` names a stream that
        the call comes after.
        """
        try:
            if named or len(arguments) != self._complete:
                stream = named.pop(STREAM, None) if self._takes_stream else None
                arguments = tuple(bind_call(self.__name__, self.interface.parameters, arguments, named))
                if stream is not None:
                    return self.calls.on_stream(stream, self._flat(arguments))
            return self.call(*arguments)
        except FOR_USERS as error:
            if isinstance(error, ShapeMismatch) and 1 in error.sizes:
                error.add_note(ABOUT_ONES)
            hide_frames(error)
            raise

    def _call_flat(self, call: Call, read: Read, *values: Any) -> Any:
        """Calls with the leaves of structures."""
        found = read(*values)
        return call(*(self._flat(values) if found is None else found))

    def _flat(self, values: Sequence[Any]) -> Sequence[Any]:
        """The flat arguments of the code; raises for other structures than it was compiled for."""
        takes = self.interface.takes
        return values if takes is None else flat(takes, self.interface.names, values)

    @property
    def code(self) -> CompiledCode:
        """The compiled code for calls."""
        return self._code

    def trying(self, otherwise: Call, origins: Origins) -> Call:
        """A call that takes arguments of exactly the expected types, and gives the rest to another."""
        if self._read is None:
            return self.calls.fast(otherwise, origins)
        read, attempt = self._read, self.calls.fast(no_match, origins)

        def call(*values: Any) -> Any:
            found = read(*values)
            result = NO_MATCH if found is None else attempt(*found)
            return otherwise(*values) if result is NO_MATCH else result

        return call

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
    def save(
        self, path: str | os.PathLike[str], targets: Sequence[str] | None = None, symbol: str | None = None
    ) -> None:
        """Writes the kernel to a file that `tl.load` reads without the compiler, and whose parts C programs use.

        `targets` are names such as "native" (the default, this very processor), "x86_64-avx2" or "aarch64": the code
        is compiled for each, and `tl.load` takes what fits. `symbol` is the name of the function in C.
        """
        Path(path).write_bytes(self.to_bytes(targets, symbol))

    @user_facing
    def to_bytes(self, targets: Sequence[str] | None = None, symbol: str | None = None) -> bytes:
        """The bytes that `save` writes; a loaded kernel gives the bundle it came from."""
        if self._loaded is None:
            return _bundle_of(self, self._compiled_here("code for C").saved_targets(targets, symbol, self._code))
        if targets is not None or symbol is not None:
            raise BundleError(f"{self!r} was loaded as it was saved; give targets and symbol where it is compiled")
        return self._loaded.bundle

    def __reduce__(self) -> tuple[Callable[[bytes], Kernel], tuple[bytes]]:
        """Pickled as a bundle: of all targets it was loaded with, else of the code that runs here."""
        if self._loaded is not None:
            return kernel_of_bundle, (self._loaded.bundle,)
        from tapeless.runtime.bundle.kinds import KINDS

        return kernel_of_bundle, (_bundle_of(self, (KINDS[self.interface.kind].pickled(self._code),)),)

    @user_facing
    def ir(self, stage: str = "input") -> str:
        """The program after a stage: "input", "ad", "loops", "llvm", or any pass of the pipeline."""
        return self._compiled_here("IR").stage_text(stage)

    @user_facing
    def asm(self) -> str:
        """The assembly of the compiled code."""
        return self._compiled_here("assembly").assembly()

    @user_facing
    def emit(self, kind: str, target: str | None = None, symbol: str | None = None) -> bytes:
        """Code for a target as "llvm-ir", "asm", "obj", "ptx" or "plan" (of launches); targets are those of `save`.

        Code for processors has the C function called `symbol`.
        """
        return self._compiled_here("code of other kinds").emitted(kind, target, symbol, self._code)

    @user_facing
    def ptx(self) -> str:
        """The PTX of a kernel for GPUs, also of a loaded one."""
        if self.interface.kind != "cuda":
            raise TargetError(f"{self!r} has no PTX; compile it with target='cuda'")
        return self._code.image.code.decode()

    @user_facing
    def timing(self, *, as_list: bool = False) -> str:
        """Compiles once more and tells how long each part took, in order, or summed by name and sorted."""
        return self._compiled_here("compile time").timing(as_list)

    def _compiled_here(self, wanted: str) -> Compilation:
        if self._compilation is None:
            raise BundleError(f"{self!r} was loaded and has no {wanted}; ask the kernel that tl.compile gives")
        return self._compilation

    @property
    @user_facing
    def status(self) -> Status:
        """Which checks of reversibility failed in the last call on this thread; needs `checks="status"`."""
        if self.interface.checks != STATUS:
            raise ArgumentError(
                f"{self!r} has checks='{self.interface.checks}' and keeps no status; compile with checks='status'"
            )
        page = self.last_page()
        if page is None:
            raise ArgumentError(f"{self!r} has no status before its first call on this thread; call it first")
        return status_of(self._code.sites, page)

    def last_page(self) -> Page | None:
        """The reports of the last call on this thread, if calls of this kernel report anything."""
        return None if self._book is None else self._book.last()

    @user_facing
    def explain(self, *examples: Any, latex: bool = False) -> Explanation:
        """Explains parameters, results, checkpoints and costs of the kernel, and its last call on this thread, in few
        lines.

        With example arguments, or types with sizes such as `tl.f64[1000]`, memory is in bytes for these sizes. Formulas
        of derivatives are text, or LaTeX. For a GPU, they tell how often every kernel is launched, with how many
        threads, and what is slow about that. Notebooks show a table.
        """
        if examples and self.interface.kind != "cuda":
            self._compiled_here("sizes to explain")
        interface, notation = self.interface, "latex" if latex else "text"
        decided = [] if self._compilation is None else self._compilation.decisions(notation, examples)
        target = f"{interface.target} ({self._loaded.target})" if self._loaded else interface.target
        lines = [
            f"{self.__name__}: target {target}, threads {interface.threads}, checks {interface.checks}",
            *(
                f"  takes   {name}: {describe(entry)}"
                for name, entry in zip(interface.flat_names, self.abi.parameters, strict=True)
            ),
            *(f"  gives   {result.dtype} {result.kind}, {result.place}" for result in self.abi.results),
            f"  code    {self._code.image.summary}",
            f"  checks  {sum(site.kind != DRIFT for site in self._code.sites)} places that can fail",
            *(f"  {way}" for way in decided),
            *(f"  {line}" for line in self._launch_lines(examples)),
            *(f"  drift   {line}" for line in drift_lines(self._code.sites, self.last_page())),
        ]
        return Explanation("\n".join(lines))

    def _launch_lines(self, examples: Sequence[Any]) -> list[str]:
        if self.interface.kind != "cuda":
            return []
        from tapeless.runtime.cuda.launch_lines import launch_lines

        flat = self._flat(examples) if examples else ()
        return launch_lines(self._code, self.interface.flat_names, self.interface.origin, flat)


def kernel_of_bundle(data: bytes, origin: str = "the bundle", target: str | None = None) -> Kernel:
    """The kernel of a bundle that runs here; `origin` names the bundle in messages."""
    from tapeless.runtime.bundle.choose import choose, read_bundle

    chosen = choose(read_bundle(data, origin), origin, target)
    return Kernel(chosen.interface, chosen.code, loaded=Loaded(data, chosen.name))


def _bundle_of(kernel: Kernel, targets: tuple[SavedTarget, ...]) -> bytes:
    from tapeless.runtime.bundle.made import bundle_of

    return bundle_of(kernel.interface, kernel.abi, kernel.structure, targets)
