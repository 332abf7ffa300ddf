"""What may be passed for an array or a scalar, and the messages for what may not."""

from __future__ import annotations

import array
from typing import Any

import numpy as np
import pytest

from tapeless.abi import Parameter
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.runtime.calling.arguments import CONVERT, bind_array, bind_scalar, scalar_bits

MATRIX = Parameter("array", "f64", (None, None))
ROWS_OF_3 = Parameter("array", "f64", (None, 3))


def layouts() -> dict[str, np.ndarray]:
    """One matrix in many layouts."""
    base = np.arange(12.0).reshape(4, 3)
    readonly = base.copy()
    readonly.flags.writeable = False
    misaligned = np.zeros(12 * 8 + 1, np.uint8)[1:].view(np.float64).reshape(4, 3)
    misaligned[:] = base
    wide = np.zeros((8, 6))
    wide[::2, ::2] = base
    return {
        "contiguous": base,
        "fortran": np.asfortranarray(base),
        "strided": wide[::2, ::2],
        "reversed": base[::-1, ::-1].copy()[::-1, ::-1],
        "broadcast": base,
        "readonly": readonly,
        "misaligned": misaligned,
        "big-endian": base.astype(">f8"),
        "subclass": base.view(type("Sub", (np.ndarray,), {})),
    }


@pytest.mark.parametrize("layout", layouts())
def test_every_layout_is_taken(layout: str) -> None:
    bound = bind_array(layouts()[layout], MATRIX, "x")
    assert bound.flags.c_contiguous and bound.flags.aligned and bound.dtype == np.float64 and bound.dtype.isnative
    np.testing.assert_array_equal(bound, np.arange(12.0).reshape(4, 3))


def test_contiguous_arrays_are_not_copied() -> None:
    value = np.arange(6.0).reshape(2, 3)
    assert np.shares_memory(bind_array(value, MATRIX, "x"), value)


def test_other_array_objects_are_taken() -> None:
    vector = Parameter("array", "f64", (None,))
    np.testing.assert_array_equal(bind_array(array.array("d", [1.0, 2.0]), vector, "x"), [1.0, 2.0])
    np.testing.assert_array_equal(bind_array(memoryview(np.ones(3)), vector, "x"), np.ones(3))


REFUSED_ARRAYS = [
    (
        np.ones((2, 3), np.float32),
        MATRIX,
        TypeMismatch,
        r"'x' is an array of float32 .* tl.f64\[:, :\]; convert it with",
    ),
    (
        np.ones(3),
        MATRIX,
        TypeMismatch,
        r"'x' is an array of float64 with 1 dimension, .* pass an array with 2 dimensions",
    ),
    (np.ones((2, 4)), ROWS_OF_3, ShapeMismatch, r"'x' has size 4 in dimension 1, but the parameter is tl.f64\[:, 3\]"),
    ([[1.0]], MATRIX, TypeMismatch, r"'x' is a list, not an array; pass np.asarray\(x\)"),
    (3.0, MATRIX, TypeMismatch, r"'x' is a float, not an array"),
    (
        None,
        MATRIX,
        TypeMismatch,
        r"'x' is None, not an array; pass a numpy array; parameters without annotation take structures",
    ),
    (
        {"a": 1},
        MATRIX,
        TypeMismatch,
        r"'x' is a dict, not an array; pass a numpy array; parameters without annotation take structures",
    ),
    (
        "a",
        MATRIX,
        TypeMismatch,
        r"'x' is a str, not an array; pass a numpy array; parameters without annotation take structures",
    ),
    (
        np.sin,
        MATRIX,
        TypeMismatch,
        r"'x' is an ufunc, not an array; pass a numpy array; parameters without annotation take structures",
    ),
    (b"12345678", MATRIX, TypeMismatch, r"'x' is a bytes, not an array"),
    (np.ma.masked_array([[1.0]], [[True]]), MATRIX, TypeMismatch, r"masked array"),
]


@pytest.mark.parametrize(("value", "parameter", "error", "message"), REFUSED_ARRAYS)
def test_refused_arrays(value: Any, parameter: Parameter, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        bind_array(value, parameter, "x")


ACCEPTED_SCALARS = [
    (2, "f64", 2.0),
    (np.float32(0.5), "f64", 0.5),
    (np.int32(3), "f64", 3.0),
    (True, "i64", 1),
    (np.int64(-7), "i32", -7),
    (np.bool_(True), "i1", 1),
    (np.array(1.5), "f64", 1.5),
    (1e300, "f32", 1e300),
]


@pytest.mark.parametrize(("value", "dtype", "expected"), ACCEPTED_SCALARS)
def test_accepted_scalars(value: Any, dtype: str, expected: float) -> None:
    number = bind_scalar(value, Parameter("scalar", dtype), "s")
    assert number == expected and type(number) in (int, float)


REFUSED_SCALARS = [
    (1.5, "i64", r"'s' is a float, but the parameter is the scalar tl.i64; pass a Python int"),
    (1, "i1", r"'s' is an int, but the parameter is the scalar tl.bool_; pass a Python bool"),
    (2**31, "i32", r"'s' = 2147483648 does not fit tl.i32"),
    (-(2**63) - 1, "i64", r"does not fit tl.i64"),
    (10**400, "f64", r"too large for tl.f64"),
    (1 + 2j, "f64", r"'s' is a complex"),
    ("1", "f64", r"'s' is a str"),
    (np.ones(1), "f64", r"'s' is an array of float64 with 1 dimension"),
]


@pytest.mark.parametrize(("value", "dtype", "message"), REFUSED_SCALARS)
def test_refused_scalars(value: Any, dtype: str, message: str) -> None:
    with pytest.raises(TypeMismatch, match=message):
        bind_scalar(value, Parameter("scalar", dtype), "s")


def test_scalar_bits_fill_a_slot() -> None:
    assert scalar_bits(1.0, "f64") == 0x3FF0000000000000
    assert scalar_bits(1.0, "f32") == 0x3F800000
    assert scalar_bits(-1, "i32") == -1
    assert scalar_bits(1e300, "f32") == 0x7F800000


@pytest.mark.parametrize("value", [3, 2.5, np.float32(1.5), True], ids=repr)
def test_what_a_handler_of_signals_raises_arrives(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of Python and numpy convert themselves, so an error meanwhile is not theirs and is not reworded."""

    class Alarm(Exception):
        pass

    def interrupted(_value: Any) -> float:
        raise Alarm

    monkeypatch.setitem(CONVERT, "f64", interrupted)
    with pytest.raises(Alarm):
        bind_scalar(value, Parameter("scalar", "f64"), "s")
