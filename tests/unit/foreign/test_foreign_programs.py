"""Programs are compiled and linked for the other processor; a share of them runs there, with its derivatives."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from programs_as_ir import values, values_and_adjoints
from small_blocks import cut_small_arrays

from programs import PROGRAMS
from programs.program import Program
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.backend.codegen.llvm import Machine, host
from tapeless.backend.codegen.native import object_code
from tapeless.backend.compile import CompileOptions, compile_module, lower
from tapeless.backend.linking.elf import read_object
from tapeless.runtime.calling.binding import call, slot_count
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.image import LoadedImage
from tapeless.runtime.invoke import bind

from .disassembly import Disassembly
from .emulator import Emulator
from .linked import Linked
from .machines import BOTH, FOREIGN, OLD, WIDE, Foreign

EVERY = 6
# Every third program, for one processor after the other.
A_THIRD = list(zip(list(PROGRAMS)[::3], cycle(BOTH), strict=False))
SHARE = dict(list(PROGRAMS.items())[::EVERY])
# Programs that take seconds to compile.
LONG = ("borders_and_repetitions",)
TOLERANCE = 1e-11
LISTED = re.compile(r"^([0-9a-f]{16})\s+([0-9a-f]{16})\s+R_", re.MULTILINE)


def object_for(machine: Machine, program: Program) -> bytes:
    text, _ = values(program)
    options = CompileOptions(threads=2, machine=machine)
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        lower(module, options)
        return object_code(module, machine)


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("name", "foreign"), A_THIRD, ids=str)
def test_relocations_of_a_third(name: str, foreign: Foreign) -> None:
    linked = Linked.of(object_for(foreign.machine, PROGRAMS[name]))
    linked.check()
    assert not [name for name in linked.image.exports if name.startswith("$")]


@pytest.mark.thorough
@pytest.mark.parametrize("foreign", BOTH, ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_relocations_of_all(name: str, foreign: Foreign) -> None:
    Linked.of(object_for(foreign.machine, PROGRAMS[name])).check()


@pytest.mark.one_in(7)
@pytest.mark.parametrize("machine", [*(each.machine for each in BOTH), OLD, WIDE], ids=lambda m: m.cpu)
@pytest.mark.parametrize("name", list(SHARE)[::4])
def test_other_processors(machine: Machine, name: str) -> None:
    """Those of both kinds, without fused multiply-adds, and with the widest vectors."""
    assert Linked.of(object_for(machine, PROGRAMS[name])).check() > 0


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed; on Debian, install binutils")
@pytest.mark.parametrize("foreign", BOTH, ids=lambda each: each.name)
def test_relocations_are_read_as_readelf_reads_them(foreign: Foreign, tmp_path: Path) -> None:
    code = object_for(foreign.machine, next(iter(PROGRAMS.values())))
    (tmp_path / "kernel.o").write_bytes(code)
    listing = subprocess.run(["readelf", "-rW", tmp_path / "kernel.o"], check=True, capture_output=True, text=True)
    listed = {(int(offset, 16), int(info, 16) & 0xFFFFFFFF) for offset, info in LISTED.findall(listing.stdout)}
    source = read_object(code)
    found = {(relocation.offset, relocation.kind) for relocation in source.relocations}
    assert found and found == listed


@pytest.mark.parametrize("foreign", BOTH, ids=lambda each: each.name)
@pytest.mark.parametrize("name", list(SHARE)[::8])
def test_a_disassembler_finds_the_same_addresses(foreign: Foreign, name: str, tmp_path: Path) -> None:
    linked = Linked.of(object_for(foreign.machine, PROGRAMS[name]))
    found = Disassembly(foreign, linked.image.code, tmp_path)
    named = {place: address for place, address in linked.named_addresses().items() if found.target(place) is not None}
    behind = {place: found.behind(place) if foreign.name == "x86_64" else 0 for place in named}
    assert named
    assert {place: found.target(place) for place in named} == {place: named[place] + behind[place] for place in named}


@pytest.mark.one_in(30)
@pytest.mark.parametrize("program", SHARE.values(), ids=SHARE)
def test_runs_on_the_other_processor(program: Program, emulator: Emulator) -> None:
    """The other processor and this one agree, but for the order of sums."""
    text, arguments = values_and_adjoints(program)
    here, there = (compiled(text, machine) for machine in (host(), FOREIGN.machine))
    image = LoadedImage(here.image)
    wanted = results(here, arguments, bind(image.address(here.entry), dict(enumerate(here.sites))))
    found = results(there, arguments, lambda slots, owned: emulator.run(there, slots, slot_count(there.abi)))
    for left, right in zip(found, wanted, strict=True):
        np.testing.assert_allclose(left, right, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(SHARE[name], id=name, marks=[pytest.mark.thorough] if name in LONG else [])
        for name in list(SHARE)[::2]
    ],
)
def test_threads_change_no_bit_there(program: Program, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small_arrays(monkeypatch)
    text, arguments = values_and_adjoints(program)
    one, two = (run_there(text, arguments, emulator, threads) for threads in (1, 2))
    assert one == two


def run_there(text: str, arguments: list[Any], emulator: Emulator, threads: int) -> list[bytes]:
    code = compiled(text, FOREIGN.machine, threads)
    found = results(code, arguments, lambda slots, owned: emulator.run(code, slots, slot_count(code.abi)))
    return [np.asarray(result).tobytes() for result in found]


def compiled(text: str, machine: Machine, threads: int = 2) -> CompiledCode:
    with shared_context(), ir.Location.unknown():
        return compile_module(ir.Module.parse(text), CompileOptions(threads=threads, machine=machine))


def results(code: CompiledCode, arguments: list[Any], invoke: Any) -> list[Any]:
    names = [f"argument{k}" for k in range(len(arguments))]
    return call(code.abi, names, "f", invoke, arguments)
