"""Statements that read, write, move and alias arrays.

Each emits SSA text and returns the same step on numpy arrays with value semantics.
"""

from __future__ import annotations

import numpy as np

from .program_text import MATRIX, SIZE, VECTOR, Program, State, Step


def assign(p: Program) -> Step:
    """`a = b`."""
    a, b = p.vector(), p.vector()
    p.names[a] = p.names[b]
    return lambda state, i: state.__setitem__(a, state[b].copy())


def write_element(p: Program) -> Step:
    """`a[i] = b[j] + s`."""
    a, b = p.vector(), p.vector()
    (at, at_number), (source, source_number) = p.index(), p.index()
    e, f, r = p.new(), p.new(), p.new()
    p.emit(f"{e} = tensor.extract {p.names[b]}[{source}] : {VECTOR}")
    p.emit(f"{f} = arith.addf {e}, {p.names['s']} : f64")
    p.emit(f"{r} = tensor.insert {f} into {p.names[a]}[{at}] : {VECTOR}")
    p.names[a] = r

    def step(state: State, i: int) -> None:
        state[a] = state[a].copy()
        state[a][at_number(i)] = state[b][source_number(i)] + state["s"]

    return step


def add_vectors(p: Program) -> Step:
    """`a = 0.5 * b + 0.5 * c`."""
    a, b, c = p.vector(), p.vector(), p.vector()
    r = p.new()
    p.emit(f'{r} = "soac.map"(%n, {p.names[b]}, {p.names[c]}) ({{')
    p.emit("^bb0(%i_: index, %x_: f64, %y_: f64):")
    p.emit("  %z_ = arith.addf %x_, %y_ : f64")
    p.emit("  %w_ = arith.mulf %z_, %half : f64")
    p.emit('  "soac.yield"(%w_) : (f64) -> ()')
    p.emit(f"}}) {{operandSegmentSizes = array<i32: 1, 2, 0>}} : (index, {VECTOR}, {VECTOR}) -> {VECTOR}")
    p.names[a] = r
    return lambda state, i: state.__setitem__(a, 0.5 * (state[b] + state[c]))


def copy_slice(p: Program) -> Step:
    """`a[i:i+k] = b[j:j+k]`, also within one array."""
    a, b = p.vector(), p.vector()
    k = p.rng.randrange(1, SIZE)
    i0, j0 = p.rng.randrange(SIZE - k + 1), p.rng.randrange(SIZE - k + 1)
    e, r = p.new(), p.new()
    p.emit(f"{e} = tensor.extract_slice {p.names[b]}[{j0}] [{k}] [1] : {VECTOR} to tensor<{k}xf64>")
    p.emit(f"{r} = tensor.insert_slice {e} into {p.names[a]}[{i0}] [{k}] [1] : tensor<{k}xf64> into {VECTOR}")
    p.names[a] = r

    def step(state: State, i: int) -> None:
        part = state[b][j0 : j0 + k].copy()
        state[a] = state[a].copy()
        state[a][i0 : i0 + k] = part

    return step


def reverse(p: Program) -> Step:
    a, b = p.vector(), p.vector()
    r = p.new()
    p.emit(f'{r} = "soac.reverse"({p.names[b]}) {{axis = 0 : i64}} : ({VECTOR}) -> {VECTOR}')
    p.names[a] = r
    return lambda state, i: state.__setitem__(a, state[b][::-1].copy())


def write_row(p: Program) -> Step:
    """`m[i] = a`."""
    a = p.vector()
    at, at_number = p.index()
    r = p.new()
    p.emit(
        f"{r} = tensor.insert_slice {p.names[a]} into {p.names['m']}[{at}, 0] [1, %n] [1, 1] : {VECTOR} into {MATRIX}"
    )
    p.names["m"] = r

    def step(state: State, i: int) -> None:
        state["m"] = state["m"].copy()
        state["m"][at_number(i)] = state[a]

    return step


def read_line(p: Program) -> Step:
    """`a = m[i]` or `a = m[:, i]`."""
    a = p.vector()
    at, at_number = p.index()
    row = p.rng.random() < 0.5
    place = f"[{at}, 0] [1, %n]" if row else f"[0, {at}] [%n, 1]"
    r = p.new()
    p.emit(f"{r} = tensor.extract_slice {p.names['m']}{place} [1, 1] : {MATRIX} to {VECTOR}")
    p.names[a] = r

    def step(state: State, i: int) -> None:
        state[a] = (state["m"][at_number(i)] if row else state["m"][:, at_number(i)]).copy()

    return step


def transpose(p: Program) -> Step:
    r = p.new()
    p.emit(f'{r} = "soac.transpose"({p.names["m"]}) {{permutation = [1, 0]}} : ({MATRIX}) -> {MATRIX}')
    p.names["m"] = r
    return lambda state, i: state.__setitem__("m", state["m"].T.copy())


def map_rows(p: Program) -> Step:
    """`m = map(row -> row with [j] = row[k] * 0.5, m)`: an update inside a body."""
    (at, at_number), (source, source_number) = p.index(), p.index()
    r = p.new()
    p.emit(f'{r} = "soac.map"(%n, {p.names["m"]}) ({{')
    p.emit(f"^bb0(%i_: index, %x_: {VECTOR}):")
    p.emit(f"  %e_ = tensor.extract %x_[{source}] : {VECTOR}")
    p.emit("  %h_ = arith.mulf %e_, %half : f64")
    p.emit(f"  %u_ = tensor.insert %h_ into %x_[{at}] : {VECTOR}")
    p.emit(f'  "soac.yield"(%u_) : ({VECTOR}) -> ()')
    p.emit(f"}}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {MATRIX}) -> {MATRIX}")
    p.names["m"] = r

    def step(state: State, i: int) -> None:
        state["m"] = state["m"].copy()
        state["m"][:, at_number(i)] = 0.5 * state["m"][:, source_number(i)]

    return step


def join(p: Program) -> Step:
    """`a = concat(b[:k], c[k:])`, whose size the compiler cannot prove to be n."""
    a, b, c = p.vector(), p.vector(), p.vector()
    k = p.rng.randrange(SIZE)
    rest, first, second, r = p.new(), p.new(), p.new(), p.new()
    p.emit(f"{rest} = arith.subi %n, %k{k} : index")
    p.emit(f"{first} = tensor.extract_slice {p.names[b]}[0] [%k{k}] [1] : {VECTOR} to {VECTOR}")
    p.emit(f"{second} = tensor.extract_slice {p.names[c]}[%k{k}] [{rest}] [1] : {VECTOR} to {VECTOR}")
    p.emit(f"{r} = tensor.concat dim(0) {first}, {second} : ({VECTOR}, {VECTOR}) -> {VECTOR}")
    p.names[a] = r
    return lambda state, i: state.__setitem__(a, np.concatenate([state[b][:k], state[c][k:]]))


def read_scalar(p: Program) -> Step:
    """`s = 0.5 * (s + a[i])`."""
    a = p.vector()
    at, at_number = p.index()
    e, f, r = p.new(), p.new(), p.new()
    p.emit(f"{e} = tensor.extract {p.names[a]}[{at}] : {VECTOR}")
    p.emit(f"{f} = arith.addf {e}, {p.names['s']} : f64")
    p.emit(f"{r} = arith.mulf {f}, %half : f64")
    p.names["s"] = r
    return lambda state, i: state.__setitem__("s", 0.5 * (state[a][at_number(i)] + state["s"]))


def swap(p: Program) -> Step:
    a, b = p.vector(), p.vector()
    p.names[a], p.names[b] = p.names[b], p.names[a]

    def step(state: State, i: int) -> None:
        state[a], state[b] = state[b], state[a]

    return step
