"""Native bundles ask for the instructions of a processor, and load wherever these are; for nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from tapeless.backend.codegen.llvm import Machine, host, target_machine
from tapeless.backend.saving.processors import ARM_TRIPLE, PORTABLE, X86_TRIPLE, processor_named
from tapeless.runtime import processor
from tapeless.runtime.bundle import cpu
from tapeless.runtime.instructions import INSTRUCTIONS
from tapeless.runtime.library import ABI_VERSION

XEON = (
    "fpu cmov pse36 mmx fxsr sse sse2 ht syscall nx lm constant_tsc pni pclmulqdq ssse3 fma cx16 sse4_1 sse4_2 movbe "
    "popcnt aes xsave avx f16c rdrand lahf_lm abm 3dnowprefetch bmi1 avx2 bmi2 adx avx512f avx512dq avx512cd avx512bw "
    "avx512vl avx512_vnni"
)
NEOVERSE = "fp asimd aes pmull sha1 sha2 crc32 atomics fphp asimdhp asimdrdm lrcpc asimddp"
# Machines by what /proc/cpuinfo says of their first processor; then come others, which must not be read.
MACHINES = {
    "xeon": (
        "x86_64",
        f"vendor_id\t: GenuineIntel\nmodel\t\t: 85\nflags\t\t: {XEON} vmx dtes64 apic pts hwp epb intel_pt",
    ),
    "xeon in a guest": ("x86_64", f"vendor_id\t: GenuineIntel\nflags\t\t: {XEON} hypervisor x2apic tsc_deadline_timer"),
    "xeon, transactions off": ("x86_64", f"flags\t\t: {XEON} md_clear tsx_force_abort arch_capabilities"),
    "xeon, AVX-512 masked": (
        "x86_64",
        f"flags\t\t: {' '.join(w for w in XEON.split() if 'avx512' not in w)} hypervisor",
    ),
    "neoverse": ("aarch64", f"CPU implementer\t: 0x41\nFeatures\t: {NEOVERSE} evtstrm cpuid dcpop ssbs"),
    "neoverse in a guest": ("aarch64", f"BogoMIPS\t: 50.00\nFeatures\t: {NEOVERSE}"),
    "neoverse, newer kernel": ("aarch64", f"Features\t: {NEOVERSE} evtstrm cpuid dcpop ssbs sb paca pacg bti"),
    "neoverse, no dot products": ("aarch64", f"Features\t: {NEOVERSE.replace(' asimddp', '')} evtstrm"),
}
MISSING = {
    "xeon, AVX-512 masked": "avx512_vnni, avx512bw, avx512cd, avx512dq, avx512f, avx512vl",
    "neoverse, no dot products": "asimddp",
}
# What LLVM finds on hosts besides: of the system, or reached by intrinsics alone, which no program has.
OF_THE_SYSTEM = """64bit cx8 fxsr mmx x87 crc32 xsave xsaveopt xsavec xsaves rdrnd rdseed clflushopt clwb clzero
cldemote rdpid rdpru wbnoinvd fsgsbase invpcid pku shstk rtm sgx waitpkg serialize movdiri movdir64b enqcmd uintr hreset
kl widekl ptwrite pconfig mwaitx lwp tsxldtrk usermsr prefetchi raoint cmpccxadd movrs amx-tile amx-int8 amx-bf16
amx-fp16 amx-complex amx-avx512 amx-fp8 amx-movrs amx-tf32 rand"""
BROUGHT_BY_APX = {"ccmp", "cf", "ndd", "nf", "ppx", "push2pop2", "zu"}


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Goes to a machine of the table."""

    def go(name: str) -> None:
        machine, text = MACHINES[name]
        (tmp_path / "cpuinfo").write_text(
            f"processor\t: 0\n{text}\n\nprocessor\t: 1\nflags\t: magic\nFeatures\t: magic\n"
        )
        monkeypatch.setattr(processor, "CPUINFO", str(tmp_path / "cpuinfo"))
        real = os.uname()
        other = type(real)((real.sysname, real.nodename, real.release, real.version, machine))
        monkeypatch.setattr(os, "uname", lambda: other)

    return go


@pytest.mark.parametrize("saved_on", MACHINES)
@pytest.mark.parametrize("loaded_on", MACHINES)
def test_only_instructions_are_asked_for(on, saved_on: str, loaded_on: str) -> None:
    on(saved_on)
    details = {"machine": os.uname().machine, "runtime": ABI_VERSION, "needs": processor_named("native").needs}
    has = processor.features()
    on(loaded_on)
    if details["machine"] != os.uname().machine:
        assert cpu.obstacle(details) == f"is for {details['machine']} processors, and this one is {os.uname().machine}"
    elif loaded_on in MISSING and loaded_on != saved_on:
        assert cpu.obstacle(details) == f"needs a processor that has {MISSING[loaded_on]}"
    else:
        assert cpu.obstacle(details) is None
    assert set(details["needs"]) <= has - {"hypervisor", "apic", "fpu", "vmx", "cpuid", "evtstrm", "ssbs", "magic"}


def test_a_system_that_lists_nothing_asks_for_the_processor_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "CPUINFO", "/nowhere/cpuinfo")
    monkeypatch.setattr(processor.platform, "processor", lambda: "M9")
    assert processor.instruction_sets() == processor.features() == {"M9"}


@pytest.mark.parametrize("machine", INSTRUCTIONS)
def test_llvm_knows_every_instruction_set(machine: str, capfd: pytest.CaptureFixture[str]) -> None:
    """LLVM tells of features that it does not know when it makes code."""
    triple, generic = {"x86_64": (X86_TRIPLE, "x86-64"), "aarch64": (ARM_TRIPLE, "generic")}[machine]
    for features in ("+nonsense", ",".join(f"+{each}" for each in INSTRUCTIONS[machine].values())):
        module = llvm.parse_assembly(f'target triple = "{triple}"\ndefine i32 @f(i32 %x) {{\n ret i32 %x\n}}')
        target_machine(Machine(triple, generic, features)).emit_object(module)
        assert ("is not a recognized feature" in capfd.readouterr().err) == (features == "+nonsense")


def test_everything_that_llvm_finds_here_is_asked_for() -> None:
    found = {each[1:] for each in host().features.split(",") if each.startswith("+")}
    known = set(INSTRUCTIONS[os.uname().machine].values())
    assert found - known - {*OF_THE_SYSTEM.split()} - (BROUGHT_BY_APX if "egpr" in found else set()) == set()
    asked = {INSTRUCTIONS[os.uname().machine][each] for each in processor.instruction_sets()}
    assert found & known <= asked


def test_portable_targets_ask_for_instructions() -> None:
    for each in PORTABLE.values():
        assert set(each.needs) <= INSTRUCTIONS[each.architecture].keys()
