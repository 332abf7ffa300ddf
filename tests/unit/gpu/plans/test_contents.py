"""What one visit to a kernel finds for the steps after it was built, and the line that it comes from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tapeless._mlir import ir
from tapeless.dialects.context import make_context
from tapeless.passes.lower.launches.kernels.contents import LISTS, Contents
from tapeless.passes.lower.launches.kernels.kernel_functions import REPLACED
from tapeless.passes.lower.launches.kernels.work import tell_work

KERNEL = """
func.func @k(%a: memref<?xf64>, %i: index, %x: f64, %c: i1) {
  %own = memref.alloca() : memref<4xf64>
  scf.if %c {
    %old = memref.load %a[%i] : memref<?xf64> loc("a.py":1:2)
    %plain = arith.addf %x, %x : f64 loc("a.py":2:1)
    %new = arith.addf %old, %plain {tapeless.atomic} : f64 loc("a.py":2:9)
    memref.store %new, %a[%i] : memref<?xf64> loc("a.py":2:1)
    %room = memref.alloc(%i) : memref<?xf64> loc("a.py":1:2)
    %is_nan = math.isnan %x : f64 loc("b.py":1:1)
    func.call @g() : () -> () loc("folder/a.py":2:1)
  }
  return
}
func.func private @g()
"""


@pytest.fixture
def found() -> Iterator[Contents]:
    with make_context():
        module = ir.Module.parse(KERNEL)
        yield Contents.of(module.body.operations[0].operation)


def test_one_visit_finds_all_that_is_changed_later(found: Contents) -> None:
    names = {list_: [op.name for op in getattr(found, list_)] for list_ in dict.fromkeys(LISTS.values())}
    assert names == {
        "calls": ["func.call"],
        "buffers": ["memref.alloca"],
        "allocations": ["memref.alloc"],
        "updates": [],
        "additions": ["arith.addf"],
        "without_instruction": ["math.isnan"],
    }
    assert found.additions[0].operands[0].owner.operation.name == "memref.load"


def test_everything_that_has_no_instruction_is_looked_for() -> None:
    assert {name for name, list_ in LISTS.items() if list_ == "without_instruction"} == set(REPLACED)


def test_the_line_of_most_operations_whatever_their_columns_and_folders(found: Contents) -> None:
    entry: dict[str, object] = {}
    tell_work([found], {"k": entry})
    assert entry["line"] == "a.py:2"
    assert entry["allocates"] is True
