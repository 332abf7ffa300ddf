"""What has no inverse is refused: at the line that is wrong, with what to write instead."""

import linecache
import re
import textwrap
from itertools import count

import numpy as np
import pytest

import tapeless as tl

_serials = count()

# Per case: the procedure, the line the error names (1 is the def), parts of the message, and the arguments of a call.
CASES = {
    "reads what it changes": (
        """
        def f(y, x):
            y -= y
        """,
        (2, "'y' is read by the statement that changes 'y'", "copy it into an ancilla"),
        (1.0, 2.0),
    ),
    "reads an element it changes": (
        """
        def f(y):
            for i in range(len(y)):
                y[i] += 2.0 * y[i]
        """,
        (3, "'y[i]' is read by the statement that changes 'y[i]'", "other cells"),
        (np.ones(3),),
    ),
    "reads a row that holds what it changes": (
        """
        def f(m):
            m[0, 1] += tl.sum(m[0])
        """,
        (2, "'m[0]' is read by the statement that changes 'm[0, 1]'", "other cells"),
        (np.ones((2, 2)),),
    ),
    "reads what it changes through a name": (
        """
        def f(y, x):
            t = x * y
            y += t
        """,
        (3, "'t' is read by the statement that changes 'y'", "other cells"),
        (1.0, 2.0),
    ),
    "an angle that is rotated": (
        """
        def f(a, b):
            tl.rot(a, b, a)
        """,
        (2, "'a' is read by the statement that changes 'a'", "other cells"),
        (1.0, 2.0),
    ),
    "changes what is only read": (
        """
        def f(y, x: tl.In[tl.f64]):
            y += x
            x += y
        """,
        (3, "'x' is changed here, and its annotation tl.In says that it is only read", "without tl.In"),
        (1.0, 2.0),
    ),
    "changes an element of what is only read": (
        """
        def f(x: tl.In[tl.f64[:]]):
            x[0], x[1] = x[1], x[0]
        """,
        (2, "'x' is changed here", "without tl.In"),
        (np.ones(2),),
    ),
    "passes on what is only read": (
        """
        def f(y, x: tl.In[tl.f64]):
            add(x, y)
        """,
        (2, "'x' is changed here", "without tl.In"),
        (1.0, 2.0),
    ),
    "assigns to a cell": (
        """
        def f(y, x):
            y = x * 2
        """,
        (2, "the assignment would destroy what 'y' holds", "write 'y += e'"),
        (1.0, 2.0),
    ),
    "assigns to an element": (
        """
        def f(y, x):
            y[0] = x
        """,
        (2, "the assignment would destroy what 'y' holds", "write 'y[0] += e'"),
        (np.ones(2), 2.0),
    ),
    "assigns a cyclic exchange": (
        """
        def f(a, b, c):
            a, b, c = b, c, a
        """,
        (2, "the assignment would destroy what 'a' holds", "a swap 'a, b = b, a'"),
        (1.0, 2.0, 3.0),
    ),
    "assigns a name twice": (
        """
        def f(y, x):
            t = x * 2
            t = x * 3
            y += t
        """,
        (3, "'t' is assigned a second time", "with tl.ancilla(0.0) as t:"),
        (1.0, 2.0),
    ),
    "changes a name of an expression": (
        """
        def f(y, x):
            t = x * 2
            t += 1.0
        """,
        (3, "'t' is a name for an expression and cannot be changed", "with tl.ancilla(0.0) as t:"),
        (1.0, 2.0),
    ),
    "changes a loop variable": (
        """
        def f(y):
            for i in range(3):
                i += 1
        """,
        (3, "'i' is no cell and cannot be changed", "parameters and ancillas"),
        (1.0,),
    ),
    "changes an unknown name": (
        """
        def f(y):
            z += y
        """,
        (2, "'z' is not a cell here", "with tl.ancilla(0.0) as z:"),
        (1.0,),
    ),
    "a name that outlives a change": (
        """
        def f(y, x):
            t = x * 2
            x += 1.0
            y += t
        """,
        (4, "'t' reads 'x', which line 3 changes", "before that line"),
        (1.0, 2.0),
    ),
    "a name that outlives a change in a loop": (
        """
        def f(y, x):
            t = x * 2
            for i in range(3):
                y += t
                x += 1.0
        """,
        (4, "'t' reads 'x', which line 5 changes", "before that line"),
        (1.0, 2.0),
    ),
    "returns": (
        """
        def f(y):
            y += 1.0
            return y
        """,
        (3, "a procedure has no 'return'", "a call gives all parameters"),
        None,
    ),
    "breaks": (
        """
        def f(y):
            for i in range(3):
                break
        """,
        (3, "'break' has no inverse", "while tl.cond(pre, post):"),
        None,
    ),
    "continues": (
        """
        def f(y):
            for i in range(3):
                if i > 1:
                    continue
                y += 1.0
        """,
        (4, "'continue' has no inverse", "under 'if'"),
        None,
    ),
    "reads a stack": (
        """
        def f(y):
            with tl.ancilla(tl.new_stack(tl.f64, 3)) as s:
                y += s
        """,
        (3, "'s' is a stack", "tl.push(s, x)"),
        (1.0,),
    ),
    "multiplies by a cell": (
        """
        def f(y, x):
            y *= x
        """,
        (2, "'*=' by what is not a constant has no inverse", "'z += x * y'"),
        (1.0, 2.0),
    ),
    "multiplies by zero": (
        """
        def f(y):
            y *= 0.0
        """,
        (2, "'*=' by 0.0 has no inverse", "other than 0"),
        (1.0,),
    ),
    "divides by zero": (
        """
        def f(y):
            y /= 0
        """,
        (2, "'/=' by 0 has no inverse", "other than 0"),
        (1.0,),
    ),
    "multiplies by infinity": (
        """
        def f(y):
            y *= tl.inf
        """,
        (2, "'*=' by inf has no inverse", "use a constant"),
        (1.0,),
    ),
    "multiplies by what is zero in its type": (
        """
        def f(y):
            y *= 1e-60
        """,
        (2, "'*=' by 1e-60 has no inverse", "use a constant"),
        (np.float32(1.0),),
    ),
    "an index that the statement changes": (
        """
        def f(k):
            k[k[0]] += 1
        """,
        (2, "'k[k[0]]' is changed by a statement whose indices read 'k[0]'", "leaves alone"),
        (np.arange(3),),
    ),
    "a part whose index a call changes": (
        """
        def f(y, k):
            both(y[k], k)
        """,
        (2, "'k' is changed by a statement whose indices read 'k'", "leaves alone"),
        (np.ones(3), 1),
    ),
    "multiplies integers": (
        """
        def f(n):
            n *= 2
        """,
        (2, "'*=' has no inverse on integers and bools", "use += and -="),
        (1,),
    ),
    "raises to a power": (
        """
        def f(y):
            y **= 2
        """,
        (2, "this update has no inverse", "use +=, -=, ^="),
        (1.0,),
    ),
    "a routine that is never undone": (
        """
        def f(y, z):
            with tl.routine() as r:
                z += y
            y += z
        """,
        (2, "the routine 'r' is never undone", "'~r'"),
        (1.0, 2.0),
    ),
    "a routine that is undone in another block": (
        """
        def f(y, z):
            with tl.routine() as r:
                z += y
            if y > 0:
                ~r
        """,
        (2, "the routine 'r' is never undone", "in the same block"),
        (1.0, 2.0),
    ),
    "undoes nothing": (
        """
        def f(y, z):
            z += y
            ~r
        """,
        (3, "'~r' undoes no routine of this block", "with tl.routine() as r:"),
        (1.0, 2.0),
    ),
    "a routine without a name": (
        """
        def f(y, z):
            with tl.routine():
                z += y
        """,
        (2, "a routine needs a name", "with tl.routine() as r:"),
        (1.0, 2.0),
    ),
    "changes what a routine reads": (
        """
        def f(y, z, x):
            with tl.routine() as r:
                z += x
            x += y
            ~r
        """,
        (4, "'x' is changed before the routine that needs it (line 3) is undone", "after '~r'"),
        (1.0, 2.0, 3.0),
    ),
    "changes an array that a routine reads in a loop": (
        """
        def f(y, z):
            with tl.routine() as r:
                for i in range(2):
                    z += y[i]
            for j in range(2, len(y)):
                y[j] += z
            ~r
        """,
        (2, "at indices that are not known before", "copy it first"),
        (np.ones(4), 0.0),
    ),
    "changes what a routine computes": (
        """
        def f(y, z, x):
            with tl.routine() as r:
                z += x
            z += y
            ~r
        """,
        (4, "'z' is changed before the routine that needs it (line 3) is undone", "after '~r'"),
        (1.0, 2.0, 3.0),
    ),
    "allocates twice": (
        """
        def f(y):
            with tl.ancilla(0.0) as z:
                with tl.ancilla(0.0) as z:
                    y += z
        """,
        (3, "'z' is a cell already, and becomes an ancilla here", "another name"),
        (1.0,),
    ),
    "allocates a parameter": (
        """
        def f(y):
            with tl.ancilla(0.0) as y:
                pass
        """,
        (2, "'y' is a cell already, and becomes an ancilla here", "another name"),
        (1.0,),
    ),
    "counts with a cell": (
        """
        def f(y):
            for y in range(3):
                pass
        """,
        (2, "'y' is a cell already, and becomes a loop variable here", "another name"),
        (1.0,),
    ),
    "counts twice with one name": (
        """
        def f(y):
            for i in range(3):
                for i in range(2):
                    y += i
        """,
        (3, "'i' has a value already, and becomes a loop variable here", "another name"),
        (1.0,),
    ),
    "reads after the end": (
        """
        def f(y):
            with tl.ancilla(0.0) as z:
                pass
            y += z
        """,
        (4, "'z' is used after the end of its 'with' block", "inside of the block"),
        (1.0,),
    ),
    "changes after the end": (
        """
        def f(y):
            with tl.ancilla(0.0) as z:
                pass
            z += y
        """,
        (4, "'z' is used after the end of its 'with' block", "inside of the block"),
        (1.0,),
    ),
    "an ancilla that starts with a cell": (
        """
        def f(y, x):
            with tl.ancilla(x) as z:
                y += z
        """,
        (2, "an ancilla starts or ends with the cell 'x'", "start at zero and accumulate"),
        (1.0, 2.0),
    ),
    "an ancilla that ends with a cell": (
        """
        def f(y, x: tl.In[tl.f64]):
            with tl.ancilla(0.0, exit=x) as z:
                z += x
        """,
        (2, "an ancilla starts or ends with the cell 'x'", "start at zero and accumulate"),
        (1.0, 2.0),
    ),
    "passes one cell twice": (
        """
        def f(y):
            add(y, y)
        """,
        (2, "'y' and 'y' share elements, and the procedure changes one of them", "pass different cells"),
        (1.0,),
    ),
    "passes a row and an element of it": (
        """
        def f(m):
            add_first(m[0], m[0, 1])
        """,
        (2, "'m[0]' and 'm[0, 1]' share elements", "pass different cells"),
        (np.ones((2, 2)),),
    ),
    "swaps a cell with itself": (
        """
        def f(y):
            y[1], y[1] = y[1], y[1]
        """,
        (2, "'y[1]' and 'y[1]' are the same place", "two different places"),
        (np.ones(2),),
    ),
    "calls a procedure in an expression": (
        """
        def f(y, x):
            y += add(y, x)[0]
        """,
        (2, "'add' is a procedure and has no value in an expression", "in a statement of its own"),
        (1.0, 2.0),
    ),
    "a branch that changes its condition": (
        """
        def f(o, a, b):
            if o < 4:
                o += a * b
        """,
        (2, "the condition reads 'o', which line 3 changes", "if tl.cond(pre, post):"),
        (0, 7, 4),
    ),
    "a loop that changes its bound": (
        """
        def f(n, y):
            for i in range(n):
                n += 1
        """,
        (3, "'n' is changed in a loop whose bounds read 'n'", "into an ancilla"),
        (3, 1.0),
    ),
    "while without a second condition": (
        """
        def f(y):
            while y < 3:
                y += 1.0
        """,
        (2, "the inverse of this loop does not know where to stop", "while tl.cond(pre, post):"),
        (1.0,),
    ),
    "several targets": (
        """
        def f(y, x):
            s = t = x
        """,
        (2, "several names are assigned at once", "one assignment for each"),
        (1.0, 2.0),
    ),
}


@tl.reversible
def add(a, b: tl.In[tl.f64]):
    a += b


@tl.reversible
def add_first(row, b: tl.In[tl.f64]):
    row[0] += b


@tl.reversible
def both(a, n):
    a += 1.0
    n += 1


def define(text):
    """The procedure of a text, in a file of its own that can be shown."""
    name = f"<procedure {next(_serials)}>"
    source = textwrap.dedent(text).lstrip("\n")
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names = {"tl": tl, "np": np, "add": add, "add_first": add_first, "both": both}
    exec(compile(source, name, "exec"), names)
    return name, names["f"]


def raised(text, arguments):
    """The error of a procedure, at decoration or at its first call, and the file it names."""
    name, python_function = define(text)
    with pytest.raises(tl.TapelessError) as found:
        procedure = tl.reversible(python_function)
        assert arguments is not None, "refused at decoration"
        procedure(*arguments)
    return name, found.value


@pytest.mark.one_in(2)
@pytest.mark.parametrize("case", CASES)
def test_what_has_no_inverse_is_refused(case):
    text, (line, *parts), arguments = CASES[case]
    name, error = raised(text, arguments)
    message = str(error)
    assert type(error) is tl.NotReversible, message
    assert message.startswith(f"{name}:{line}:"), message
    assert re.search(r"^ *\^~*$", message, re.MULTILINE), message
    for part in parts:
        assert part in message, message


OTHERS = {
    "loops over an array": (
        "def f(y, x):\n    for v in x:\n        y += v",
        tl.TypeMismatch,
        (2, "loops over ranges only", "range(len(x))"),
        (1.0, np.ones(2)),
    ),
    "adds a float to an int": ("def f(n):\n    n += 0.5", tl.TypeMismatch, (2, "does not fit", "int(x)"), (1,)),
    "adds an array to a scalar": (
        "def f(y, x):\n    y += x",
        tl.ShapeMismatch,
        (2, "an array cannot be added to a scalar", "tl.sum"),
        (1.0, np.ones(2)),
    ),
    "flips a float": (
        "def f(y):\n    y ^= 1",
        tl.TypeMismatch,
        (2, "'^=' on a cell of tl.f64", "ints and bools"),
        (1.0,),
    ),
    "adds to a bool": ("def f(b):\n    b += 1", tl.TypeMismatch, (2, "a bool cannot be added to", "b ^= c"), (True,)),
    "swaps different types": (
        "def f(a, b):\n    a, b = b, a",
        tl.TypeMismatch,
        (2, "'a' and 'b' are of different types", "one type"),
        (1.0, 2),
    ),
    "leaves out an argument": (
        "def f(y):\n    add(y)",
        tl.ArgumentError,
        (2, "'add' is not called with every parameter once", "a, b"),
        (1.0,),
    ),
    "an operator with too many arguments": (
        "def f(y):\n    tl.recip(y, y)",
        tl.ArgumentError,
        (2, "tl.recip: too many positional arguments", "its parameters"),
        (1.0,),
    ),
    "a value that is not used": ("def f(y):\n    tl.exp(y)", tl.FrontendError, (2, "is not used", "'y += e'"), (1.0,)),
    "with something else": (
        "def f(y):\n    with tl.exp(y) as z:\n        pass",
        tl.FrontendError,
        (2, "'with' takes ancillas and routines only", "tl.ancilla"),
        (1.0,),
    ),
    "a list": ("def f(y):\n    y += [1][0]", tl.FrontendError, (2, "lists are not supported", "tuple"), None),
    "an unknown annotation": (
        "def f(y: set):\n    y += 1",
        tl.FrontendError,
        (1, "not a type of the language", "tl.f64"),
        None,
    ),
    "an index out of range": (
        "def f(y: tl.f64[2]):\n    y[2] += 1.0",
        tl.IndexOutOfRange,
        (2, "index 2 is out of range", "below the size"),
        (np.ones(2),),
    ),
    "hints": (
        "def f(y):\n    for i in tl.range(3, unroll=True):\n        y += i",
        tl.FrontendError,
        (2, "hints of tl.range", "range(...) alone"),
        (1.0,),
    ),
    "a stack of another type": (
        "def f(n):\n    with tl.ancilla(tl.new_stack(tl.f64, 3)) as s:\n        tl.push(s, n)",
        tl.TypeMismatch,
        (3, "holds scalars of tl.f64", "of that type"),
        (1,),
    ),
}


@pytest.mark.parametrize("case", OTHERS)
def test_other_mistakes_are_refused_as_in_functions(case):
    text, kind, (line, *parts), arguments = OTHERS[case]
    name, error = raised(text, arguments)
    message = str(error)
    assert type(error) is kind, message
    assert message.startswith(f"{name}:{line}:"), message
    for part in parts:
        assert part in message, message


@pytest.mark.parametrize("name", ["ancilla", "routine", "cond", "recip", "rot", "hadamard", "new_stack", "push", "pop"])
def test_statements_of_procedures_are_refused_in_functions(name):
    arguments = ", ".join(["x"] * len(getattr(tl, name).__signature__.parameters))
    _, function = define(f"def f(x):\n    return tl.{name}({arguments})")
    with pytest.raises(
        tl.FrontendError, match=f"tl.{name} cannot be called here\n(.*\n)*.*decorated with @tl.reversible"
    ):
        tl.function(function)(1.0)
