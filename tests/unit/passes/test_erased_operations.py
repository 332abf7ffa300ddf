"""No pass asks an operation for anything after it was erased."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from erased_operations import ErasedOperationUsed, erasures_watched
from tapeless._mlir import ir
from tapeless.api.parameters import signature_types
from tapeless.dialects.context import make_context
from tapeless.frontend import emit
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.soac.simplify.simplify import simplify_once

M = np.arange(6.0).reshape(2, 3)
X = np.array([0.3, 0.1, 0.7])


@tl.function
def one_of_row_wise_results(m, x):
    return tl.sum(m, axis=1)[0] + (m @ x)[1] + x[tl.argmax(m, axis=1)[0]]


@tl.function
def cheap_maps_read_often(m, x):
    y = x * 2.0
    return y[0] + y[1] + tl.sum(y) + tl.max(y + 1.0)


@tl.function
def loops_with_writes(m, x):
    for i in range(2):
        m[i] = m[i] * x + tl.sum(m, axis=0)
        x[i] += m[0, 0]
    return m, x


@tl.function
def table(m, x):
    return tl.map(lambda k: tl.sum(tl.sin(m[k]) * x), tl.iota(2))


@tl.function
def look_ups(m, x):
    return tl.sum(tl.map(lambda r: tl.exp(tl.sum(r * x) * x[0]), m))


@tl.function
def gradient(m, x):
    return tl.grad(lambda n, y: tl.sum(look_ups(n, y) + table(n, y)), argnums=(0, 1))(m, x)


@tl.function
def gradient_of_loop(m, x):
    def loss(n, y):
        a, b = loops_with_writes(n, y)
        return tl.sum(a) * tl.sum(b)

    return tl.grad(loss, argnums=(0, 1))(m, x)


@tl.function
def sum_of_scaled_rows(m, x):
    return tl.sum(x[:2, None] * m) + tl.sum(tl.cumsum(m) * x[None, :] * x[:2, None])


PROGRAMS = (
    sum_of_scaled_rows,
    one_of_row_wise_results,
    cheap_maps_read_often,
    loops_with_writes,
    table,
    look_ups,
    gradient,
    gradient_of_loop,
)


@pytest.mark.one_in(13)
@pytest.mark.parametrize("pipeline", ["cpu", "cpu-sequential", "cuda"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.source.name)
def test_passes_leave_erased_operations_alone(program: tl.TapelessFunction, pipeline: str) -> None:
    source = program.source
    module = emit(source, signature_types(source.name, source.parameters, (M, X))).module
    with erasures_watched():
        PassPipeline.named(pipeline).run(module, verify_each=False)


def test_what_is_simplified_below_an_operation_leaves_the_operation() -> None:
    """Neither it nor its neighbours go, although nobody needs them: passes hold their handles."""
    text = """func.func @f(%a: f64, %c: i1) {
      %unused = arith.mulf %a, %a : f64
      %r:2 = scf.if %c -> (f64, f64) {
        %dead = arith.mulf %a, %a : f64
        %b = arith.addf %a, %a : f64
        scf.yield %b, %a : f64, f64
      } else { scf.yield %a, %a : f64, f64 }
      return
    }"""
    with make_context(), ir.Location.unknown(), erasures_watched():
        module = ir.Module.parse(text)
        unused, branch, _ = module.body.operations[0].regions[0].blocks[0].operations
        assert simplify_once(branch)
        assert unused.operation.name == "arith.mulf"
        assert len(branch.results) == 2
        assert [op.operation.name for op in branch.regions[0].blocks[0].operations] == ["arith.addf", "scf.yield"]
        assert module.operation.verify()


def test_the_watch_sees_what_it_should() -> None:
    with make_context(), erasures_watched():
        module = ir.Module.parse("func.func @f(%a: f64) { %b = arith.addf %a, %a : f64\n return }")
        first, _ = module.body.operations[0].regions[0].blocks[0].operations
        module.body.operations[0].regions[0].blocks[0].operations[0].operation.erase()
        with pytest.raises(ErasedOperationUsed, match=r"arith\.addf"):
            _ = first.operation.name
