"""Every operation on numbers that may stand in a body of linalg, in every dtype, with what numpy says of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

DTYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "i1": np.bool_}
FLOATS, INTEGERS = ("f64", "f32"), ("i64", "i32")


class Row(NamedTuple):
    """An operation on `%x`, `%y`, `%z` of a dtype `T`, and what it gives; `smooth` ones have a derivative anywhere."""

    text: str
    dtypes: tuple[str, ...]
    expected: Callable[..., Any]
    result: str = "T"
    smooth: bool = False


def unary(name: str, function: Callable[..., Any], *, smooth: bool = True) -> Row:
    return Row(f"math.{name} %x : T", FLOATS, lambda x, y, z: function(x), smooth=smooth)


def binary(name: str, dtypes: tuple[str, ...], function: Callable[..., Any], *, smooth: bool = False) -> Row:
    return Row(f"{name} %x, %y : T", dtypes, lambda x, y, z: function(x, y), smooth=smooth)


def unsigned(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of the same bits without a sign."""

    def of_bits(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        kind = np.dtype(f"u{x.dtype}")
        return function(x.view(kind), y.view(kind)).view(x.dtype)

    return of_bits


def rounded_away(x: np.ndarray) -> np.ndarray:
    return np.sign(x) * np.floor(np.abs(x) + 0.5)


def pointwise(function: Callable[[float], float]) -> Callable[..., Any]:
    return lambda x: np.array([function(float(each)) for each in x])


def compared(kind: str, name: str, dtypes: tuple[str, ...], function: Callable[..., Any]) -> Row:
    return Row(f"arith.cmp{kind} {name}, %x, %y : T", dtypes, lambda x, y, z: function(x, y), "i1")


def bits(x: np.ndarray) -> np.ndarray:
    """The bits of integers, the highest first."""
    return np.array([[int(each) for each in np.binary_repr(n, 8 * x.itemsize)] for n in x])


def zeros(digits: np.ndarray) -> np.ndarray:
    """How many zeros each row begins with."""
    return (np.cumsum(digits, 1) == 0).sum(1)


ROWS = [
    *(
        unary(name, function)
        for name, function in {
            **{each: getattr(np, each) for each in ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt")},
            **{each: getattr(np, each) for each in ("cbrt", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
            **{each: getattr(np, f"arc{each[1:]}") for each in ("asin", "acos", "atan", "asinh", "atanh")},
            "rsqrt": lambda x: 1 / np.sqrt(x),
            "erf": pointwise(math.erf),
            "erfc": pointwise(math.erfc),
            "absf": np.abs,
        }.items()
    ),
    *(
        unary(name, function, smooth=False)
        for name, function in {
            **{each: getattr(np, each) for each in ("floor", "ceil", "trunc")},
            "round": rounded_away,
            "roundeven": np.rint,
        }.items()
    ),
    Row(
        "math.acosh %w : T",
        FLOATS,
        lambda x, y, z: np.arccosh(x + np.float32(1.5)),
        smooth=True,
    ),
    *(
        Row(f"math.{name} %x : T", FLOATS, lambda x, y, z, function=function: function(x), "i1")
        for name, function in {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}.items()
    ),
    Row("math.clampf %x to [%y, %z] : T", FLOATS, lambda x, y, z: np.minimum(np.maximum(x, y), z)),
    Row("math.fma %x, %y, %z : T", FLOATS, lambda x, y, z: x * y + z, smooth=True),
    Row("math.fpowi %x, %three : T, i32", FLOATS, lambda x, y, z: x**3, smooth=True),
    Row("arith.negf %x : T", FLOATS, lambda x, y, z: -x, smooth=True),
    binary("math.atan2", FLOATS, np.arctan2, smooth=True),
    binary("math.powf", FLOATS, np.power, smooth=True),
    binary("math.copysign", FLOATS, lambda x, y: np.copysign(x, y)),
    binary("arith.addf", FLOATS, np.add, smooth=True),
    binary("arith.subf", FLOATS, np.subtract, smooth=True),
    binary("arith.mulf", FLOATS, np.multiply, smooth=True),
    binary("arith.divf", FLOATS, np.divide, smooth=True),
    binary("arith.remf", FLOATS, np.fmod),
    binary("arith.maximumf", FLOATS, np.maximum, smooth=True),
    binary("arith.minimumf", FLOATS, np.minimum, smooth=True),
    binary("arith.maxnumf", FLOATS, np.fmax, smooth=True),
    binary("arith.minnumf", FLOATS, np.fmin, smooth=True),
    *(
        compared("f", name, FLOATS, function)
        for name, function in {
            "oeq": np.equal,
            "une": np.not_equal,
            "olt": np.less,
            "ole": np.less_equal,
            "ogt": np.greater,
            "oge": np.greater_equal,
            "ult": lambda x, y: ~(x >= y),
            "uno": lambda x, y: np.isnan(x) | np.isnan(y),
            "ord": lambda x, y: ~(np.isnan(x) | np.isnan(y)),
            "one": lambda x, y: (x < y) | (x > y),
            "ueq": lambda x, y: ~((x < y) | (x > y)),
        }.items()
    ),
    *(
        compared("i", name, INTEGERS, function)
        for name, function in {
            "eq": np.equal,
            "ne": np.not_equal,
            "slt": np.less,
            "sge": np.greater_equal,
            "ult": lambda x, y: x.view(f"u{x.dtype}") < y.view(f"u{x.dtype}"),
            "uge": lambda x, y: x.view(f"u{x.dtype}") >= y.view(f"u{x.dtype}"),
        }.items()
    ),
    binary("arith.addi", INTEGERS, np.add),
    binary("arith.subi", INTEGERS, np.subtract),
    binary("arith.muli", INTEGERS, np.multiply),
    binary("arith.divsi", INTEGERS, lambda x, y: (np.abs(x) // np.abs(y)) * np.sign(x) * np.sign(y)),
    binary("arith.remsi", INTEGERS, np.fmod),
    binary("arith.divui", INTEGERS, unsigned(np.floor_divide)),
    binary("arith.remui", INTEGERS, unsigned(np.remainder)),
    binary("arith.floordivsi", INTEGERS, np.floor_divide),
    binary("arith.ceildivsi", INTEGERS, lambda x, y: -(-x // y)),
    binary("arith.ceildivui", INTEGERS, unsigned(lambda x, y: x // y + (x % y != 0).astype(x.dtype))),
    binary("arith.andi", (*INTEGERS, "i1"), np.bitwise_and),
    binary("arith.ori", (*INTEGERS, "i1"), np.bitwise_or),
    binary("arith.xori", (*INTEGERS, "i1"), np.bitwise_xor),
    Row("arith.shli %x, %z : T", INTEGERS, lambda x, y, z: x << z),
    Row("arith.shrsi %x, %z : T", INTEGERS, lambda x, y, z: x >> z),
    Row("arith.shrui %x, %z : T", INTEGERS, lambda x, y, z: unsigned(np.right_shift)(x, z)),
    binary("arith.maxsi", INTEGERS, np.maximum),
    binary("arith.minsi", INTEGERS, np.minimum),
    binary("arith.maxui", INTEGERS, unsigned(np.maximum)),
    binary("arith.minui", INTEGERS, unsigned(np.minimum)),
    Row("math.ctpop %x : T", INTEGERS, lambda x, y, z: bits(x).sum(-1).astype(x.dtype)),
    Row("math.ctlz %x : T", INTEGERS, lambda x, y, z: zeros(bits(x)).astype(x.dtype)),
    Row("math.cttz %x : T", INTEGERS, lambda x, y, z: zeros(bits(x)[:, ::-1]).astype(x.dtype)),
    Row("math.absi %x : T", INTEGERS, lambda x, y, z: np.abs(x)),
    Row("math.ipowi %x, %z : T", INTEGERS, lambda x, y, z: x**z),
    Row("arith.select %p, %x, %y : T", (*FLOATS, *INTEGERS, "i1"), lambda x, y, z: np.where(PICKED, x, y)),
    Row("arith.extf %x : T to f64", ("f32",), lambda x, y, z: x.astype(np.float64), "f64", smooth=True),
    Row("arith.truncf %x : T to f32", ("f64",), lambda x, y, z: x.astype(np.float32), "f32"),
    *(
        Row(f"arith.{name} %w : T to {to}", FLOATS, lambda x, y, z, to=to: x.astype(DTYPES[to]), to)
        for name in ("fptosi", "fptoui")
        for to in INTEGERS
    ),
    *(Row(f"arith.sitofp %x : T to {to}", INTEGERS, lambda x, y, z, to=to: x.astype(DTYPES[to]), to) for to in FLOATS),
    *(
        Row(
            f"arith.uitofp %x : T to {to}",
            (*INTEGERS, "i1"),
            lambda x, y, z, to=to: (x if x.dtype == bool else x.view(f"u{x.dtype}")).astype(DTYPES[to]),
            to,
        )
        for to in FLOATS
    ),
    Row("arith.extsi %x : T to i64", ("i32",), lambda x, y, z: x.astype(np.int64), "i64"),
    Row("arith.extui %x : T to i64", ("i32",), lambda x, y, z: x.view(np.uint32).astype(np.int64), "i64"),
    Row("arith.extui %x : T to i64", ("i1",), lambda x, y, z: x.astype(np.int64), "i64"),
    Row("arith.extsi %x : T to i64", ("i1",), lambda x, y, z: -x.astype(np.int64), "i64"),
    Row("arith.trunci %x : T to i32", ("i64",), lambda x, y, z: x.astype(np.int32), "i32"),
    Row("arith.trunci %x : T to i1", INTEGERS, lambda x, y, z: (x & 1).astype(bool), "i1"),
    Row("arith.bitcast %x : T to i64", ("f64",), lambda x, y, z: x.view(np.int64), "i64"),
    Row("arith.bitcast %x : T to f32", ("i32",), lambda x, y, z: x.view(np.float32), "f32"),
]
PICKED = np.array([True, False, False] * 2)
"""What `%p` is; `%w` is `%x`, and for floats a number between 1.5 and 2.5 more than it."""

VALUES = {
    "f": (
        (0.3, 0.71, 0.11, 0.95, 0.5, 0.62),
        (1.3, -0.4, 0.9, 0.2, -1.7, 2.2),
        (0.25, -0.5, 1.5, 2.0, -3.0, 0.125),
    ),
    "i": ((-7, 9, -100, 2**31 - 3, 5, -1), (2, -3, 7, 5, -2, 31), (1, 0, 3, 2, 4, 1)),
    "i1": ((False, True) * 3, (False, False, True) * 2, (True,) * 6),
}
EDGES = {
    "f": (
        (-0.0, np.nan, np.inf, -np.inf, 0.0, -2.5),
        (0.0, 1.0, -1.0, np.nan, -0.0, -2.5),
        (0.25, -0.5, 1.5, 2.0, -3.0, 0.125),
    )
}


def arguments(dtype: str, *, at_edges: bool = False) -> list[np.ndarray]:
    """Three arrays of a dtype, ordinary ones or those with zeros, infinities and NaN."""
    values = EDGES["f"] if at_edges else VALUES.get(dtype, VALUES[dtype[0]])
    return [np.array(each, DTYPES[dtype]) for each in values]


def rows_of(dtype: str, *, smooth: bool = False) -> list[Row]:
    """The rows that a dtype has."""
    return [row for row in ROWS if dtype in row.dtypes and (row.smooth or not smooth)]


def module(dtype: str, rows: list[Row]) -> str:
    """A `linalg.generic` whose body has every row, with a result for each."""
    results = [dtype if row.result == "T" else row.result for row in rows]
    names = ", ".join(f"%o{k}" for k in range(len(rows)))
    types = ", ".join(f"tensor<6x{each}>" for each in results)
    empty = "\n  ".join(f"%o{k} = tensor.empty() : tensor<6x{each}>" for k, each in enumerate(results))
    out = ", ".join(f"%u{k}: {each}" for k, each in enumerate(results))
    lines = "\n    ".join(f"%r{k} = {row.text.replace(': T', f': {dtype}')}" for k, row in enumerate(rows))
    given = ", ".join(f"%r{k}" for k in range(len(rows)))
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (4 + len(rows)))
    t = f"tensor<6x{dtype}>"
    more = f"%c = arith.constant 1.5 : {dtype}\n    %w = arith.addf %x, %c : {dtype}" if dtype in FLOATS else ""
    return f"""func.func @main(%a: {t}, %b: {t}, %d: {t}) -> ({types}) {{
  %three = arith.constant 3 : i32
  %picked = arith.constant dense<[{", ".join(str(bool(each)).lower() for each in PICKED)}]> : tensor<6xi1>
  {empty}
  %r:{len(rows)} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
      ins(%a, %b, %d, %picked : {t}, {t}, {t}, tensor<6xi1>) outs({names} : {types}) {{
  ^bb0(%x: {dtype}, %y: {dtype}, %z: {dtype}, %p: i1, {out}):
    {more}
    {lines}
    linalg.yield {given} : {", ".join(results)}
  }} -> ({types})
  return {", ".join(f"%r#{k}" for k in range(len(rows)))} : {types}
}}"""
