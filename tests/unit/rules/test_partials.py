"""Every entry of the derivative tables against differences taken in high precision."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.backend.compile import CompileOptions, compile_module
from tapeless.passes.ad.expand import Expand, simplify
from tapeless.passes.rules.arithmetic import ARITHMETIC
from tapeless.passes.rules.functions import FUNCTIONS, SPECIAL_FUNCTIONS
from tapeless.runtime.calling.calls import Calls

Reference = Callable[..., mpmath.mpf]
ANY = ((0.3,), (-1.7,), (2.5,))
POSITIVE = ((0.3,), (1.7,), (25.0,))
UNIT = ((0.3,), (-0.9,), (0.0,))
PAIRS = ((0.3, 1.7), (-1.2, 0.4), (2.0, -3.5))

# op: (the function, points at which it is smooth)
CASES: dict[str, tuple[Reference, tuple[tuple[float, ...], ...]]] = {
    "arith.addf": (lambda a, b: a + b, PAIRS),
    "arith.subf": (lambda a, b: a - b, PAIRS),
    "arith.mulf": (lambda a, b: a * b, PAIRS),
    "arith.divf": (lambda a, b: a / b, PAIRS),
    "arith.negf": (lambda a: -a, ANY),
    "arith.maximumf": (max, PAIRS),
    "arith.minimumf": (min, PAIRS),
    "arith.maxnumf": (max, PAIRS),
    "arith.minnumf": (min, PAIRS),
    "arith.remf": (lambda a, b: a - b * mpmath.nint(a / b - mpmath.sign(a / b) / 2), ((5.3, 1.7), (-7.2, 2.5))),
    "math.exp": (mpmath.exp, ANY),
    "math.exp2": (lambda x: mpmath.mpf(2) ** x, ANY),
    "math.expm1": (mpmath.expm1, ANY),
    "math.log": (mpmath.log, POSITIVE),
    "math.log2": (lambda x: mpmath.log(x, 2), POSITIVE),
    "math.log10": (mpmath.log10, POSITIVE),
    "math.log1p": (mpmath.log1p, POSITIVE),
    "math.sqrt": (mpmath.sqrt, POSITIVE),
    "math.rsqrt": (lambda x: 1 / mpmath.sqrt(x), POSITIVE),
    "math.cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), ANY),
    "math.sin": (mpmath.sin, ANY),
    "math.cos": (mpmath.cos, ANY),
    "math.tan": (mpmath.tan, ANY),
    "math.asin": (mpmath.asin, UNIT),
    "math.acos": (mpmath.acos, UNIT),
    "math.atan": (mpmath.atan, ANY),
    "math.atan2": (mpmath.atan2, PAIRS),
    "math.sinh": (mpmath.sinh, ANY),
    "math.cosh": (mpmath.cosh, ANY),
    "math.tanh": (mpmath.tanh, ANY),
    "math.asinh": (mpmath.asinh, ANY),
    "math.acosh": (mpmath.acosh, ((1.3,), (20.0,))),
    "math.atanh": (mpmath.atanh, UNIT),
    "math.erf": (mpmath.erf, ANY),
    "math.erfc": (mpmath.erfc, ANY),
    "math.absf": (abs, ANY),
    "math.copysign": (lambda a, b: abs(a) * mpmath.sign(b), PAIRS),
    "math.powf": (lambda a, b: a**b, ((0.3, 1.7), (2.5, -1.3), (4.0, 0.5))),
    "math.fma": (lambda a, b, c: a * b + c, ((0.3, 1.7, -2.0),)),
    "math.floor": (mpmath.floor, ANY),
    "math.ceil": (mpmath.ceil, ANY),
    "math.trunc": (lambda x: mpmath.sign(x) * mpmath.floor(abs(x)), ANY),
    "math.round": (mpmath.nint, ((0.3,), (-1.7,))),
    "math.roundeven": (mpmath.nint, ((0.3,), (-1.7,))),
    "sigmoid": (lambda x: 1 / (1 + mpmath.exp(-x)), ANY),
    "softplus": (lambda x: mpmath.log(1 + mpmath.exp(x)), ANY),
    "sign": (mpmath.sign, ANY),
    "lgamma": (mpmath.loggamma, POSITIVE),
    "digamma": (mpmath.digamma, POSITIVE),
    "erfinv": (mpmath.erfinv, UNIT),
    "round_f16": (lambda x: x, ((0.5,), (-1.75,), (24.0,))),
    "round_bf16": (lambda x: x, ((0.5,), (-1.75,), (24.0,))),
    "hypot": (mpmath.hypot, PAIRS),
}

# Conventions at kinks and ties: op, point, partial derivatives.
KINKS = [
    ("math.absf", (0.0,), (0.0,)),
    ("arith.maximumf", (2.0, 2.0), (1.0, 0.0)),
    ("arith.minimumf", (2.0, 2.0), (1.0, 0.0)),
    ("math.powf", (0.0, 1.0), (1.0, 0.0)),
    ("math.powf", (0.0, 0.0), (0.0, 0.0)),
    ("math.powf", (0.0, 0.5), (0.0, 0.0)),
    ("math.powf", (-2.0, 3.0), (12.0, 0.0)),
    ("hypot", (0.0, 0.0), (0.0, 0.0)),
    ("sign", (0.0,), (0.0,)),
]


def test_every_rule_has_a_case() -> None:
    assert set(CASES) == {*ARITHMETIC, *FUNCTIONS, *SPECIAL_FUNCTIONS}


def gradient_of(op: str, arity: int) -> Callable[..., tuple[float, ...]]:
    """The compiled function that gives the value and the partial derivatives of one op."""
    names = [f"%x{k}" for k in range(arity)]
    parameters = ", ".join(f"{name}: f64" for name in names)
    types = ", ".join(["f64"] * arity)
    call = f'"{op}"' if "." in op else '"soac.fn"'
    attribute = "" if "." in op else f' {{function = "{op}"}}'
    outs = ", ".join(["f64"] * (arity + 1))
    returned = ", ".join(f"%r#{k}" for k in range(arity + 1))
    text = f"""
    func.func private @f({parameters}) -> f64 {{
      %y = {call}({", ".join(names)}){attribute} : ({types}) -> f64
      return %y : f64
    }}
    func.func @g({parameters}) -> ({outs}) {{
      %one = arith.constant 1.0 : f64
      %r:{arity + 1} = "ad.vjp"({", ".join(names)}, %one) {{callee = @f, wrt = {list(range(arity))},
        method = "redundant", operandSegmentSizes = array<i32: {arity}, 1>}} : ({types}, f64) -> ({outs})
      return {returned} : {outs}
    }}"""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        Expand().run(module)
        simplify(module)
        code = compile_module(module, CompileOptions())
    code = dataclasses.replace(code, structure=tuple(range(arity + 1)))
    return Calls(code, [name[1:] for name in names], f"{op}()").general


@pytest.mark.one_in(4)
@pytest.mark.parametrize("op", CASES)
def test_partials(op: str) -> None:
    reference, points = CASES[op]
    compiled = gradient_of(op, len(points[0]))
    for point in points:
        value, *partials = compiled(*point)
        with mpmath.workdps(40):
            exact = [mpmath.mpf(x) for x in point]
            assert value == pytest.approx(float(reference(*exact)), rel=1e-13, abs=1e-15)
            for k, partial in enumerate(partials):
                order = tuple(int(k == j) for j in range(len(point)))
                expected = float(mpmath.diff(reference, tuple(exact), order))
                assert partial == pytest.approx(expected, rel=1e-12, abs=1e-14), (point, k)


@pytest.mark.parametrize(("op", "point", "expected"), KINKS)
def test_kinks(op: str, point: tuple[float, ...], expected: tuple[float, ...]) -> None:
    _, *partials = gradient_of(op, len(point))(*point)
    np.testing.assert_array_equal(partials, expected)
