"""The statements and expressions of the language by the kind of their syntax, each with an example."""

from __future__ import annotations

import ast
from typing import NamedTuple


class Syntax(NamedTuple):
    """How it is written, its meaning, and a session that shows it."""

    written: str
    meaning: str
    session: str


STATEMENTS: dict[type[ast.stmt], Syntax] = {
    ast.Assign: Syntax(
        "`x = e`, `a, b = e`, `a, *rest = e`, `a[i, 2:] = e`, and `(x := e)` within a statement",
        "gives names, elements, rows and slices a value; arrays are values, so that other names never see the change",
        """>>> @tl.function
... def f(x):
...     y = x
...     y[0] = 5.0
...     return x[0], y[0]
>>> f(np.array([1.0, 2.0]))
(1.0, 5.0)""",
    ),
    ast.AnnAssign: Syntax(
        "`x: tl.f32 = e`",
        "as an assignment; the value must have the type",
        """>>> @tl.function
... def f(x: tl.f64):
...     y: tl.f64 = x * 2.0
...     return y
>>> f(1.5)
3.0""",
    ),
    ast.AugAssign: Syntax(
        "`x += e`, and `-= *= /= //= %= **= <<= >>=`",
        "updates; with an index array, every time a place is named counts",
        """>>> @tl.function
... def f(keys):
...     counts = tl.zeros(3)
...     counts[keys] += 1.0
...     return counts
>>> f(np.array([0, 2, 2]))
array([1., 0., 2.])""",
    ),
    ast.For: Syntax(
        "`for i in range(...)`, `for x in array`, `enumerate`, `zip`, `reversed`, tuples",
        "loops, with `break`, `continue` and `else`; `tl.range` takes hints for differentiation",
        """>>> @tl.function
... def f(x):
...     total = 0.0
...     for i, value in enumerate(x):
...         total += i * value
...     return total
>>> f(np.array([1.0, 2.0, 3.0]))
8.0""",
    ),
    ast.While: Syntax(
        "`while c:`",
        "a loop of unknown length, with `break`, `continue` and `else`; `tl.bounded(c, n)` bounds it",
        """>>> @tl.function
... def f(x):
...     while x > 1.0:
...         x = x / 2.0
...     return x
>>> f(10.0)
0.625""",
    ),
    ast.If: Syntax(
        "`if c:`, `elif`, `else`",
        "branches on a number or a bool; a condition that is known when compiling leaves one branch",
        """>>> @tl.function
... def f(x):
...     if x > 0.0:
...         y = x
...     else:
...         y = -2.0 * x
...     return y
>>> f(-1.5)
3.0""",
    ),
    ast.FunctionDef: Syntax(
        "`def g(y): ...`",
        "a function inside of a function; it reads the values around it, which are differentiated too",
        """>>> @tl.function
... def f(x):
...     def g(y):
...         return x * y
...     return g(2.0) + g(3.0)
>>> f(2.0)
10.0""",
    ),
    ast.Return: Syntax(
        "`return e`, `return a, b`",
        "the result, or a tuple of results, nested as you like",
        """>>> tl.jit(lambda x: (x, (x + 1.0, x + 2.0)))(1.0)
(1.0, (2.0, 3.0))""",
    ),
    ast.Expr: Syntax(
        "an expression on a line of its own",
        "doc strings, and calls for their effect: `np.add.at(x, keys, values)`, statements of procedures",
        """>>> @tl.function
... def f(x):
...     "Doc strings are for readers."
...     return x
>>> f(1.0)
1.0""",
    ),
    ast.Pass: Syntax(
        "`pass`",
        "nothing",
        """>>> @tl.function
... def f(x):
...     if x > 0.0:
...         pass
...     return x
>>> f(1.0)
1.0""",
    ),
    ast.Assert: Syntax(
        "`assert c, text`",
        "a check at run time with its text and line: `tl.CheckFailed`",
        """>>> @tl.function
... def f(x):
...     assert x > 0.0, "must be positive"
...     return x
>>> f(1.0)
1.0""",
    ),
    ast.Raise: Syntax(
        "`raise ValueError(text)`",
        "ends the call with the error of Tapeless that is also one of this class",
        """>>> @tl.function
... def f(x):
...     if x < 0.0:
...         raise ValueError("negative")
...     return x
>>> f(1.0)
1.0""",
    ),
}

EXPRESSIONS: dict[type[ast.expr], Syntax] = {
    ast.Constant: Syntax(
        "`2.5`, `3`, `True`, `None`",
        "literals take the type of what they meet: `x + 1.0` of an f32 is an f32",
        """>>> type(tl.jit(lambda x: x + 1.0)(np.float32(1.0))).__name__
'float32'""",
    ),
    ast.Name: Syntax(
        "`x`, `np.pi`",
        "parameters and local values; numbers and arrays from outside are captured when the function is decorated",
        """>>> tl.jit(lambda x: x * np.pi)(1.0)
3.141592653589793""",
    ),
    ast.Tuple: Syntax("`a, b`", "a tuple", """>>> tl.jit(lambda x: (x, x + 1.0)[1])(1.0)\n2.0"""),
    ast.List: Syntax("`[a, b]`", "a list", """>>> tl.jit(lambda x: [x, x + 1.0])(1.0)\n[1.0, 2.0]"""),
    ast.Dict: Syntax(
        '`{"w": w, **rest}`',
        "a dict; keys are known when compiling, and there are `keys values items get`",
        """>>> tl.jit(lambda p: {**p, "b": p["w"] + 1.0})({"w": 1.0})
{'w': 1.0, 'b': 2.0}""",
    ),
    ast.BinOp: Syntax(
        "`+ - * / // % ** @ << >> & | ^`",
        "arithmetic, elementwise with broadcasting; `//` and `%` have the signs of Python",
        """>>> tl.jit(lambda a, b: (a // b, a % b, a**2, a / b))(-7, 2)
(-4, 1, 49, -3.5)""",
    ),
    ast.UnaryOp: Syntax("`-x`, `+x`, `not x`, `~x`", "signs and negation", """>>> tl.jit(lambda x: -x)(2.0)\n-2.0"""),
    ast.Compare: Syntax(
        "`< <= == != > >=`, `x is None`",
        "comparisons, also chained",
        """>>> tl.jit(lambda x: 0.0 < x <= 1.0)(0.5)
True""",
    ),
    ast.BoolOp: Syntax(
        "`and`, `or`", "of conditions, as in Python", """>>> tl.jit(lambda x: x > 0.0 and x < 1.0)(2.0)\nFalse"""
    ),
    ast.IfExp: Syntax(
        "`a if c else b`", "one of two values", """>>> tl.jit(lambda x: x if x > 0.0 else 0.0)(-1.0)\n0.0"""
    ),
    ast.Lambda: Syntax(
        "`lambda x: e`",
        "a function; it reads the values around it, which are differentiated too",
        """>>> tl.jit(lambda a, x: tl.map(lambda v: a * v, x))(2.0, np.ones(2))
array([2., 2.])""",
    ),
    ast.ListComp: Syntax(
        "`[e for v in x if c]`, `sum(e for i in range(n))`",
        "an array in operators such as `np.array` and `sum`, of any length; elsewhere a list of at most 64 elements",
        """>>> tl.jit(lambda x: sum(v * v for v in x if v > 0.0))(np.array([1.0, -2.0, 3.0]))
10.0""",
    ),
    ast.Attribute: Syntax(
        "`x.shape`, `x.ndim`, `x.size`, `x.T`, `x.dtype`",
        "what is known of an array; methods of numpy: `x.sum(axis=0)`",
        """>>> tl.jit(lambda x: (x.shape, x.T.sum(axis=0)))(np.ones((2, 3)))
((2, 3), array([3., 3.]))""",
    ),
    ast.Subscript: Syntax(
        "`x[i]`, `x[-1]`, `x[1:n, ::2]`, `x[:, None]`, `x[idx]`, `x[mask]`",
        "elements, rows, slices and gathers by the rules of numpy; an index outside is `tl.IndexOutOfRange`",
        """>>> tl.jit(lambda x: (x[-1], x[1:], x[np.array([2, 0])]))(np.array([1.0, 2.0, 3.0]))
(3.0, array([2., 3.]), array([3., 1.]))""",
    ),
    ast.Call: Syntax(
        "`f(x, k=2)`",
        "operators, decorated and plain functions, transformed functions, procedures",
        """>>> tl.jit(lambda x: tl.grad(lambda y: y * y)(x))(3.0)
6.0""",
    ),
}
