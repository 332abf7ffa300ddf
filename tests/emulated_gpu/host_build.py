"""Kernels compiled for the CPU from the LLVM IR that PTX is made of; what only a GPU has calls the emulator."""

from __future__ import annotations

import ctypes
import re
import subprocess
import tempfile
from functools import cache, lru_cache
from pathlib import Path

import llvmlite.binding as llvm

from tapeless.backend.codegen.llvm import host
from tapeless.backend.codegen.llvm_text import for_llvmlite

SPECIAL_REGISTER = re.compile(r"@llvm\.nvvm\.read\.ptx\.sreg\.([a-z]+)\.?([xyz]?)\(")
LIBDEVICE = re.compile(r"@__nv_(\w+)\(")
SHUFFLE = re.compile(r"@llvm\.nvvm\.shfl\.sync\.(up|down|idx|bfly)\.(i32|f32)\(")
BARRIER = re.compile(r"@llvm\.nvvm\.barrier(\.cta\.sync\.aligned\.all|0)\(")
KERNEL = re.compile(r"^define ptx_kernel void @(\w+)\((.*?)\) ", re.MULTILINE)
DYNAMIC_MEMORY = re.compile(r"^(@__dynamic_shmem__\d+) = .*$", re.MULTILINE)
MATRICES = re.compile(r'asm sideeffect "mma\.sync\.aligned\.m16n8k8\.row\.col\.f64[^"]*", "[^"]*"\(')
ROUNDED_MATRICES = re.compile(r'asm sideeffect "mma\.sync\.aligned\.m16n8k8\.row\.col\.f32\.tf32[^"]*", "[^"]*"\(')
SEND = re.compile(r'asm sideeffect "cp\.async\.c[ag]\.shared\.global \[\$0\], \[\$1\], (\d+);", "[^"]*"\(')
WAIT_FOR_ALL = re.compile(r'asm sideeffect "cp\.async\.wait_all;", "[^"]*"\(')
EMULATED_COPIES = "".join(
    f"declare void @emulated_{name}\n"
    for name in (*(f"send_{bytes_}(i64, i64)" for bytes_ in (4, 8, 16)), "wait_for_all()")
)


def emulated_matrices(name: str, sums: str, factors: str, emulated: str) -> str:
    """An instruction as a function, which calls one of the emulator that changes sums in memory."""
    made = "{ " + ", ".join([sums] * 4) + " }"
    parameters = [*(f"{factors} %a{number}" for number in range(6)), *(f"{sums} %c{number}" for number in range(4))]
    lines = [
        f"declare void @{emulated}(ptr{6 * f', {sums}'})",
        f"define internal {made} @{name}({', '.join(parameters)}) {{",
        f"  %sums = alloca [4 x {sums}]",
        *(f"  %p{number} = getelementptr {sums}, ptr %sums, i64 {number}" for number in range(4)),
        *(f"  store {sums} %c{number}, ptr %p{number}" for number in range(4)),
        *(f"  %f{number} = bitcast {factors} %a{number} to {sums}" for number in range(6)),
        f"  call void @{emulated}(ptr %sums, {', '.join(f'{sums} %f{number}' for number in range(6))})",
        f"  %made = load {made}, ptr %sums",
        f"  ret {made} %made",
        "}",
        "",
    ]
    return "\n".join(lines)


EMULATED_MATRICES = emulated_matrices("multiplied", "double", "double", "emulated_mma")
EMULATED_ROUNDED_MATRICES = emulated_matrices("multiplied_f32", "float", "i32", "emulated_mma_f32")
SYMBOLS = [
    *(f"{register}_{axis}" for register in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"),
    "laneid",
    "barrier",
    *(f"shuffle_{mode}_{type_}" for mode in ("up", "down", "idx", "bfly") for type_ in ("i32", "f32")),
    "mma",
    "mma_f32",
    "exit",
    "malloc",
    *(f"send_{bytes_}" for bytes_ in (4, 8, 16)),
    "wait_for_all",
]
# What a block may have on every generation.
MOST_SHARED = 99 << 10


@cache
def emulator() -> ctypes.CDLL:
    """The compiled emulator, its functions known to LLVM."""
    folder = tempfile.mkdtemp(prefix="tapeless-emulator-")
    library = Path(folder) / "emulator.so"
    source = Path(__file__).with_name("emulator.c")
    # Jumps between stacks are what the checks of this macro forbid.
    options = ["-O2", "-U_FORTIFY_SOURCE", "-fPIC", "-shared"]
    subprocess.run(["cc", *options, "-o", library, source], check=True)
    loaded = ctypes.CDLL(str(library))
    llvm.load_library_permanently("libm.so.6")
    for name in SYMBOLS:
        llvm.add_symbol(f"emulated_{name}", ctypes.cast(getattr(loaded, f"emulated_{name}"), ctypes.c_void_p).value)
    return loaded


def host_text(text: str) -> str:
    """LLVM IR of kernels without what only a GPU has."""
    text = SPECIAL_REGISTER.sub(lambda found: f"@emulated_{'_'.join(filter(None, found.groups()))}(", text)
    text = SHUFFLE.sub(r"@emulated_shuffle_\1_\2(", text)
    text = BARRIER.sub("@emulated_barrier(", text)
    text = text.replace("@llvm.nvvm.exit(", "@emulated_exit(")
    text = DYNAMIC_MEMORY.sub(rf"\1 = internal addrspace(3) global [{MOST_SHARED} x i8] undef, align 16", text)
    text = text.replace("@malloc(", "@emulated_malloc(")
    text = LIBDEVICE.sub(r"@\1(", text)
    if MATRICES.search(text):
        text = MATRICES.sub("@multiplied(", text) + EMULATED_MATRICES
    if ROUNDED_MATRICES.search(text):
        text = ROUNDED_MATRICES.sub("@multiplied_f32(", text) + EMULATED_ROUNDED_MATRICES
    if WAIT_FOR_ALL.search(text):
        text = WAIT_FOR_ALL.sub("@emulated_wait_for_all(", SEND.sub(r"@emulated_send_\1(", text)) + EMULATED_COPIES
    return text.replace("ptx_kernel ", "").replace('syncscope("device") ', "")


class HostBuild:
    """The kernels of LLVM IR in memory; `has_barriers` says whether threads of a block wait for each other."""

    def __init__(self, text: str) -> None:
        emulator()
        kernels = {name: _types(parameters) for name, parameters in KERNEL.findall(text)}
        text = host_text(text)
        self.has_barriers = "emulated_barrier" in text or "emulated_shuffle" in text
        machine = host()
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(for_llvmlite(text + "\n".join(_entry(*kernel) for kernel in kernels.items())))
        module.triple = machine.triple
        target = llvm.Target.from_triple(machine.triple).create_target_machine(
            cpu=machine.cpu, features=machine.features, opt=0, jit=True
        )
        module.data_layout = str(target.target_data)
        for function in module.functions:
            if function.is_declaration and not function.name.startswith("llvm."):
                assert llvm.address_of_symbol(function.name), f"a kernel calls {function.name}, which is not known"
        self._engine = llvm.create_mcjit_compiler(module, target)
        self._engine.finalize_object()
        self.addresses = {name: self._engine.get_function_address(f"entry of {name}") for name in kernels}


@lru_cache(maxsize=256)
def host_build(text: str) -> HostBuild:
    """The kernels of LLVM IR, in memory once for all tests that load the same."""
    return HostBuild(text)


def _types(parameters: str) -> list[str]:
    """The types in the text between the brackets of a definition, without attributes."""
    return [parameter.split()[0] for parameter in parameters.split(", ") if parameter]


def _entry(name: str, parameters: list[str]) -> str:
    """A function that loads the arguments of a kernel from consecutive 8-byte slots and calls it."""
    lines, arguments = [], []
    for number, type_ in enumerate(parameters):
        lines.append(f"  %p{number} = getelementptr i64, ptr %slots, i64 {number}")
        lines.append(f"  %a{number} = load {type_}, ptr %p{number}")
        arguments.append(f"{type_} %a{number}")
    call = f'  call void @"{name}"({", ".join(arguments)})'
    return "\n".join([f'define void @"entry of {name}"(ptr %slots) {{', *lines, call, "  ret void", "}", ""])
