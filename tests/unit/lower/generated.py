"""Random programs that alias, update, swap and carry arrays, as core IR text and as a numpy computation at once.

The state is four vectors of size n, an n x n matrix and a scalar. Every statement emits SSA text and returns the new
names; the same statement, run by `play`, changes a dictionary of numpy arrays with value semantics.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .running import ADD, PRELUDE

SIZE = 5
VECTORS = ("v0", "v1", "v2", "v3")
NAMES = (*VECTORS, "m", "s")
VECTOR, MATRIX = "tensor<?xf64>", "tensor<?x?xf64>"
TYPES = {**{name: VECTOR for name in VECTORS}, "m": MATRIX, "s": "f64"}

State = dict[str, np.ndarray | float]
Step = Callable[[State, int], None]


@dataclass
class Program:
    """Text under construction: lines, SSA names of the state, and a counter for new names."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    counter: int = 0
    loop_variable: str | None = None

    def new(self) -> str:
        self.counter += 1
        return f"%t{self.counter}"

    def emit(self, text: str) -> None:
        self.lines.append("  " + text)

    def vector(self) -> str:
        return self.rng.choice(VECTORS)

    def index(self) -> tuple[str, Callable[[int], int]]:
        """An index as SSA name and as a function of the loop variable."""
        if self.loop_variable and self.rng.random() < 0.6:
            return self.loop_variable, lambda i: i
        k = self.rng.randrange(SIZE)
        return f"%k{k}", lambda i: k


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


def sum_rows(p: Program) -> Step:
    """`a = reduce((x, y) -> x + y, b, m)` on rows."""
    a, b = p.vector(), p.vector()
    r = p.new()
    p.emit(f'{r} = "soac.reduce"(%n, {p.names["m"]}, {p.names[b]}) ({{')
    p.emit(f"^bb0(%p_: {VECTOR}, %q_: {VECTOR}):")
    p.emit('  %o_ = "soac.map"(%n, %p_, %q_) ({')
    p.emit("  ^bb0(%i_: index, %x_: f64, %y_: f64):")
    p.emit("    %z_ = arith.addf %x_, %y_ : f64")
    p.emit("    %w_ = arith.mulf %z_, %half : f64")
    p.emit('    "soac.yield"(%w_) : (f64) -> ()')
    p.emit(f"  }}) {{operandSegmentSizes = array<i32: 1, 2, 0>}} : (index, {VECTOR}, {VECTOR}) -> {VECTOR}")
    p.emit(f'  "soac.yield"(%o_) : ({VECTOR}) -> ()')
    p.emit(f"}}) {{operandSegmentSizes = array<i32: 1, 1, 1>}} : (index, {MATRIX}, {VECTOR}) -> {VECTOR}")
    p.names[a] = r

    def step(state: State, i: int) -> None:
        total = state[b]
        for row in state["m"]:
            total = 0.5 * (total + row)
        state[a] = total.copy()

    return step


def histogram(p: Program) -> Step:
    """`a = hist(+, b, keys, c)` with keys inside and outside."""
    a, b, c = p.vector(), p.vector(), p.vector()
    r = p.new()
    p.emit(f'{r} = "soac.hist"(%n, %keys, {p.names[b]}, {p.names[c]}, %zero) {ADD}')
    p.emit("  {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}")
    p.emit(f"  : (index, tensor<?xi64>, {VECTOR}, {VECTOR}, f64) -> {VECTOR}")
    p.names[a] = r

    def step(state: State, i: int) -> None:
        result = state[b].copy()
        for key, value in zip(state["keys"], state[c].copy(), strict=True):
            if 0 <= key < SIZE:
                result[key] += value
        state[a] = result

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


STATEMENTS = (
    assign,
    write_element,
    write_element,
    add_vectors,
    copy_slice,
    reverse,
    write_row,
    read_line,
    transpose,
    map_rows,
    sum_rows,
    histogram,
    join,
    read_scalar,
    swap,
)


def block(p: Program, length: int, depth: int) -> list[Step]:
    steps = []
    for _ in range(length):
        kind = p.rng.random()
        if depth and kind < 0.12:
            steps.append(for_loop(p, depth))
        elif depth and kind < 0.22:
            steps.append(branch(p, depth))
        elif depth and kind < 0.28:
            steps.append(while_loop(p, depth))
        else:
            steps.append(p.rng.choice(STATEMENTS)(p))
    return steps


def inner_block(p: Program, depth: int) -> tuple[list[str], dict[str, str], list[Step]]:
    """A nested block built aside: its lines, the state after it, its steps."""
    outer_lines, outer_names = p.lines, p.names
    p.lines, p.names = [], dict(outer_names)
    steps = block(p, p.rng.randrange(1, 5), depth - 1)
    lines, names = p.lines, p.names
    p.lines, p.names = outer_lines, outer_names
    return lines, names, steps


def run_steps(steps: list[Step], state: State, i: int) -> None:
    for step in steps:
        step(state, i)


def carried_text(p: Program) -> tuple[dict[str, str], str, str]:
    arguments = {name: p.new() for name in NAMES}
    pairs = ", ".join(f"{arguments[name]} = {p.names[name]}" for name in NAMES)
    return arguments, pairs, ", ".join(TYPES[name] for name in NAMES)


def for_loop(p: Program, depth: int) -> Step:
    trips = p.rng.randrange(SIZE)
    arguments, pairs, types = carried_text(p)
    result, variable = p.new(), p.new()
    outer_names, outer_variable = p.names, p.loop_variable
    p.names, p.loop_variable = arguments, variable
    lines, names, steps = inner_block(p, depth)
    p.names, p.loop_variable = outer_names, outer_variable
    p.emit(f"{result}:{len(NAMES)} = scf.for {variable} = %c0 to %k{trips} step %c1 iter_args({pairs}) -> ({types}) {{")
    p.lines += lines
    p.emit(f"scf.yield {', '.join(names[name] for name in NAMES)} : {types}")
    p.emit("}")
    p.names = {name: f"{result}#{k}" for k, name in enumerate(NAMES)}

    def step(state: State, i: int) -> None:
        for trip in range(trips):
            run_steps(steps, state, trip)

    return step


def while_loop(p: Program, depth: int) -> Step:
    trips = p.rng.randrange(4)
    arguments, pairs, types = carried_text(p)
    forwarded = {name: p.new() for name in NAMES}
    result, count, again, inner_count, following = (p.new() for _ in range(5))
    outer_names = p.names
    p.names = forwarded
    lines, names, steps = inner_block(p, depth)
    p.names = outer_names
    p.emit(f"{result}:{len(NAMES) + 1} = scf.while ({count} = %c0, {pairs}) : (index, {types}) -> (index, {types}) {{")
    p.emit(f"{again} = arith.cmpi slt, {count}, %k{trips} : index")
    p.emit(f"scf.condition({again}) {count}, {', '.join(arguments[name] for name in NAMES)} : index, {types}")
    p.emit("} do {")
    p.emit(f"^bb0({inner_count}: index, {', '.join(f'{forwarded[name]}: {TYPES[name]}' for name in NAMES)}):")
    p.lines += lines
    p.emit(f"{following} = arith.addi {inner_count}, %c1 : index")
    p.emit(f"scf.yield {following}, {', '.join(names[name] for name in NAMES)} : index, {types}")
    p.emit("}")
    p.names = {name: f"{result}#{k + 1}" for k, name in enumerate(NAMES)}

    def step(state: State, i: int) -> None:
        for _ in range(trips):
            run_steps(steps, state, i)

    return step


def branch(p: Program, depth: int) -> Step:
    """`if s < threshold`, which both ways happen."""
    threshold = p.rng.choice(["%zero", "%half", "%one"])
    value = {"%zero": 0.0, "%half": 0.5, "%one": 1.0}[threshold]
    condition, result = p.new(), p.new()
    first_lines, first_names, first = inner_block(p, depth)
    second_lines, second_names, second = inner_block(p, depth)
    changed = [name for name in NAMES if (first_names[name], second_names[name]) != (p.names[name],) * 2]
    if not changed:
        return lambda state, i: None
    types = ", ".join(TYPES[name] for name in changed)
    p.emit(f"{condition} = arith.cmpf olt, {p.names['s']}, {threshold} : f64")
    p.emit(f"{result}:{len(changed)} = scf.if {condition} -> ({types}) {{")
    for lines, names, end in ((first_lines, first_names, "} else {"), (second_lines, second_names, "}")):
        p.lines += lines
        p.emit(f"scf.yield {', '.join(names[name] for name in changed)} : {types}")
        p.emit(end)
    p.names = {**p.names, **{name: f"{result}#{k}" for k, name in enumerate(changed)}}
    return lambda state, i: run_steps(first if state["s"] < value else second, state, i)


def make_program(seed: int) -> tuple[str, Callable[[State], State]]:
    """A random program and the numpy function that it must agree with."""
    rng = random.Random(seed)
    p = Program(rng, names={name: f"%{name}" for name in NAMES})
    steps = block(p, rng.randrange(2, 9), depth=2)
    parameters = ", ".join(f"%{name}: {TYPES[name]}" for name in NAMES)
    types = ", ".join(TYPES[name] for name in NAMES)
    constants = "".join(f"  %k{k} = arith.constant {k} : index\n" for k in range(SIZE))
    text = (
        f"func.func @f({parameters}, %keys: tensor<?xi64>) -> ({types}) {{{PRELUDE}{constants}"
        f"  %half = arith.constant 0.5 : f64\n  %n = tensor.dim %v0, %c0 : {VECTOR}\n"
        + "\n".join(p.lines)
        + f"\n  return {', '.join(p.names[name] for name in NAMES)} : {types}\n}}\n"
    )

    def play(state: State) -> State:
        state = dict(state)
        run_steps(steps, state, 0)
        return state

    return text, play


def start_state(seed: int) -> State:
    """Random values for the parameters."""
    rng = np.random.default_rng(seed)
    vectors = {name: rng.normal(size=SIZE) for name in VECTORS}
    keys = rng.integers(-1, SIZE + 1, SIZE)
    return {**vectors, "m": rng.normal(size=(SIZE, SIZE)), "s": float(rng.normal()), "keys": keys}
