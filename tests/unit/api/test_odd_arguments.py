"""Objects of other libraries that fail when they are asked for their elements: every failure is a TapelessError."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text


@tl.function
def typed(x: tl.f64[:]):
    return tl.sum(x * x)


@tl.function
def untyped(x):
    return tl.sum(x * x)


@tl.function
def of_number(x: tl.f64):
    return x * x


class Odd(Exception):
    """What a library raises that nobody knows."""


FAILURES = (Odd, BufferError, RuntimeError, TypeError, ValueError, AttributeError, MemoryError, KeyError)


def failing_method(name: str, failure: type[Exception], **fields: Any) -> Any:
    def fail(self: Any, *arguments: Any, **options: Any) -> Any:
        raise failure("no elements")

    return type("Tensor", (), {name: fail, **fields})()


def failing_property(name: str, failure: type[Exception]) -> Any:
    def fail(self: Any) -> Any:
        raise failure("no elements")

    return type("Tensor", (), {name: property(fail)})()


PROTOCOLS: dict[str, Callable[[type[Exception]], Any]] = {
    "dlpack": lambda failure: failing_method("__dlpack__", failure, __dlpack_device__=lambda self: (1, 0)),
    "dlpack's device": lambda failure: failing_method("__dlpack_device__", failure, __dlpack__=lambda self: None),
    "dlpack as property": lambda failure: failing_property("__dlpack__", failure),
    "array interface": lambda failure: failing_property("__array_interface__", failure),
    "interface of GPUs": lambda failure: failing_property("__cuda_array_interface__", failure),
    "__array__": lambda failure: failing_method("__array__", failure),
    "__len__": lambda failure: failing_method("__len__", failure),
    "__float__": lambda failure: failing_method("__float__", failure),
    "buffer": lambda failure: failing_method("__buffer__", failure),
}
WAYS: dict[str, Callable[[Any], Any]] = {
    "a call": typed,
    "a call without annotations": untyped,
    "a scalar": of_number,
    "grad": tl.grad(typed),
    "vjp": lambda x: tl.vjp(typed, x),
    "jvp": lambda x: tl.jvp(typed, (x,), (x,)),
    "a tangent": lambda x: tl.jvp(typed, (np.ones(3),), (x,)),
    "a cotangent": lambda x: tl.vjp(typed, np.ones(3))[1](x),
    "load": tl.load,
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_failure_is_an_error_of_ours(protocol: str, way: str) -> None:
    for failure in FAILURES:
        with pytest.raises(tl.TapelessError):
            WAYS[way](PROTOCOLS[protocol](failure))


def test_released_views_are_refused() -> None:
    view = memoryview(np.ones(3))
    view.release()
    for way in (typed, untyped, tl.load):
        with pytest.raises(tl.TapelessError):
            way(view)


@pytest.mark.parametrize(
    ("fields", "advice"),
    [
        ({"requires_grad": True, "dtype": "torch.float64"}, r"pass x\.detach\(\)"),
        ({"requires_grad": False, "dtype": "torch.bfloat16"}, r"numpy has no torch\.bfloat16: pass x\.float\(\)"),
        ({"dtype": "bfloat16"}, r"numpy has no bfloat16: pass x\.astype\('float32'\)"),
        ({"dtype": "torch.complex128", "is_conj": lambda self: True}, r"pass x\.real"),
        ({}, "pass a numpy array"),
    ],
)
def test_tensors_are_told_what_to_write(fields: dict[str, Any], advice: str) -> None:
    tensor = failing_method("__dlpack__", BufferError, __dlpack_device__=lambda self: (1, 0), **fields)
    for way in (typed, untyped, tl.grad(typed)):
        with pytest.raises(tl.TypeMismatch, match=rf"'x' is a Tensor that .*\(BufferError: no elements\); {advice}"):
            way(tensor)


ODD_DTYPES = [
    np.float16,
    np.complex128,
    object,
    "M8[s]",
    "m8[s]",
    "S3",
    "U3",
    "V4",
    [("a", "f8")],
    np.uint8,
    np.longdouble,
]


@pytest.mark.parametrize("dtype", ODD_DTYPES, ids=str)
def test_odd_dtypes_are_refused(dtype: Any) -> None:
    value = np.zeros(3, dtype)
    with pytest.raises(tl.TypeMismatch, match=r"convert it with x\.astype\(np\.float64\)"):
        typed(value)
    if dtype not in (np.float16,):
        with pytest.raises(tl.TypeMismatch):
            untyped(value)


class Lending:
    """An array of another library, by DLPack."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **_: Any) -> Any:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


@pytest.mark.parametrize(
    ("module", "advice"), [("torch", r"x\.to\(torch\.float64\)"), ("other", r"np\.asarray\(x\)\.astype\(np\.float64\)")]
)
def test_arrays_of_other_libraries_are_converted_their_way(module: str, advice: str) -> None:
    tensor = type("Tensor", (Lending,), {"__module__": module})(np.zeros(3, np.float16))
    with pytest.raises(tl.TypeMismatch, match=f"convert it with {advice}"):
        typed(tensor)


class Number(float):
    """A float whose value cannot be had."""

    def __float__(self) -> float:
        raise Odd("none")


def test_numbers_that_are_none() -> None:
    with pytest.raises(tl.TypeMismatch, match=r"'x' is a Number that is no number \(Odd: none\); pass a Python float"):
        of_number(Number(1.0))


def views() -> dict[str, np.ndarray]:
    base = np.arange(1.0, 7.0)
    misaligned = np.zeros(6 * 8 + 1, np.uint8)[1:].view(np.float64)
    misaligned[:] = base
    read_only = base.copy()
    read_only.flags.writeable = False
    return {
        "repeated": np.broadcast_to(2.0, 6),
        "backwards": base[::-1],
        "with gaps": np.arange(18.0)[::3],
        "misaligned": misaligned,
        "swapped": base.astype(">f8"),
        "read-only": read_only,
        "empty": base[:0],
        "record": np.rec.array(base),
    }


@pytest.mark.parametrize("view", views())
def test_views_are_taken_as_they_are(view: str) -> None:
    value = views()[view]
    for way in (typed, untyped):
        assert way(value) == pytest.approx(float(np.sum(np.asarray(value, float) ** 2)))
    np.testing.assert_allclose(tl.grad(typed)(value), 2 * np.asarray(value, float))


def test_axes_that_are_not_there_are_refused() -> None:
    for value in (np.float64(1.0), np.array(1.0), np.ones((1, 1)).view(np.matrix), np.ma.masked_array([1.0], [True])):
        with pytest.raises(tl.TypeMismatch):
            typed(value)


@pytest.mark.parametrize("path", ["a\0b", "\ud800", 3, None, 1.5, ["x"]])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(tl.ArgumentError, match="give"):
        tl.load(path)


def nested(depth: int) -> Any:
    lines = ["def deep(x: tl.f64):", *["    x = (x,)"] * depth, "    return x"]
    return tl.function(function_from_text("\n".join(lines), "deep"))


@pytest.mark.parametrize("depth", [60, 220, 256])
def test_results_may_be_nested_deeply(depth: int) -> None:
    kernel = tl.compile(nested(depth))
    for call in (kernel, tl.load(kernel.__reduce__()[1][0])):
        found, levels = call(1.5), 0
        while isinstance(found, tuple):
            (found,), levels = found, levels + 1
        assert (found, levels) == (1.5, depth)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("depth", [257, 1500])
def test_results_nested_too_deeply_are_refused(depth: int) -> None:
    with pytest.raises(
        tl.FrontendError, match=r"<text \d+>:1: deep\(\) returns structures nested more than 256 deep; return"
    ):
        nested(depth)(1.5)
