"""Float constants keep their bits on the way from MLIR's LLVM to llvmlite's."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tapeless._mlir import ir, llvm
from tapeless.backend.codegen.llvm import emit_object, host, optimise
from tapeless.backend.linking.link import link
from tapeless.runtime.image import LoadedImage

DOUBLES = [0x3FB999999999999A, 0x0000000000000001, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]
DOUBLES += [0xFFF8000000000010, 0x8000000000000000, 0x3FF71547652B82FE, 0x7FEFFFFFFFFFFFFF, 0x01A56E1FC2F8F359]
FLOATS = [0x3DCCCCCD, 0x00000001, 0x7F800000, 0xFF800000, 0x7FC00000, 0x80000000, 0x3EAAAAAB, 0x7F7FFFFF, 0x7FC00010]


@pytest.mark.parametrize(("element", "width", "constants"), [("f64", 8, DOUBLES), ("f32", 4, FLOATS)])
def test_constants_keep_their_bits(element: str, width: int, constants: list[int]) -> None:
    array = "0x" + "".join(bits.to_bytes(width, "little").hex() for bits in constants).upper()
    stores = "\n".join(
        f"""%c{number} = llvm.mlir.constant({bits:#0{2 * width + 2}x} : {element}) : {element}
            %p{number} = llvm.getelementptr %out[{number}] : (!llvm.ptr) -> !llvm.ptr, {element}
            llvm.store volatile %c{number}, %p{number} : {element}, !llvm.ptr"""
        for number, bits in enumerate(constants)
    )
    count = len(constants)
    text = f"""
    llvm.mlir.global constant @table(dense<"{array}"> : tensor<{count}x{element}>) : !llvm.array<{count} x {element}>
    llvm.func @write__entry(%out: !llvm.ptr) {{
      {stores}
      %table = llvm.mlir.addressof @table : !llvm.ptr
      %rest = llvm.getelementptr %out[{count}] : (!llvm.ptr) -> !llvm.ptr, {element}
      %size = llvm.mlir.constant({count * width} : i64) : i64
      "llvm.intr.memcpy"(%rest, %table, %size) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
      llvm.return
    }}"""
    with ir.Context(), ir.Location.unknown():
        translated = llvm.translate_module_to_llvmir(ir.Module.parse(text).operation)
    image = LoadedImage(link(emit_object(optimise(translated, host()), host())))
    written = np.zeros(2 * count, f"u{width}")
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(image.address("write__entry"))(written.ctypes.data)
    assert [hex(bits) for bits in written] == [hex(bits) for bits in constants * 2]
