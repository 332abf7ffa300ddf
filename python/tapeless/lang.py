"""The public names of the language: what a `tl.function` may call.

Each is an `Operator`: a name, a signature and a sentence of documentation. Functions that Tapeless compiles give them
their meaning; `meaning` finds the operator behind any Python object, so that `np.exp`, `math.exp`, `abs` and
`tl.exp` are all the same operator. Called from Python, operators compute at once, as the package says they do then.
"""

from __future__ import annotations

import builtins
import inspect
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar, TypeVar

import numpy as np

from tapeless.tracebacks import user_facing
from tapeless.types import f64

F = TypeVar("F", bound=Callable[..., Any])

inf, nan, e, pi = math.inf, math.nan, math.e, math.pi


class Documentation:
    """The doc string of a class, and of its instances what the manual says, which is read when somebody asks."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __get__(self, operator: Operator | None, _owner: type) -> str:
        if operator is None:
            return self.text
        from tapeless.manual.text import documentation

        return documentation(operator.__name__, operator.summary)


class Operator:
    __doc__ = Documentation(
        "A function of the language; `at_once`, which the package sets, computes what a call from Python asks for."
    )

    __tapeless__ = True
    at_once: ClassVar[Callable[[Operator, tuple[Any, ...], dict[str, Any]], Any]]

    def __init__(self, name: str, pattern: Callable[..., Any], summary: str, key: str | None = None) -> None:
        self.__name__ = self.__qualname__ = name
        self.key = key or name
        self.__signature__ = inspect.signature(pattern)
        self.summary = summary

    @user_facing
    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return Operator.at_once(self, arguments, named)

    def __reduce__(self) -> str:
        """Pickled by its name, and copied as itself."""
        return self.__name__

    def __repr__(self) -> str:
        return f"tl.{self.__name__}" if self.key == self.__name__ else self.key


def _one(name: str, doc: str) -> Operator:
    return Operator(name, lambda x: None, doc)


def _two(name: str, doc: str) -> Operator:
    return Operator(name, lambda x, y: None, doc)


def _reduction(name: str, doc: str) -> Operator:
    return Operator(name, lambda x, axis=None, *, keepdims=False: None, doc)


def _along(name: str, doc: str, axis: int | None = None) -> Operator:
    return Operator(name, lambda x, axis=axis: None, doc)


exp = _one("exp", "e to the power x.")
exp2 = _one("exp2", "2 to the power x.")
expm1 = _one("expm1", "exp(x) - 1, exact near 0.")
log = _one("log", "Natural logarithm.")
log2 = _one("log2", "Logarithm to base 2.")
log10 = _one("log10", "Logarithm to base 10.")
log1p = _one("log1p", "log(1 + x), exact near 0.")
sqrt = _one("sqrt", "Square root.")
rsqrt = _one("rsqrt", "1 / sqrt(x).")
cbrt = _one("cbrt", "Cube root.")
sin = _one("sin", "Sine.")
cos = _one("cos", "Cosine.")
tan = _one("tan", "Tangent.")
asin = _one("asin", "Inverse sine.")
acos = _one("acos", "Inverse cosine.")
atan = _one("atan", "Inverse tangent.")
atan2 = _two("atan2", "The angle of the point (y, x): the first argument is its second coordinate.")
sinh = _one("sinh", "Hyperbolic sine.")
cosh = _one("cosh", "Hyperbolic cosine.")
tanh = _one("tanh", "Hyperbolic tangent.")
asinh = _one("asinh", "Inverse hyperbolic sine.")
acosh = _one("acosh", "Inverse hyperbolic cosine.")
atanh = _one("atanh", "Inverse hyperbolic tangent.")
erf = _one("erf", "Error function.")
erfc = _one("erfc", "1 - erf(x), exact for large x.")
lgamma = _one("lgamma", "Logarithm of the absolute value of the gamma function.")
digamma = _one("digamma", "Derivative of lgamma.")
sigmoid = _one("sigmoid", "1 / (1 + exp(-x)).")
softplus = _one("softplus", "log(1 + exp(x)), without overflow.")
floor = _one("floor", "The largest whole number not above x.")
ceil = _one("ceil", "The smallest whole number not below x.")
trunc = _one("trunc", "x without its fraction.")
round = Operator("round", lambda x, decimals=0: None, "The nearest number with so many decimals, ties to even.")
abs = _one("abs", "Absolute value.")
sign = _one("sign", "-1, 0 or 1.")
isnan = _one("isnan", "Whether x is not a number.")
isfinite = _one("isfinite", "Whether x is neither infinite nor NaN.")
pow = _two("pow", "x to the power y, as `x ** y`.")
hypot = _two("hypot", "sqrt(x*x + y*y), without overflow.")
minimum = _two("minimum", "The smaller of two, elementwise; NaN if either is.")
maximum = _two("maximum", "The larger of two, elementwise; NaN if either is.")
clamp = Operator("clamp", lambda x, lo, hi: None, "x limited to [lo, hi], elementwise.")
where = Operator("where", lambda condition, x, y: None, "x where the condition holds, else y, elementwise.")
fma = Operator("fma", lambda x, y, z: None, "x * y + z, rounded once.")
debug_print = Operator(
    "debug_print", lambda text, *values, **named: None, "Prints a text with values in its braces, as `str.format` does."
)
stop_gradient = _one("stop_gradient", "x, treated as a constant by differentiation.")

int = _one("int", "The whole part of a number, as an integer.")
float = _one("float", "A number as a float.")
bool = _one("bool", "Whether a number is not zero.")
len = _one("len", "The size of the leading axis.")

zeros = Operator("zeros", lambda shape, dtype=f64: None, "An array of zeros.")
ones = Operator("ones", lambda shape, dtype=f64: None, "An array of ones.")
full = Operator("full", lambda shape, value, dtype=None: None, "An array filled with one value.")
zeros_like = Operator("zeros_like", lambda x, dtype=None: None, "Zeros of the shape of x, and of its dtype.")
ones_like = Operator("ones_like", lambda x, dtype=None: None, "Ones of the shape of x, and of its dtype.")
full_like = Operator("full_like", lambda x, value, dtype=None: None, "One value in the shape of x, and of its dtype.")
iota = Operator("iota", lambda n: None, "The integers 0, 1, ..., n - 1.")
linspace = Operator(
    "linspace", lambda a, b, n=50, endpoint=True: None, "n evenly spaced numbers from a to b, which is included."
)
concat = Operator("concat", lambda arrays, axis=0: None, "Arrays one after the other along an axis.")
stack = Operator("stack", lambda arrays, axis=0: None, "Arrays of one shape, stacked along a new axis.")
reshape = Operator("reshape", lambda x, shape: None, "The same elements, in row-major order, in another shape.")
transpose = Operator("transpose", lambda x, axes=None: None, "Axes permuted, by default reversed.")
reverse = _along("reverse", "The elements of one axis in reverse order.", 0)
copy = _one("copy", "x itself: arrays are values.")
astype = Operator("astype", lambda x, dtype: None, "The elements converted to another dtype.")
dot = _two("dot", "Product of vectors and matrices, as numpy's dot.")
matmul = _two("matmul", "Matrix product, as `x @ y`.")
outer = _two("outer", "All products of an element of x and one of y.")

sum = _reduction("sum", "Sum of all elements, or along an axis.")
prod = _reduction("prod", "Product of all elements, or along an axis.")
min = Operator(
    "min", lambda x, *others, axis=None, keepdims=False: None, "Smallest element; of several arguments, elementwise."
)
max = Operator(
    "max", lambda x, *others, axis=None, keepdims=False: None, "Largest element; of several arguments, elementwise."
)
mean = _reduction("mean", "Mean of all elements, or along an axis.")
argmin = _reduction("argmin", "Index of the first smallest element.")
argmax = _reduction("argmax", "Index of the first largest element.")
cumsum = _along("cumsum", "Sums of all prefixes along an axis.", 0)
cumprod = _along("cumprod", "Products of all prefixes along an axis.", 0)
logsumexp = _reduction("logsumexp", "log(sum(exp(x))), without overflow.")
softmax = _along("softmax", "exp(x) / sum(exp(x)), without overflow, along an axis.", -1)
norm = _reduction("norm", "Square root of the sum of squares.")
any = _reduction("any", "Whether any element is true.")
all = _reduction("all", "Whether all elements are true.")
sort = _along("sort", "Sorted along an axis, stably, NaN last.", -1)
argsort = _along("argsort", "The stable permutation that sorts along an axis.", -1)

square = _one("square", "x * x.")
reciprocal = _one("reciprocal", "1 / x, of floats.")
negative = _one("negative", "-x.")
add = _two("add", "x + y.")
subtract = _two("subtract", "x - y.")
multiply = _two("multiply", "x * y.")
divide = _two("divide", "x / y.")
mod = _two("mod", "x % y, with the sign of y.")
floor_divide = _two("floor_divide", "x // y, rounded down.")
divmod = _two("divmod", "The pair x // y and x % y.")
fabs = _one("fabs", "Absolute value, as a float.")
fmin = _two("fmin", "The smaller of two, elementwise; NaN only if both are.")
fmax = _two("fmax", "The larger of two, elementwise; NaN only if both are.")
clip = Operator(
    "clip",
    lambda x, a_min=None, a_max=None, *, min=None, max=None: None,
    "x limited to [a_min, a_max]; None is no limit.",
)
relu = _one("relu", "x, or 0 where it is negative; the derivative at 0 is 0.")
heaviside = _two("heaviside", "0 for negative x, 1 for positive x, y at 0.")
logaddexp = _two("logaddexp", "log(exp(x) + exp(y)), without overflow.")
degrees = _one("degrees", "An angle in degrees.")
radians = _one("radians", "An angle in radians.")
isinf = _one("isinf", "Whether x is infinite.")
logical_and = _two("logical_and", "Whether both are true, elementwise; a number is true if it is not 0.")
logical_or = _two("logical_or", "Whether one or both are true, elementwise.")
logical_xor = _two("logical_xor", "Whether one alone is true, elementwise.")
logical_not = _one("logical_not", "Whether x is false, elementwise.")

var = Operator(
    "var",
    lambda x, axis=None, *, ddof=0, keepdims=False, correction=None: None,
    "Variance, with n - ddof as divisor.",
)
std = Operator(
    "std",
    lambda x, axis=None, *, ddof=0, keepdims=False, correction=None: None,
    "Standard deviation, the root of `var`.",
)
average = Operator("average", lambda x, axis=None, weights=None, *, keepdims=False: None, "Mean with weights.")
median = _reduction("median", "The element in the middle, or the mean of the two there.")

arange = Operator(
    "arange", lambda start, stop=None, step=1, dtype=None: None, "Numbers from start, in steps, below stop."
)
array = Operator("array", lambda items, dtype=None: None, "An array of numbers or arrays in nested lists.")
eye = Operator("eye", lambda n, m=None, k=0, dtype=f64: None, "A matrix with ones in one diagonal.")
identity = Operator("identity", lambda n, dtype=f64: None, "The identity matrix.")
diag = Operator("diag", lambda x, k=0: None, "The diagonal of a matrix, or the matrix with a diagonal.")
diagonal = Operator("diagonal", lambda x, offset=0, axis1=0, axis2=1: None, "The diagonals of matrices.")
trace = Operator("trace", lambda x, offset=0, axis1=0, axis2=1: None, "The sum of the diagonal of a matrix.")
tril = Operator("tril", lambda x, k=0: None, "The lower triangle, zeros above.")
triu = Operator("triu", lambda x, k=0: None, "The upper triangle, zeros below.")
cross = Operator(
    "cross",
    lambda x, y, axisa=-1, axisb=-1, axisc=-1, axis=None: None,
    "The vector product along axes of size 3, by default the last.",
)
meshgrid = Operator("meshgrid", lambda *arrays, indexing="xy": None, "The coordinates of a grid.")
inner = _two("inner", "Sums of products along the last axes of vectors and matrices.")
vdot = _two("vdot", "The sum of the products of all elements.")
quantile = Operator(
    "quantile", lambda x, q, axis=None, *, keepdims=False: None, "Where a share q of the elements is below."
)
percentile = Operator(
    "percentile", lambda x, q, axis=None, *, keepdims=False: None, "Where q percent of the elements are below."
)
ptp = _reduction("ptp", "The largest element less the smallest.")
count_nonzero = _reduction("count_nonzero", "How many elements are not zero.")
cov = Operator("cov", lambda m, *, rowvar=True, ddof=1: None, "Covariances of the rows of a matrix.")
tensordot = Operator("tensordot", lambda a, b, axes=2: None, "Sums of products over axes of two arrays.")
kron = _two("kron", "Every element of a times the whole of b.")
split = Operator("split", lambda x, indices_or_sections, axis=0: None, "Equal parts, or those between some places.")
array_split = Operator("array_split", lambda x, sections, axis=0: None, "Parts whose sizes differ by at most one.")
trapezoid = Operator("trapezoid", lambda y, x=None, dx=1.0, axis=-1: None, "The integral by the rule of the trapezium.")
gradient = Operator("gradient", lambda f, *spacing, axis=None: None, "Differences of neighbours along each axis.")
polyval = Operator("polyval", lambda p, x: None, "A polynomial, the coefficient of its highest power first.")
convolve = Operator("convolve", lambda a, v, mode="full": None, "The convolution of two vectors.")
nan_to_num = Operator(
    "nan_to_num", lambda x, nan=0.0, posinf=None, neginf=None: None, "Numbers in place of NaN and infinities."
)
select = Operator("select", lambda condlist, choicelist, default=0: None, "The first choice whose condition holds.")
sinc = _one("sinc", "sin(pi x) / (pi x).")
isclose = Operator(
    "isclose", lambda a, b, rtol=1e-05, atol=1e-08, equal_nan=False: None, "Whether numbers are nearly equal."
)
allclose = Operator(
    "allclose", lambda a, b, rtol=1e-05, atol=1e-08, equal_nan=False: None, "Whether all numbers are nearly equal."
)
einsum = Operator("einsum", lambda subscripts, *operands: None, "Sums of products by named indices: 'ij,jk->ik'.")
hstack = Operator(
    "hstack", lambda arrays: None, "Arrays side by side: along the second axis, vectors along their only one."
)
vstack = Operator("vstack", lambda arrays: None, "Arrays on top of each other; a vector is a row.")
append = Operator("append", lambda x, values, axis=None: None, "Values after x; without an axis, both flattened.")
tile = Operator("tile", lambda x, reps: None, "The whole array, repeated along axes.")
repeat = Operator("repeat", lambda x, repeats, axis=None: None, "Each element, repeated.")
pad = Operator(
    "pad", lambda x, pad_width, mode="constant", constant_values=0: None, "A border of one value, or of elements."
)
flip = _along("flip", "The elements in reverse order along axes, by default all.")
flipud = _one("flipud", "The first axis in reverse order.")
fliplr = _one("fliplr", "The second axis in reverse order.")
roll = Operator("roll", lambda x, shift, axis=None: None, "Elements moved along an axis, around its end.")
diff = Operator(
    "diff", lambda x, n=1, axis=-1, prepend=None, append=None: None, "Differences of neighbours along an axis, n times."
)
ravel = Operator("ravel", lambda x, order="C": None, "All elements, in row-major order, as a vector.")
flatten = Operator("flatten", lambda x, order="C": None, "All elements, in row-major order, as a vector.")
expand_dims = Operator("expand_dims", lambda x, axis: None, "A new axis of size 1.")
squeeze = _along("squeeze", "Without axes of size 1.")
swapaxes = Operator("swapaxes", lambda x, axis1, axis2: None, "Two axes exchanged.")
moveaxis = Operator("moveaxis", lambda x, source, destination: None, "Axes moved to other places.")
take = Operator("take", lambda x, indices, axis=None, mode="raise": None, "The elements at some positions.")
searchsorted = Operator(
    "searchsorted", lambda a, v, side="left", sorter=None: None, "Where to insert v into a sorted vector."
)
flatnonzero = _one("flatnonzero", "The places, in row-major order, of elements that are not zero.")
nonzero = _one("nonzero", "For each axis, where the elements that are not zero are.")
interp = Operator("interp", lambda x, xp, fp, left=None, right=None: None, "Piecewise linear interpolation.")
bincount = Operator("bincount", lambda x, weights=None, minlength=0: None, "How often each integer occurs.")

map = Operator("map", lambda f, *arrays: None, "f on corresponding elements of the leading axis.")
reduce = Operator("reduce", lambda op, neutral, *arrays: None, "All elements combined by an associative operator.")
scan = Operator(
    "scan",
    lambda op, neutral, *arrays, exclusive=False, reverse=False: None,
    "All prefixes combined by an associative operator.",
)
hist = Operator("hist", lambda op, neutral, dest, keys, values: None, "Values combined into the bins their keys name.")
scatter = Operator("scatter", lambda dest, keys, values: None, "dest with the values written at the keys.")
range = Operator(
    "range",
    lambda *bounds, stripmine=None, budget=None, true_dep=(), unroll=False: None,
    "A range for loops, with hints for differentiation.",
)
bounded = Operator("bounded", lambda condition, n: None, "A loop condition that holds at most n times.")

ancilla = Operator("ancilla", lambda value, exit=None, dtype=None: None, "A cell for the length of a `with` block.")
routine = Operator("routine", lambda: None, "What a `with` block computes, to be undone by `~r`.")
cond = Operator("cond", lambda pre, post: None, "A condition that holds before, and one that says so afterwards.")
recip = _one("recip", "Replaces a cell by its reciprocal.")
rot = Operator("rot", lambda a, b, theta: None, "Rotates two cells by an angle.")
hadamard = Operator("hadamard", lambda a, b: None, "Replaces two cells by (a + b) / sqrt(2) and (a - b) / sqrt(2).")
new_stack = Operator("new_stack", lambda dtype, capacity: None, "An empty stack, for `tl.ancilla`.")
push = Operator("push", lambda stack, x: None, "Moves a scalar cell to a stack and leaves 0 in it.")
pop = Operator("pop", lambda stack, x: None, "Moves the top of a stack to a scalar cell, which must be 0.")

linalg = SimpleNamespace(
    solve=Operator("linalg.solve", lambda a, b: None, "x of `a @ x = b`, for a vector or a matrix b."),
    inv=Operator("linalg.inv", lambda a: None, "The inverse of a matrix."),
    det=Operator("linalg.det", lambda a: None, "The determinant of a matrix."),
    slogdet=Operator("linalg.slogdet", lambda a: None, "Sign and logarithm of the absolute value of the determinant."),
    cholesky=Operator(
        "linalg.cholesky", lambda a, *, upper=False: None, "L with `L @ L.T = a`, from the lower triangle of a."
    ),
    norm=Operator(
        "linalg.norm", lambda x, ord=None, axis=None, keepdims=False: None, "The norm of a vector or of a matrix."
    ),
)
"""The operators of `tl.linalg`."""

OPERATORS: dict[str, Operator] = {name: op for name, op in globals().items() if isinstance(op, Operator)}
PUBLIC: tuple[str, ...] = ("e", "inf", "nan", "pi", *OPERATORS)

# Functions of numpy, also as methods, and of Python whose parameters are others than those of the operator they mean.
NUMPY: dict[str, Operator] = {
    name: Operator(name, lambda x, axis=None, *, keepdims=False: None, OPERATORS[name].summary, f"np.{name}")
    for name in ("min", "max")
}
NUMPY |= {
    name: Operator(name, lambda x, axis=None: None, OPERATORS[name].summary, f"np.{name}")
    for name in ("cumsum", "cumprod")
}
PYTHON = {"sum": Operator("sum", lambda x, /, start=0, *, axis=None, keepdims=False: None, sum.summary, "builtins.sum")}

_BUILTINS = ("abs", "min", "max", "sum", "int", "float", "bool", "round", "len", "pow", "range", "any", "all", "divmod")
_NUMPY_NAMES = {
    "absolute": "abs",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "power": "pow",
    "concatenate": "concat",
    "remainder": "mod",
    "true_divide": "divide",
    "rad2deg": "degrees",
    "deg2rad": "radians",
    "asarray": "array",
    "empty": "zeros",
    "empty_like": "zeros_like",
    "amin": "min",
    "amax": "max",
    "around": "round",
    "rint": "round",
}
_NOT_NUMPY = {"map", "reduce", "range", "int", "float", "bool", "len", "copy"}


def _aliases() -> dict[builtins.int, tuple[Any, Operator]]:
    found = [(getattr(builtins, name), name) for name in _BUILTINS]
    found += [(getattr(math, name), name) for name in OPERATORS if hasattr(math, name)]
    found += [(getattr(np, name), name) for name in OPERATORS.keys() - _NOT_NUMPY if hasattr(np, name)]
    found += [(getattr(np, name), meant) for name, meant in _NUMPY_NAMES.items()]
    found += [(np.copy, "copy")]
    operators = [(value, OPERATORS[name]) for value, name in found]
    named = ((getattr(np, name), meant) for name, meant in {**{each: each for each in NUMPY}, **_NUMPY_NAMES}.items())
    operators += [(value, NUMPY[meant]) for value, meant in named if meant in NUMPY]
    operators += [(getattr(builtins, name), operator) for name, operator in PYTHON.items()]
    operators += [(getattr(np.linalg, name), operator) for name, operator in vars(linalg).items()]
    return {id(value): (value, operator) for value, operator in operators}


_ALIASES = _aliases()


def in_language(function: F) -> F:
    """A Python function that is an operator of the same name and signature inside functions of the language."""
    operator = Operator(function.__name__, function, function.__doc__ or "")
    _ALIASES[id(function)] = (function, operator)
    return function


def meaning(value: Any) -> Operator | None:
    """The operator a Python object stands for inside a function, or None."""
    if isinstance(value, Operator):
        return value
    known = _ALIASES.get(id(value))
    return known[1] if known else None
