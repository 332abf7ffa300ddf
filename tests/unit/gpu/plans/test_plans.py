"""Launch plans carried out: a reduction by blocks written by hand, control flow, checks, failures, damaged plans."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest

from emulated_gpu.fake_gpu import FakeGpu
from tapeless._mlir import ir
from tapeless.abi import Abi, Parameter, Result, Site
from tapeless.backend.codegen.ptx import device_llvm_ir, gpu_machine, ptx
from tapeless.deep_calls import deep_calls
from tapeless.dialects.context import make_context
from tapeless.errors import IndexOutOfRange, TypeMismatch
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda.calls import CudaCalls
from tapeless.runtime.cuda.expressions import MalformedPlan, python_text
from tapeless.runtime.cuda.image import DeviceImage, bound_names
from tapeless.runtime.cuda.kernel_source import Ptx
from tapeless.runtime.cuda.pool import SMALLEST
from tapeless.runtime.cuda.reports import FAILURE_BYTES
from tapeless.runtime.cuda.steps import program

SHARED = "memref<256xf64, #gpu.address_space<workgroup>>"
SUMS = f"""
module attributes {{gpu.container_module}} {{
  gpu.module @kernels {{
    gpu.func @sums(%status: !llvm.ptr, %x: !llvm.ptr, %n: index, %y: !llvm.ptr)
        workgroup(%s: {SHARED}) kernel attributes {{known_block_size = array<i32: 256, 1, 1>}} {{
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0.0 : f64
      %b = gpu.block_id x
      %w = gpu.block_dim x
      %g = gpu.grid_dim x
      %t = gpu.thread_id x
      %first = arith.muli %b, %w : index
      %from = arith.addi %first, %t : index
      %stride = arith.muli %g, %w : index
      %sum = scf.for %i = %from to %n step %stride iter_args(%a = %zero) -> f64 {{
        %word = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %x[%word] : (!llvm.ptr, i64) -> !llvm.ptr, f64
        %v = llvm.load %p : !llvm.ptr -> f64
        %e = math.exp %v : f64
        %m = arith.addf %a, %e : f64
        scf.yield %m : f64
      }}
      memref.store %sum, %s[%t] : {SHARED}
      gpu.barrier
      %half = arith.divui %w, %c2 : index
      %end = scf.while (%h = %half) : (index) -> index {{
        %go = arith.cmpi ugt, %h, %c0 : index
        scf.condition(%go) %h : index
      }} do {{
      ^bb0(%h: index):
        %in = arith.cmpi ult, %t, %h : index
        scf.if %in {{
          %o = arith.addi %t, %h : index
          %l = memref.load %s[%t] : {SHARED}
          %u = memref.load %s[%o] : {SHARED}
          %k = arith.addf %l, %u : f64
          memref.store %k, %s[%t] : {SHARED}
        }}
        gpu.barrier
        %next = arith.divui %h, %c2 : index
        scf.yield %next : index
      }}
      %is_first = arith.cmpi eq, %t, %c0 : index
      scf.if %is_first {{
        %total = memref.load %s[%c0] : {SHARED}
        %word = arith.index_cast %b : index to i64
        %p = llvm.getelementptr %y[%word] : (!llvm.ptr, i64) -> !llvm.ptr, f64
        llvm.store %total, %p : f64, !llvm.ptr
      }}
      gpu.return
    }}
    gpu.func @fail(%status: !llvm.ptr) kernel {{
      %kind = arith.constant 1 : i32
      %site = arith.constant 0 : i64
      llvm.store %kind, %status : i32, !llvm.ptr
      %place = llvm.getelementptr %status[1] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %site, %place : i64, !llvm.ptr
      gpu.return
    }}
  }}
}}
"""
ABI = Abi((Parameter("array", "f64", (None,)),), (Result("scalar", "f64", "value"),))
BLOCKS = ["minsi", "index", 8, ["ceildivsi", "index", "a0.0", 256]]
PLAN: dict[str, Any] = {
    "version": 1,
    "kernels": {
        "sums": {"parameters": ["ptr", "ptr", "i64", "ptr"]},
        "fail": {"parameters": ["ptr"]},
    },
    "steps": [
        {"do": "let", "name": "blocks", "value": BLOCKS},
        {"do": "allocate", "name": "parts", "bytes": ["muli", "index", "blocks", 8]},
        {"do": "allocate", "name": "total", "bytes": 8},
        {"do": "fill", "to": "total", "bytes": 8, "byte": 0},
        {
            "do": "launch",
            "kernel": "sums",
            "grid": ["blocks"],
            "block": [256],
            "arguments": ["a0", "a0.0", "parts"],
        },
        {"do": "for", "index": "i", "low": 0, "high": "blocks", "step": 1, "carried": [["s", 0.0]], "results": ["last"],
         "body": [{"do": "read", "name": "part", "type": "f64",
                   "from": ["addi", "i64", "parts", ["muli", "i64", "i", 8]]}],
         "yields": ["part"]},
        {"do": "return", "values": [{"value": "last"}]},
    ],
}  # fmt: skip


def in_nvvm(text: str) -> ir.Module:
    module = ir.Module.parse(text)
    PassPipeline.named("nvvm").run(module)
    return module


@pytest.fixture(scope="module")
def module_text() -> str:
    with make_context(), ir.Location.unknown():
        return device_llvm_ir(in_nvvm(SUMS))[0]


def calls(text: str, plan: dict[str, Any], abi: Abi = ABI, gpu: FakeGpu | None = None) -> CudaCalls:
    site = Site("IndexOutOfRange", "index out of range", "f.py", 3)
    code = CompiledCode("f", DeviceImage(Ptx(text.encode()), json.dumps(plan), "sm_90"), abi, (site,))
    return CudaCalls(code, ["x"], "f", gpu or FakeGpu())


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 5000])
def test_a_sum_by_blocks(module_text: str, size: int) -> None:
    """The last partial sum: with up to 256 numbers it is the total."""
    x = np.random.default_rng(size).normal(size=size)
    found = calls(module_text, PLAN).general(x)
    blocks = min(8, -(-size // 256))
    rows = [
        np.exp(x[start :: max(blocks, 1) * 256]) for start in range(max(blocks - 1, 0) * 256, min(blocks * 256, size))
    ]
    assert np.isclose(found, sum(row.sum() for row in rows), rtol=1e-13, atol=0)


WITHOUT_READING = {
    **PLAN,
    "steps": [*PLAN["steps"][:5], {"do": "return", "values": [{"read": "parts", "type": "f64"}]}],
}


def test_equal_calls_are_recorded_and_replayed(module_text: str) -> None:
    gpu = FakeGpu()
    call = calls(module_text, WITHOUT_READING, gpu=gpu).general
    for number in range(6):
        x = np.full(100, float(number))
        assert np.isclose(call(x), 100 * np.exp(number))
    replays = [entry for entry in gpu.calls if entry[0] == "replay"]
    assert len(replays) == 5
    gpu.check_guards()


def test_recordings_do_not_share_memory_with_later_calls(module_text: str) -> None:
    """Calls of other sizes in between take memory, but not that of recordings."""
    gpu = FakeGpu()
    call = calls(module_text, WITHOUT_READING, gpu=gpu).general
    for number in range(40):
        size = 10 + number % 11
        assert np.isclose(call(np.full(size, 1.0)), size * np.exp(1.0))
    gpu.check_guards()


def test_memory_comes_back_and_nothing_is_written_beside_it(module_text: str) -> None:
    gpu = FakeGpu()
    call = calls(module_text, PLAN, gpu=gpu).general
    for size in (10, 300, 10):
        call(np.ones(size))
    gpu.check_guards()
    assert gpu.pool.live == SMALLEST  # where kernels report failures
    gpu.pool.give_up()
    assert gpu.pool.live == gpu.pool.cached == 0


def test_a_call_waits_once_for_all_that_it_returns(module_text: str) -> None:
    gpu = FakeGpu()
    call = calls(module_text, PLAN, gpu=gpu).general
    for _ in range(3):
        call(np.ones(5))
    kinds = [kind for kind, *_ in gpu.calls]
    # The plan reads a number on its way.
    assert kinds.count("download") == 2 * 3 and gpu.calls.count(("fill", FAILURE_BYTES)) == 1


def test_a_check_that_failed_in_a_kernel_is_raised_with_its_line(module_text: str) -> None:
    plan = copy.deepcopy(PLAN)
    plan["steps"].insert(0, {"do": "launch", "kernel": "fail", "grid": [1], "block": [1], "arguments": []})
    gpu = FakeGpu()
    with pytest.raises(IndexOutOfRange, match=r"f\.py:3: index out of range"):
        calls(module_text, plan, gpu=gpu).general(np.ones(3))
    assert gpu.pool.live == 0


def test_a_check_of_the_plan(module_text: str) -> None:
    plan = copy.deepcopy(PLAN)
    check = {"do": "check", "condition": ["cmpi.sgt", "index", "a0.0", 2], "site": 0, "values": ["a0.0"]}
    plan["steps"].insert(0, check)
    call = calls(module_text, plan).general
    assert np.isclose(call(np.zeros(3)), 3.0)
    with pytest.raises(IndexOutOfRange):
        call(np.zeros(2))


def test_arguments_are_checked_as_on_the_cpu(module_text: str) -> None:
    with pytest.raises(TypeMismatch, match="argument 'x'"):
        calls(module_text, PLAN).general(np.ones(3, np.float32))


def test_out_of_memory(module_text: str) -> None:
    gpu = FakeGpu(limit=1 << 12)
    with pytest.raises(MemoryError, match="smaller arrays"):
        calls(module_text, PLAN, gpu=gpu).general(np.ones(1000))
    assert gpu.pool.live == 0


def run(steps: list[dict[str, Any]], bound: dict[str, Any]) -> list[Any]:
    plan = json.dumps({"version": 1, "kernels": {}, "steps": steps})
    found = program(plan, list(bound), [0] * len(steps[-1]["values"]))(None, *bound.values())
    return [each[1] if each[0] == "value" else each for each in found]


def returned(*values: Any) -> dict[str, Any]:
    return {"do": "return", "values": [{"value": value} for value in values]}


def test_loops_trade_values() -> None:
    step = {"do": "for", "index": "i", "low": 0, "high": "n", "step": 1, "carried": [["a", 0], ["b", 1]], "body": [],
            "yields": ["b", ["addi", "i64", "a", "b"]], "results": ["x", "y"]}  # fmt: skip
    assert run([step, returned("x", "y")], {"n": 10}) == [55, 89]
    assert run([step, returned("x", "y")], {"n": 0}) == [0, 1]


def test_loops_that_end_by_a_condition() -> None:
    step = {"do": "while", "carried": [["a", "n"], ["steps", 0]], "before": [],
            "condition": ["cmpi.ne", "i64", "a", 1], "passed": ["a", "steps"], "arguments": ["p", "q"],
            "after": [{"do": "if", "condition": ["andi", "i64", "p", 1],
                       "then": [], "then_yields": [["addi", "i64", ["muli", "i64", "p", 3], 1]],
                       "else": [], "else_yields": [["divsi", "i64", "p", 2]], "results": ["next"]}],
            "yields": ["next", ["addi", "i64", "q", 1]], "results": ["end", "count"]}  # fmt: skip
    assert run([step, returned("end", "count")], {"n": 27}) == [1, 111]


def test_scalars_on_the_device_are_told_by_their_place() -> None:
    steps = [{"do": "return", "values": [{"read": ["addi", "i64", "a0", 8], "type": "f64"}]}]
    assert run(steps, {"a0": 16}) == [("read", 24, "f64")]


ARITHMETIC = [
    (["addi", "i64", 2**63 - 1, 1], -(2**63)),
    (["muli", "i32", 2**20, 2**15], 0),
    (["divsi", "i64", -7, 2], -3),
    (["remsi", "i64", -7, 2], -1),
    (["floordivsi", "i64", -7, 2], -4),
    (["ceildivsi", "i64", -7, 2], -3),
    (["divui", "i64", -1, 2], 2**63 - 1),
    (["minui", "i64", -1, 2], 2),
    (["maxsi", "i64", -1, 2], 2),
    (["cmpi.ult", "i64", -1, 2], 0),
    (["cmpi.slt", "i64", -1, 2], 1),
    (["shrui", "i32", -1, 28], 15),
    (["xori", "i1", 1, 1], 0),
    (["trunci", "i32", 2**32 + 5], 5),
    (["select", "f64", 1, 0.5, 2.5], 0.5),
]


@pytest.mark.parametrize(("expression", "value"), ARITHMETIC)
def test_arithmetic_is_that_of_kernels(expression: list[Any], value: float) -> None:
    assert run([returned(expression)], {}) == [value]


DAMAGED = [
    [{"do": "let", "name": "a", "value": "unknown"}],
    [{"do": "let", "name": "a", "value": ["__import__", "i64", 1]}],
    [{"do": "let", "name": "a", "value": ["addi", "f64", 1, 2]}],
    [{"do": "let", "name": "a", "value": ["addi", "i64", 1]}],
    [{"do": "let", "name": "a", "value": {"x": 1}}],
    [{"do": "let", "name": 7, "value": 1}],
    [{"do": "run"}],
    [{"do": "launch", "kernel": "none", "grid": [1], "block": [1], "arguments": []}],
    [{"do": "read", "name": "a", "type": "object", "from": 0}],
    [{"do": "constant", "name": "a", "part": 0}],
    [{"do": "check", "condition": 1, "site": "print()", "values": []}],
    [3],
]


@pytest.mark.parametrize("steps", DAMAGED)
def test_damaged_plans_are_refused(steps: list[Any]) -> None:
    with pytest.raises(MalformedPlan):
        run([*steps, returned()], {})


def nested(depth: int) -> list[Any]:
    expression: Any = 1
    for _ in range(depth):
        expression = ["addi", "i64", expression, 1]
    return [{"do": "let", "name": "a", "value": expression}, returned("a")]


def branches(depth: int) -> list[Any]:
    steps: list[Any] = []
    for _ in range(depth):
        steps = [
            {"do": "if", "condition": 1, "then": steps, "then_yields": [], "else": [], "else_yields": [], "results": []}
        ]
    return [*steps, returned()]


# Steps with the ranks of what the kernel returns, and other fields of the plan.
ODD = {
    "empty": ([], [], {}),
    "no return": ([{"do": "let", "name": "a", "value": 1}], [], {}),
    "return twice": ([returned(), returned()], [], {}),
    "return in a branch": ([*branches(1)[:1], returned()], [], {}),
    "too few results": ([returned(1)], [0, 0], {}),
    "too many results": ([returned(1)], [], {}),
    "a scalar for an array": ([returned(1)], [1], {}),
    "an array of another rank": ([{"do": "return", "values": [{"address": 1, "dims": [2]}]}], [2], {}),
    "deep expressions": (nested(300), [0], {}),
    "deeper expressions": (nested(5000), [0], {}),
    "deep branches": (branches(150), [], {}),
    "too many values": ([{"do": "check", "condition": 1, "site": 0, "values": [0] * 9}, returned()], [], {}),
    "no base64": ([returned()], [], {"constants": ["?"]}),
    "constants that are no texts": ([returned()], [], {"constants": [1]}),
    "constants that are no list": ([returned()], [], {"constants": "AAAA"}),
    "a negative stack": ([returned()], [], {"stack": -1}),
    "a stack beyond all memory": ([returned()], [], {"stack": 1 << 60}),
    "kernels that are none": ([returned()], [], {"kernels": [1]}),
    "more than anybody reads": ([returned()], [], {"kernels": {"k": {"parameters": ["ptr"] * 500_000}}}),
}
ODD["return in a branch"][0][0]["then"] = [returned()]


@pytest.mark.parametrize("case", ODD)
def test_odd_plans_are_refused(case: str) -> None:
    steps, ranks, fields = ODD[case]
    with deep_calls():
        text = json.dumps({"version": 1, "kernels": {}, "steps": steps, **fields})
    with pytest.raises(MalformedPlan):
        program(text, [], ranks)


def test_another_version_is_refused() -> None:
    with pytest.raises(MalformedPlan, match="version 2"):
        program(json.dumps({"version": 2, "kernels": {}, "steps": []}), [], [])


def test_names_that_a_plan_finds() -> None:
    assert bound_names(ABI) == ["status", "a0", "a0.0"]
    assert python_text(["addi", "i64", "a0.0", -1], {"a0.0": "v1"}) == "wrap(v1 + (-1), 64)"


@pytest.mark.parametrize("architecture", ["sm_80", "sm_90", "sm_100"])
def test_ptx_of_each_generation(architecture: str) -> None:
    with make_context(), ir.Location.unknown():
        text = ptx(in_nvvm(SUMS.replace("math.exp", "math.sqrt")), gpu_machine(architecture))
    assert f".target {architecture}" in text
    assert "bar.sync" in text
    assert "sqrt.rn.f64" in text
