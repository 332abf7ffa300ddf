"""The linker resolves what LLVM leaves open, on the processor of this machine and on the other supported one."""

from __future__ import annotations

import ctypes
import math
import struct

import pytest

from tapeless.backend.codegen.llvm import Machine, emit_object, host, optimise
from tapeless.backend.codegen.rejection import RejectedCode
from tapeless.backend.linking.link import link
from tapeless.errors import TargetError
from tapeless.runtime.image import Image, LoadedImage

CALLS_AND_DATA = """
@table = internal constant [4 x double] [double 1.0, double 2.0, double 3.0, double 4.0]
@counter = internal global i64 40
@functions = internal constant [2 x ptr] [ptr @twice, ptr @exp]
declare double @exp(double)
define internal double @twice(double %x) noinline {
  %y = fadd double %x, %x
  ret double %y
}
define double @lookup(i64 %i, double %x) {
  %slot = getelementptr [4 x double], ptr @table, i64 0, i64 %i
  %entry = load double, ptr %slot
  %scaled = call double @exp(double %x)
  %sum = fadd double %entry, %scaled
  ret double %sum
}
define i64 @count() {
  %old = load volatile i64, ptr @counter
  %new = add i64 %old, 1
  store volatile i64 %new, ptr @counter
  ret i64 %new
}
define double @indirect(i64 %i, double %x) {
  %slot = getelementptr [2 x ptr], ptr @functions, i64 0, i64 %i
  %function = load volatile ptr, ptr %slot
  %y = call double %function(double %x)
  ret double %y
}
"""
ARM = Machine("aarch64-unknown-linux-gnu", "neoverse-n1", "")


def image_for(machine: Machine) -> Image:
    return link(emit_object(optimise(CALLS_AND_DATA, machine), machine))


def test_code_runs_where_it_was_loaded() -> None:
    loaded = LoadedImage(image_for(host()))
    floating = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_double)
    lookup, indirect = floating(loaded.address("lookup")), floating(loaded.address("indirect"))
    count = ctypes.CFUNCTYPE(ctypes.c_int64)(loaded.address("count"))
    assert [lookup(i, 0.5) for i in range(4)] == [i + 1 + math.exp(0.5) for i in range(4)]
    assert [indirect(0, 1.5), indirect(1, 1.0)] == [3.0, math.e]
    assert [count(), count()] == [41, 42]


def test_two_copies_do_not_share_data() -> None:
    image = image_for(host())
    first, second = LoadedImage(image), LoadedImage(image)
    counters = [ctypes.CFUNCTYPE(ctypes.c_int64)(loaded.address("count")) for loaded in (first, second)]
    assert [counters[0](), counters[0](), counters[1]()] == [41, 42, 41]


def test_unknown_functions_are_refused_at_loading() -> None:
    text = "declare void @no_such_function()\ndefine void @f() {\n call void @no_such_function()\n ret void\n}"
    image = link(emit_object(optimise(text, host()), host()))
    with pytest.raises(TargetError, match="calls 'no_such_function'"):
        LoadedImage(image)


def test_invalid_llvm_ir_is_refused() -> None:
    with pytest.raises(RejectedCode, match="rejects the generated LLVM IR"):
        optimise("define void @f() { nonsense }", host())


def words(image: Image, place: int, count: int) -> tuple[int, ...]:
    return struct.unpack_from(f"<{count}I", image.code, place)


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def page_of(instruction: int, place: int) -> int:
    """The address an `adrp` computes."""
    assert instruction & 0x9F000000 == 0x90000000
    pages = signed((instruction >> 5 & 0x7FFFF) << 2 | instruction >> 29 & 3, 21)
    return (place & ~0xFFF) + (pages << 12)


def test_aarch64_calls_go_through_a_stub_that_loads_the_table_entry() -> None:
    image = image_for(ARM)
    start = image.exports["lookup"]
    code = words(image, start, (image.exports["count"] - start) // 4 if image.exports["count"] > start else 24)
    branches = [(4 * i, w) for i, w in enumerate(code) if w & 0x7C000000 == 0x14000000]
    offset, branch = next((offset, word) for offset, word in branches if word >> 31)
    stub = start + offset + 4 * signed(branch & 0x3FFFFFF, 26)
    adrp, load, jump = words(image, stub, 3)
    assert jump == 0xD61F0200
    assert load & 0xFFC003FF == 0xF9400210
    assert page_of(adrp, stub) + 8 * (load >> 10 & 0xFFF) == image.imports["exp"]


def test_aarch64_data_is_found_by_page_and_offset() -> None:
    image = image_for(ARM)
    start = image.exports["count"]
    code = words(image, start, 4)
    index = next(i for i, word in enumerate(code) if word & 0x9F000000 == 0x90000000)
    load = next(word for word in code if word & 0xFFC00000 == 0xF9400000)
    address = page_of(code[index], start + 4 * index) + 8 * (load >> 10 & 0xFFF)
    assert struct.unpack_from("<q", image.code, address)[0] == 40
    assert address >= image.writable_from
