"""Every refusal: its class, its message, and what it says to write instead."""

import ast

import numpy as np
import pytest

import tapeless as tl
from frontend.running import run, translate
from tapeless.errors import ArgumentError, FrontendError, IndexOutOfRange, ShapeMismatch, TypeMismatch
from tapeless.frontend import Source, emit
from tapeless.frontend.syntax.refusals import REFUSED
from tapeless.types import f64

X, M, N = np.array([1.0, 2.0, 3.0]), np.ones((2, 3)), np.array([1, 0, 2])


class Thing:
    """Something a function cannot capture."""

    def __call__(self, x):
        return x


THING, NAMES, TEXT, HUGE, COMPLEX = Thing(), [1, 2], "text", 2**70, np.ones(2, np.complex128)

SYNTAX = {
    "async def g(): return 1": "async functions are not supported",
    "class A: pass": "classes cannot be defined here",
    "del x": "'del' is not supported",
    "with x: pass": "'with' is not supported in a tl.function",
    "try: pass\n    except ValueError: pass": "'try' is not supported",
    "try: pass\n    except* ValueError: pass": "'try' is not supported",
    "import math": "imports are not supported here",
    "from math import pi": "imports are not supported here",
    "global y": "'global' is not supported",
    "match x:\n        case 1: pass": "'match' is not supported",
    "y = {v for v in x}": "set comprehensions are not supported",
    "y = len(x) > 1 and (z := 1) > 0": "':=' in an expression that may be evaluated never, or often",
    "y = (z := 1) if len(x) > 1 else 2": "':=' in an expression that may be evaluated never, or often",
    "y = 0 < 1 < (z := 2)": "':=' in an expression that may be evaluated never, or often",
    "y = [(z := v) for v in x]": "':=' in an expression that may be evaluated never, or often",
    "y = tl.map(lambda v: (z := v), x)": "':=' in an expression that may be evaluated never, or often",
    "z = 1\n    y = z + (z := 2)": "'z' is read before ':=' in the same statement",
    "y = (z := 1) + (z := 2)": "'z' is read before ':=' in the same statement",
    "while tl.bounded((z := x[0]) > 9.0, 3): pass": "':=' in the condition of a loop with 'else' or a bound",
    "y = f'{x}'": "strings are not supported",
    "y = b'x'": "strings are not supported",
    "y = {x}": "sets are not supported",
    "y = 1 in x": "'in' is not supported",
    "y = 1 not in x": "'not in' is not supported",
    "y = 1j": "complex numbers are not supported",
    "y = yield": "generators are not supported",
    "yield from x": "generators are not supported",
    "if x: return": "'return' needs a value",
    "def g(*a): return 1": "a variable number of parameters is not supported",
    "g = lambda **a: 1": "a variable number of parameters is not supported",
    "@tl.function\n    def g(a): return 1": "nested functions cannot be decorated",
    "def g(a): pass": "'g' returns nothing",
    "def g(a):\n        if a: return 1": "a path through the function returns nothing",
}
ASYNCHRONOUS = (
    "async for i in x: pass",
    "async with x: pass",
    "await x",
    "y = [v async for v in x]",
    "y = sum(v async for v in x)",
    "y = {v: 1 async for v in x}",
)


def source_of(tmp_path, statement, header="def f(x):"):
    path = tmp_path / "refused.py"
    path.write_text(f"import tapeless as tl\n\n{header}\n    {statement}\n    return x\n")
    names = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return Source.of(names["f"])


@pytest.mark.parametrize("statement", SYNTAX)
def test_syntax_refused_at_decoration(tmp_path, statement):
    with pytest.raises(FrontendError, match=rf"refused\.py:\d+:\d+: {SYNTAX[statement]}") as caught:
        source_of(tmp_path, statement)
    place, _, caret, instead = str(caught.value).split("\n")
    assert place and set(caret.strip()) <= {"^", "~"} and len(instead) > 3


@pytest.mark.parametrize("statement", ASYNCHRONOUS)
def test_asynchronous_functions(tmp_path, statement):
    with pytest.raises(FrontendError, match=r"async|await"):
        source_of(tmp_path, statement, "async def f(x):")


def test_every_refused_kind_of_node_is_tested():
    trees = [ast.parse(f"async def f(x):\n    {text}") for text in (*SYNTAX, *ASYNCHRONOUS, "nonlocal q")]
    assert REFUSED.keys() <= {type(node) for tree in trees for node in ast.walk(tree)}


@pytest.mark.parametrize("header", ["def f(*x):", "def f(x, **y):"])
def test_variable_parameters(tmp_path, header):
    with pytest.raises(FrontendError, match="a variable number of parameters is not supported"):
        source_of(tmp_path, "pass", header)


def test_functions_that_return_nothing(tmp_path):
    path = tmp_path / "nothing.py"
    path.write_text("def f(x):\n    y = x\n")
    names = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    with pytest.raises(FrontendError, match="'f' returns nothing"):
        Source.of(names["f"])


def test_functions_without_source():
    names = {}
    exec("def f(x): return x", names)
    with pytest.raises(FrontendError, match=r"the source of 'f' .* cannot be read; define the function in a file"):
        Source.of(names["f"])


def test_annotations_that_are_no_types():
    def f(x: "tl.f64[:]", y: complex):
        return x

    with pytest.raises(FrontendError, match="the annotation of 'y' is not a type of the language"):
        Source.of(f)


def test_annotations_that_cannot_be_evaluated():
    def f(x: "missing_name"):  # noqa: F821
        return x

    with pytest.raises(FrontendError, match="an annotation of 'f' cannot be evaluated"):
        Source.of(f)

    def g(x: "tl.f46[:]"):
        return x

    with pytest.raises(FrontendError, match=r"an annotation of 'g' cannot be evaluated .*no attribute 'f46'"):
        Source.of(g)


EXPRESSIONS = [
    (lambda x: (x[0], x[1]) - 2, X, "the left operand is a tuple of 2", TypeMismatch),
    (lambda x: tl.zeros(x), X, "a size is an array", TypeMismatch),
    (lambda x: tl.zeros(1.5), X, "a size is a scalar of type tl.f64", TypeMismatch),
    (lambda x: tl.zeros(-2), X, "a size is -2", ShapeMismatch),
    (lambda x: tl.zeros(()), X, "a shape needs at least one size", FrontendError),
    (lambda x: tl.zeros(3, dtype=TEXT), X, "'text' is no dtype of the language", FrontendError),
    (lambda x: tl.zeros(3, dtype=3), X, "a dtype is a scalar of type tl.i64", TypeMismatch),
    (lambda x: tl.astype(x, None), X, "the dtype is None", TypeMismatch),
    (lambda x: tl.sum(x, axis=2), X, "axis 2 is out of range for an array of rank 1", ShapeMismatch),
    (lambda x: tl.sum(x, axis=len(x)), X, "the axis is not known when compiling", FrontendError),
    (
        lambda x: x if x[0] > 0 else x[0],
        X,
        "the value is an array of rank 1 .* on one path and a scalar",
        FrontendError,
    ),
    (lambda x: tl.zeros(3) + tl.zeros(4), X, "sizes 3 and 4 of axis 0 do not match", ShapeMismatch),
    (lambda x: x[0](x), X, "a scalar of type tl.f64 cannot be called", TypeMismatch),
    (lambda x: tl.range(3), X, "tl.range cannot be called here", FrontendError),
    (lambda x: tl.bounded(True, 3), X, "tl.bounded cannot be called here", FrontendError),
    (lambda x: tl.exp(x, x), X, "tl.exp: too many positional arguments", ArgumentError),
    (lambda x: tl.sum(x, axes=1), X, "tl.sum: got an unexpected keyword argument 'axes'", ArgumentError),
    (lambda x: len(x[0]), X, "a scalar has no length", TypeMismatch),
    (lambda x: float(x), X, r"float\(\) of an array", TypeMismatch),
    (lambda x: int(tl.inf), X, r"int\(inf\) has no value", FrontendError),
    (lambda x: tl.checkpoint(x), X, "tl.checkpoint takes a function, not an array", TypeMismatch),
    (lambda x: THING(x), X, "'THING' is not a function of the language", FrontendError),
    (lambda x: x + COMPLEX, X, "'COMPLEX': dtype complex128 is not supported", TypeMismatch),
    (lambda x: x + HUGE, X, "the integer 'HUGE' does not fit into 64 bits", FrontendError),
    (
        lambda x: x + 99999999999999999999,
        X,
        "the integer 99999999999999999999 does not fit into 64 bits",
        FrontendError,
    ),
    (lambda x: x + missing, X, "'missing' is not defined", FrontendError),  # noqa: F821
    (lambda x: x + np.missing, X, "'np.missing' is not defined", FrontendError),
    (lambda x: 0 < x < 1, X, "chained comparisons of arrays", TypeMismatch),
    (lambda x: x[0].shapes, X, "numbers have no attribute 'shapes'", FrontendError),
    (lambda x: x.fill(0), X, "arrays have no attribute 'fill'", FrontendError),
    (lambda x: tl.exp(**x), X, r"'x' is an array of .*, and '\*\*' takes a dict", FrontendError),
    (lambda x: tl.exp(*x), X, r"'\*' before an array of", TypeMismatch),
    (lambda x: x[x], X, r"an index is an array of type tl.f64\[:\]", TypeMismatch),
    (lambda x: x[1.5], X, "an index is a scalar of type tl.f64", TypeMismatch),
    (lambda x: x[True], X, "an index is a scalar of type tl.bool_", TypeMismatch),
    (lambda x: x[0, 0], X, "2 indices for an array of rank 1", TypeMismatch),
    (lambda x: x[5], f64[3], "index 5 is out of range for axis 0 with size 3", IndexOutOfRange),
    (lambda x: x[::0], X, "the step of a slice is 0", ArgumentError),
    (lambda x: x[1.0:], X, "a bound of a slice is a scalar of type tl.f64", TypeMismatch),
    (lambda x: (x, x)[2], X, "index 2 is out of range for a tuple of 2", IndexOutOfRange),
    (lambda x: x @ 2, X, "a scalar in a matrix product", ShapeMismatch),
    (lambda x: tl.dot(tl.zeros((2, 2, 2)), x), X, "tl.dot takes vectors and matrices", ShapeMismatch),
    (lambda x: -(x > 0), X, "'-' of a bool array", TypeMismatch),
    (lambda x: ~x, X, "'~' of floats", TypeMismatch),
    (lambda x: x & x, X, "'&' of floats", TypeMismatch),
    (lambda x: (x > 0) - (x < 0), X, "'-' of bool arrays", TypeMismatch),
    (lambda x: 1 if x else 0, X, "an array has no truth value", TypeMismatch),
    (lambda x: x and x, X, "an array has no truth value", TypeMismatch),
    (lambda x: not (x, x), X, "the condition is a tuple of 2", TypeMismatch),
    (lambda x: tl.max(tl.zeros(0)), X, "an array without elements has no smallest or largest one", ShapeMismatch),
    (lambda x: tl.map(lambda v: None, x), X, "the function returns None", TypeMismatch),
    (lambda x: tl.map(tl.exp), X, "tl.map needs at least one array", FrontendError),
    (lambda x: tl.map(lambda v: v, 1.0), X, "an argument of tl.map is a scalar", TypeMismatch),
    (lambda x: tl.map(lambda v, w: v, x), X, "the lambda lacks the argument 'w'", ArgumentError),
    (lambda x: tl.reduce(lambda a, b: a, (0, 0), x), X, "2 neutral elements for 1 arrays", TypeMismatch),
    (lambda x: tl.reduce(lambda a, b: (a, b), 0.0, x), X, "the operator returns 2 values for 1 arrays", TypeMismatch),
    (lambda x: tl.reduce(lambda a, b: x, 0.0, x), X, "the operator works on a scalar .* on one path", TypeMismatch),
    (lambda x: tl.reduce(lambda a, b: a[1:], 0.0, x), M, "the operator changes the shape of rows", ShapeMismatch),
    (
        lambda x: tl.scan(lambda a, b: a, 0.0, x, reverse=x[0] > 0),
        X,
        "'reverse' is not known when compiling",
        FrontendError,
    ),
    (lambda x: tl.hist(tl.maximum, 0.0, x, N, (x, x)), X, "1 destinations for 2 values", TypeMismatch),
    (lambda x: tl.hist(tl.maximum, 0.0, x, N, M), X, "values of rank 2 for a destination of rank 1", ShapeMismatch),
    (lambda x: tl.hist(tl.maximum, 0.0, x, x, x), X, "the keys are an array of type tl.f64", TypeMismatch),
    (lambda x: tl.scatter(N, N, x), X, "a tl.f64 does not fit into an array of tl.i64", TypeMismatch),
    (lambda x: tl.reshape(x, (-1, -1)), X, "only one size of a shape can be -1", ShapeMismatch),
    (lambda x: tl.reshape(tl.zeros(4), 3), X, "4 elements cannot be reshaped to 3", ShapeMismatch),
    (lambda x: tl.transpose(x, (0, 0)), M, r"axes \(0, 0\) are not a permutation", ShapeMismatch),
    (lambda x: tl.concat(x), X, "tl.concat takes a tuple of arrays, not an array", TypeMismatch),
    (lambda x: tl.stack(()), X, "tl.stack takes a tuple of arrays, not a tuple of 0", TypeMismatch),
    (lambda x: tl.concat((x, M)), X, "arrays of different rank cannot be joined", ShapeMismatch),
    (lambda x: tl.stack((x, M)), X, "arrays of different rank cannot be stacked", ShapeMismatch),
    (lambda x: None, X, "the function returns None", TypeMismatch),
    (lambda x: (), X, "the function returns a tuple of 0", TypeMismatch),
    (lambda x: tl.exp, X, "the function returns a function", TypeMismatch),
]


@pytest.mark.parametrize(
    ("function", "argument", "message", "kind"), EXPRESSIONS, ids=[each[2] for each in EXPRESSIONS]
)
def test_refused_expressions(function, argument, message, kind):
    with pytest.raises(kind, match=rf"test_refusals\.py:\d+:\d+: {message}"):
        translate(function, argument)


STATEMENTS = {
    "y: float": "an annotation without a value",
    "x.y = 1": "this cannot be assigned to",
    "x.y += 1": "this cannot be updated",
    "a, b = x[0]": "a scalar of type tl.f64 cannot be unpacked",
    "a, b = x[:, None][0:1][0]": "an array of 1 cannot be unpacked into 2 names",
    "a, b = 1, 2, 3": "a tuple of 3 cannot be unpacked into 2 names",
    "y = x[0] is x[1]": "'is' compares with None only",
    "y = x[0] is None is None": "'is' compares with None only",
    "print(x)": "a compiled function cannot print",
    "print(f'{x}')": "a compiled function cannot print",
    "breakpoint()": "a compiled function cannot stop in a debugger",
    "raise KeyError": "this cannot be raised",
    "raise x": "this cannot be raised",
    "raise": "this cannot be raised",
    "raise ValueError('a', 1)": "only a text can be raised",
    "raise ValueError(x[0])": "the text of a check is not a string",
    "assert x[0] > 0, '{}'": "the text of a check has braces, which stand for values",
    "assert x": "an array has no truth value",
    "y = x << 1": "'<<' of floats",
    "y = len(x) >> 1.5": "'>>' of floats",
    "y = len(x) << -1": "a shift by -1",
    "y = tl.zeros(3, 'int16')": "'int16' is no dtype of the language",
    "y = float('one')": r"float\('one'\) has no value",
    "x += tl.zeros((2, 3))": "the update changes the rank of the array",
    "tl.exp(x)": "the value of this expression is not used",
    "x[0][1] = 1": "what is indexed is a scalar of type tl.f64",
    "(x + 1)[0] = 1": "only elements of a named array can be written",
    "x[tl.iota(2)][0] = 1.0": "what an index array names is a copy: a write to a part of it changes nothing",
    "x[tl.iota(2)] /= 2.0": "'/=' of what an index array names, where one element may be named twice",
    "x[tl.iota(2)] @= x": "'@=' of what an index array names, where one element may be named twice",
    "x[tl.iota(2), None] = 1.0": "a new axis cannot be written to",
    "x[tl.iota(2)] = tl.zeros((2, 2))": "an array of rank 2 cannot be written to a part of rank 1",
    "b = x > 0\n    b[tl.iota(2)] += True": "an update of bools that an index array names",
    "k = tl.zeros(3, tl.i64)\n    k[tl.iota(2)] += 0.5": "a tl.f64 does not fit into an array of tl.i64",
    "k = tl.zeros(3, tl.i64)\n    k[k > 0] = 0.5": "a tl.f64 does not fit into an array of tl.i64",
    "x[x > 0] = x[:, None]": "an array of rank 2 cannot be written to a part of rank 1",
    "x[x[:, None] > 0] = 1.0": "a mask of rank 2 for an array of rank 1",
    "m = x[:, None] * x\n    m[x > 0, tl.iota(2)] += 1.0": "an update of what masks and index arrays name",
    "tl.fmax.at(x, tl.iota(2), 1.0)": "tl.fmax has no 'at' here",
    "y = [1.0, 2.0]\n    y.sort()": "'sort' of a list of 2",
    "tl.sort(x).sort()": "arrays have no attribute 'sort'",
    "y = x.sort()": "arrays have no attribute 'sort'",
    "x.fill(x)": "the value is an array of type",
    "k = tl.zeros(3, tl.i64)\n    k.fill(0.5)": "a tl.f64 does not fit into an array of tl.i64",
    "def g(v):\n        x.sort()\n        return v\n    y = g(1.0)": "'x' belongs to an outer function",
    "tl.add.at(x, tl.iota(2))": "tl.add has no 'at' here",
    "x[None] = 1.0": "a new axis cannot be written to",
    "x[1:] = tl.zeros((2, 2))": "an array of rank 2 cannot be written to a part of rank 1",
    "x[0] = x": "an array cannot be written to one element",
    "k = tl.zeros(3, tl.i64)\n    k[0] = 1.5": "a tl.f64 does not fit into an array of tl.i64",
    "k = tl.zeros(3, tl.i64)\n    k += 0.5": "a tl.f64 does not fit into an array of tl.i64",
    "def g(v):\n        x[0] = v\n        return v\n    y = g(1.0)": "'x' belongs to an outer function",
    "for a, b in x: pass": "a scalar of type tl.f64 cannot be unpacked",
    "for x[0] in range(3): pass": "a loop variable must be a name, or a tuple of names",
    "for a, b in enumerate(x, 1, 2): pass": "enumerate takes what is counted and a start",
    "for a, b in zip(x, x, n=1): pass": "zip has no keyword but strict",
    "for a, b in zip(x, (1, 2)): pass": "a tuple is zipped with what has a length known only when running",
    "for a in reversed(zip(x, x)): pass": r"zip\(...\) cannot be reversed, as in Python",
    "for a in reversed(x, x): pass": "reversed takes one argument",
    "y = enumerate(x)": "'enumerate' is not a function of the language",
    "for i in (" + "1, " * 65 + "): pass": "a loop over a tuple of 65, which is translated once for each of at most 64",
    "for i in 3: pass": "a loop cannot run over a scalar of type tl.i64",
    "for i in range(): pass": "a range takes 1 to 3 bounds, not 0",
    "for i in range(1.5): pass": "a bound of a range is a scalar of type tl.f64",
    "for i in range(0, 3, 0): pass": "the step of a range is 0",
    "for i in tl.range(3, step=2): pass": "tl.range has no keyword 'step'",
    "for i in tl.range(3, stripmine=0): pass": "'stripmine' is 0",
    "for i in tl.range(3, budget=len(x)): pass": "'budget' is not known when compiling",
    "for i in tl.range(3, true_dep=3): pass": "'true_dep' is not a tuple of names",
    "for i in tl.range(3, true_dep=('y',)): pass": "true_dep names 'y', which the loop does not carry",
    "for i in tl.range(3, unroll=x[0] > 1): pass": "'unroll' is not known when compiling",
    "for i in tl.range(3, unroll=True):\n        break": "'unroll' on a loop with 'break'",
    "while tl.bounded(x[0] > 1): pass": "tl.bounded takes a condition and a number",
    "while tl.bounded(x[0] > 1, 0.5): pass": "the limit of tl.bounded is a scalar of type tl.f64",
    "if x[0] > 1:\n        y = 1\n    x = x + y": "'y' has a value on only some paths through the 'if' in line 4",
    "for v in x:\n        if v > 1:\n            y = 1\n    x = x + y": "'y' is set only inside the loop in line 4",
    "if x[0] > 1:\n        y = x\n    else:\n        y = 1.0\n    x = x + y": "'y' is an array .* on one path",
    "y = 0.0\n    for v in x:\n        y = y + x": "'y' changes its kind in this loop: a scalar",
    "for v in x:\n        x = x + y\n        y = 1": "'y' is read before it has a value",
    "y = 1\n    for v in x:\n        x = x + y\n        if v > 1:\n            y = x": "'y' is .* the next iteration",
    "y, *z = x[0]": "a scalar of type tl.f64 cannot be unpacked into 1 names and the rest",
    "y, w, *z = tl.zeros(1)": "an array of 1 cannot be unpacked into 2 names and the rest",
    "y, w, *z = (x,)": "a tuple of 1 cannot be unpacked into 2 names and the rest",
    "y = [v for v in x]": "a list whose length is known only when running",
    "y = {v: 1 for v in x}": "a list whose length is known only when running",
    "y = [v for v in range(65)]": "a list of 65, and at most 64 elements are written out",
    "y = [k for k in range(3) if x[k] > 1]": "whether an element is in this list is known only when running",
    "x = x + y\n    y = 1": "'y' is read before it has a value",
}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_refused_statements(tmp_path, statement):
    source = source_of(tmp_path, statement)
    with pytest.raises(FrontendError, match=rf"refused\.py:\d+:\d+: {STATEMENTS[statement]}") as caught:
        emit(source, [f64[:]])
    assert str(caught.value).count("\n") == 3


def test_an_error_leaves_the_next_translation_alone():
    for _ in range(50):
        with pytest.raises(FrontendError):
            translate(lambda x: tl.map(lambda v: tl.map(lambda w: w + missing, x), x), X)  # noqa: F821
    assert run(lambda x: tl.sum(x), X) == 6.0
