"""Statements that combine many elements into few: reductions of rows, histograms, accumulators."""

from __future__ import annotations

import numpy as np

from ..running import ADD
from .program_text import MATRIX, SIZE, VECTOR, Program, State, Step


def least_rows(p: Program) -> Step:
    """`a = reduce(min, b, m)` on rows: the same however often a block starts from `b`."""
    a, b = p.vector(), p.vector()
    r = p.new()
    p.emit(f'{r} = "soac.reduce"(%n, {p.names["m"]}, {p.names[b]}) ({{')
    p.emit(f"^bb0(%p_: {VECTOR}, %q_: {VECTOR}):")
    p.emit('  %o_ = "soac.map"(%n, %p_, %q_) ({')
    p.emit("  ^bb0(%i_: index, %x_: f64, %y_: f64):")
    p.emit("    %z_ = arith.minimumf %x_, %y_ : f64")
    p.emit('    "soac.yield"(%z_) : (f64) -> ()')
    p.emit(f"  }}) {{operandSegmentSizes = array<i32: 1, 2, 0>}} : (index, {VECTOR}, {VECTOR}) -> {VECTOR}")
    p.emit(f'  "soac.yield"(%o_) : ({VECTOR}) -> ()')
    p.emit(f"}}) {{operandSegmentSizes = array<i32: 1, 1, 1>}} : (index, {MATRIX}, {VECTOR}) -> {VECTOR}")
    p.names[a] = r
    return lambda state, i: state.__setitem__(a, np.minimum(state[b], state["m"].min(axis=0)))


def add_at_keys(old: np.ndarray, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """`old` with values added at those keys that are inside."""
    result = old.copy()
    for key, value in zip(keys, values.copy(), strict=True):
        if 0 <= key < SIZE:
            result[key] += value
    return result


def histogram(p: Program) -> Step:
    """`a = hist(+, b, keys, c)` with keys inside and outside."""
    a, b, c = p.vector(), p.vector(), p.vector()
    r = p.new()
    p.emit(f'{r} = "soac.hist"(%n, %keys, {p.names[b]}, {p.names[c]}, %zero) {ADD}')
    p.emit("  {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}")
    p.emit(f"  : (index, tensor<?xi64>, {VECTOR}, {VECTOR}, f64) -> {VECTOR}")
    p.names[a] = r

    return lambda state, i: state.__setitem__(a, add_at_keys(state[b], state["keys"], state[c]))


def accumulate(p: Program) -> Step:
    """`a = b with b[keys[i]] += 0.5 * c[i]` and `d = 0.5 * c` by one map with an accumulator."""
    a, b, c, d = p.vector(), p.vector(), p.vector(), p.vector()
    r = p.new()
    acc = f"!soac.acc<{VECTOR}>"
    p.emit(f'{r}:2 = "soac.with_acc"({p.names[b]}) ({{')
    p.emit(f"^bb0(%acc_: {acc}):")
    p.emit(f'  %m_:2 = "soac.map"(%n, %keys, {p.names[c]}, %acc_) ({{')
    p.emit(f"  ^bb0(%i_: index, %k_: i64, %x_: f64, %a_: {acc}):")
    p.emit("    %at_ = arith.index_cast %k_ : i64 to index")
    p.emit("    %h_ = arith.mulf %x_, %half : f64")
    p.emit(f'    %u_ = "soac.update"(%a_, %at_, %h_) : ({acc}, index, f64) -> {acc}')
    p.emit(f'    "soac.yield"(%h_, %u_) : (f64, {acc}) -> ()')
    p.emit(f"  }}) {{operandSegmentSizes = array<i32: 1, 2, 1>}} : (index, tensor<?xi64>, {VECTOR}, {acc})")
    p.emit(f"    -> ({VECTOR}, {acc})")
    p.emit(f'  "soac.yield"(%m_#1, %m_#0) : ({acc}, {VECTOR}) -> ()')
    p.emit(f"}}) : ({VECTOR}) -> ({VECTOR}, {VECTOR})")
    p.names[a], p.names[d] = f"{r}#0", f"{r}#1"

    def step(state: State, i: int) -> None:
        half = 0.5 * state[c]
        state[a] = add_at_keys(state[b], state["keys"], half)
        state[d] = half

    return step


def accumulate_rows(p: Program) -> Step:
    """`m = 0.5 * m with 0.5 * m[keys[i]] += 0.5 * m[i]`, adding rows of the array that is accumulated into."""
    r = p.new()
    acc = f"!soac.acc<{MATRIX}>"
    p.emit(f'{r}f = "soac.map"(%n, {p.names["m"]}) ({{')
    p.emit(f"^bb0(%i_: index, %x_: {VECTOR}):")
    p.emit('  %o_ = "soac.map"(%n, %x_) ({')
    p.emit("  ^bb0(%j_: index, %e_: f64):")
    p.emit("    %h_ = arith.mulf %e_, %half : f64")
    p.emit('    "soac.yield"(%h_) : (f64) -> ()')
    p.emit(f"  }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {VECTOR}) -> {VECTOR}")
    p.emit(f'  "soac.yield"(%o_) : ({VECTOR}) -> ()')
    p.emit(f"}}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {MATRIX}) -> {MATRIX}")
    p.emit(f'{r} = "soac.with_acc"({r}f) ({{')
    p.emit(f"^bb0(%acc_: {acc}):")
    p.emit(f'  %m_ = "soac.map"(%n, %keys, {r}f, %acc_) ({{')
    p.emit(f"  ^bb0(%i_: index, %k_: i64, %x_: {VECTOR}, %a_: {acc}):")
    p.emit("    %at_ = arith.index_cast %k_ : i64 to index")
    p.emit(f'    %u_ = "soac.update"(%a_, %at_, %x_) : ({acc}, index, {VECTOR}) -> {acc}')
    p.emit(f'    "soac.yield"(%u_) : ({acc}) -> ()')
    p.emit(f"  }}) {{operandSegmentSizes = array<i32: 1, 2, 1>}} : (index, tensor<?xi64>, {MATRIX}, {acc}) -> {acc}")
    p.emit(f'  "soac.yield"(%m_) : ({acc}) -> ()')
    p.emit(f"}}) : ({MATRIX}) -> {MATRIX}")
    p.names["m"] = r
    return lambda state, i: state.__setitem__("m", add_at_keys(0.5 * state["m"], state["keys"], 0.5 * state["m"]))
