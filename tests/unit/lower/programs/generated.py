"""Random programs that alias, update, swap and carry arrays, as core IR text and as a numpy computation at once.

Every statement emits SSA text and returns the new names; the same statement, run by `play`, changes a dictionary of
numpy arrays with value semantics.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from ..running import PRELUDE
from .array_statements import (
    add_vectors,
    assign,
    copy_slice,
    join,
    map_rows,
    read_line,
    read_scalar,
    reverse,
    swap,
    transpose,
    write_element,
    write_row,
)
from .program_text import NAMES, SIZE, TYPES, VECTOR, VECTORS, Program, State, Step
from .sum_statements import accumulate, accumulate_rows, histogram, least_rows

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
    least_rows,
    histogram,
    accumulate,
    accumulate_rows,
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
