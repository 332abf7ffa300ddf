"""What type checkers see of `import tapeless`; written by `make stub` from the tables of the package."""

import builtins
from typing import Any, Protocol

from tapeless.api.function import TapelessFunction as TapelessFunction
from tapeless.api.function import compile as compile
from tapeless.api.function import function as function
from tapeless.api.function import jit as jit
from tapeless.api.reversible import Reversible as Reversible
from tapeless.api.reversible import reversible as reversible
from tapeless.api.transforms.batching import vmap as vmap
from tapeless.api.transforms.check import check_grads as check_grads
from tapeless.api.transforms.custom import custom_jvp as custom_jvp
from tapeless.api.transforms.custom import custom_vjp as custom_vjp
from tapeless.api.transforms.directional import hvp as hvp
from tapeless.api.transforms.directional import jvp as jvp
from tapeless.api.transforms.directional import vjp as vjp
from tapeless.api.transforms.functions import checkpoint as checkpoint
from tapeless.api.transforms.functions import grad as grad
from tapeless.api.transforms.functions import hessian as hessian
from tapeless.api.transforms.functions import jacfwd as jacfwd
from tapeless.api.transforms.functions import jacrev as jacrev
from tapeless.api.transforms.functions import value_and_grad as value_and_grad
from tapeless.errors import ArgumentError as ArgumentError
from tapeless.errors import BundleError as BundleError
from tapeless.errors import CheckFailed as CheckFailed
from tapeless.errors import ConversionError as ConversionError
from tapeless.errors import FrontendError as FrontendError
from tapeless.errors import GradientMismatch as GradientMismatch
from tapeless.errors import IndexOutOfRange as IndexOutOfRange
from tapeless.errors import InternalError as InternalError
from tapeless.errors import InvertibilityError as InvertibilityError
from tapeless.errors import NoRuleError as NoRuleError
from tapeless.errors import NotPicklable as NotPicklable
from tapeless.errors import NotReversible as NotReversible
from tapeless.errors import PipelineError as PipelineError
from tapeless.errors import RecursionTooDeep as RecursionTooDeep
from tapeless.errors import ShapeMismatch as ShapeMismatch
from tapeless.errors import TapelessError as TapelessError
from tapeless.errors import TargetError as TargetError
from tapeless.errors import TypeMismatch as TypeMismatch
from tapeless.number_types import Stored as Stored
from tapeless.runtime import cuda as cuda
from tapeless.runtime.kernel import Kernel as Kernel
from tapeless.runtime.load import load as load
from tapeless.version import __version__ as __version__

# `tl.f64` is a number and `tl.f64[:, 3]` an array, and checkers have no words for the sizes: to them, a value of either
# is anything. mypy takes a variable of type Any for such an annotation, whatever its index, and skips what is behind
# `not MYPY`; pyright skips what is behind `False`, and takes a class with a `__class_getitem__` of its own, whatever
# its index: as a protocol without members everything is one, and by its base it has every attribute.
MYPY = False
if False:
    bool_: Any
    f32: Any
    f64: Any
    i32: Any
    i64: Any
    In: Any
    fixed43: Any
    ulog: Any
    ulog43: Any
elif not MYPY:
    class bool_(Any, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class f32(Any, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class f64(Any, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class i32(Any, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class i64(Any, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class In(Any, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class fixed43(Any, Protocol):
        def __new__(cls, value: Any) -> Stored: ...
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class ulog(Any, Protocol):
        def __new__(cls, value: Any) -> Stored: ...
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class ulog43(Any, Protocol):
        def __new__(cls, value: Any) -> Stored: ...
        def __class_getitem__(cls, shape: Any) -> Any: ...

e: builtins.float
inf: builtins.float
nan: builtins.float
pi: builtins.float

def abs(x: Any) -> Any:
    """Absolute value."""

def acos(x: Any) -> Any:
    """Inverse cosine."""

def acosh(x: Any) -> Any:
    """Inverse hyperbolic cosine."""

def add(x: Any, y: Any) -> Any:
    """x + y."""

def all(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Whether all elements are true."""

def ancilla(value: Any, exit: Any = None, dtype: Any = None) -> Any:
    """A cell for the length of a `with` block."""

def any(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Whether any element is true."""

def append(x: Any, values: Any, axis: Any = None) -> Any:
    """Values after x; without an axis, both flattened."""

def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Numbers from start, in steps, below stop."""

def argmax(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Index of the first largest element."""

def argmin(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Index of the first smallest element."""

def argsort(x: Any, axis: Any = -1) -> Any:
    """The stable permutation that sorts along an axis."""

def array(items: Any) -> Any:
    """An array of numbers or arrays in nested lists."""

def asin(x: Any) -> Any:
    """Inverse sine."""

def asinh(x: Any) -> Any:
    """Inverse hyperbolic sine."""

def astype(x: Any, dtype: Any) -> Any:
    """The elements converted to another dtype."""

def atan(x: Any) -> Any:
    """Inverse tangent."""

def atan2(x: Any, y: Any) -> Any:
    """The angle of the point (y, x): the first argument is its second coordinate."""

def atanh(x: Any) -> Any:
    """Inverse hyperbolic tangent."""

def average(x: Any, axis: Any = None, weights: Any = None, *, keepdims: Any = False) -> Any:
    """Mean with weights."""

def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each integer occurs."""

def bool(x: Any) -> Any:
    """Whether a number is not zero."""

def bounded(condition: Any, n: Any) -> Any:
    """A loop condition that holds at most n times."""

def cbrt(x: Any) -> Any:
    """Cube root."""

def ceil(x: Any) -> Any:
    """The smallest whole number not below x."""

def clamp(x: Any, lo: Any, hi: Any) -> Any:
    """x limited to [lo, hi], elementwise."""

def clip(x: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> Any:
    """x limited to [a_min, a_max]; None is no limit."""

def concat(arrays: Any, axis: Any = 0) -> Any:
    """Arrays one after the other along an axis."""

def cond(pre: Any, post: Any) -> Any:
    """A condition that holds before, and one that says so afterwards."""

def copy(x: Any) -> Any:
    """x itself: arrays are values."""

def cos(x: Any) -> Any:
    """Cosine."""

def cosh(x: Any) -> Any:
    """Hyperbolic cosine."""

def cross(x: Any, y: Any) -> Any:
    """The vector product along last axes of size 3."""

def cumprod(x: Any, axis: Any = 0) -> Any:
    """Products of all prefixes along an axis."""

def cumsum(x: Any, axis: Any = 0) -> Any:
    """Sums of all prefixes along an axis."""

def degrees(x: Any) -> Any:
    """An angle in degrees."""

def diag(x: Any, k: Any = 0) -> Any:
    """The diagonal of a matrix, or the matrix with a diagonal."""

def diagonal(x: Any, offset: Any = 0) -> Any:
    """The diagonal of a matrix."""

def diff(x: Any, n: Any = 1, axis: Any = -1) -> Any:
    """Differences of neighbours along an axis, n times."""

def digamma(x: Any) -> Any:
    """Derivative of lgamma."""

def divide(x: Any, y: Any) -> Any:
    """x / y."""

def dot(x: Any, y: Any) -> Any:
    """Product of vectors and matrices, as numpy's dot."""

def einsum(subscripts: Any, *operands: Any) -> Any:
    """Sums of products by named indices: 'ij,jk->ik'."""

def erf(x: Any) -> Any:
    """Error function."""

def erfc(x: Any) -> Any:
    """1 - erf(x), exact for large x."""

def exp(x: Any) -> Any:
    """e to the power x."""

def exp2(x: Any) -> Any:
    """2 to the power x."""

def expand_dims(x: Any, axis: Any) -> Any:
    """A new axis of size 1."""

def expm1(x: Any) -> Any:
    """exp(x) - 1, exact near 0."""

def eye(n: Any, m: Any = None, k: Any = 0, dtype: Any = ...) -> Any:
    """A matrix with ones in one diagonal."""

def fabs(x: Any) -> Any:
    """Absolute value, as a float."""

def flatten(x: Any) -> Any:
    """All elements, in row-major order, as a vector."""

def flip(x: Any, axis: Any = None) -> Any:
    """The elements in reverse order along axes, by default all."""

def fliplr(x: Any) -> Any:
    """The second axis in reverse order."""

def flipud(x: Any) -> Any:
    """The first axis in reverse order."""

def float(x: Any) -> Any:
    """A number as a float."""

def floor(x: Any) -> Any:
    """The largest whole number not above x."""

def fma(x: Any, y: Any, z: Any) -> Any:
    """x * y + z, rounded once."""

def fmax(x: Any, y: Any) -> Any:
    """The larger of two, elementwise; NaN only if both are."""

def fmin(x: Any, y: Any) -> Any:
    """The smaller of two, elementwise; NaN only if both are."""

def full(shape: Any, value: Any, dtype: Any = None) -> Any:
    """An array filled with one value."""

def full_like(x: Any, value: Any) -> Any:
    """One value in the shape and dtype of x."""

def hadamard(a: Any, b: Any) -> Any:
    """Replaces two cells by (a + b) / sqrt(2) and (a - b) / sqrt(2)."""

def heaviside(x: Any, y: Any) -> Any:
    """0 for negative x, 1 for positive x, y at 0."""

def hist(op: Any, neutral: Any, dest: Any, keys: Any, values: Any) -> Any:
    """Values combined into the bins their keys name."""

def hstack(arrays: Any) -> Any:
    """Arrays side by side: along the second axis, vectors along their only one."""

def hypot(x: Any, y: Any) -> Any:
    """sqrt(x*x + y*y), without overflow."""

def identity(n: Any, dtype: Any = ...) -> Any:
    """The identity matrix."""

def inner(x: Any, y: Any) -> Any:
    """Sums of products along the last axes of vectors and matrices."""

def int(x: Any) -> Any:
    """The whole part of a number, as an integer."""

def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """Piecewise linear interpolation."""

def iota(n: Any) -> Any:
    """The integers 0, 1, ..., n - 1."""

def isfinite(x: Any) -> Any:
    """Whether x is neither infinite nor NaN."""

def isinf(x: Any) -> Any:
    """Whether x is infinite."""

def isnan(x: Any) -> Any:
    """Whether x is not a number."""

def len(x: Any) -> Any:
    """The size of the leading axis."""

def lgamma(x: Any) -> Any:
    """Logarithm of the absolute value of the gamma function."""

def linspace(a: Any, b: Any, n: Any) -> Any:
    """n evenly spaced numbers from a to b, both included."""

def log(x: Any) -> Any:
    """Natural logarithm."""

def log10(x: Any) -> Any:
    """Logarithm to base 10."""

def log1p(x: Any) -> Any:
    """log(1 + x), exact near 0."""

def log2(x: Any) -> Any:
    """Logarithm to base 2."""

def logaddexp(x: Any, y: Any) -> Any:
    """log(exp(x) + exp(y)), without overflow."""

def logical_and(x: Any, y: Any) -> Any:
    """Whether both are true, elementwise; a number is true if it is not 0."""

def logical_not(x: Any) -> Any:
    """Whether x is false, elementwise."""

def logical_or(x: Any, y: Any) -> Any:
    """Whether one or both are true, elementwise."""

def logical_xor(x: Any, y: Any) -> Any:
    """Whether one alone is true, elementwise."""

def logsumexp(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """log(sum(exp(x))), without overflow."""

def map(f: Any, *arrays: Any) -> Any:
    """f on corresponding elements of the leading axis."""

def matmul(x: Any, y: Any) -> Any:
    """Matrix product, as `x @ y`."""

def max(x: Any, *others: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Largest element; of several arguments, elementwise."""

def maximum(x: Any, y: Any) -> Any:
    """The larger of two, elementwise; NaN if either is."""

def mean(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Mean of all elements, or along an axis."""

def median(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The element in the middle, or the mean of the two there."""

def meshgrid(*arrays: Any, indexing: Any = "xy") -> Any:
    """The coordinates of a grid."""

def min(x: Any, *others: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Smallest element; of several arguments, elementwise."""

def minimum(x: Any, y: Any) -> Any:
    """The smaller of two, elementwise; NaN if either is."""

def mod(x: Any, y: Any) -> Any:
    """x % y, with the sign of y."""

def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """Axes moved to other places."""

def multiply(x: Any, y: Any) -> Any:
    """x * y."""

def negative(x: Any) -> Any:
    """-x."""

def new_stack(dtype: Any, capacity: Any) -> Any:
    """An empty stack, for `tl.ancilla`."""

def norm(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Square root of the sum of squares."""

def ones(shape: Any, dtype: Any = ...) -> Any:
    """An array of ones."""

def ones_like(x: Any) -> Any:
    """Ones of the shape and dtype of x."""

def outer(x: Any, y: Any) -> Any:
    """All products of an element of x and one of y."""

def pad(x: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = 0) -> Any:
    """A border of one value."""

def pop(stack: Any, x: Any) -> Any:
    """Moves the top of a stack to a scalar cell, which must be 0."""

def pow(x: Any, y: Any) -> Any:
    """x to the power y, as `x ** y`."""

def prod(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Product of all elements, or along an axis."""

def push(stack: Any, x: Any) -> Any:
    """Moves a scalar cell to a stack and leaves 0 in it."""

def radians(x: Any) -> Any:
    """An angle in radians."""

def range(*bounds: Any, stripmine: Any = None, budget: Any = None, true_dep: Any = (), unroll: Any = False) -> Any:
    """A range for loops, with hints for differentiation."""

def ravel(x: Any) -> Any:
    """All elements, in row-major order, as a vector."""

def recip(x: Any) -> Any:
    """Replaces a cell by its reciprocal."""

def reciprocal(x: Any) -> Any:
    """1 / x, of floats."""

def reduce(op: Any, neutral: Any, *arrays: Any) -> Any:
    """All elements combined by an associative operator."""

def relu(x: Any) -> Any:
    """x, or 0 where it is negative; the derivative at 0 is 0."""

def repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element, repeated."""

def reshape(x: Any, shape: Any) -> Any:
    """The same elements, in row-major order, in another shape."""

def reverse(x: Any, axis: Any = 0) -> Any:
    """The elements of one axis in reverse order."""

def roll(x: Any, shift: Any, axis: Any = None) -> Any:
    """Elements moved along an axis, around its end."""

def rot(a: Any, b: Any, theta: Any) -> Any:
    """Rotates two cells by an angle."""

def round(x: Any) -> Any:
    """The nearest whole number, ties to even."""

def routine() -> Any:
    """What a `with` block computes, to be undone by `~r`."""

def rsqrt(x: Any) -> Any:
    """1 / sqrt(x)."""

def scan(op: Any, neutral: Any, *arrays: Any, exclusive: Any = False, reverse: Any = False) -> Any:
    """All prefixes combined by an associative operator."""

def scatter(dest: Any, keys: Any, values: Any) -> Any:
    """dest with the values written at the keys."""

def searchsorted(a: Any, v: Any, side: Any = "left") -> Any:
    """Where to insert v into a sorted vector."""

def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x))."""

def sign(x: Any) -> Any:
    """-1, 0 or 1."""

def sin(x: Any) -> Any:
    """Sine."""

def sinh(x: Any) -> Any:
    """Hyperbolic sine."""

def softmax(x: Any, axis: Any = -1) -> Any:
    """exp(x) / sum(exp(x)), without overflow, along an axis."""

def softplus(x: Any) -> Any:
    """log(1 + exp(x)), without overflow."""

def sort(x: Any, axis: Any = -1) -> Any:
    """Sorted along an axis, stably, NaN last."""

def sqrt(x: Any) -> Any:
    """Square root."""

def square(x: Any) -> Any:
    """x * x."""

def squeeze(x: Any, axis: Any = None) -> Any:
    """Without axes of size 1."""

def stack(arrays: Any, axis: Any = 0) -> Any:
    """Arrays of one shape, stacked along a new axis."""

def std(x: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """Standard deviation, the root of `var`."""

def stop_gradient(x: Any) -> Any:
    """x, treated as a constant by differentiation."""

def subtract(x: Any, y: Any) -> Any:
    """x - y."""

def sum(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Sum of all elements, or along an axis."""

def swapaxes(x: Any, axis1: Any, axis2: Any) -> Any:
    """Two axes exchanged."""

def take(x: Any, indices: Any, axis: Any = None) -> Any:
    """The elements at some positions."""

def tan(x: Any) -> Any:
    """Tangent."""

def tanh(x: Any) -> Any:
    """Hyperbolic tangent."""

def tile(x: Any, reps: Any) -> Any:
    """The whole array, repeated along axes."""

def trace(x: Any, offset: Any = 0) -> Any:
    """The sum of the diagonal of a matrix."""

def transpose(x: Any, axes: Any = None) -> Any:
    """Axes permuted, by default reversed."""

def tril(x: Any, k: Any = 0) -> Any:
    """The lower triangle, zeros above."""

def triu(x: Any, k: Any = 0) -> Any:
    """The upper triangle, zeros below."""

def trunc(x: Any) -> Any:
    """x without its fraction."""

def var(x: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """Variance, with n - ddof as divisor."""

def vdot(x: Any, y: Any) -> Any:
    """The sum of the products of all elements."""

def vstack(arrays: Any) -> Any:
    """Arrays on top of each other; a vector is a row."""

def where(condition: Any, x: Any, y: Any) -> Any:
    """x where the condition holds, else y, elementwise."""

def zeros(shape: Any, dtype: Any = ...) -> Any:
    """An array of zeros."""

def zeros_like(x: Any) -> Any:
    """Zeros of the shape and dtype of x."""
