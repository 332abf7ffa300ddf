"""A pass is a frozen dataclass with a name, options as fields, and a `run` that changes a module in place."""

from __future__ import annotations

from dataclasses import Field
from typing import Any, ClassVar, Protocol

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import PipelineError


class Pass(Protocol):
    """A pass written in Python.

    The class is a frozen dataclass. Its fields are the options: `bool`, `int`, `float`, `str`, tuples of these, or a
    `Literal` of strings, each with a default; the field `max_depth` is the option `max-depth`. Its doc string is the
    help text and shows the IR before and after. The module it gets is verified, and so must be what it leaves. Where
    options can leave it nothing to do, a property `is_idle` says whether they do: then it is no step of a pipeline. One
    that has nothing to do where there are neither arrays nor loops nor calls has the class attribute `skips_numbers`,
    and does not run on such modules. One that repeats passes until they change nothing names these, and itself, in the
    class attribute `leaves_done`: they do not run again before something has changed. One that must not come before
    another pass of a pipeline names it in the class attribute `after`, with a clause that says why.
    """

    name: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def run(self, module: ir.Module) -> bool | None:
        """Changes the module in place; passes that others repeat, or that often have nothing to do, say whether."""


class FunctionPass(Pass, Protocol):
    """A pass that works on one function after the other, or on a single one; such passes inherit `run`."""

    def run(self, module: ir.Module) -> None:
        """Changes every function of the module in place."""
        for function in module.body.operations:
            self.run_on(function)

    def run_on(self, function: ir.OpView) -> bool | None:
        """Changes one function in place."""


@dataclass(frozen=True)
class Upstream:
    """A pass of MLIR itself, with its options as text: `Upstream("canonicalize", "max-iterations=10")`."""

    name: str
    options: str = ""

    def __str__(self) -> str:
        return f"{self.name}{{{self.options}}}" if self.options else self.name


@dataclass(frozen=True)
class Nested:
    """Elements that run on every operation of a kind inside the current one: `func.func(cse,canonicalize)`."""

    anchor: str
    elements: tuple[Element, ...]


Element = Pass | Upstream | Nested


class OpRefused(PipelineError):
    """A pass cannot work on an operation; shown at the location of the user's source the operation came from."""

    def __init__(self, op: ir.Operation | ir.OpView, reason: str) -> None:
        super().__init__(f"'{op.operation.name}' op {reason}")
        self.location = known_location(op)


def known_location(op: ir.Operation | ir.OpView) -> ir.Location:
    """The location of an operation, or of the nearest around it that has one: folding makes constants without."""
    around: ir.Operation | None = op.operation
    while around is not None and around.location == ir.Location.unknown(around.context):
        around = around.parent and around.parent.operation
    return op.location if around is None else around.location
