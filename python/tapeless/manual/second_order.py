"""Operators that take functions, and those that steer loops and derivatives."""

from __future__ import annotations

from tapeless.manual.entry import LINEAR, Entry

OF_F = "by that of f, also in outer values that f reads"
OF_OP = "by that of op, also in outer values that op reads"

SECOND_ORDER: dict[str, Entry] = {
    "map": Entry(
        "tl.map(lambda a, b: a * b + 1.0, tl.array([1.0, 2.0]), tl.array([3.0, 4.0]))",
        "array([4., 9.])",
        "equal leading axes; rows for arrays of more axes; a tuple of results gives a tuple of arrays",
        OF_F,
    ),
    "apply_along_axis": Entry(
        "tl.apply_along_axis(tl.sum, 1, tl.eye(2))",
        "array([1., 1.])",
        "the axis becomes those of the result of the function",
        "that of the function",
    ),
    "reduce": Entry(
        "tl.reduce(lambda a, b: a + b, 0.0, tl.array([1.0, 2.0, 3.0]))",
        "6.0",
        "the leading axis goes; with k arrays, op takes 2 k arguments and `neutral` is a k-tuple",
        OF_OP,
    ),
    "scan": Entry(
        "tl.scan(tl.maximum, -tl.inf, tl.array([1.0, 3.0, 2.0]))",
        "array([1., 3., 3.])",
        "those of the arrays",
        OF_OP,
    ),
    "hist": Entry(
        "tl.hist(tl.add, 0.0, tl.zeros(3), tl.array([0, 2, 2, 9]), tl.array([1.0, 2.0, 3.0, 4.0]))",
        "array([1., 0., 5.])",
        "those of `dest`; keys and values have one length, and keys outside are ignored",
        OF_OP,
    ),
    "scatter": Entry(
        "tl.scatter(tl.zeros(3), tl.array([2, 0]), tl.array([5.0, 7.0]))",
        "array([7., 0., 5.])",
        "those of `dest`; keys and values have one length, and keys outside are ignored",
        LINEAR,
    ),
}

MARKERS: dict[str, Entry] = {
    "range": Entry(
        """>>> @tl.function
... def power(x, n):
...     result = 1.0
...     for _ in tl.range(n, stripmine=2):
...         result *= x
...     return result
>>> tl.grad(power)(2.0, 10)""",
        "5120.0",
        "numbers",
        "that of the loop; `stripmine` and `budget` say how many states reverse mode stores",
    ),
    "bounded": Entry(
        """>>> @tl.function
... def halvings(x):
...     n = 0
...     while tl.bounded(x > 1.0, 100):
...         x, n = x / 2.0, n + 1
...     return n
>>> halvings(10.0)""",
        "4",
        "a condition and an integer",
        "that of the loop, which may run at most n times",
    ),
    "debug_print": Entry(
        """>>> @tl.function
... def halved(x):
...     for i in range(2):
...         x = x / 2.0
...         tl.debug_print("{}: {}", i, x)
...     return x
>>> halved(10.0)""",
        "0: 5.0\n1: 2.5\n2.5",
        "any; it is a statement and gives nothing",
        "none: it prints once, going forward",
    ),
    "stop_gradient": Entry(
        """>>> tl.grad(lambda x: x * tl.stop_gradient(x))(3.0)""",
        "3.0",
        "any",
        "0",
    ),
}
