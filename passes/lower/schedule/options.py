"""What a function is lowered for: the target, threads, and whether everything runs in the order of the program."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.marks import SCHEDULED

HOW = f'{SCHEDULED} = {{target = "cpu", threads = 1 : i64, sequential = false}}'


@dataclass(frozen=True)
class Options:
    """How to lower: number of threads (0: as many as the runtime likes), the plain oracle form, reproducible sums.

    `vector_bits` is the width of a register, `target` the name of the machine's scheduler.
    """

    threads: int = 1
    sequential: bool = False
    deterministic: bool = True
    vector_bits: int = 512
    target: str = "cpu"

    @property
    def has_threads(self) -> bool:
        return self.threads != 1

    @property
    def scheduler(self) -> str:
        """The name of the scheduler (`schedule/schedule.py`)."""
        return "oracle" if self.sequential else self.target

    @property
    def has_launches(self) -> bool:
        """Whether large loops become kernels of a device, which the host launches."""
        return self.scheduler == "cuda"

    def write(self, function: ir.OpView) -> None:
        """Leaves on a function what emission needs beside the forms of operators."""
        entries = {
            "target": ir.StringAttr.get(self.target),
            "threads": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), self.threads),
            "sequential": ir.BoolAttr.get(self.sequential),
        }
        function.operation.attributes[SCHEDULED] = ir.DictAttr.get(entries)

    @staticmethod
    def of(function: ir.OpView) -> Options:
        """What was left on a function."""
        attributes = function.operation.attributes
        if SCHEDULED not in attributes:
            raise OpRefused(function, "has no schedule; run lower-schedule before lower-loops")
        try:
            given = {entry.name: entry.attr.value for entry in ir.DictAttr(attributes[SCHEDULED])}
            options = Options(given.pop("threads"), given.pop("sequential"), target=given.pop("target"))
        except (KeyError, ValueError, AttributeError):
            raise OpRefused(function, f"has {SCHEDULED} = {attributes[SCHEDULED]}; make it {HOW}") from None
        if given or options.target not in ("cpu", "cuda") or not isinstance(options.threads, int):
            raise OpRefused(function, f"has {SCHEDULED} = {attributes[SCHEDULED]}; make it {HOW}")
        return options
