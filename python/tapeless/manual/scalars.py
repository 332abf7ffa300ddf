"""Functions of numbers, elementwise on arrays."""

from __future__ import annotations

from tapeless.manual.entry import CONDITION, ELEMENTWISE, FLAT, INTEGERS, LINEAR, Entry


def _numbers(arguments: str, result: str, *partials: str) -> Entry:
    return Entry(arguments, result, ELEMENTWISE, partials)


def _flat(example: str, result: str) -> Entry:
    return Entry(example, result, ELEMENTWISE, FLAT)


def _condition(example: str, result: str) -> Entry:
    return Entry(example, result, ELEMENTWISE, CONDITION)


SCALARS: dict[str, Entry] = {
    "exp": _numbers("tl.exp(1.0)", "2.718281828459045", "exp(x)"),
    "exp2": _numbers("tl.exp2(3.0)", "8.0", "exp2(x) * log(2)"),
    "expm1": _numbers("tl.expm1(1e-20)", "1e-20", "exp(x)"),
    "log": _numbers("tl.log(8.0)", "2.0794415416798357", "1 / x"),
    "log2": _numbers("tl.log2(8.0)", "3.0", "1 / (x * log(2))"),
    "log10": _numbers("tl.log10(0.01)", "-2.0", "1 / (x * log(10))"),
    "log1p": _numbers("tl.log1p(1e-20)", "1e-20", "1 / (1 + x)"),
    "sqrt": _numbers("tl.sqrt(2.0)", "1.4142135623730951", "1 / (2 * sqrt(x))"),
    "rsqrt": _numbers("tl.rsqrt(4.0)", "0.5", "-1 / (2 * x * sqrt(x))"),
    "cbrt": _numbers("tl.cbrt(-8.0)", "-2.0", "1 / (3 * cbrt(x) ** 2)"),
    "sin": _numbers("tl.sin(0.5)", "0.479425538604203", "cos(x)"),
    "cos": _numbers("tl.cos(0.5)", "0.8775825618903728", "-sin(x)"),
    "tan": _numbers("tl.tan(0.5)", "0.5463024898437905", "1 + tan(x) ** 2"),
    "asin": _numbers("tl.asin(0.5)", "0.5235987755982989", "1 / sqrt(1 - x ** 2)"),
    "acos": _numbers("tl.acos(0.5)", "1.0471975511965979", "-1 / sqrt(1 - x ** 2)"),
    "atan": _numbers("tl.atan(1.0)", "0.7853981633974483", "1 / (1 + x ** 2)"),
    "atan2": _numbers("tl.atan2(1.0, -1.0)", "2.356194490192345", "y / (x ** 2 + y ** 2)", "-x / (x ** 2 + y ** 2)"),
    "sinh": _numbers("tl.sinh(0.5)", "0.5210953054937474", "cosh(x)"),
    "cosh": _numbers("tl.cosh(0.5)", "1.1276259652063807", "sinh(x)"),
    "tanh": _numbers("tl.tanh(0.5)", "0.46211715726000974", "1 - tanh(x) ** 2"),
    "asinh": _numbers("tl.asinh(0.5)", "0.48121182505960347", "1 / sqrt(x ** 2 + 1)"),
    "acosh": _numbers("tl.acosh(1.5)", "0.9624236501192069", "1 / sqrt(x ** 2 - 1)"),
    "atanh": _numbers("tl.atanh(0.5)", "0.5493061443340548", "1 / (1 - x ** 2)"),
    "erf": _numbers("tl.erf(0.5)", "0.5204998778130465", "2 / sqrt(pi) * exp(-(x ** 2))"),
    "erfc": _numbers("tl.erfc(0.5)", "0.4795001221869535", "-2 / sqrt(pi) * exp(-(x ** 2))"),
    "erfinv": _numbers("tl.erfinv(0.5)", "0.47693627620446977", "sqrt(pi) / 2 * exp(erfinv(x) ** 2)"),
    "lgamma": _numbers("tl.lgamma(5.0)", "3.1780538303479458", "digamma(x)"),
    "digamma": _numbers("tl.digamma(1.0)", "-0.5772156649015328", "trigamma(x)"),
    "sigmoid": _numbers("tl.sigmoid(0.0)", "0.5", "sigmoid(x) * (1 - sigmoid(x))"),
    "softplus": _numbers("tl.softplus(1000.0)", "1000.0", "sigmoid(x)"),
    "pow": _numbers("tl.pow(2.0, 0.5)", "1.4142135623730951", "y * x ** (y - 1)", "x ** y * log(x)"),
    "hypot": _numbers("tl.hypot(3.0, 4.0)", "5.0", "x / hypot(x, y)", "y / hypot(x, y)"),
    "logaddexp": _numbers(
        "tl.logaddexp(1000.0, 1000.0)", "1000.6931471805599", "1 / (1 + exp(y - x))", "1 / (1 + exp(x - y))"
    ),
    "fma": _numbers("tl.fma(2.0, 3.0, 4.0)", "10.0", "y", "x", "1"),
    "add": _numbers("tl.add(2.0, 3.0)", "5.0", "1", "1"),
    "subtract": _numbers("tl.subtract(2.0, 3.0)", "-1.0", "1", "-1"),
    "multiply": _numbers("tl.multiply(2.0, 3.0)", "6.0", "y", "x"),
    "divide": _numbers("tl.divide(3, 2)", "1.5", "1 / y", "-x / y ** 2"),
    "mod": _numbers("tl.mod(-7.0, 3.0)", "2.0", "1", "-floor(x / y)"),
    "floor_divide": _flat("tl.floor_divide(-7.0, 3.0)", "-3.0"),
    "divmod": Entry("tl.divmod(-7.0, 3.0)", "(-3.0, 2.0)", ELEMENTWISE, "that of x // y and that of x % y"),
    "square": _numbers("tl.square(3.0)", "9.0", "2 * x"),
    "reciprocal": _numbers("tl.reciprocal(4.0)", "0.25", "-1 / x ** 2"),
    "negative": _numbers("tl.negative(4.0)", "-4.0", "-1"),
    "degrees": _numbers("tl.degrees(tl.pi)", "180.0", "180 / pi"),
    "radians": _numbers("tl.radians(180.0)", "3.141592653589793", "pi / 180"),
    "abs": _numbers("tl.abs(-2.5)", "2.5", "sign(x)"),
    "fabs": _numbers("tl.fabs(-3)", "3.0", "sign(x)"),
    "relu": _numbers("tl.relu(-2.0)", "0.0", "1 if x > 0 else 0"),
}

STEPS: dict[str, Entry] = {
    "floor": _flat("tl.floor(-1.5)", "-2.0"),
    "ceil": _flat("tl.ceil(-1.5)", "-1.0"),
    "trunc": _flat("tl.trunc(-1.5)", "-1.0"),
    "round": _flat("tl.round(2.5)", "2.0"),
    "sign": _flat("tl.sign(-0.5)", "-1.0"),
    "heaviside": _flat("tl.heaviside(tl.array([-1.0, 0.0, 2.0]), 0.5)", "array([0. , 0.5, 1. ])"),
    "isnan": _condition("tl.isnan(tl.nan)", "True"),
    "isfinite": _condition("tl.isfinite(tl.array([1.0, tl.inf]))", "array([ True, False])"),
    "isinf": _condition("tl.isinf(-tl.inf)", "True"),
    "logical_and": _condition("tl.logical_and(True, 0.0)", "False"),
    "logical_or": _condition("tl.logical_or(True, 0.0)", "True"),
    "logical_xor": _condition("tl.logical_xor(True, True)", "False"),
    "logical_not": _condition("tl.logical_not(0.0)", "True"),
    "equal": _condition("tl.equal(1.0, 2.0)", "False"),
    "not_equal": _condition("tl.not_equal(1.0, 2.0)", "True"),
    "less": _condition("tl.less(tl.array([1.0, 3.0]), 2.0)", "array([ True, False])"),
    "less_equal": _condition("tl.less_equal(2.0, 2.0)", "True"),
    "greater": _condition("tl.greater(1.0, 2.0)", "False"),
    "greater_equal": _condition("tl.greater_equal(2.0, 2.0)", "True"),
    "signbit": _condition("tl.signbit(tl.array([-0.0, 2.0]))", "array([ True, False])"),
    "array_equal": _condition("tl.array_equal([1, 2], [1, 2])", "True"),
    "bitwise_and": Entry("tl.bitwise_and(6, 3)", "2", ELEMENTWISE, INTEGERS),
    "bitwise_or": Entry("tl.bitwise_or(6, 3)", "7", ELEMENTWISE, INTEGERS),
    "bitwise_xor": Entry("tl.bitwise_xor(6, 3)", "5", ELEMENTWISE, INTEGERS),
    "left_shift": Entry("tl.left_shift(3, 2)", "12", ELEMENTWISE, INTEGERS),
    "right_shift": Entry("tl.right_shift(12, 2)", "3", ELEMENTWISE, INTEGERS),
    "invert": Entry("tl.invert(tl.array([True, False]))", "array([False,  True])", ELEMENTWISE, INTEGERS),
}

PICKED = "that of the one that is taken"

CHOICES: dict[str, Entry] = {
    "minimum": Entry(
        "tl.minimum(tl.array([1.0, 5.0]), 3.0)", "array([1., 3.])", ELEMENTWISE, f"{PICKED}; of equal ones, the first"
    ),
    "maximum": Entry(
        "tl.maximum(tl.array([1.0, 5.0]), 3.0)", "array([3., 5.])", ELEMENTWISE, f"{PICKED}; of equal ones, the first"
    ),
    "copysign": Entry("tl.copysign(2.0, -0.5)", "-2.0", ELEMENTWISE, "sign(x) or -sign(x) for x, 0 for y"),
    "fmod": Entry("tl.fmod(-7.0, 3.0)", "-1.0", ELEMENTWISE, "1 for x, minus the whole quotient for y"),
    "fmin": Entry("tl.fmin(tl.nan, 3.0)", "3.0", ELEMENTWISE, PICKED),
    "fmax": Entry("tl.fmax(tl.nan, 3.0)", "3.0", ELEMENTWISE, PICKED),
    "clamp": Entry("tl.clamp(2.5, 0.0, 1.0)", "1.0", ELEMENTWISE, PICKED),
    "clip": Entry("tl.clip(tl.array([-1.0, 0.5, 7.0]), 0.0, 1.0)", "array([0. , 0.5, 1. ])", ELEMENTWISE, PICKED),
    "where": Entry("tl.where(tl.array([True, False]), 1.0, 2.0)", "array([1., 2.])", ELEMENTWISE, PICKED),
}

CONVERSIONS: dict[str, Entry] = {
    "int": Entry("tl.int(-2.7)", "-2", "a number", INTEGERS),
    "float": Entry("tl.float(3)", "3.0", "a number", LINEAR),
    "bool": Entry("tl.bool(0.5)", "True", "a number", CONDITION),
    "len": Entry("tl.len(tl.zeros((4, 2)))", "4", "an array; the result is a number", INTEGERS),
    "astype": Entry(
        "tl.astype(tl.array([1.7, -1.7]), tl.i64)", "array([ 1, -1])", "those of x", "linear between floats, else none"
    ),
    "copy": Entry("tl.copy(tl.array([1.0, 2.0]))", "array([1., 2.])", "those of x", LINEAR),
}
