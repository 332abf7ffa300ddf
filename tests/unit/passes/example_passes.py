"""Small passes for the tests of the pass infrastructure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tapeless._mlir import func, ir
from tapeless.passes.driver.base import OpRefused


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
                op.attributes[f"test.{self.label}"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), self.times)


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


EXAMPLES = (Tag, Refuse, Break, Report, Crash)
