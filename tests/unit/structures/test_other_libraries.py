"""Columns of tables and pickles of other libraries, by stand-ins that speak the protocols of pandas and cloudpickle."""

from __future__ import annotations

import io
import marshal
import pickle
from types import CellType, FunctionType
from typing import Any

import numpy as np
import pytest

import tapeless as tl


class Series:
    """As a column of pandas: neither a buffer nor DLPack, but `__array__`."""

    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values)

    @property
    def dtype(self) -> np.dtype:
        return self._values.dtype

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self._values if dtype is None else self._values.astype(dtype)

    def __len__(self) -> int:
        return len(self._values)


@tl.function
def total(table):
    return tl.sum(table["a"] * table["b"])


@tl.function
def doubled(x: tl.f64[:]):
    return 2.0 * x


def test_columns_are_arrays() -> None:
    table = {"a": Series([1.0, 2.0]), "b": Series(np.array([3, 4]))}
    assert total(table) == 11.0
    np.testing.assert_array_equal(doubled(table["a"]), [2.0, 4.0])
    np.testing.assert_array_equal(tl.compile(doubled)(table["a"]), [2.0, 4.0])
    with pytest.raises(tl.TypeMismatch, match=r"argument 'table\['a'\]': dtype object is not supported"):
        total({**table, "a": Series(np.array(["x", None], object))})
    with pytest.raises(tl.TypeMismatch, match="argument 'x' is an array of int64"):
        doubled(table["b"])


class ByValue(pickle.Pickler):
    """As the pickler of cloudpickle: functions that nobody finds by name go with their code and what they capture."""

    def dump(self, obj: Any) -> None:
        super().dump(obj)

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, FunctionType) and ("<" in obj.__qualname__ or obj.__module__ == "__main__"):
            cells = tuple(cell.cell_contents for cell in obj.__closure__ or ())
            names = {name: obj.__globals__[name] for name in obj.__code__.co_names if name in ("np", "scale")}
            return _function, (marshal.dumps(obj.__code__), obj.__name__, cells, names)
        return NotImplemented


def _function(code: bytes, name: str, cells: tuple[Any, ...], names: dict[str, Any]) -> FunctionType:
    made = tuple(map(CellType, cells))
    return FunctionType(marshal.loads(code), {"tl": tl, "__name__": "elsewhere", **names}, name, None, made)


def by_value(value: Any) -> Any:
    file = io.BytesIO()
    ByValue(file).dump(value)
    return pickle.loads(file.getvalue())


def test_picklers_by_value_take_nested_functions_and_lambdas() -> None:
    factor = 3.0

    @tl.function
    def nested(x):
        return factor * x * x

    copy = by_value(nested)
    assert copy is not nested and copy(2.0) == 12.0
    assert by_value(tl.grad(nested))(2.0) == 12.0
    assert by_value(tl.function(lambda x: x + 1.0))(2.0) == 3.0
    assert by_value(tl.jit(tl.vmap(lambda x: x * x), checks="off"))(np.ones(2)).tolist() == [1.0, 1.0]
    assert by_value(doubled) is doubled
    with pytest.raises(tl.NotPicklable, match="use cloudpickle"):
        pickle.dumps(nested)
