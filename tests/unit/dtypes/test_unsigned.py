"""`tl.u32`: every operator beside every type against numpy, from where numbers come in to where they go out."""

from __future__ import annotations

import operator
import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest
from bundle.called_from_c import call_from_c

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from function_from_text import function_from_text
from tapeless.runtime.bundle.choose import read_bundle

LARGE = [0, 1, 5, 31, 2**31 - 1, 2**31, 2**31 + 7, 3_000_000_000, 2**32 - 2, 2**32 - 1]
LEFT = np.array([a for a, _ in product(LARGE, LARGE)], np.uint32)
RIGHT = np.array([b for _, b in product(LARGE, LARGE)], np.uint32)
NONZERO = np.where(RIGHT == 0, np.uint32(3), RIGHT)
SHIFTS = np.array([0, 1, 7, 31, 32, 40, 2**31, 2**32 - 1, 5, 16] * 10, np.uint32)

ARITHMETIC = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
DIVISIONS = {"//": operator.floordiv, "%": operator.mod, "/": operator.truediv}
OTHERS = {
    "f64": np.linspace(-7.0, 5e9, 100),
    "f32": np.linspace(1.0, 90.0, 100, dtype=np.float32),
    "i64": np.arange(-50, 50) * 2**33 + 1,
    "i32": np.arange(-50, 50, dtype=np.int32) * 40_000_001 + 1,
    "bool_": np.arange(100) % 3 == 0,
}


def same(found: Any, expected: Any, name: str) -> None:
    for place, (ours, theirs) in enumerate(zip(found, expected, strict=True)):
        assert np.asarray(ours).dtype == np.asarray(theirs).dtype, (name, place)
        np.testing.assert_array_equal(ours, theirs, err_msg=f"{name} {place}")


@tl.function
def of_two(x, y, z, s):
    return (
        *(x + y, x - y, x * y, x & y, x | y, x ^ y, x < y, x <= y, x > y, x >= y, x == y, x != y),
        *(x // z, x % z, x / z, tl.minimum(x, y), tl.maximum(x, y), x << s, x >> s, x**s),
        *(np.fmax(x, y), np.fmod(x, z), np.left_shift(x, s), np.right_shift(x, s), np.bitwise_xor(x, y)),
    )


def of_two_by_numpy(x, y, z, s):
    return (
        *(function(x, y) for function in ARITHMETIC.values()),
        *(function(x, z) for function in DIVISIONS.values()),
        *(np.minimum(x, y), np.maximum(x, y), x << s, x >> s, np.power(x, s)),
        *(np.fmax(x, y), np.fmod(x, z), np.left_shift(x, s), np.right_shift(x, s), np.bitwise_xor(x, y)),
    )


def test_every_operator_on_arrays():
    same(of_two(LEFT, RIGHT, NONZERO, SHIFTS), of_two_by_numpy(LEFT, RIGHT, NONZERO, SHIFTS), "u32")


@tl.function
def of_numbers(x: tl.u32, y: tl.u32, z: tl.u32, s: tl.u32):
    return tl.array(of_two(x, y, z, s)[:6]), of_two(x, y, z, s)[6:]


def test_every_operator_on_numbers():
    for k in range(0, 100, 7):
        numbers = [np.uint32(each[k]) for each in (LEFT, RIGHT, NONZERO, SHIFTS)]
        words, others = of_numbers(*numbers)
        with np.errstate(over="ignore"):
            expected = of_two_by_numpy(*(np.array([each]) for each in numbers))
        assert [*words.tolist(), *others] == [each.item() for each in expected], numbers


@tl.function
def beside(x, y):
    return x + y, x - y, x * y, x < y, x >= y, x == y, y + x, y - x, y > x, tl.maximum(x, y), tl.where(x > y, x, y)


def beside_by_numpy(x, y):
    results = (x + y, x - y, x * y, x < y, x >= y, x == y, y + x, y - x, y > x)
    return (*results, np.maximum(x, y), np.where(x > y, x, y))


@pytest.mark.parametrize("name", OTHERS)
def test_beside_every_other_type(name):
    same(beside(LEFT, OTHERS[name]), beside_by_numpy(LEFT, OTHERS[name]), name)


@pytest.mark.parametrize("name", ["i64", "i32"])
def test_divisions_beside_other_integers(name):
    divided = tl.function(lambda x, y: (x // y, x % y, x / y))
    other = OTHERS[name]
    same(divided(LEFT, other), (LEFT // other, LEFT % other, LEFT / other), name)


@tl.function
def of_one(x):
    return (
        *(-x, ~x, tl.abs(x), tl.sign(x), x**3, x + 1, 7 - x, x * 4294967295, x // 3, x % 4294967295, x >> 4, x << 9),
        *(x > -1, x < 5000000000, x == 4294967295, x >= 2147483648, x > -1),
        *(
            tl.astype(x, tl.f64),
            tl.astype(x, tl.i64),
            tl.astype(x, tl.i32),
            tl.astype(x, tl.bool_),
            tl.astype(x, tl.u32),
        ),
        *(tl.sort(x), tl.argsort(x), tl.cumsum(x), np.maximum.accumulate(x), tl.reverse(x), np.unique(x)),
    )


def of_one_by_numpy(x):
    return (
        *(-x, ~x, np.abs(x), np.sign(x), x**3, x + 1, 7 - x, x * 4294967295, x // 3, x % 4294967295, x >> 4, x << 9),
        *(x > -1, x < 5000000000, x == 4294967295, x >= 2147483648, x > -1),
        *(x.astype(np.float64), x.astype(np.int64), x.astype(np.int32), x != 0, x),
        *(np.sort(x), np.argsort(x, kind="stable"), np.cumsum(x).astype(np.int64), np.maximum.accumulate(x)),
        *(x[::-1], np.unique(x)),
    )


def test_every_function_of_one_array():
    same(of_one(LEFT), of_one_by_numpy(LEFT), "one")


def test_to_floats_of_fewer_digits():
    np.testing.assert_array_equal(tl.astype(LEFT, tl.f32), LEFT.astype(np.float32))


def test_from_every_type():
    made = tl.function(lambda f, g, i, j, b: tuple(tl.astype(each, tl.u32) for each in (f, g, i, j, b)))
    floats = np.array([0.0, 1.9, 2147483648.5, 4294967295.0, -1.0, -7.9])
    singles = np.array([0.0, 3.7, 2147483648.0, 4294967040.0], np.float32)
    wide = np.array([0, -1, 2**32 + 5, -(2**33), 2**63 - 1])
    narrow = np.array([0, -1, 2**31 - 1, -(2**31)], np.int32)
    bools = np.array([True, False])
    of_floats = floats.astype(np.int64).astype(np.uint32)
    same(
        made(floats, singles, wide, narrow, bools),
        (
            of_floats,
            singles.astype(np.uint32),
            wide.astype(np.uint32),
            narrow.astype(np.uint32),
            bools.astype(np.uint32),
        ),
        "from",
    )


def test_reductions():
    found = tl.function(lambda x: (tl.max(x), tl.min(x), tl.argmax(x), tl.argmin(x), tl.sum(x), tl.any(x), tl.mean(x)))
    x = LEFT[15:]
    expected = (x.max(), x.min(), x.argmax(), x.argmin(), x.sum(), x.any())
    *exact, mean = found(x)
    assert exact == [each.item() for each in expected]
    assert mean == pytest.approx(x.mean())
    by_rows = tl.function(lambda m: (tl.max(m, axis=0), tl.argmin(m, axis=1), tl.min(m, axis=1), tl.argmax(m, axis=0)))
    m = LEFT.reshape(10, 10)[:, ::-1].copy() ^ RIGHT.reshape(10, 10)
    same(by_rows(m), (m.max(axis=0), m.argmin(axis=1), m.min(axis=1), m.argmax(axis=0)), "rows")


def test_second_order_operators():
    @tl.function
    def several(x, keys, dest):
        joined = tl.reduce(tl.maximum, np.uint32(0), x)
        prefixes = tl.scan(lambda a, b: a ^ b, np.uint32(0), x)
        largest = tl.hist(tl.maximum, np.uint32(0), dest, keys, x)
        return joined, prefixes, largest, tl.scatter(dest, keys[:3], x[:3]), dest[keys[:4]]

    keys = np.array([0, 3, 1, 0, 2, 3, 1, 0, 2**31, 2**32 - 1] * 10, np.uint32)
    dest = np.array([7, 2**31 + 9, 0, 5], np.uint32)
    joined, prefixes, largest, scattered, gathered = several(LEFT, keys, dest)
    expected = dest.copy()
    inside = keys < 4
    np.maximum.at(expected, keys[inside], LEFT[inside])
    assert joined == LEFT.max()
    same((prefixes, largest, gathered), (np.bitwise_xor.accumulate(LEFT), expected, dest[keys[:4]]), "second order")
    dest[keys[:3]] = LEFT[:3]
    same([scattered], [dest], "scatter")


# Numbers that are known when compiling, so that passes fold what is computed with them.
EDGES = tuple(np.uint32(each) for each in (3, 2**31 - 1, 2**31, 2**32 - 1))

FOLDED = """
@tl.function
def folded(n: tl.i64):
    total = tl.zeros(1, dtype=tl.i64) + n
    return total, {values}
"""
FORMS = (
    *(f"{{a}} {symbol} {{b}}" for symbol in (*ARITHMETIC, *DIVISIONS, "<<", ">>")),
    *("tl.minimum({a}, {b})", "tl.maximum({a}, {b})", "-{a} + {b} * 0", "~{a} + {b} * 0", "{b} if {a} < {b} else {a}"),
)


def test_passes_fold_numbers_without_their_sign():
    """The largest numbers are negative ones where a pass forgets that they have no sign."""
    values, expected = [], []
    for (k, a), (j, b), form in product(enumerate(EDGES), enumerate(EDGES), FORMS):
        values.append(form.format(a=f"E{k}", b=f"E{j}"))
        with np.errstate(over="ignore"):
            expected.append(eval(form.format(a="a", b="b"), {"a": a, "b": b, "tl": np}))
    captured = {f"E{k}": each for k, each in enumerate(EDGES)}
    function = function_from_text(FOLDED.format(values=", ".join(values)), "folded", **captured)
    _, *found = function(1)
    wrong = [(text, ours, theirs) for text, ours, theirs in zip(values, found, expected, strict=True) if ours != theirs]
    assert not wrong


@tl.function
def by_ranges(n: tl.u32, x: tl.f64[:]):
    """Loops, branches and divisions that ranges of integers decide."""
    count, large, last = tl.astype(0, tl.u32), 0, n
    for i in range(len(x)):
        word = n - tl.astype(i, tl.u32)
        if word > 5:
            count = count + word % 7
        if word >= tl.astype(2147483648, tl.u32):
            large = large + 1
        last = tl.maximum(last // 3, word >> 1)
    return count, large, last, x[n % tl.astype(len(x), tl.u32)]


def by_ranges_of_numpy(n, x):
    count, large, last = 0, 0, n
    for i in range(len(x)):
        word = (n - i) % 2**32
        count = (count + word % 7) % 2**32 if word > 5 else count
        large += word >= 2**31
        last = max(last // 3, word >> 1)
    return count, large, last, x[n % len(x)]


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_ranges_of_integers_know_no_sign(target):
    x = np.arange(12.0)
    numbers = (3, 9, 2**31 + 4, 2**32 - 1)
    if target == "cpu":
        found = [by_ranges(np.uint32(n), x) for n in numbers]
    else:
        with emulated_cuda():
            kernel = tl.compile(by_ranges, (tl.u32, tl.f64[:]), target="cuda")
            found = [kernel(np.uint32(n), x) for n in numbers]
    assert found == [by_ranges_of_numpy(n, x) for n in numbers]


def test_on_a_gpu():
    arguments = (LEFT, RIGHT, NONZERO, SHIFTS)
    with emulated_cuda():
        kernel = tl.compile(of_two, arguments, target="cuda")
        same(kernel(*arguments), of_two_by_numpy(*arguments), "cuda")
        number = tl.compile(lambda x, a: (tl.max(x), a + x[35], x * a), (LEFT, tl.u32), target="cuda")
        assert number(LEFT, 2**32 - 1)[:2] == (2**32 - 1, 30)


def test_an_index_is_not_counted_from_the_end():
    read = tl.function(lambda x, k: x[k])
    x = np.arange(4.0)
    assert read(x, np.uint32(3)) == 3.0
    with pytest.raises(tl.IndexOutOfRange, match="index 4294967295 is out of range"):
        read(x, np.uint32(2**32 - 1))
    with pytest.raises(tl.IndexOutOfRange):
        read(x, np.array([0, 2**32 - 1], np.uint32))


def test_sizes():
    made = tl.function(lambda n: tl.ones(n))
    assert made(np.uint32(3)).shape == (3,)
    shorter = tl.function(lambda n: tl.ones(n - 4))
    assert shorter(np.uint32(7)).shape == (3,)
    as_signed = tl.function(lambda n: tl.ones(tl.astype(n, tl.i32) + 5))
    assert as_signed(np.uint32(2**32 - 2)).shape == (3,)


REFUSED = [
    (lambda x: x + -1, "the integer -1 does not fit tl.u32"),
    (lambda x: x * 4294967296, "the integer 4294967296 does not fit tl.u32"),
    (lambda x: x & 0.5, "'&' of floats"),
]


@pytest.mark.parametrize(("function", "message"), REFUSED)
def test_numbers_that_are_none_of_it(function, message):
    with pytest.raises(tl.TypeMismatch, match=message):
        tl.function(function)(LEFT)


def test_errors_when_running():
    divided = tl.function(lambda x, y: x // y)
    with pytest.raises(tl.ArgumentError, match="integer division by zero"):
        divided(LEFT, RIGHT)
    converted = tl.function(lambda a: tl.astype(a, tl.u32))
    assert converted(4294967295.5) == 2**32 - 1
    assert converted(-0.5) == 0
    for number in (-1.0, 4294967296.0, np.nan):
        with pytest.raises(tl.ConversionError, match="is no unsigned integer of 32 bits"):
            converted(number)
    weak = tl.function(lambda x, n: x + len(n) - 3)
    with pytest.raises(tl.TypeMismatch, match=r"does not fit tl\.u32"):
        tl.function(lambda x, n: x + (len(n) - 3))(LEFT, np.zeros(2))
    np.testing.assert_array_equal(weak(LEFT, np.zeros(2)), LEFT + 2 - 3)


@tl.function
def both(x: tl.u32[:], n: tl.u32):
    return x + n, n * 3


def test_arguments():
    kernel = tl.compile(both)
    words, product_ = kernel(LEFT, 2**32 - 1)
    np.testing.assert_array_equal(words, LEFT - 1)
    assert product_ == 2**32 - 3
    for bad, message in ((-1, "not negative"), (2**32, "pass a smaller number"), (1.5, "Python int")):
        with pytest.raises(tl.TypeMismatch, match=message):
            kernel(LEFT, bad)
    for other in (np.int32, np.int64, np.uint64):
        with pytest.raises(tl.TypeMismatch, match=r"np\.uint32"):
            kernel(LEFT.astype(other), 1)
    with pytest.raises(tl.TypeMismatch, match=r"np\.int32"):
        tl.compile(lambda x: x, (tl.i32[:],))(LEFT)
    strided = np.repeat(LEFT, 2)[::2]
    np.testing.assert_array_equal(kernel(strided, 1)[0], LEFT + 1)
    np.testing.assert_array_equal(kernel(memoryview(LEFT), 1)[0], LEFT + 1)


def test_saved_and_pickled(tmp_path):
    kernel = tl.compile(both)
    kernel.save(tmp_path / "both.tlk")
    for again in (tl.load(tmp_path / "both.tlk"), pickle.loads(pickle.dumps(kernel))):
        words, product_ = again(LEFT, 7)
        assert words.dtype == np.uint32
        np.testing.assert_array_equal(words, LEFT + 7)
        assert product_ == 21
    assert "tl.u32[:]" in str(tl.load(tmp_path / "both.tlk"))


MARKED = """
func.func @main(%x: i32 {tapeless.unsigned}, %y: i32) -> (i32 {tapeless.unsigned}, i32) {
  %by = arith.constant 1 : i32
  %moved = arith.shrui %x, %by : i32
  return %moved, %y : i32, i32
}
"""


def test_modules_say_which_integers_have_no_sign():
    function = tl.from_mlir(MARKED)
    assert function(np.uint32(2**32 - 1), np.int32(-3)) == (2**31 - 1, -3)
    with pytest.raises(tl.TypeMismatch, match="not negative"):
        function(-1, 2)


def test_called_from_c(tmp_path):
    kernel = tl.compile(both)
    data = kernel.to_bytes()
    header = next(text for name, text in read_bundle(data, "").targets[0].parts.items() if name.endswith(".h"))
    assert b"const uint32_t *x, int64_t x_size0, uint32_t n, uint32_t *" in header
    words, product_ = call_from_c(data, kernel.abi, (LEFT, 2**32 - 5), tmp_path)
    np.testing.assert_array_equal(words, LEFT - np.uint32(5))
    assert product_ == (2**32 - 5) * 3 % 2**32


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_derivatives_go_around_integers(method):
    @tl.function
    def f(x: tl.f64[:], words: tl.u32[:]):
        total = 0.0
        for i in range(len(x)):
            weight = tl.astype((words[i] * 2654435769) >> 20, tl.f64)
            total += weight * tl.sin(x[i])
        return total

    x, words = np.linspace(0.1, 0.9, 10), LEFT[::10]
    weights = ((words * np.uint32(2654435769)) >> 20).astype(np.float64)
    np.testing.assert_allclose(tl.grad(f, method=method)(x, words), weights * np.cos(x), rtol=1e-13)
    _, adjoint = tl.vjp(f, x, words, method=method)[1](1.0)
    assert adjoint.dtype == np.uint32
    assert not adjoint.any()


def test_cells_of_procedures():
    @tl.reversible
    def mixed(a: tl.u32, b: tl.u32, x: tl.u32[:]):
        a += b
        b ^= a
        for i in range(len(x)):
            x[i] -= a

    arguments = (np.uint32(2**32 - 1), np.uint32(5), LEFT)
    a, b, x = mixed(*arguments)
    assert (a, b) == (4, 1)
    np.testing.assert_array_equal(x, LEFT - np.uint32(4))
    again = (~mixed)(np.uint32(a), np.uint32(b), x)
    assert again[:2] == (2**32 - 1, 5)
    np.testing.assert_array_equal(again[2], LEFT)


def hashed(k, dtype):
    word = tl.astype(k, dtype) * 1664525 + 1013904223
    return word, (word ^ (word >> 15)) * 1566083941, tl.maximum(word, word >> 3) << 7, -word // 3, ~word


@pytest.mark.parametrize("dtype", [tl.u32, tl.i32, tl.i64])
def test_numbers_wrap_as_well_when_run_by_python(dtype):
    function = tl.function(lambda k: hashed(k, dtype))
    expected = [function(k) for k in (0, 5, 70_000, 2**31 - 1)]
    with tl.disable_jit():
        assert [function(k) for k in (0, 5, 70_000, 2**31 - 1)] == expected


def test_run_by_python():
    with tl.disable_jit():
        same(of_two(LEFT, RIGHT, NONZERO, SHIFTS), of_two_by_numpy(LEFT, RIGHT, NONZERO, SHIFTS), "by Python")
