"""Procedures called from Python and from functions: what they give, what they leave alone, inverses, options."""

import subprocess
import sys

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)


@tl.reversible
def squares(r: tl.f64, y: tl.f64, x: tl.In[tl.f64[:]]):
    """Root and sum of squares."""
    for i in range(len(x)):
        y += x[i] * x[i]
    r += tl.sqrt(y)


@tl.reversible
def axpy(a: tl.In[tl.f64], x: tl.In[tl.f64[:]], y: tl.f64[:]):
    y += a * x


@tl.reversible
def multiply(y, a, b):
    y += a * b


def test_a_call_gives_all_parameters():
    x = np.array([1.0, 2.0, 3.0])
    r, y, same = squares(0.0, 0.0, x)
    assert (r, y) == (np.sqrt(14.0), 14.0)
    assert np.array_equal(same, x)


def test_one_parameter_comes_in_a_tuple():
    @tl.reversible
    def up(y):
        y += 1

    assert up(2) == (3,)
    assert (~up)(3) == (2,)


def test_the_inverse_gives_the_arguments_back():
    assert multiply(2, 3, 5) == (17, 3, 5)
    assert (~multiply)(*multiply(2, 3, 5)) == (2, 3, 5)
    x = np.linspace(-1, 2, 7)
    assert (~squares)(*squares(0.25, 0.5, x))[:2] == (0.25, 0.5)


def test_inverting_twice_gives_the_procedure_itself():
    assert ~~multiply is multiply
    assert ~multiply is ~multiply
    assert repr(multiply) == "<tl.reversible multiply>"
    assert repr(~multiply) == "<tl.reversible ~multiply>"


def test_arrays_of_the_caller_stay_as_they_are():
    y = np.ones(3)
    out = axpy(2.0, np.arange(3.0), y)
    assert np.array_equal(out[2], [1, 3, 5])
    assert np.array_equal(y, np.ones(3))


def test_in_place_the_arrays_of_the_caller_hold_the_results():
    x, y = np.arange(3.0), np.ones(3)
    out = axpy(2.0, x, y, inplace=True)
    assert out[1] is x
    assert out[2] is y
    assert np.array_equal(y, [1, 3, 5])
    (~axpy)(2.0, x, y, inplace=True)
    assert np.array_equal(y, np.ones(3))


def test_in_place_scalars_are_returned():
    assert multiply(2.0, 3.0, 5.0, inplace=True) == (17.0, 3.0, 5.0)


def test_in_place_refuses_what_cannot_be_changed():
    fixed = np.ones(3)
    fixed.flags.writeable = False
    with pytest.raises(tl.ArgumentError, match="'y' is read-only"):
        axpy(2.0, np.arange(3.0), fixed, inplace=True)
    y = np.ones(4)
    with pytest.raises(tl.ArgumentError, match="'x' and 'y' share memory; pass separate arrays"):
        axpy(2.0, y, y, inplace=True)
    axpy(2.0, y[::2], y[1::2], inplace=True)
    assert np.array_equal(y, [1, 3, 1, 3])


def test_arguments_by_name_and_wrong_ones():
    assert multiply(b=5, a=3, y=2) == (17, 3, 5)
    with pytest.raises(tl.ArgumentError, match="multiply"):
        multiply(1, 2)
    with pytest.raises(tl.TypeMismatch, match="'y'"):
        axpy(2.0, np.arange(3.0), np.arange(3))
    with pytest.raises(tl.ShapeMismatch, match="sizes 3 and 2"):
        axpy(2.0, np.arange(2.0), np.ones(3))


def test_types_without_annotations_come_from_the_call():
    assert multiply(2, 3, 5) == (17, 3, 5)
    assert multiply(0.5, 3.0, 5.0) == (15.5, 3.0, 5.0)
    y = multiply(np.ones(2, np.float32), np.float32(3), np.full(2, 2, np.float32))[0]
    assert y.dtype == np.float32
    assert np.array_equal(y, [7, 7])


def test_kernels_are_compiled_saved_and_loaded(tmp_path):
    kernel = tl.compile(~axpy, checks="off", threads=2)
    arguments = (2.0, np.arange(3.0), np.array([1.0, 3.0, 5.0]))
    assert np.array_equal(kernel(*arguments)[2], np.ones(3))
    kernel.save(tmp_path / "axpy.tlk")
    assert np.array_equal(tl.load(tmp_path / "axpy.tlk")(*arguments)[2], np.ones(3))
    assert "rev.accum" in kernel.ir("input")
    assert axpy.lower()(*arguments)[2].tolist() == [1, 5, 9]


def test_options_keep_a_procedure_a_procedure():
    fast = tl.jit(axpy, checks="off")
    out = fast(2.0, np.arange(3.0), np.ones(3))
    assert np.array_equal((~fast)(*out)[2], np.ones(3))
    assert (~fast).options.checks == "off"
    assert ~~fast is fast


def test_functions_call_procedures_and_their_inverses():
    @tl.function
    def both_ways(x):
        r, y, _ = squares(0.0, 1.0, x)
        back, rest, _ = (~squares)(r, y, x)
        return r, back, rest

    x = np.array([2.0, 2.0, 4.0])
    assert both_ways(x) == (5.0, 0.0, 1.0)


def test_functions_call_inverses_that_have_a_name():
    undo = ~multiply

    @tl.function
    def f(y):
        return undo(y, 3.0, 5.0)[0]

    assert f(17.0) == 2.0


def test_right_hand_sides_round_alike_both_ways():
    @tl.function
    def product(a, b):
        return a * b + b

    @tl.reversible
    def add(y, a, b):
        y += product(a, b)

    text = tl.compile(add, (1.0, 1.0, 1.0)).ir("ad")
    assert "fastmath<contract>" not in text
    generator = np.random.default_rng(5)
    for y, a, b in generator.normal(size=(50, 3)):
        out = add(0.0, a, b)
        assert (~add)(*out)[0] == 0.0
        assert (~add)(*add(y, a, b))[0] == pytest.approx(y, abs=1e-15)


def test_only_functions_are_decorated():
    with pytest.raises(tl.ArgumentError, match="takes a Python function"):
        tl.reversible(3)
    with pytest.raises(tl.ArgumentError, match="takes a Python function"):
        tl.reversible(tl.function(lambda x: x))
    assert tl.reversible(axpy) is axpy


def test_procedures_are_mapped_over_arguments():
    @tl.reversible
    def square(y, x: tl.In):
        y += x * x

    y, x = tl.vmap(square)(np.ones(3), np.arange(3.0))
    assert y.tolist() == [1, 2, 5]
    assert x.tolist() == [0, 1, 2]


def test_empty_arrays():
    assert [each.size for each in axpy(2.0, np.zeros(0), np.zeros(0))[1:]] == [0, 0]


def test_defaults_and_keywords():
    @tl.reversible
    def add(y, *, amount: tl.In[tl.f64] = 2.0):
        y += amount

    @tl.reversible
    def caller(y):
        add(y)
        add(y, amount=3.0)

    assert add(1.0) == (3.0, 2.0)
    assert (~add)(3.0) == (1.0, 2.0)
    assert caller(1.0) == (6.0,)
    assert (~caller)(6.0) == (1.0,)


PLAIN = """
import sys
import tapeless as tl

@tl.function
def square(x):
    return x * x

square.lower(tl.f64).ir("llvm")
print(*(name for name in sys.modules if name.startswith("tapeless.")))
"""


def test_programs_without_procedures_load_nothing_of_them(tmp_path):
    (tmp_path / "plain.py").write_text(PLAIN)
    command = [sys.executable, tmp_path / "plain.py"]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "tapeless.frontend.language" in loaded
    for folder in ("tapeless.frontend.reversible.", "tapeless.dialects.rev", "tapeless.passes.rev.stages"):
        assert [name for name in loaded if name.startswith(folder)] == []
