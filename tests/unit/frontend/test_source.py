"""Reading functions: captured values, fingerprints, lambdas, positions in errors."""

import subprocess
import sys

import numpy as np
import pytest

import tapeless as tl
from frontend.running import run
from tapeless.errors import FrontendError
from tapeless.frontend import Source
from tapeless.signature import REQUIRED
from tapeless.types import ArrayType, PythonNumber, f64, from_numpy, i64, type_of_annotation, type_of_value

SCALE = 2.0
TABLE = np.array([1.0, 2.0])


def made(scale, table):
    def f(x):
        return x * scale + table[0]

    return f


def test_numbers_and_arrays_are_captured_by_value():
    table = np.array([1.0, 2.0])
    function = made(3.0, table)
    source = Source.of(function)
    table[0] = 100.0
    assert source.lookup("table")[0] == 1.0
    assert source.lookup("scale") == 3.0


def test_globals_are_captured_at_decoration(monkeypatch):
    def f(x):
        return x * SCALE

    source = Source.of(f)
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 5.0)
    assert source.lookup("SCALE") == 2.0


def test_fingerprints_cover_constants_and_callees():
    table = np.array([1.0, 2.0])
    prints = [
        Source.of(made(3.0, table)).fingerprint(),
        Source.of(made(4.0, table)).fingerprint(),
        Source.of(made(3.0, table * 2)).fingerprint(),
        Source.of(made(3.0, table.astype(np.float32))).fingerprint(),
    ]
    assert len(set(prints)) == 4
    assert Source.of(made(3.0, table)).fingerprint() == prints[0]


def test_fingerprints_of_callers_follow_callees():
    def caller(inner):
        def f(x):
            return inner(x)

        return Source.of(f).fingerprint()

    assert caller(tl.function(made(1.0, TABLE))) != caller(tl.function(made(2.0, TABLE)))
    assert caller(tl.exp) != caller(tl.log)


def test_parameters():
    def f(a: tl.f64[:, 3], b: float, c, *, d=2):
        return a[0, 0] + b + c + d

    a, b, c, d = Source.of(f).parameters
    assert (a.type, c.type) == (ArrayType(f64, (None, 3)), None)
    assert isinstance(b.type, PythonNumber) and b.type.strong == f64
    assert (a.default, d.default, d.keyword_only, c.keyword_only) == (REQUIRED, 2, True, False)


def test_annotations_as_text():
    def f(a: "tl.f64[:]", n: "int"):
        return a[n]

    array, number = (each.type for each in Source.of(f).parameters)
    assert array == ArrayType(f64, (None,))
    assert isinstance(number, PythonNumber) and number.strong == i64


def test_lambdas_on_one_line_are_told_apart():
    first, second = (lambda x: x + 1), (lambda x: x * 2)
    assert (run(first, 3.0), run(second, 3.0)) == (4.0, 6.0)


def test_errors_show_the_place():
    def f(x):
        y = x + unknown_name  # noqa: F821
        return y

    with pytest.raises(FrontendError) as caught:
        run(f, 1.0)
    place, excerpt, caret, instead = str(caught.value).split("\n")
    assert place.startswith(f"{__file__}:") and place.endswith("'unknown_name' is not defined")
    assert excerpt.strip() == "y = x + unknown_name  # noqa: F821"
    assert caret.index("^") == excerpt.index("unknown_name") and caret.strip() == "^" + "~" * 11
    assert instead == "define it before the function, or pass it as an argument"


def test_reading_a_function_needs_no_mlir():
    code = (
        "import sys, tapeless.lang, tapeless.types\n"
        "from tapeless.frontend.syntax.source import Source\n"
        "from tapeless.frontend import emit\n"
        "assert not any('mlir' in name for name in sys.modules), 'mlir was imported'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_types():
    assert repr(f64[:, 3]) == "tl.f64[:, 3]"
    assert f64[:] == ArrayType(f64, (None,)) and hash(f64[:]) == hash(f64[:])
    assert type_of_value(np.zeros((2, 3), np.int32)) == tl.i32[:, :]
    assert type_of_value(True) == tl.bool_ and type_of_value(np.float32(1)) == tl.f32
    assert type_of_annotation(int) == i64 and type_of_annotation(np.float64) == f64 and type_of_annotation(str) is None
    with pytest.raises(TypeError, match="dtype complex128 is not supported"):
        from_numpy(np.complex128)
    with pytest.raises(TypeError, match="is not the size of an axis"):
        f64[-1]
    with pytest.raises(TypeError, match="neither a number nor an array"):
        type_of_value("text")
