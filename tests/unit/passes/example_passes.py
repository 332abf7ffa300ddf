"""Small passes for the tests of the pass infrastructure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tapeless._mlir import func, ir
from tapeless.passes.driver.base import OpRefused, Upstream
from tapeless.passes.driver.inner import run_inner, run_inner_on, run_inner_upstream


@dataclass(frozen=True)
class Tag:
    """Puts an attribute on every function."""

    name: ClassVar[str] = "example-tag"
    label: str = "seen"
    times: int = 1
    loud: bool = False
    scale: float = 0.5
    sizes: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    mode: Literal["fast", "exact"] = "fast"
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.limit == 0:
            raise ValueError("limit is 0; leave it out for no limit")

    def run(self, module: ir.Module) -> None:
        for op in module.body.operations:
            if isinstance(op, func.FuncOp) and not op.is_external:
                self.run_on(op)

    def run_on(self, function: ir.OpView) -> None:
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), self.times)
        function.attributes[f"test.{self.label}"] = number


@dataclass(frozen=True)
class Refuse:
    """Refuses the first `math.sin`."""

    name: ClassVar[str] = "example-refuse"

    def run(self, module: ir.Module) -> None:
        for function in module.body.operations:
            for op in function.entry_block.operations if not function.is_external else ():
                if op.operation.name == "math.sin":
                    raise OpRefused(op, "has no rule; write one")


@dataclass(frozen=True)
class Break:
    """Leaves IR that does not verify: every function loses its terminator."""

    name: ClassVar[str] = "example-break"

    def run(self, module: ir.Module) -> None:
        for function in module.body.operations:
            body = function.regions[0].blocks[0]
            body.operations[len(body.operations) - 1].erase()


@dataclass(frozen=True)
class Report:
    """Reports an error on every function and goes on."""

    name: ClassVar[str] = "example-report"

    def run(self, module: ir.Module) -> None:
        for function in module.body.operations:
            function.location.emit_error("this function is not welcome")


@dataclass(frozen=True)
class Crash:
    """Has a bug."""

    name: ClassVar[str] = "example-crash"

    def run(self, module: ir.Module) -> None:
        {}["missing"]


@dataclass(frozen=True)
class Repeat:
    """Runs other passes: `cse` twice, and another on the first function."""

    name: ClassVar[str] = "example-repeat"
    crashes: bool = False

    def run(self, module: ir.Module) -> None:
        run_inner_upstream([Upstream("cse"), Upstream("cse")], module)
        run_inner_on(Tag(), module.body.operations[0])
        if self.crashes:
            run_inner(Crash(), module)


EXAMPLES = (Tag, Refuse, Break, Report, Crash, Repeat)
