"""The targets that a kernel can be saved for, by name, and the order in which they are tried when it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless.backend.codegen.emission import KINDS, OF_GPUS, OF_PROCESSORS
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.compile import CompileOptions
from tapeless.backend.saving import cpu, cuda
from tapeless.backend.saving.processors import NAMES, processor_named
from tapeless.backend.saving.request import Request
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError
from tapeless.runtime.bundle.contents import SavedTarget
from tapeless.runtime.bundle.cpu import NATIVE
from tapeless.spelling import nearest_or_all


@dataclass(frozen=True)
class Saver:
    """How code of a kind of target is made for a bundle, and the names it goes by, those to be tried first in front."""

    kind: str
    names: tuple[str, ...]
    save: Callable[[str, Request], SavedTarget]
    machine: Callable[[str], Machine]
    emit: Callable[[str, str, Request], bytes]
    emitted: tuple[str, ...]


SAVERS: dict[str, Saver] = {
    saver.kind: saver
    for saver in (
        Saver("cpu", NAMES, cpu.save, lambda name: processor_named(name).machine, cpu.emit, tuple(OF_PROCESSORS.kinds)),
        Saver("cuda", cuda.NAMES, cuda.save, cuda.machine_of, cuda.emit, tuple(OF_GPUS.kinds)),
    )
}


def machine_named(name: str) -> tuple[str, Machine]:
    """The kind of a target that code can be made for, and its machine."""
    if name not in known_names():
        raise ArgumentError(f"unknown target '{name}'{nearest_or_all(name, known_names())}")
    saver = _saver_of(name)
    return saver.kind, saver.machine(name)


def saved_targets(names: Sequence[str], request: Request) -> tuple[SavedTarget, ...]:
    """Code for every target named."""
    return tuple(saver.save(name, request) for saver, name in in_order(names))


def emitted(kind: str, name: str, request: Request) -> bytes:
    """Code for the target of a name, as `kind` says: LLVM IR, assembly, an object file, PTX, or a plan of launches."""
    saver = _saver_of(name)
    if kind not in KINDS:
        raise ArgumentError(f"there is no code of the kind '{kind}'{nearest_or_all(kind, KINDS)}")
    if kind not in saver.emitted:
        others = next(each for each in SAVERS.values() if kind in each.emitted)
        kinds = ", ".join(saver.emitted)
        raise ArgumentError(
            f"code for '{name}' is no {kind}; emit {kinds}, or give a target such as '{others.names[0]}'"
        )
    return saver.emit(kind, name, request)


def default_target(options: CompileOptions) -> str:
    """The default target of a saved kernel: the machine that it was compiled for."""
    return cuda.name_of(options.machine) if options.target.name == "cuda" else NATIVE


def in_order(names: Sequence[str]) -> list[tuple[Saver, str]]:
    """Names with their savers: kinds as they are first named, within a kind the better code first."""
    if isinstance(names, str):
        names = (names,)
    if not names:
        raise ArgumentError(f"targets={names!r} names no target; give some of {', '.join(map(repr, known_names()))}")
    savers = list(dict.fromkeys(_saver_of(name) for name in names))
    return [(saver, name) for saver in savers for name in saver.names if name in names]


def known_names() -> list[str]:
    """Every name that `targets=` takes."""
    return [name for saver in SAVERS.values() for name in saver.names]


def _saver_of(name: object) -> Saver:
    for saver in SAVERS.values():
        if name in saver.names:
            return saver
    if not isinstance(name, str):
        raise ArgumentError(f"a target to save for is {name!r}; give names such as {', '.join(known_names())}")
    raise ArgumentError(f"unknown target '{name}' to save for{nearest_or_all(name, known_names())}")
