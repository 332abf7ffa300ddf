"""Arrays of other libraries are read by the runtime itself where they are plain, and go the general way otherwise."""

from __future__ import annotations

import array
import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.runtime.calling.plan import number_reader
from tapeless.runtime.calling.producers import note_types

TAKES_NOTHING = object()
ADDRESS = ctypes.c_void_p


@tl.function
def scaled(x: tl.f64[:], m: tl.f32[:, 2], flags: tl.bool_[:], counts: tl.i64[:]):
    return tl.sum(x) * 2.0, m + 1.0, tl.sum(tl.where(flags, counts, 0))


NUMPY = (
    np.array([1.0, 2.5]),
    np.arange(6, dtype=np.float32).reshape(3, 2),
    np.array([True, False, True]),
    np.array([5, 6, 7]),
)


@pytest.fixture(scope="module")
def only_fast() -> Callable[..., Any]:
    """The fast call alone: what it does not take gives `TAKES_NOTHING`."""
    return scaled.lower().calls.fast(lambda *_: TAKES_NOTHING)


class DLTensor(ctypes.Structure):
    """The structure of DLPack."""

    _fields_ = (
        ("data", ADDRESS),
        ("device", ctypes.c_int32 * 2),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("sizes", ADDRESS),
        ("strides", ADDRESS),
        ("offset", ctypes.c_uint64),
    )


CODES = {"f": 2, "i": 0, "b": 6}
EXCHANGE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ADDRESS)
new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ADDRESS, ctypes.c_char_p, ADDRESS)(
    ("PyCapsule_New", ctypes.pythonapi)
)


@EXCHANGE
def describe(tensor: Tensor, out: int) -> int:
    if tensor.is_refusing:
        return -1
    values, told = tensor.values, DLTensor.from_address(out)
    tensor.sizes = (ctypes.c_int64 * values.ndim)(*values.shape)
    tensor.strides = (ctypes.c_int64 * values.ndim)(*(stride // values.itemsize for stride in values.strides))
    told.data, told.device[0], told.rank = values.ctypes.data - tensor.offset, 1, values.ndim
    told.code, told.bits, told.lanes = CODES[values.dtype.kind], values.itemsize * 8, 1
    told.sizes, told.offset = ctypes.addressof(tensor.sizes), tensor.offset
    told.strides = ctypes.addressof(tensor.strides) if tensor.has_strides else None
    for name, value in tensor.told.items():
        setattr(told, name, value)
    return 0


NAME = b"dlpack_exchange_api"
TABLE = (ctypes.c_uint64 * 7)(1 | 3 << 32, 0, 0, 0, 0, ctypes.cast(describe, ADDRESS).value or 0, 0)


class Tensor:
    """An array as torch's: its type has a table of functions, and some of its objects are not plain."""

    __dlpack_c_exchange_api__ = new_capsule(ctypes.addressof(TABLE), NAME, None)

    def __init__(self, values: np.ndarray, has_strides: bool = True, offset: int = 0, **told: Any) -> None:
        self.values, self.has_strides, self.offset = values, has_strides, offset
        self.is_refusing = told.pop("is_refusing", False)
        self._requires_grad, self._is_neg = told.pop("requires_grad", False), told.pop("is_neg", False)
        self.told = told

    @property
    def requires_grad(self) -> bool:
        if isinstance(self._requires_grad, BaseException):
            raise self._requires_grad
        return self._requires_grad

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def is_neg(self) -> bool:
        return self._is_neg

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        return self.values


def check(found: Any) -> None:
    assert found is not TAKES_NOTHING
    for ours, expected in zip(found, scaled(*NUMPY), strict=True):
        np.testing.assert_array_equal(ours, expected)


PLAIN: dict[str, Callable[[np.ndarray], Tensor]] = {
    "strides": Tensor,
    "no strides": lambda values: Tensor(values, has_strides=False),
    "an offset": lambda values: Tensor(values, offset=16),
    "memory for GPUs": lambda values: Tensor(values, device=(ctypes.c_int32 * 2)(3, 0)),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", PLAIN)
def test_plain_arrays_are_read_in_place(only_fast: Callable[..., Any], variant: str) -> None:
    tensors = [PLAIN[variant](values) for values in NUMPY]
    note_types(tensors)
    check(only_fast(*tensors))
    check(only_fast(NUMPY[0], tensors[1], NUMPY[2], tensors[3]))
    check(scaled(*tensors))


NOT_PLAIN: dict[str, Tensor] = {
    "it requires a gradient": Tensor(NUMPY[0], requires_grad=True),
    "it is to be negated": Tensor(NUMPY[0], is_neg=True),
    "nothing is known of its gradient": Tensor(NUMPY[0], requires_grad=RuntimeError("unknown")),
    "it does not describe itself": Tensor(NUMPY[0], is_refusing=True),
    "another device": Tensor(NUMPY[0], device=(ctypes.c_int32 * 2)(2, 0)),
    "another kind of number": Tensor(NUMPY[0], code=4),
    "lanes": Tensor(NUMPY[0], lanes=2),
    "another number of bits": Tensor(NUMPY[0].astype(np.float32)),
    "another rank": Tensor(NUMPY[0][:, None]),
    "no memory": Tensor(NUMPY[0], data=None),
    "more than is copied": Tensor(np.zeros(2**19)[::2]),
    "not aligned": Tensor(np.frombuffer(bytes(17), np.uint8)[1:].view(np.float64)),
}


@pytest.mark.parametrize("why", NOT_PLAIN)
def test_other_arrays_go_the_general_way(only_fast: Callable[..., Any], why: str) -> None:
    note_types((NOT_PLAIN[why],))
    assert only_fast(NOT_PLAIN[why], *NUMPY[1:]) is TAKES_NOTHING


@tl.function
def turned(x: tl.f64[:, :, :], y: tl.f32[:, :], n: tl.i32[:], flags: tl.bool_[:]):
    return x, y * 2.0, n, flags


OUT_OF_ORDER: dict[str, tuple[np.ndarray, ...]] = {
    "axes in another order": (
        np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1),
        np.arange(6, dtype=np.float32).reshape(2, 3).T,
        np.arange(8, dtype=np.int32).reshape(2, 4)[:, 1],
        np.array([[True, False], [False, False]]).T[0],
    ),
    "backwards": (
        np.arange(24.0).reshape(2, 3, 4)[::-1, :, ::-2],
        np.arange(6, dtype=np.float32).reshape(2, 3)[:, ::-1],
        np.arange(8, dtype=np.int32)[::-3],
        np.array([True, False, True])[::-1],
    ),
    "the same elements again": (
        np.broadcast_to(np.arange(3.0), (2, 4, 3)),
        np.broadcast_to(np.float32(1.5), (2, 3)),
        np.broadcast_to(np.int32(4), (5,)),
        np.broadcast_to(np.True_, (3,)),
    ),
}


@pytest.mark.parametrize("kind", [np.asarray, Tensor])
@pytest.mark.parametrize("why", OUT_OF_ORDER)
def test_short_arrays_out_of_order_are_copied_by_the_runtime(why: str, kind: Callable[..., Any]) -> None:
    arrays = OUT_OF_ORDER[why]
    given = [kind(each) for each in arrays]
    note_types(given)
    found = turned.lower().calls.fast(lambda *_: TAKES_NOTHING)(*given)
    assert found is not TAKES_NOTHING
    x, y, n, flags = arrays
    for ours, expected in zip(found, (x, y * 2, n, flags), strict=True):
        np.testing.assert_array_equal(ours, expected)


NUMBERS = {
    "f64": np.array(-0.1),
    "f32": np.array(0.1, np.float32),
    "i64": np.array(-(2**62) - 1),
    "i32": np.array(-(2**31), np.int32),
    "u32": np.array(2**32 - 1, np.uint32),
    "i1": np.array(True),
}
CODES["u"] = 1


@pytest.mark.parametrize("dtype", NUMBERS)
def test_numbers_without_axes_are_read_by_the_runtime(dtype: str) -> None:
    number = Tensor(NUMBERS[dtype])
    note_types((number,))
    assert number_reader(dtype)(number, Tensor) == NUMBERS[dtype][()]
    for other in NUMBERS.keys() - {dtype}:
        assert number_reader(other)(number, Tensor) is None
    for refused in (Tensor(NUMBERS[dtype], requires_grad=True), Tensor(NUMBERS[dtype][None])):
        assert number_reader(dtype)(refused, Tensor) is None
    assert number_reader(dtype)(NUMBERS[dtype], np.ndarray) is None


def test_numbers_in_buffers_are_read_by_the_runtime() -> None:
    number = memoryview(np.array(2.5))
    note_types((number,))
    assert number_reader("f64")(number, memoryview) == 2.5
    assert number_reader("f32")(number, memoryview) is None
    with pytest.raises(KeyboardInterrupt):
        number_reader("f64")(Tensor(np.array(1.0), requires_grad=KeyboardInterrupt()), Tensor)


def test_what_ends_programs_is_not_lost(only_fast: Callable[..., Any]) -> None:
    ended = Tensor(NUMPY[0], requires_grad=KeyboardInterrupt())
    note_types((ended,))
    with pytest.raises(KeyboardInterrupt):
        only_fast(ended, *NUMPY[1:])


def test_sizes_that_are_fixed_are_compared(only_fast: Callable[..., Any]) -> None:
    wrong = Tensor(np.zeros((2, 3), np.float32))
    note_types((wrong,))
    assert only_fast(NUMPY[0], wrong, *NUMPY[2:]) is TAKES_NOTHING
    with pytest.raises(tl.ShapeMismatch, match="size 3 in dimension 1"):
        scaled(NUMPY[0], wrong, *NUMPY[2:])


def test_arrays_without_elements_need_no_memory() -> None:
    @tl.function
    def total(x: tl.f64[:]):
        return tl.sum(x) + 1.0

    empty = Tensor(np.zeros(0), data=None)
    note_types((empty,))
    fast = total.lower().calls.fast(lambda *_: TAKES_NOTHING)
    assert fast(empty) == 1.0


def test_derived_types_are_not_read_as_the_type_they_derive_from(only_fast: Callable[..., Any]) -> None:
    class Wrapped(Tensor):
        """Its elements may be something else."""

    wrapped = [Wrapped(values) for values in NUMPY]
    note_types(wrapped)
    assert only_fast(*wrapped) is TAKES_NOTHING
    check(scaled(*wrapped))


def test_buffers_are_read_in_place(only_fast: Callable[..., Any]) -> None:
    given = (array.array("d", NUMPY[0]), memoryview(NUMPY[1]), memoryview(NUMPY[2]), array.array("q", NUMPY[3]))
    note_types(given)
    check(only_fast(*given))
    check(scaled(*given))


@pytest.mark.parametrize(
    "other", [array.array("f", [1.0]), array.array("q", [1]), memoryview(np.arange(4.0)[::-1, None])]
)
def test_other_buffers_go_the_general_way(only_fast: Callable[..., Any], other: Any) -> None:
    note_types((other,))
    assert only_fast(other, *NUMPY[1:]) is TAKES_NOTHING


def test_buffers_out_of_order_are_copied(only_fast: Callable[..., Any]) -> None:
    spread = memoryview(np.repeat(NUMPY[0], 2)[::2])
    check(only_fast(spread, *NUMPY[1:]))


def test_buffers_are_given_back() -> None:
    @tl.function
    def picked(x: tl.f64[:], i: tl.i64):
        return x[i]

    values = array.array("d", [1.0, 2.0])
    assert picked(values, 0) == picked(values, 1) - 1.0
    with pytest.raises(tl.IndexOutOfRange):
        picked(values, 2)
    values.append(3.0)  # An array with a buffer that somebody holds cannot grow.
    assert picked(values, 2) == 3.0
