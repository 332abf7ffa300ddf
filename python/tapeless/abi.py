"""The calling contract of a compiled kernel as plain data: parameters, results, and sites where a run can fail.

`lower-loops` writes it as JSON into the function attribute `tapeless.abi` and the module attribute `tapeless.sites`;
the back end, the caller and saved kernels read it. Nothing here needs MLIR.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Literal, TypeAlias

from tapeless.dataclasses_on_use import dataclass

# No axis is longer, not even of an array without elements: compiled code relies on sums of sizes that do not wrap.
LONGEST_AXIS = 2**48

# Scalars have no half floats: numbers of 16 bits are handed over as `f32`.
DTYPES = ("f64", "f32", "f16", "bf16", "i64", "i32", "u32", "i1")
# The attribute of arguments and results of functions in core IR whose `i32` have no sign.
UNSIGNED_ATTRIBUTE = "tapeless.unsigned"
# The attribute of those whose `i16` are the bits of floats: "f16" or "bf16".
HALF_ATTRIBUTE = "tapeless.half"
HALVES = ("f16", "bf16")
ATTRIBUTE = "tapeless.abi"
SITES_ATTRIBUTE = "tapeless.sites"
# How callers know a function, beside its contract: the names of its arguments and how many threads a call may use.
INTERFACE_ATTRIBUTE = "tapeless.interface"
# Of targets that run launch plans: the plan (`docs/gpu_runtime.md`), an attribute of the module.
PLAN_ATTRIBUTE = "tapeless.plan"
DRIFT = "drift"

# A size as an expression of the arguments: a number, ["dim", argument, axis], ["arg", argument] (an integer scalar),
# or [operator, left, right] with an operator of OPERATORS.
Expr: TypeAlias = int | list[Any]

OPERATORS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "min": min,
    "max": max,
}

# A kernel computes sizes in 64 bits. Sums and products that wrapped on the way still end as the same number if that
# fits, but not where they are compared or divided: operands of these operators are refused unless they fit.
NEED_FITTING = frozenset({"floordiv", "min", "max"})


@dataclass(frozen=True)
class Parameter:
    """One argument of a kernel: a scalar (no dims), or an array with a number or None (dynamic) per dimension."""

    kind: Literal["scalar", "array"]
    dtype: str
    dims: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Result:
    """One result of a kernel.

    `place` says how it comes back: "value" (a scalar), "out" (an array the caller provides, `dims` are expressions of
    the arguments), or "allocated" (an array the kernel allocates, `dims` are numbers or None).
    """

    kind: Literal["scalar", "array"]
    dtype: str
    place: Literal["value", "out", "allocated"]
    dims: tuple[Expr | None, ...] = ()


@dataclass(frozen=True)
class Site:
    """A place where a run can fail: the error class, its message with `{}` per value, the source line, value types.

    Where a failure does not end the call, it is noted. The kind `DRIFT` is a place that only reports: the values of
    its message are the largest error of a call and how often it was too large.
    """

    kind: str
    message: str
    file: str
    line: int
    types: tuple[str, ...] = ()
    ends: bool = True


@dataclass(frozen=True)
class Abi:
    """The signature of a kernel: parameters and results in the order of the source function.

    The lowered function takes the parameters, then the results with place "out"; it returns the other results in order.
    """

    parameters: tuple[Parameter, ...]
    results: tuple[Result, ...]

    @property
    def outs(self) -> tuple[Result, ...]:
        """The results the caller provides the memory for."""
        return tuple(result for result in self.results if result.place == "out")

    @property
    def returned(self) -> tuple[Result, ...]:
        """The results the kernel returns: scalars and arrays it allocates."""
        return tuple(result for result in self.results if result.place != "out")

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Abi:
        data = json.loads(text)
        return Abi(
            tuple(Parameter(p["kind"], p["dtype"], tuple(p["dims"])) for p in data["parameters"]),
            tuple(Result(r["kind"], r["dtype"], r["place"], tuple(r["dims"])) for r in data["results"]),
        )


def sites_to_json(sites: Sequence[Site]) -> str:
    return json.dumps([asdict(site) for site in sites])


def sites_from_json(text: str) -> tuple[Site, ...]:
    return tuple(Site(**{**site, "types": tuple(site["types"]), "ends": site["ends"]}) for site in json.loads(text))


def evaluate(expr: Expr, dims: Sequence[Sequence[int]], scalars: Sequence[int]) -> int:
    """The value of a size expression, given the dimensions of every argument and the integer value of every scalar.

    Both sequences are indexed by argument number; entries of arguments of the other kind are not looked at. Raises
    OverflowError where the kernel, which computes in 64 bits, would get another number.
    """
    return fitting(_evaluate(expr, dims, scalars))


def fitting(number: int, bits: int = 64) -> int:
    """The number, which must fit into a signed integer."""
    if not -(1 << bits - 1) <= number < 1 << bits - 1:
        raise OverflowError(f"{number} does not fit into {bits} bits")
    return number


def _evaluate(expr: Expr, dims: Sequence[Sequence[int]], scalars: Sequence[int]) -> int:
    if isinstance(expr, int):
        return expr
    operator, *operands = expr
    if operator == "dim":
        return dims[operands[0]][operands[1]]
    if operator == "arg":
        return scalars[operands[0]]
    evaluate_operand = evaluate if operator in NEED_FITTING else _evaluate
    left, right = (evaluate_operand(operand, dims, scalars) for operand in operands)
    return OPERATORS[operator](left, right)
