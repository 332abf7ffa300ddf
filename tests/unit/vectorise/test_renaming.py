"""Buffers are split only where everything they held is overwritten first."""

from __future__ import annotations

import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.lower.vectorise.renaming import split_reused_buffers
from tapeless.passes.lower.vectorise.walking import nested, op_name

FILL = "scf.for %j = %c0 to %d step %c1 { memref.store %one, %b[%j] : memref<?xf64> }\n"
READ = """scf.for %j = %c0 to %d step %c1 {
      %v = memref.load %b[%j] : memref<?xf64>
      memref.store %v, %out[%p, %j] : memref<?x?xf64>
    }
"""
ADD = """scf.for %j = %c0 to %d step %c1 {
      %v = memref.load %b[%j] : memref<?xf64>
      %w = arith.addf %v, %one : f64
      memref.store %w, %b[%j] : memref<?xf64>
    }
"""
PART = FILL.replace("%c0 to %d", "%c1 to %d")
OTHER_BOUND = FILL.replace("%d", "%n")
CONSTANT_PLACE = FILL.replace("%b[%j]", "%b[%c0]")
UNDER_A_CONDITION = FILL.replace("{", "{ scf.if %flag {", 1) + "}\n"


def repeated(body: str) -> str:
    return f"scf.for %k = %c0 to %n step %c1 {{ {body} }}\n"


SPLIT = {
    "two arrays": (FILL + READ + FILL + READ, 2),
    "three arrays": (FILL + READ + FILL + ADD + READ + FILL + READ, 3),
    "one after the other in each of two loops": (repeated(FILL + READ) + repeated(FILL + READ), 2),
    "two in a loop": (repeated(FILL + READ + FILL + READ), 2),
}
WHOLE = {
    "an array that is changed": FILL + ADD + READ,
    "a read before the first write": READ + FILL + READ,
    "a fill that leaves out an element": FILL + READ + PART + READ,
    "a fill with another bound": FILL + READ + OTHER_BOUND + READ,
    "a fill of one element": FILL + READ + CONSTANT_PLACE + READ,
    "a fill under a condition": FILL + READ + UNDER_A_CONDITION + READ,
    "a fill in a loop that may not run": FILL + READ + repeated(FILL) + READ,
    "a read in the next iteration": repeated(READ + FILL),
}


def buffers_after_splitting(body: str) -> int:
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(f"""
func.func @f(%out: memref<?x?xf64>, %n: index, %d: index, %flag: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %b = memref.alloc(%d) : memref<?xf64>
  scf.for %p = %c0 to %n step %c1 {{
    {body}
  }}
  memref.dealloc %b : memref<?xf64>
  return
}}""")
        block = module.body.operations[0].regions[0].blocks[0]
        split_reused_buffers(next(op for op in block.operations if op_name(op) == "scf.for"))
        module.operation.verify()
        names = [op_name(op) for op in nested(block)]
        assert names.count("memref.alloc") == names.count("memref.dealloc")
        return names.count("memref.alloc")


@pytest.mark.parametrize("name", SPLIT)
def test_buffers_of_several_arrays_are_split(name: str) -> None:
    body, expected = SPLIT[name]
    assert buffers_after_splitting(body) == expected


@pytest.mark.parametrize("name", WHOLE)
def test_buffers_of_one_array_stay_whole(name: str) -> None:
    assert buffers_after_splitting(WHOLE[name]) == 1
