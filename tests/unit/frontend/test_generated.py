"""Generated index arithmetic: the same elements as Python, and an error exactly when Python has one.

The interpreter refuses positions outside an array, so a check that was left out wrongly shows as a failure.
"""

import linecache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core_interpreter import run as interpret
from shared_context import shared_context
from tapeless.errors import IndexOutOfRange
from tapeless.frontend import Source, emit
from tapeless.types import f64, i64

X = np.arange(1.0, 8.0)
NAMES = ("i", "j", "n", "len(x)", "1", "2", "-1", "3", "k")
PAIRS = ("{} + {}", "{} - {}", "min({}, {})", "max({}, {})", "{} * 2 - {}")
ALONE = ("-({})", "({}) // 2", "({}) % 3", "({}) % len(x)", "({}) // 3")
RANGES = (
    "len(x)",
    "n",
    "1, len(x)",
    "len(x) - 1, -1, -1",
    "0, len(x) - 1",
    "j, len(x)",
    "0, len(x), 2",
    "i + 1",
    "2, n, 3",
)

expressions = st.recursive(
    st.sampled_from(NAMES),
    lambda inner: st.one_of(
        st.builds(lambda form, a, b: "(" + form.format(a, b) + ")", st.sampled_from(PAIRS), inner, inner),
        st.builds(lambda form, a: "(" + form.format(a) + ")", st.sampled_from(ALONE), inner),
    ),
    max_leaves=4,
)

PROGRAM = """
def f(x, n, k):
    total = 0.0
    i = 0
    j = 0
    for i in range({outer}):
        for j in range({inner}):
            if {left} < {right}:
                total += x[{index}]
            elif {left} >= 0 and {right} > {left}:
                total -= x[{index}] * 2
            part = x[{index}:{right}]
            for v in part:
                total = total * 0.5 + v
    return total
"""


def defined(text):
    """A function from text, with a source that can be read back."""
    name = f"<generated {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names = {}
    exec(compile(text, name, "exec"), names)
    return names["f"]


@settings(max_examples=60)
@given(
    outer=st.sampled_from(RANGES[:5]),
    inner=st.sampled_from(RANGES),
    index=expressions,
    left=expressions,
    right=expressions,
    size=st.integers(0, 4),
    n=st.integers(-1, 4),
    k=st.integers(-3, 4),
)
def test_index_arithmetic(outer, inner, index, left, right, size, n, k):
    function = defined(PROGRAM.format(outer=outer, inner=inner, index=index, left=left, right=right))
    emitted = emit(Source.of(function), [f64[:], i64, i64], shared_context())
    try:
        expected = function(X[:size], n, k)
    except (IndexError, ZeroDivisionError) as error:
        expected = type(error)
    try:
        [result] = interpret(emitted.module, emitted.name, X[:size], np.int64(n), np.int64(k))
    except IndexOutOfRange:
        result = IndexError
    except ValueError:
        result = ZeroDivisionError
    if isinstance(expected, type):
        assert result is expected
    else:
        np.testing.assert_allclose(result, expected, rtol=1e-12)
