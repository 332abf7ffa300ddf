"""Arrays of other libraries as arrays and numbers of numpy: what they hand over, and what they do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.runtime.calling.views import number_in, view_of


class Tensor:
    """As torch's: it has no buffer, and says what it is."""

    def __init__(self, values: Any, requires_grad: bool = False, is_cpu: bool = True) -> None:
        self.values, self.requires_grad, self.is_cpu = np.asarray(values), requires_grad, is_cpu
        self.views = 0

    requires_grad: bool = False
    is_cpu: bool = True

    @property
    def dtype(self) -> str:
        return f"tensor.{self.values.dtype}"

    @property
    def ndim(self) -> int:
        return self.values.ndim

    def item(self) -> Any:
        return self.values.item()

    def numpy(self) -> np.ndarray:
        self.views += 1
        if self.requires_grad or not self.is_cpu:
            raise RuntimeError("it is not handed over")
        return self.values

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        return self.numpy()


@pytest.mark.parametrize("number", [np.float64(0.1), np.float32(0.1), np.int64(-(2**62)), np.int32(7), np.bool_(True)])
def test_numbers_keep_their_type(number: np.generic) -> None:
    tensors = [Tensor(number) for _ in range(3)]
    found = [number_in(tensor) for tensor in tensors]
    assert all(type(each) is type(number) and each == number for each in found)
    assert tensors[-1].views == 0
    shared = memoryview(np.array(number))
    assert type(number_in(shared)) is type(number)
    assert number_in(shared) == number


@pytest.mark.parametrize("kept", [{"requires_grad": True}, {"is_cpu": False}])
def test_what_is_not_handed_over(kept: dict[str, bool]) -> None:
    assert number_in(Tensor(0.5)) == 0.5
    assert number_in(Tensor(0.5, **kept)) is None
    assert view_of(Tensor(np.ones(2), **kept)) is None


@pytest.mark.parametrize("value", [Tensor(np.ones(2)), memoryview(np.ones(2)), memoryview(b"ab"), None, "x", object()])
def test_what_is_no_number(value: Any) -> None:
    assert number_in(value) is None


@tl.function
def scaled(x, s):
    return x * s


def test_calls_with_tensors_out_of_order_and_without_axes() -> None:
    values = np.arange(6.0).reshape(2, 3)
    turned = Tensor(values.T)
    for _ in range(3):
        np.testing.assert_array_equal(scaled(turned, Tensor(2.0)), values.T * 2.0)
    assert scaled(Tensor(values.T.astype(np.float32)), 2.0).dtype == np.float32
    with pytest.raises(tl.TypeMismatch, match="does not hand over its elements"):
        scaled(turned, Tensor(2.0, requires_grad=True))
    with pytest.raises(tl.TypeMismatch, match="does not hand over its elements"):
        scaled(Tensor(values.T, requires_grad=True), 2.0)
