"""Control flow and scopes of procedures: what runs, in which order backwards, and which checks fail."""

from __future__ import annotations

import numpy as np
import pytest

from tapeless.errors import InvertibilityError

from .programs import PRELUDE, accum, ancilla, compiled, for_, program, run, there_and_back

INDEX = """
  {0}_ = memref.load {1}[] : memref<i64>
  {0} = arith.index_cast {0}_ : i64 to index
"""
RANGE = INDEX.format("%lo", "%low") + INDEX.format("%hi", "%high") + INDEX.format("%st", "%by")
VISITS = {"xs": "?xi64", "count": "i64", "low": "in i64", "high": "in i64", "by": "in i64"}
# Notes the loop's index at the next free place of xs.
NOTE = (
    INDEX.format("%k", "%count")
    + accum("%xs[%k] : ?xi64", "%v = arith.index_cast %i : index to i64", result="%v : i64")
    + accum("%count : i64", "%v = arith.constant 1 : i64", result="%v : i64")
)


def ranges():
    for step in (-4, -3, -2, -1, 1, 2, 3, 4):
        for low, high in ((0, 5), (5, 0), (-3, 4), (4, -3), (2, 2), (0, 1)):
            yield low, high, step


def test_loops_run_exactly_backwards():
    forward = program(VISITS, RANGE + for_(NOTE, "%lo", "%hi", "%st"))
    back = program(VISITS, RANGE + for_(NOTE, "%lo", "%hi", "%st"), ("p", "p.inv"))
    there, and_back = compiled(forward), compiled(back)
    for low, high, step in ranges():
        wanted = list(range(low, high, step))
        xs, count = there(np.zeros(12, np.int64), 0, low, high, step)
        assert (list(xs[:count]), count) == (wanted, len(wanted))
        xs, count = and_back(np.zeros(12, np.int64), 0, low, high, step)
        assert not xs.any() and count == 0


def test_the_inverse_of_a_loop_visits_in_reverse():
    # xs[count] counts up in both directions here: notes are made by a statement that is its own inverse.
    body = RANGE + for_(
        INDEX.format("%k", "%count")
        + accum("%xs[%k] : ?xi64", "%v = arith.index_cast %i : index to i64", "xor", "%v : i64")
        + accum("%count : i64", "%v = arith.constant 1 : i64", "sub", result="%v : i64"),
        "%lo",
        "%hi",
        "%st",
    )
    inverse = compiled(program(VISITS, body, ("p.inv",)))
    for low, high, step in ranges():
        if min(low, high) >= 0:
            wanted = list(range(low, high, step))[::-1]
            xs, count = inverse(np.zeros(12, np.int64), 0, low, high, step)
            # The counter goes up before an entry is made, so entries start at 1.
            assert list(xs[1 : count + 1]) == wanted


def test_a_step_of_zero_is_an_error():
    with pytest.raises(InvertibilityError, match="a loop has a step of 0"):
        run(program(VISITS, RANGE + for_(NOTE, "%lo", "%hi", "%st")), np.zeros(3, np.int64), 0, 0, 3, 0)


def branch(pre: str, post: str, then: str, otherwise: str = "") -> str:
    """A branch on conditions that are lines giving %c."""
    conditions = [f'{{{lines}\n    "rev.yield"(%c) : (i1) -> ()\n  }}' if lines else "{}" for lines in (pre, post)]
    return f"""
  "rev.if"() ({conditions[0]}, {conditions[1]}, {{{then}}}, {{{otherwise}}}) : () -> ()
"""


def compare(cell: str, predicate: str, bound: str) -> str:
    """Whether a cell compares with a constant."""
    return f"""
    %now = memref.load {cell}[] : memref<f64>
    %bound = arith.constant {bound} : f64
    %c = arith.cmpf {predicate}, %now, %bound : f64"""


def parity(remainder: int) -> str:
    """Whether the integer cell x has this remainder by 2."""
    return f"""
    %now = memref.load %x[] : memref<i64>
    %k2 = arith.constant 2 : i64
    %bit = arith.remsi %now, %k2 : i64
    %wanted = arith.constant {remainder} : i64
    %c = arith.cmpi eq, %bit, %wanted : i64"""


ADD_ONE = accum("%x : i64", "%v = arith.constant 1 : i64", result="%v : i64")
TAKE_ONE = accum("%x : i64", "%v = arith.constant 1 : i64", "sub", result="%v : i64")


@pytest.mark.parametrize(("before", "after"), [(3, 4), (4, 3)])
def test_branches_know_the_way_back(before, after):
    body = branch(parity(1), parity(0), ADD_ONE, TAKE_ONE)
    assert there_and_back({"x": "i64"}, body, before) == (after,)


def test_a_branch_whose_condition_changed_is_an_error():
    body = branch(parity(1), parity(1), ADD_ONE)
    with pytest.raises(InvertibilityError, match="the condition of a branch is 1 before it and 0 after it"):
        run(program({"x": "i64"}, body), 3)
    assert run(program({"x": "i64"}, body), 3, checks=False) == (4,)


@pytest.mark.parametrize("x", [-1.0, 1.0])
def test_branches_without_a_post_condition(x):
    load = "%v = memref.load %x[] : memref<f64>"
    body = branch(compare("%x", "olt", "0.0"), "", accum("%y : f64", load), accum("%y : f64", load, "sub"))
    assert there_and_back({"y": "f64", "x": "in f64"}, body, 1.0, x) == (1.0 - abs(x),)


def loop_while(pre: str, post: str, body: str) -> str:
    """A while loop on conditions that are lines giving %c."""
    conditions = [f'{{{lines}\n    "rev.yield"(%c) : (i1) -> ()\n  }}' for lines in (pre, post)]
    return f"""
  "rev.while"() ({conditions[0]}, {conditions[1]}, {{{body}}}) : () -> ()
"""


NINE = accum("%x : f64", "%v = arith.constant 9.0 : f64")


@pytest.mark.parametrize(("start", "end"), [(0.0, 108.0), (-1e-3, 107.999)])
def test_while_loops(start, end):
    body = loop_while(compare("%x", "olt", "100.0"), compare("%x", "ogt", "0.0"), NINE)
    (found,) = there_and_back({"x": "f64"}, body, start)
    assert found == pytest.approx(end)


def test_while_loops_check_their_post_condition():
    at_entry = loop_while(compare("%x", "olt", "100.0"), compare("%x", "ogt", "-10.0"), NINE)
    with pytest.raises(InvertibilityError, match="holds before the first of them"):
        run(program({"x": "f64"}, at_entry), 0.0)
    after = loop_while(compare("%x", "olt", "100.0"), compare("%x", "ogt", "10.0"), NINE)
    with pytest.raises(InvertibilityError, match="does not hold after one of them"):
        run(program({"x": "f64"}, after), 0.0)


def leave(amount: str, extra: str = "") -> str:
    """An ancilla that is left with an amount in it."""
    scope = ancilla(accum("%z : f64", f"%v = arith.constant {amount} : f64"))
    return scope.replace("}) : () -> ()\n", f"}}) {{{extra}}} : () -> ()\n") if extra else scope


def test_ancillas_must_come_back():
    body = ancilla(NINE.replace("%x", "%z") + accum("%z : f64", "%v = arith.constant 18.0 : f64", "sub"))
    with pytest.raises(InvertibilityError, match=r"does not hold its last value: it is -9\.0 and not 0\.0"):
        run(program({"y": "f64"}, body), 1.0)
    assert run(program({"y": "f64"}, body), 1.0, checks=False) == (1.0,)


@pytest.mark.parametrize(
    ("amount", "extra", "is_fine"),
    [
        ("1.0e-9", "", True),
        ("1.0e-6", "", False),
        ("1.0e-6", "atol = 1.000000e-05 : f64", True),
        ("1.0e-6", 'checks = "off"', True),
        ("0x7FF8000000000000", "", False),
        ("0x7FF0000000000000", "", False),
    ],
)
def test_tolerances_of_ancillas(amount, extra, is_fine):
    text = program({"y": "f64"}, leave(amount, extra))
    if is_fine:
        assert run(text, 1.0) == (1.0,)
    else:
        with pytest.raises(InvertibilityError, match="an ancilla does not hold its last value"):
            run(text, 1.0)


def test_array_ancillas_name_the_element():
    init = """%n = memref.dim %xs, %c0 : memref<?xf64>
    %zeros = tensor.splat %zero[%n] : tensor<?xf64>
    "rev.yield"(%zeros) : (tensor<?xf64>) -> ()"""
    lines = '%v = "rev.read"(%xs) : (memref<?xf64>) -> tensor<?xf64>'
    body = ancilla(accum("%z : ?xf64", lines, result="%v : tensor<?xf64>"), init, "?xf64")
    with pytest.raises(InvertibilityError, match=r"last value: it is 3\.0 and not 0\.0"):
        run(program({"xs": "?xf64"}, body), np.array([0.0, 3.0, 4.0]))
    (found,) = run(program({"xs": "?xf64"}, body), np.zeros(3))
    assert list(found) == [0.0, 0.0, 0.0]


def test_exit_values_of_ancillas():
    body = f"""
  "rev.ancilla"() ({{
    "rev.yield"(%one) : (f64) -> ()
  }}, {{
    "rev.yield"(%two) : (f64) -> ()
  }}, {{
  ^bb0(%z: memref<f64>):
    {accum("%y : f64", "%v = memref.load %z[] : memref<f64>")}
    {accum("%z : f64", "", result="%one : f64")}
  }}) : () -> ()
"""
    assert there_and_back({"y": "f64"}, body, 4.0) == (5.0,)


def stack(body: str, capacity: int) -> str:
    """A scope with a stack."""
    return f"""
  "rev.ancilla"() ({{
    %capacity = arith.constant {capacity} : index
    "rev.yield"(%capacity) : (index) -> ()
  }}, {{}}, {{
  ^bb0(%s: !rev.stack<f64>):{body}
  }}) : () -> ()
"""


def push(cell: str, mode: str = "move") -> str:
    """One more entry."""
    return f'\n"rev.push"(%s, {cell}) {{mode = "{mode}"}} : (!rev.stack<f64>, memref<f64>) -> ()\n'


def pop(cell: str, mode: str = "move") -> str:
    """One entry less."""
    return push(cell, mode).replace("push", "pop")


def test_stacks_give_back_in_reverse():
    body = stack(push("%x") + push("%y") + pop("%x") + pop("%y"), 2)
    assert there_and_back({"x": "f64", "y": "f64"}, body, 2.0, 3.0) == (3.0, 2.0)


def test_stacks_in_loops():
    count = "\n  %n = arith.constant 3 : index\n"
    halve = '"rev.scale"(%x) {factor = 2.000000e+00 : f64, divide = true} : (memref<f64>) -> ()\n'
    body = count + stack(for_(push("%x", "copy") + halve) + for_(halve.replace("true", "false") + pop("%x", "copy")), 3)
    assert there_and_back({"x": "f64"}, body, 2.0) == (2.0,)


@pytest.mark.parametrize(("body", "message"), [
    (stack(push("%x") + push("%x"), 1), "a stack of 1 entries is full"),
    (stack(pop("%x"), 1), "an entry is taken from an empty stack"),
    (stack(push("%y") + pop("%x"), 1), "hold 0 when an entry of a stack is moved into it: it is 2.0 and not 0.0"),
    (stack(push("%x", "copy") + pop("%y", "copy"), 1), "does not hold the entry .* it is 3.0 and not 2.0"),
    (stack(push("%x"), 1), "a stack still has 1 entries at its end"),
])  # fmt: skip
def test_checks_of_stacks(body, message):
    with pytest.raises(InvertibilityError, match=message):
        run(program({"x": "f64", "y": "f64"}, body), 2.0, 3.0)


def test_stack_parameters_are_an_array_and_a_count():
    text = f"""
"rev.func"() ({{
^bb0(%x: memref<f64>, %s: !rev.stack<f64>):{PRELUDE}{push("%x")}
}}) {{sym_name = "p", modes = ["inout", "inout"]}} : () -> ()
func.func private @p.run(f64, tensor<?xf64>, i64) -> (f64, tensor<?xf64>, i64)
func.func @f(%x: f64, %s: tensor<?xf64>, %n: i64) -> (f64, tensor<?xf64>, i64) {{
  %r:3 = func.call @p.run(%x, %s, %n) : (f64, tensor<?xf64>, i64) -> (f64, tensor<?xf64>, i64)
  return %r#0, %r#1, %r#2 : f64, tensor<?xf64>, i64
}}
"""
    x, entries, count = run(text, 5.0, np.array([1.0, 0.0]), 1)
    assert (x, list(entries), count) == (0.0, [1.0, 5.0], 2)
