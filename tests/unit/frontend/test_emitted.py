"""The shape of the emitted IR: locations, flags, structure, what is not there."""

import re
import time

import numpy as np
import pytest
from filecheck.matcher import Matcher
from filecheck.options import Options

import tapeless as tl
from frontend.running import text, translate
from shared_context import shared_context
from tapeless.frontend import Source, emit
from tapeless.types import f64, i64

X, M = np.ones(3), np.ones((2, 3))


def filecheck(folder, ir, checks):
    """Fails unless the IR has the lines the checks ask for, in order."""
    wanted, found = folder / "checks", folder / "ir"
    wanted.write_text(checks)
    found.write_text(ir)
    assert Matcher.from_opts(Options(str(wanted), str(found))).run() == 0


def test_elementwise_work_is_a_nest_of_maps_with_free_scalars(tmp_path):
    filecheck(
        tmp_path,
        text(lambda a, m, v: a * m + v, 2.0, M, X),
        """
        // CHECK: func.func @lambda(%[[A:.*]]: f64, %[[M:.*]]: tensor<?x?xf64>, %[[V:.*]]: tensor<?xf64>)
        // CHECK: "soac.map"(%{{.*}}, %[[M]])
        // CHECK: ^bb0(%{{.*}}: index, %[[ROW:.*]]: tensor<?xf64>):
        // CHECK: "soac.map"(%{{.*}}, %[[ROW]], %[[V]])
        // CHECK: arith.mulf %[[A]], %{{.*}} fastmath<contract> : f64
        // CHECK-NEXT: arith.addf
        """,
    )


def test_sums_of_rows(tmp_path):
    filecheck(
        tmp_path,
        text(lambda m: tl.sum(m, axis=1), M),
        """
        // CHECK: "soac.map"
        // CHECK: "soac.reduce"
        // CHECK: arith.addf
        // CHECK-NOT: soac.assert
        """,
    )


def test_a_loop_with_break_is_a_while(tmp_path):
    def f(x):
        total = 0.0
        for v in x:
            if v < 0:
                break
            total += v
        return total

    filecheck(
        tmp_path,
        text(f, X),
        """
        // CHECK: scf.while (%{{.*}} = %c0, %{{.*}} = %false, %{{.*}} = %cst)
        // CHECK: scf.condition
        // CHECK: scf.if
        """,
    )


def test_every_operation_has_its_place_in_the_source():
    def f(x):
        y = tl.exp(x)
        return y * 2

    module = translate(f, X).module
    places = set(re.findall(r'loc\("([^"]*)":(\d+):(\d+)\)', module.operation.get_asm(enable_debug_info=True)))
    first = Source.of(f).line
    assert {int(line) for file, line, _ in places} == {first, first + 1, first + 2}
    assert {file for file, _, _ in places} == {__file__}
    assert "unknown" not in module.operation.get_asm(enable_debug_info=True)


def test_cheap_choices_are_selects_and_costly_ones_branches():
    assert "arith.select" in text(lambda x, y: x if x > y else y * 2, 1.0, 2.0)
    assert "scf.if" in text(lambda x, y: tl.sqrt(x) if x > y else y, 1.0, 2.0)
    assert "scf.if" not in text(lambda x: tl.map(lambda v: v if v > 0 else 0.0, x), X)
    assert "scf.if" in text(lambda x, i: x[i] if 0 <= i < len(x) else 0.0, X, 1)


@pytest.mark.parametrize("flags", ["none", "fast", "contract,nnan"])
def test_fastmath_flags_are_a_parameter(flags):
    emitted = emit(Source.of(lambda x: x + 1.0), [f64], shared_context(), fastmath=flags)
    wanted = "" if flags == "none" else f" fastmath<{'nnan,contract' if ',' in flags else flags}>"
    assert f"arith.addf %arg0, %cst{wanted} : f64" in str(emitted.module)


def test_results_and_their_structure():
    emitted = translate(lambda x, n: (x, (n, x[0]), (x > 0,)), X, 3)
    assert emitted.structure == (0, (1, 2), (3,))
    assert emitted.result_types == (f64[:], i64, f64, tl.bool_[:])
    assert emitted.name == "lambda" and emitted.argument_types == (f64[:], i64)
    assert translate(lambda x: x, X).structure == 0


def test_index_arithmetic_stays_in_index():
    def f(x):
        total = 0.0
        for i in range(1, len(x)):
            total += x[i] - x[i - 1]
        return total

    assert "index_cast" not in text(f, X)


def fifty_operators(x, m):
    total = 0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] > 0:
                total += m[i, j] * x[j]
            else:
                total -= tl.exp(m[i, j])
        y = m[i] * x + total
        z = tl.map(lambda a, b: a * b + tl.sum(x), y, x)
        x = x * 0.5 + z
        k = 0
        while k < 3:
            k += 1
            x[0] = x[0] + k
    return total, x, tl.cumsum(x), tl.softmax(m), m.T @ m, tl.sort(x), x[::-1], x[1:] - x[:-1]


def test_emission_is_fast():
    source, seconds = Source.of(fifty_operators), []
    for _ in range(3):
        start = time.process_time()
        emit(source, [f64[:], f64[:, :]], shared_context())
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.1
