"""The function that XLA calls for every kernel, with call frames made here: neither XLA nor JAX is needed."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.abi import DTYPES
from tapeless.runtime.exports import XLA_TYPES, digest_of, exported
from tapeless.runtime.library import load_library

ADDRESS, I64, I32, SIZE = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32, ctypes.c_size_t
NUMPY_TYPES = {"float64": 12, "float32": 11, "int64": 5, "int32": 4, "uint32": 8, "bool": 1}
BUFFER, STRING, SCALAR, METADATA, EXECUTE = 1, 4, 3, 1, 3
INVALID_ARGUMENT, NOT_FOUND = 3, 5
HEADER = (("struct_size", SIZE), ("extensions", ADDRESS))


class Extension(ctypes.Structure):
    """`XLA_FFI_Metadata_Extension`."""

    _fields_ = (("struct_size", SIZE), ("type", I32), ("next", ADDRESS), ("metadata", ADDRESS))


class Metadata(ctypes.Structure):
    """`XLA_FFI_Metadata`, with the version in it."""

    _fields_ = (
        ("struct_size", SIZE),
        ("version", SIZE * 2),
        ("major", I32),
        ("minor", I32),
        ("traits", ctypes.c_uint32),
    )


class Buffer(ctypes.Structure):
    """`XLA_FFI_Buffer`."""

    _fields_ = (*HEADER, ("dtype", I32), ("data", ADDRESS), ("rank", I64), ("dims", ADDRESS))


class Span(ctypes.Structure):
    """`XLA_FFI_ByteSpan`."""

    _fields_ = (("start", ctypes.c_char_p), ("length", SIZE))


class Buffers(ctypes.Structure):
    """`XLA_FFI_Args` and `XLA_FFI_Rets`."""

    _fields_ = (*HEADER, ("size", I64), ("types", ADDRESS), ("values", ADDRESS))


class Attributes(ctypes.Structure):
    """`XLA_FFI_Attrs`."""

    _fields_ = (*HEADER, ("size", I64), ("types", ADDRESS), ("names", ADDRESS), ("values", ADDRESS))


class ErrorArguments(ctypes.Structure):
    """`XLA_FFI_Error_Create_Args`."""

    _fields_ = (*HEADER, ("message", ctypes.c_char_p), ("code", I32))


CREATE_ERROR = ctypes.CFUNCTYPE(ADDRESS, ctypes.POINTER(ErrorArguments))


class Api(ctypes.Structure):
    """The beginning of `XLA_FFI_Api`."""

    _fields_ = (*HEADER, ("version", SIZE * 3), ("internal", ADDRESS), ("create_error", CREATE_ERROR))


class Frame(ctypes.Structure):
    """`XLA_FFI_CallFrame`."""

    _fields_ = (
        *HEADER,
        ("api", ADDRESS),
        ("context", ADDRESS),
        ("stage", I32),
        ("operands", Buffers),
        ("results", Buffers),
        ("attributes", Attributes),
    )


class Called(Exception):
    """An error that the function gave to XLA."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def call(digest: str | None, operands: Sequence[np.ndarray], results: Sequence[np.ndarray], **other: Any) -> None:
    """Calls the function as XLA does; `other` attributes come before the digest."""
    errors: list[Called] = []

    @CREATE_ERROR
    def create_error(arguments: Any) -> int:
        errors.append(Called(arguments.contents.code, arguments.contents.message.decode()))
        return 1

    kept: list[Any] = []
    api = Api(struct_size=ctypes.sizeof(Api), create_error=create_error)
    attributes = {**other} if digest is None else {**other, "kernel": digest}
    frame = Frame(
        struct_size=ctypes.sizeof(Frame),
        api=ctypes.addressof(api),
        stage=EXECUTE,
        operands=_buffers(operands, kept),
        results=_buffers(results, kept),
        attributes=_attributes(attributes, kept),
    )
    error = load_library().tl_xla_call(ctypes.addressof(frame))
    assert bool(error) == bool(errors)
    if errors:
        raise errors[0]


def _pointers(values: Sequence[Any], kept: list[Any]) -> int:
    array = (ADDRESS * len(values))(*map(ctypes.addressof, values))
    kept += [array, *values]
    return ctypes.addressof(array)


def _numbers(values: Sequence[int], kind: Any, kept: list[Any]) -> int:
    array = (kind * len(values))(*values)
    kept.append(array)
    return ctypes.addressof(array)


def _buffers(arrays: Sequence[np.ndarray], kept: list[Any]) -> Buffers:
    made = [
        Buffer(0, None, NUMPY_TYPES[each.dtype.name], each.ctypes.data, each.ndim, _numbers(each.shape, I64, kept))
        for each in arrays
    ]
    return Buffers(0, None, len(made), _numbers([BUFFER] * len(made), I32, kept), _pointers(made, kept))


def _attributes(given: dict[str, Any], kept: list[Any]) -> Attributes:
    names = [Span(name.encode(), len(name)) for name in given]
    values = [Span(value.encode(), len(value)) if isinstance(value, str) else I64(value) for value in given.values()]
    kinds = [STRING if isinstance(value, str) else SCALAR for value in given.values()]
    size = len(names)
    return Attributes(0, None, size, _numbers(kinds, I32, kept), _pointers(names, kept), _pointers(values, kept))


@tl.function
def mixed(x: tl.f64[:, 2], n: tl.i32, s: tl.f32, flags: tl.bool_[:], deep: tl.f64, wide: tl.i64):
    return x * deep, n + 1, s * 2.0, tl.sum(tl.where(flags, 1, 0)), n > 3, flags, wide * 2


@pytest.fixture(scope="module")
def kernel() -> tl.Kernel:
    return mixed.lower()


@pytest.fixture(scope="module")
def digest(kernel: tl.Kernel) -> str:
    return exported(kernel)


X, FLAGS = np.arange(6.0).reshape(3, 2), np.array([True, False, True, True])


def operands(deep: Any = 1.5, wide: Any = -7) -> list[np.ndarray]:
    return [X, np.array(-4, np.int32), np.array(0.25, np.float32), FLAGS, np.array(deep), np.array(wide)]


def results() -> list[np.ndarray]:
    scalars = [np.zeros((), dtype) for dtype in (np.int32, np.float32, np.int64, np.bool_)]
    return [np.zeros((3, 2)), *scalars, np.zeros(4, np.bool_), np.zeros((), np.int64)]


def check(given: Sequence[np.ndarray], found: Sequence[np.ndarray]) -> None:
    for ours, expected in zip(found, mixed(*given), strict=True):
        np.testing.assert_array_equal(ours, expected)


def test_every_type_of_kernels_has_one_of_xla() -> None:
    assert set(XLA_TYPES) == set(DTYPES)


def test_arrays_are_used_in_place_and_numbers_by_value(digest: str) -> None:
    given, found = operands(), results()
    call(digest, given, found)
    check(given, found)


def test_other_attributes_do_not_matter(digest: str) -> None:
    given, found = operands(), results()
    call(digest, given, found, a=1, kernel_of="x")
    check(given, found)


def test_numbers_may_have_fewer_bits(digest: str) -> None:
    given, found = operands(np.float32(0.1), np.int32(-3)), results()
    call(digest, given, found)
    np.testing.assert_array_equal(found[0], X * float(np.float32(0.1)))
    assert found[-1] == -6


def test_numbers_without_a_sign() -> None:
    kernel, found = (
        tl.compile(lambda n, x: (n + 1, x), (tl.u32, tl.u32[:])),
        [np.zeros((), np.uint32), np.zeros(2, np.uint32)],
    )
    given = np.array([2**32 - 2, 2**31], np.uint32)
    call(exported(kernel), [np.array(2**32 - 3, np.uint32), given], found)
    assert found[0] == 2**32 - 2
    np.testing.assert_array_equal(found[1], given)


def test_many_threads_call_at_once(digest: str) -> None:
    made = [(operands(float(k)), results()) for k in range(8)]
    threads = [Thread(target=call, args=(digest, *each)) for each in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for given, found in made:
        check(given, found)


@pytest.mark.parametrize("name", [None, "0" * 64, "short", ""])
def test_an_unknown_digest_is_an_error(name: str | None) -> None:
    with pytest.raises(Called, match="no kernel of the digest") as error:
        call(name, operands(), results())
    assert error.value.code == NOT_FOUND


def test_an_attribute_of_another_kind_is_no_digest() -> None:
    with pytest.raises(Called, match="no kernel of the digest"):
        call(None, operands(), results(), kernel=5)


def _changed(values: list[np.ndarray], place: int, other: np.ndarray) -> list[np.ndarray]:
    return [other if k == place else each for k, each in enumerate(values)]


WRONG = {
    "too few operands": lambda: (operands()[:-1], results()),
    "too many results": lambda: (operands(), [*results(), np.zeros(1)]),
    "another type of elements": lambda: (_changed(operands(), 0, X.astype(np.float32)), results()),
    "another type of a number": lambda: (_changed(operands(), 1, np.array(1.0)), results()),
    "a wider number": lambda: (_changed(operands(), 2, np.array(1.0)), results()),
    "another rank": lambda: (_changed(operands(), 0, np.zeros(6)), results()),
    "another size": lambda: (_changed(operands(), 0, np.zeros((2, 3))), results()),
    "another type of a result": lambda: (operands(), _changed(results(), 0, np.zeros((3, 2), np.float32))),
    "a narrow result": lambda: (operands(), _changed(results(), 6, np.zeros((), np.int32))),
}


@pytest.mark.parametrize("why", WRONG)
def test_other_buffers_are_refused(digest: str, why: str) -> None:
    with pytest.raises(Called, match=r"are not those of the kernel mixed\(\)") as error:
        call(digest, *WRONG[why]())
    assert error.value.code == INVALID_ARGUMENT


def test_results_of_another_size_are_refused(digest: str) -> None:
    for other in (np.zeros((4, 2)), np.zeros((2, 2))):
        with pytest.raises(Called, match=r"are not those of the kernel mixed\(\)"):
            call(digest, operands(), _changed(results(), 0, other))


SIZES: dict[str, Any] = {
    "sum": lambda x, y: np.concatenate([x, y, x]),
    "difference": lambda x, y: x[len(y) :],
    "product": lambda x, y: tl.reshape(tl.map(lambda a: y * a, x), (-1,)),
    "least": lambda x, y: x[: len(y)],
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_of_results_are_computed_again(name: str) -> None:
    function = tl.function(SIZES[name])
    kernel = function.lower(tl.f64[:], tl.f64[:])
    assert [result.place for result in kernel.abi.results] == ["out"]
    digest = exported(kernel)
    for x, y in ((np.arange(7.0), np.arange(3.0)), (np.arange(3.0), np.arange(8.0)), (np.zeros(0), np.ones(1))):
        expected = function(x, y)
        found = np.zeros_like(expected)
        call(digest, [x, y], [found])
        np.testing.assert_array_equal(found, expected)
        with pytest.raises(Called, match="are not those of the kernel"):
            call(digest, [x, y], [np.zeros(len(expected) + 1)])


@tl.function
def checked(x: tl.f64[:], i: tl.i64, low: tl.f64):
    assert low != -1.0, "it is too low"
    return x[i + 0 * int(low)]


def test_a_failed_check_comes_with_its_line() -> None:
    digest, found = exported(checked.lower()), [np.zeros(())]
    call(digest, [X[:, 0].copy(), np.array(1), np.array(1.0)], found)
    assert found[0] == 2.0
    with pytest.raises(Called) as error:
        call(digest, [X[:, 0].copy(), np.array(9), np.array(1.0)], found)
    text = str(error.value)
    assert text.startswith(f"IndexOutOfRange: {Path(__file__)}:") or Path(__file__).name in text
    assert "index 9 is out of range for axis 0 with size 3\n    return x[i + 0 * int(low)]" in text
    with pytest.raises(Called, match=r"CheckFailed: .*it is too low"):
        call(digest, [X[:, 0].copy(), np.array(1), np.array(-1.0)], found)


@pytest.mark.parametrize("low", [1e30, -1.5e300, 12345678901234567890.0, float("inf"), -float("inf"), float("nan")])
def test_numbers_of_messages_are_the_same_numbers(low: float) -> None:
    with pytest.raises(tl.ConversionError) as expected:
        checked(X[:, 0].copy(), 1, low)
    with pytest.raises(Called) as error:
        call(exported(checked.lower()), [X[:, 0].copy(), np.array(1), np.array(low)], [np.zeros(())])
    assert str(error.value) == f"ConversionError: {expected.value}"


def test_the_version_is_told_without_a_call() -> None:
    metadata = Metadata(struct_size=ctypes.sizeof(Metadata), major=-1, minor=-1, traits=7)
    extension = Extension(ctypes.sizeof(Extension), METADATA, None, ctypes.addressof(metadata))
    frame = Frame(struct_size=ctypes.sizeof(Frame), extensions=ctypes.addressof(extension))
    assert load_library().tl_xla_call(ctypes.addressof(frame)) is None
    assert (metadata.major, metadata.minor, metadata.traits) == (0, 3, 0)


def test_a_digest_is_that_of_code_contract_and_messages(kernel: tl.Kernel, digest: str) -> None:
    assert digest == exported(kernel) == digest_of(kernel.code)
    here = tl.compile(lambda x: x[3], (tl.f64[:],))
    there = tl.compile(lambda x: x[3], (tl.f64[:],))
    assert digest_of(here.code) != digest_of(there.code)  # their messages name another line
    assert here.code.image == there.code.image


def test_kernels_with_many_numbers() -> None:
    @tl.function
    def total(numbers):
        return sum(numbers)

    numbers = [float(k) for k in range(300)]
    kernel, found = total.lower(numbers), [np.zeros(())]
    call(exported(kernel), [np.array(each) for each in numbers], found)
    assert found[0] == sum(numbers)
