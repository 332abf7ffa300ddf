"""The pass `lower-schedule`: every operator gets the form in which it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar, Literal

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import IN_ORDER, SCHEDULE, Schedule, Sums, attribute_of
from tapeless.passes.driver.pass_table import ImportTable
from tapeless.passes.lower.schedule.decisions import Scheduler, forms_of, tables_read
from tapeless.passes.lower.schedule.options import Options
from tapeless.passes.lower.storage.aliasing import StoragePlan
from tapeless.passes.lower.storage.prepare import functions_to_lower
from tapeless.passes.lower.storage.read_plan import read_plans
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import START, TABLE


@dataclass(frozen=True)
class Scheduling:
    """Decides in which form every operator runs, and writes it on the operator: `lower-loops` does as it says.

    ```mlir
    %s = "soac.reduce"(%n, %x, %z) ({...})  =>  %s = "soac.reduce"(%n, %x, %z) ({...})
                                                  {soac.schedule = {form = "blocks", smallest = 16384 : i64}}
    ```
    Which one depends on the program and on the target, never on the sizes of a call; where these decide between
    variants, the form has the numbers that they are compared with. `threads` is the number of threads that large loops
    run on, `sequential` puts everything in the order of the program, as the oracle has it. Without `deterministic`,
    sums may depend on threads and on their turns. Scans work on vectors of whole registers of `vector_bits`. For the
    target `cuda`, large loops are launches.
    """

    name: ClassVar[str] = "lower-schedule"
    after: ClassVar[dict[str, str]] = {"lower-plan-storage": "forms depend on where arrays live"}
    threads: int = 1
    sequential: bool = False
    deterministic: bool = True
    vector_bits: int = 512
    target: Literal["cpu", "cuda"] = "cpu"

    def run(self, module: ir.Module) -> None:
        options = Options(self.threads, self.sequential, self.deterministic, self.vector_bits, self.target)
        for plan in read_plans(functions_to_lower(module)):
            function = plan.tree.root.op
            own = options if plan.own is None else replace(options, threads=1)
            with function.operation.context, function.location:
                schedule(plan, own)


def schedule(plan: StoragePlan, options: Options) -> None:
    """Writes the forms of the operators of a function, and on the function what they were decided for."""
    forms = forms_of(plan, scheduler_for(options))
    write(forms)
    for read in tables_read(forms):
        read.op.attributes[TABLE] = ir.UnitAttr.get()
    for fill in starts_of(plan, forms) if options.has_launches else ():
        fill.op.attributes[START] = ir.UnitAttr.get()
    options.write(plan.tree.root.op)


def write(forms: Mapping[Node, Schedule]) -> None:
    """Writes the form of each operator on it; equal forms are one attribute."""
    written: dict[Schedule, ir.Attribute] = {}
    for node, form in forms.items():
        if form not in written:
            written[form] = attribute_of(form)
        node.op.attributes[SCHEDULE] = written[form]


def starts_of(plan: StoragePlan, forms: Mapping[Node, Schedule]) -> list[Node]:
    """The fills at which nothing looks but a launched map, which adds to them."""
    return [fill for node, form in forms.items() if isinstance(form, Sums) for fill in _fills(plan, node)]


def _fills(plan: StoragePlan, adder: Node) -> list[Node]:
    tree, storages, around = plan.tree, plan.storages, adder.parent
    if around is None or around.name != "soac.with_acc":
        return []
    dests = dict(zip(around.arguments(), around.operands, strict=True))
    pairs = [(acc, dests[acc]) for acc in adder.op.accs if acc in dests and len(tree.uses[acc]) == 1]
    in_place = [dest for acc, dest in pairs if storages.memory(acc) is storages.memory(dest)]
    makers = [tree.definition[dest] for dest in in_place if len(tree.uses[dest]) == 1]
    return [maker for maker in makers if maker.name == "tensor.splat"]


# A target with schedules of its own adds a module beside `cpu.py` and a line here.
SCHEDULERS: ImportTable[str, Callable[[Options], Scheduler]] = ImportTable(
    "lower.schedule",
    {"oracle": "schedule.in_order", "cpu": "cpu.scheduler_of", "cuda": "gpu.scheduler_of"},
)


def scheduler_for(options: Options) -> Scheduler:
    """The scheduler that the options of a lowering ask for."""
    return SCHEDULERS[options.scheduler](options)


@dataclass(frozen=True)
class OracleScheduler:
    """One loop for every operator."""

    def operator(self, node: Node) -> Schedule:
        return IN_ORDER

    def inner(self, node: Node) -> Schedule:
        return IN_ORDER

    def is_open(self, form: Schedule) -> bool:
        return False


def in_order(options: Options) -> OracleScheduler:
    """The scheduler of the oracle."""
    return OracleScheduler()
