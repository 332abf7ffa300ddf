"""One measurement: a program at one size and dtype on one target, by contestants that take turns in one process."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from float_mode import FLUSH

from untuned.program import FromJax, Program

PEERS = ("jax", "torch", "torch.compile", "numpy")


@dataclass(frozen=True)
class Contestant:
    """Who computes: Tapeless with a spelling and a method, or one of its peers."""

    name: str
    spelling: str | None = None
    method: str | None = None

    @property
    def title(self) -> str:
        return " ".join(each for each in (self.name, self.spelling, self.method) if each)


@dataclass(frozen=True)
class Task:
    """The work of one process.

    A contestant whose call takes more than `longest` seconds is not called again. `skipped` are contestants by their
    titles that ended earlier processes; `processors` are those to run on (the first ones if none are named); `turns`
    is the file to lock while the GPU is called, when other processes run beside.
    `module` is the one whose `PROGRAMS` has the program. With `denormals="flush"`, all contestants on a CPU take
    denormal numbers for zeros, as JAX does whatever it is told.
    """

    program: str
    dtype: str
    size: str
    target: str
    threads: int
    contestants: tuple[Contestant, ...]
    seconds: float
    checks: str
    longest: float = 10.0
    bundles: str | None = None
    processors: tuple[int, ...] = field(default=())
    turns: str | None = None
    skipped: tuple[str, ...] = field(default=())
    module: str = "untuned.programs"
    denormals: str = FLUSH

    @property
    def record(self) -> Program:
        """The program itself."""
        return programs_of(self.module)[self.program]

    def without(self, contestant: str) -> Task:
        return replace(self, skipped=(*self.skipped, contestant))

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Task:
        given = json.loads(text)
        contestants = tuple(Contestant(**each) for each in given["contestants"])
        tuples = {name: tuple(given[name]) for name in ("skipped", "processors")}
        return cls(**given | tuples | {"contestants": contestants})


def programs_of(module: str) -> dict[str, Program]:
    """The programs of a module, by name."""
    return import_module(module).PROGRAMS


def contestants(program: Program, names: tuple[str, ...], methods: tuple[str, ...]) -> tuple[Contestant, ...]:
    """Every spelling by every method, and the peers that have the program; values need no method."""
    found: list[Contestant] = []
    if "tapeless" in names:
        used = methods[:1] if program.quantity == "value" else methods
        found += [Contestant("tapeless", spelling, method) for spelling in program.spellings for method in used]
    has = {"jax": program.jax, "torch": program.torch, "torch.compile": program.torch, "numpy": program.numpy}
    return (*found, *(Contestant(name) for name in PEERS if name in names and has[name] is not None))


def empty_row(program: Program, task: Task, contestant: Contestant) -> dict[str, Any]:
    """A row of the results in which nothing has been measured yet."""
    return {
        "program": program.name,
        "field": program.field,
        "spelling": contestant.spelling,
        "quantity": program.quantity,
        "dtype": task.dtype,
        "size": task.size,
        "target": task.target,
        "threads": task.threads,
        "method": contestant.method,
        "contestant": contestant.name,
        "denormals": mode_of(task, contestant),
        "seconds_min": None,
        "seconds_median": None,
        "processor_seconds_min": None,
        "compile_seconds": None,
        "compile_processor_seconds": None,
        "peak_bytes": None,
        "code_bytes": None,
        "agrees": None,
        "deviation": None,
        "excused": None,
        "refused": None,
    }


def mode_of(task: Task, contestant: Contestant) -> str | None:
    """What a contestant does with denormal numbers; None on GPUs, where nobody is told."""
    if task.target != "cpu":
        return None
    return FLUSH if contestant.name == "jax" else task.denormals


def has_fixed_sizes(program: Program, contestant: Contestant) -> bool:
    """Whether a kernel of this contestant takes arguments of one size alone."""
    return isinstance(program.spellings.get(contestant.spelling or ""), FromJax)


def bundle_file(folder: Path, program: Program, contestant: Contestant, dtype: str, size: str) -> Path:
    """Where the kernel of a program is saved: one for all sizes, if it takes them."""
    sizes = (size,) if has_fixed_sizes(program, contestant) else ()
    name = "-".join((program.name, contestant.spelling or "", contestant.method or "", dtype, *sizes))
    return folder / f"{''.join(each if each.isalnum() or each == '-' else '_' for each in name)}.tlk"
