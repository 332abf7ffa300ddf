"""Every elementwise operation of StableHLO in every dtype, as one module per dtype with a result per operation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

DTYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "i1": np.bool_}
FLOATS = ("f64", "f32")
INTEGERS = ("i64", "i32")
NUMBERS = (*FLOATS, *INTEGERS)
ALL = (*NUMBERS, "i1")
DIRECTIONS = ("EQ", "NE", "LT", "LE", "GT", "GE")

FLOAT_FUNCTIONS = (
    *("floor", "ceil", "round_nearest_even", "round_nearest_afz", "sqrt", "rsqrt", "cbrt", "exponential"),
    *("exponential_minus_one", "log", "log_plus_one", "logistic", "sine", "cosine", "tan", "tanh"),
)
UNARY = {
    **dict.fromkeys(FLOAT_FUNCTIONS, FLOATS),
    **dict.fromkeys(("negate", "abs", "sign"), NUMBERS),
    "not": (*INTEGERS, "i1"),
    **dict.fromkeys(("popcnt", "count_leading_zeros"), INTEGERS),
}
BINARY = {
    **dict.fromkeys(("add", "multiply", "maximum", "minimum"), ALL),
    **dict.fromkeys(("subtract", "divide", "remainder", "power"), NUMBERS),
    "atan2": FLOATS,
    **dict.fromkeys(("and", "or", "xor"), (*INTEGERS, "i1")),
    **dict.fromkeys(("shift_left", "shift_right_logical", "shift_right_arithmetic"), INTEGERS),
}
VALUES = {
    "f": (
        (-2.5, -1.0, -0.0, 0.0, 0.5, 1.5, 2.5, np.nan, np.inf, -np.inf, 4.0, -7.0),
        (1.5, -0.5, 2.0, -3.0, 0.5, -1.5, 2.0, 1.0, 2.0, 1.0, np.nan, 3.0),
    ),
    "i": ((-7, -1, 0, 1, 5, 7, 100, -100, 3, 9, -9, 6), (2, -3, 5, 1, -2, 7, 3, 3, 31, 4, 2, 40)),
    "i1": ((False, True) * 6, (False, False, True, True) * 3),
}


class Row(NamedTuple):
    """An operation: its name, the text with `%x`, `%y`, `%p`, and the dtype of its result."""

    name: str
    text: str
    result: str


def arguments(dtype: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two arrays of a dtype and one of bools."""
    x, y = VALUES.get(dtype, VALUES[dtype[0]])
    return np.array(x, DTYPES[dtype]), np.array(y, DTYPES[dtype]), np.array([True, False, False] * 4)


def rows(dtype: str) -> list[Row]:
    """The operations that a dtype has."""
    t, b = f"tensor<12x{dtype}>", "tensor<12xi1>"
    found = [Row(name, f"stablehlo.{name} %x : {t}", dtype) for name, has in UNARY.items() if dtype in has]
    found += [Row(name, f"stablehlo.{name} %x, %y : {t}", dtype) for name, has in BINARY.items() if dtype in has]
    kinds = ("FLOAT", "TOTALORDER") if dtype in FLOATS else ("UNSIGNED",) if dtype == "i1" else ("SIGNED",)
    found += [
        Row("compare", f"stablehlo.compare {direction}, %x, %y, {kind} : ({t}, {t}) -> {b}", "i1")
        for direction in DIRECTIONS
        for kind in kinds
    ]
    found.append(Row("select", f"stablehlo.select %p, %x, %y : {b}, {t}", dtype))
    found += [Row("convert", f"stablehlo.convert %{_source(dtype, to)} : ({t}) -> tensor<12x{to}>", to) for to in ALL]
    if dtype in FLOATS:
        found.append(Row("is_finite", f"stablehlo.is_finite %x : ({t}) -> {b}", "i1"))
        word = "i64" if dtype == "f64" else "i32"
        found.append(Row("bitcast_convert", f"stablehlo.bitcast_convert %x : ({t}) -> tensor<12x{word}>", word))
    if dtype != "i1":
        found.append(Row("clamp", f"stablehlo.clamp %y, %x, %y : {t}", dtype))
    found.append(Row("optimization_barrier", f"stablehlo.optimization_barrier %x : {t}", dtype))
    return found


def _source(dtype: str, to: str) -> str:
    """What to convert: the interpreter says nothing of floats that are no integers of the type."""
    return "w" if dtype in FLOATS and to in INTEGERS else "x"


def module(dtype: str, *, smooth: bool = False) -> tuple[str, list[Row]]:
    """The module of a dtype, and what its results are; `smooth` ones are of the dtype, too."""
    every = [row for row in rows(dtype) if not smooth or (row.result == dtype and row.text.count("%w") == 0)]
    t = f"tensor<12x{dtype}>"
    lines = [f"%r{k} = {row.text}" for k, row in enumerate(every)]
    types = ", ".join(f"tensor<12x{row.result}>" for row in every)
    given = ", ".join(f"%r{k}" for k in range(len(every)))
    whole = "[-2.5, -1.0, -0.0, 0.0, 0.5, 1.5, 2.5, 3.0, 9.0, -9.0, 4.0, -7.0]"
    start = [f"%w = stablehlo.constant dense<{whole}> : {t}"] if dtype in FLOATS else []
    body = "\n  ".join([*start, *lines])
    text = f"""func.func @main(%x: {t}, %y: {t}, %p: tensor<12xi1>) -> ({types}) {{
  {body}
  return {given} : {types}
}}"""
    return text, every
