"""Statements of reversible procedures, which stand in procedures only."""

from __future__ import annotations

from tapeless.manual.entry import Entry

CELLS = "cells: parameters and ancillas of procedures"
STEP = "that of the step, while it is undone"

PROCEDURES: dict[str, Entry] = {
    "ancilla": Entry(
        """>>> @tl.reversible
... def fourth(y: tl.f64, x: tl.In[tl.f64]):
...     with tl.ancilla(0.0) as square:
...         square += x * x
...         y += square * square
...         square -= x * x
>>> fourth(0.0, 2.0)""",
        "(16.0, 2.0)",
        "a number or an array, the value that the cell has before and after the block",
        STEP,
    ),
    "routine": Entry(
        """>>> @tl.reversible
... def eighth(y: tl.f64, x: tl.In[tl.f64]):
...     with tl.ancilla(0.0) as a, tl.ancilla(0.0) as b:
...         with tl.routine() as r:
...             a += x * x
...             b += a * a
...         y += b * b
...         ~r
>>> eighth(0.0, 2.0)""",
        "(256.0, 2.0)",
        CELLS,
        STEP,
    ),
    "cond": Entry(
        """>>> @tl.reversible
... def step(x: tl.f64):
...     if tl.cond(x > 0.0, x > 1.0):
...         x += 1.0
>>> step(0.5), (~step)(1.5)""",
        "((1.5,), (0.5,))",
        "two conditions",
        "none: the result is a bool",
    ),
    "recip": Entry(
        """>>> @tl.reversible
... def turn(x: tl.ulog):
...     tl.recip(x)
>>> float(turn(4.0)[0])""",
        "0.25",
        CELLS,
        STEP,
    ),
    "rot": Entry(
        """>>> @tl.reversible
... def quarter(a: tl.f64, b: tl.f64):
...     tl.rot(a, b, tl.pi / 2.0)
>>> np.round(quarter(1.0, 0.0), 6)""",
        "array([0., 1.])",
        CELLS,
        STEP,
    ),
    "hadamard": Entry(
        """>>> @tl.reversible
... def mixed(a: tl.f64, b: tl.f64):
...     tl.hadamard(a, b)
>>> np.round(mixed(1.0, 1.0), 6)""",
        "array([1.414214, 0.      ])",
        CELLS,
        STEP,
    ),
    "new_stack": Entry(
        """>>> @tl.reversible
... def kept(y: tl.f64, x: tl.f64):
...     with tl.ancilla(tl.new_stack(tl.f64, 4)) as stack:
...         tl.push(stack, x)
...         y += 1.0
...         tl.pop(stack, x)
>>> kept(0.0, 3.0)""",
        "(1.0, 3.0)",
        "a dtype and a number of elements",
        STEP,
    ),
    "push": Entry(
        """>>> @tl.reversible
... def moved(a: tl.f64, b: tl.f64):
...     with tl.ancilla(tl.new_stack(tl.f64, 4)) as stack:
...         tl.push(stack, a)
...         tl.pop(stack, a)
...         b += a
>>> moved(3.0, 0.0)""",
        "(3.0, 3.0)",
        CELLS,
        STEP,
    ),
    "pop": Entry(
        """>>> @tl.reversible
... def exchanged(a: tl.f64, b: tl.f64):
...     with tl.ancilla(tl.new_stack(tl.f64, 4)) as stack:
...         tl.push(stack, a)
...         tl.push(stack, b)
...         tl.pop(stack, a)
...         tl.pop(stack, b)
>>> exchanged(3.0, 5.0)""",
        "(5.0, 3.0)",
        CELLS,
        STEP,
    ),
}
