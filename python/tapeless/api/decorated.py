"""Decorated functions: called with numpy arrays, compiled on first use for each combination of argument types."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import MethodType
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

from tapeless.api.by_python.switch import is_compiled, runner
from tapeless.api.compile_log import compilation_told
from tapeless.api.number_origins import number_origins
from tapeless.api.options import Options, make_options
from tapeless.api.parameters import (
    argument_types,
    signature_types,
    specialisation_key,
)
from tapeless.api.pickling import Recipe, reduced
from tapeless.api.printing import check_kernel, check_target, prints
from tapeless.api.program import Program
from tapeless.api.staleness import Watches, note_uses, recapture
from tapeless.api.unit_axes import with_unit_axes
from tapeless.api.versions import MANY_VERSIONS, warn_of_versions
from tapeless.backend.lock import COMPILING
from tapeless.backend.own_stack import with_room
from tapeless.errors import ArgumentError, FrontendError, PipelineError, ShapeMismatch
from tapeless.frontend.syntax.source import Source
from tapeless.runtime.calling.parameters import bind_call, complete_count
from tapeless.runtime.kernel import Kernel
from tapeless.runtime.status import Status
from tapeless.runtime.structures import Structure
from tapeless.tracebacks import FOR_USERS, hide_frames, user_facing
from tapeless.trees import statics
from tapeless.types import Type, TypeTree

P = ParamSpec("P")
R = TypeVar("R")


class Version(NamedTuple):
    """A compiled version, and the call that tries it and looks for another if it does not fit."""

    kernel: Kernel
    first_try: Callable[..., Any]


class TapelessFunction(Generic[P, R]):
    """A function of the language. Calling it compiles what is needed; `lower` gives the compiled kernel itself.

    `recipe` is how it was made, for functions that cannot be pickled by their name.

    >>> tl.function(lambda x: x + 1.0)(2.0)
    3.0
    """

    __tapeless__ = True

    def __init__(self, source: Source, options: Options | None = None, recipe: Recipe | None = None) -> None:
        self.source = source
        self.options = options or Options()
        self.recipe = recipe
        self._by_types: dict[tuple[TypeTree, ...], Kernel] = {}
        self._results: dict[tuple[TypeTree, ...], tuple[Structure, tuple[Type, ...]]] = {}
        self._stretching: dict[tuple[TypeTree, ...], Kernel] = {}
        self._by_key: dict[tuple[Any, ...], Version] = {}
        self._by_unit_axes: dict[tuple[TypeTree, ...], Version] = {}
        self._latest: Callable[..., Any] = self._dispatch
        self.given: list[Source] = []
        self._watches: Watches | None = None
        self._prints: bool | None = None
        self._is_renewed = False
        self._complete = complete_count(source.parameters)
        self.derived: dict[Any, TapelessFunction] = {}
        functools.update_wrapper(self, source.function)

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        try:
            values: Sequence[Any] = arguments
            if named or len(arguments) != self._complete:
                values = bind_call(self.source.name, self.source.parameters, arguments, named)
            try:
                return self._latest(*values)
            except ShapeMismatch as mismatch:
                return self._broadcast(values, mismatch)
        except FOR_USERS as error:
            hide_frames(error)
            raise

    def _dispatch(self, *values: Any) -> Any:
        """Finds or compiles the version for these values, and makes it the one that the next call tries first."""
        if self._is_printing and not is_compiled():
            check_target(self.source, self.options.target)
            return runner().run(self, values)
        version = self._version_by_unit_axes(values) if self._by_unit_axes else None
        if version is None:
            version = self._version_by_key(values)
            # Where some sizes have a version of their own, a version for all sizes is never tried first.
            is_decided_anew = self._by_unit_axes or self._is_printing
            self._latest = self._dispatch if is_decided_anew else version.first_try
        else:
            self._latest = version.first_try
        self._watched.look()
        return version.kernel.call(*values)

    def _version_by_key(self, values: Sequence[Any]) -> Version:
        """The version for dtypes and ranks, whatever the sizes."""
        parameters = self.source.parameters
        key = specialisation_key(parameters, values)
        version = self._by_key.get(key)
        if version is None:
            types = argument_types(parameters, values)
            kernel = self._kernel(types)
            is_only_version = not key
            version = (
                Version(kernel, self._watched.before(kernel.call))
                if is_only_version
                else self._one_of_several(types, self._by_types)
            )
            self._by_key[key] = version
            if len(self._by_key) == MANY_VERSIONS + 1:
                warn_of_versions(self.source.name, parameters, list(self._by_key))
        return version

    def _version_by_unit_axes(self, values: Sequence[Any]) -> Version | None:
        """The version that an earlier call with size 1 on the same axes needed."""
        types = argument_types(self.source.parameters, values)
        return self._by_unit_axes.get(with_unit_axes(types, self.source.parameters, values))

    def _broadcast(self, values: Sequence[Any], mismatch: ShapeMismatch) -> Any:
        """Calls again after a mismatch, with versions that broadcast axes of size 1, until one works.

        The first knows which axes of the arguments have size 1, the second decides about all sizes when running. What
        works is kept for later calls; otherwise the mismatch stands.
        """
        types = argument_types(self.source.parameters, values)
        refined = with_unit_axes(types, self.source.parameters, values)
        latest = mismatch
        for stretches in (False, True) if types in self._by_types else ():
            is_worth_it = 1 in latest.sizes if stretches else refined != types
            version = self._broadcasting_version(refined, stretches) if is_worth_it else None
            if version is None:
                continue
            try:
                result = version.kernel.call(*values)
            except ShapeMismatch as again:
                latest = again
                continue
            self._by_unit_axes[refined] = version
            self._latest = version.first_try
            return result
        raise mismatch from None

    def _broadcasting_version(self, types: tuple[TypeTree, ...], stretches: bool) -> Version | None:
        """A version that broadcasts, unless none can be compiled."""
        with suppress(FrontendError, PipelineError):
            self._kernel(types, stretches)
            return self._one_of_several(types, self._stretching if stretches else self._by_types)
        return None

    def _one_of_several(self, types: tuple[TypeTree, ...], kernels: dict[tuple[TypeTree, ...], Kernel]) -> Version:
        """A version that gives arguments that do not fit it back to the dispatch."""
        kernel, origins = kernels[types], number_origins(self.source.parameters, types, kernels)
        return Version(kernel, self._watched.before(kernel.trying(self._dispatch, origins)))

    @property
    def _is_printing(self) -> bool:
        """Whether the function prints, so that Python runs it."""
        if self._prints is None:
            self._prints = prints(self.source)
        return self._prints

    @property
    def _watched(self) -> Watches:
        """The outside values that compiled code depends on."""
        if self._watches is None:
            self._watches = Watches(self)
        return self._watches

    @user_facing
    def recapture(self) -> None:
        """Takes the present values of outside names, also in the functions that it calls; the next call compiles."""
        recapture(self)

    def note_given(self, types: TypeTree) -> None:
        """Compiled code depends on the functions among the arguments, and on their captured values."""
        sources = map(self.source.called, statics(types))
        new = [each for each in sources if each is not None and all(each is not known for known in self.given)]
        if new:
            self.given, self._watches = [*self.given, *new], None

    def forget(self) -> None:
        """Drops the compiled versions."""
        self._is_renewed = self._is_renewed or bool(self._by_types)
        self._by_types, self._stretching, self._by_key, self._by_unit_axes = {}, {}, {}, {}
        self._results = {}
        self._latest, self._watches, self._prints = self._dispatch, None, None

    @user_facing
    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickled by its name, as functions of Python are, or by how it was made."""
        return reduced(self, self.source.function, self.recipe)

    def __copy__(self) -> TapelessFunction[P, R]:
        """Itself, as functions of Python are copied."""
        return self

    def __deepcopy__(self, _memo: Any) -> TapelessFunction[P, R]:
        return self

    def __repr__(self) -> str:
        return f"<tl.function {self.source.name}>"

    @user_facing
    def lower(self, *signature: Any, **options: Any) -> Kernel:
        """Compiles for the types of example arguments, or for types such as `tl.f64[:]`."""
        check_kernel(self.source)
        types = signature_types(self.source.name, self.source.parameters, signature or None)
        return (self.with_options(make_options(options)) if options else self)._kernel(types)

    @property
    @user_facing
    def status(self) -> Status:
        """Which checks of reversibility failed in the last call on this thread; needs `checks="status"`."""
        if self.options.checks != "status":
            raise ArgumentError(
                f"{self!r} has checks='{self.options.checks}' and keeps no status; "
                "use tl.jit(f, checks='status'), and ask what it gives"
            )
        called = [(page.call, kernel) for kernel in self._by_types.values() if (page := kernel.last_page())]
        if not called:
            raise ArgumentError(f"{self!r} has no status before its first call on this thread; call it first")
        return max(called, key=lambda each: each[0])[1].status

    def version_of(self, values: Sequence[Any]) -> Kernel:
        """The kernel that a call with these values uses, one per parameter."""
        return self._kernel(argument_types(self.source.parameters, values))

    def kernel_of(self, types: tuple[TypeTree, ...]) -> Kernel:
        """The kernel for arguments of these types."""
        return self._kernel(types)

    def results_of(self, types: tuple[TypeTree, ...]) -> tuple[Structure, tuple[Type, ...]]:
        """How flat results make up the result for arguments of these types, and the types of the flat results."""
        if types not in self._results:
            self._results[types] = Program(self.source, types, self.options).results()
        return self._results[types]

    @property
    def unheld(self) -> TapelessFunction[P, R]:
        """A function whose code has its held values as constants: itself, if it holds nothing."""
        return self

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """In a class, a method: the object is its first argument."""
        return self if instance is None else MethodType(self, instance)

    def with_options(self, options: Options) -> TapelessFunction[P, R]:
        """The same function, compiled otherwise."""
        return TapelessFunction(self.source, options, Recipe(with_options, (self, options)))

    @with_room
    def _kernel(self, types: tuple[TypeTree, ...], stretches: bool = False) -> Kernel:
        kernels = self._stretching if stretches else self._by_types
        with COMPILING:
            if types not in kernels:
                program = Program(self.source, types, self.options, stretches)
                latest = next(reversed(kernels), None)
                with compilation_told(self.source, types, self.options, latest, self._is_renewed) as told:
                    code, told.how = program.obtained()
                kernels[types] = Kernel(program.interface, code, program)
                self._is_renewed = False
                self.note_given(types)
                note_uses(self)
            return kernels[types]


def with_options(f: TapelessFunction, options: Options) -> TapelessFunction:
    """The function with other options; the same one for every pickle of it."""
    if options not in f.derived:
        f.derived[options] = f.with_options(options)
    return f.derived[options]
