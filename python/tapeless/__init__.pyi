"""What type checkers see of `import tapeless`; written by `make stub` from the tables of the package."""

import builtins
from collections.abc import Iterator
from typing import Any, Protocol

from tapeless import linalg as linalg
from tapeless import random as random
from tapeless.api.by_python.block import disable_jit as disable_jit
from tapeless.api.decorated import TapelessFunction as TapelessFunction
from tapeless.api.exports.to_jax import to_jax as to_jax
from tapeless.api.exports.to_torch import to_torch as to_torch
from tapeless.api.function import compile as compile
from tapeless.api.function import function as function
from tapeless.api.function import jit as jit
from tapeless.api.imports.jax_functions import from_jax as from_jax
from tapeless.api.imports.mlir import from_mlir as from_mlir
from tapeless.api.imports.torch_modules import from_torch as from_torch
from tapeless.api.reversible import Reversible as Reversible
from tapeless.api.reversible import reversible as reversible
from tapeless.api.sparse.matrices import sparse_hessian as sparse_hessian
from tapeless.api.sparse.matrices import sparse_jacobian as sparse_jacobian
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
from tapeless.errors import LinAlgError as LinAlgError
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
from tapeless.trees import register as register
from tapeless.version import __version__ as __version__

# `tl.f64` is a number and `tl.f64[:, 3]` an array, and checkers have no words for the sizes: to them, a value of either
# is anything. mypy takes a variable of type Any for such an annotation, whatever its index, and skips what is behind
# `not MYPY`; pyright skips what is behind `False`, and takes a class with a `__class_getitem__` of its own, whatever
# its index: as a protocol without members everything is one, by its base it is everything, and what one does with it is
# anything. (But `2.0 * x` is a float to pyright, which asks floats first: write `x * 2.0` and index that.)
MYPY = False
if False:
    bf16: Any
    bool_: Any
    f16: Any
    f32: Any
    f64: Any
    i32: Any
    i64: Any
    u32: Any
    In: Any
    fixed43: Any
    ulog: Any
    ulog43: Any
elif not MYPY:
    class _Value(Any):
        def __neg__(self) -> Any: ...
        def __pos__(self) -> Any: ...
        def __abs__(self) -> Any: ...
        def __invert__(self) -> Any: ...
        def __add__(self, other: Any) -> Any: ...
        def __sub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...
        def __floordiv__(self, other: Any) -> Any: ...
        def __mod__(self, other: Any) -> Any: ...
        def __pow__(self, other: Any) -> Any: ...
        def __matmul__(self, other: Any) -> Any: ...
        def __and__(self, other: Any) -> Any: ...
        def __or__(self, other: Any) -> Any: ...
        def __xor__(self, other: Any) -> Any: ...
        def __radd__(self, other: Any) -> Any: ...
        def __rsub__(self, other: Any) -> Any: ...
        def __rmul__(self, other: Any) -> Any: ...
        def __rtruediv__(self, other: Any) -> Any: ...
        def __rfloordiv__(self, other: Any) -> Any: ...
        def __rmod__(self, other: Any) -> Any: ...
        def __rpow__(self, other: Any) -> Any: ...
        def __rmatmul__(self, other: Any) -> Any: ...
        def __rand__(self, other: Any) -> Any: ...
        def __ror__(self, other: Any) -> Any: ...
        def __rxor__(self, other: Any) -> Any: ...
        def __eq__(self, other: Any) -> Any: ...  # type: ignore
        def __ne__(self, other: Any) -> Any: ...  # type: ignore
        def __lt__(self, other: Any) -> Any: ...
        def __le__(self, other: Any) -> Any: ...
        def __gt__(self, other: Any) -> Any: ...
        def __ge__(self, other: Any) -> Any: ...
        def __getitem__(self, index: Any) -> Any: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...
        def __iter__(self) -> Iterator[Any]: ...
        def __len__(self) -> builtins.int: ...
        def __bool__(self) -> builtins.bool: ...
        def __int__(self) -> builtins.int: ...
        def __index__(self) -> builtins.int: ...
        def __float__(self) -> builtins.float: ...
        def __round__(self, digits: builtins.int = ...) -> Any: ...

    class bf16(_Value, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class bool_(_Value, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class f16(_Value, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class f32(_Value, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class f64(_Value, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class i32(_Value, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class i64(_Value, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class u32(_Value, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class In(_Value, Protocol):
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class fixed43(_Value, Protocol):
        def __new__(cls, value: Any) -> Stored: ...
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class ulog(_Value, Protocol):
        def __new__(cls, value: Any) -> Stored: ...
        def __class_getitem__(cls, shape: Any) -> Any: ...

    class ulog43(_Value, Protocol):
        def __new__(cls, value: Any) -> Stored: ...
        def __class_getitem__(cls, shape: Any) -> Any: ...

e: builtins.float
inf: builtins.float
nan: builtins.float
pi: builtins.float

def abs(x: Any) -> Any:
    """Absolute value.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: sign(x).

    >>> tl.abs(-2.5)
    2.5
    """

def acos(x: Any) -> Any:
    """Inverse cosine.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: -1 / sqrt(1 - x ** 2).

    >>> tl.acos(0.5)
    1.0471975511965979
    """

def acosh(x: Any) -> Any:
    """Inverse hyperbolic cosine.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / sqrt(x ** 2 - 1).

    >>> tl.acosh(1.5)
    0.9624236501192069
    """

def add(x: Any, y: Any) -> Any:
    """x + y.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1, 1.

    >>> tl.add(2.0, 3.0)
    5.0
    """

def all(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Whether all elements are true.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: none: the result is a bool.

    >>> tl.all(tl.array([True, False]))
    False
    """

def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether all numbers are nearly equal.

    Shapes: a number.
    Derivative: 0.

    >>> tl.allclose(tl.array([1.0, 2.0]), tl.array([1.0, 2.1]))
    False
    """

def ancilla(value: Any, exit: Any = None, dtype: Any = None) -> Any:
    """A cell for the length of a `with` block.

    Shapes: a number or an array, the value that the cell has before and after the block.
    Derivative: that of the step, while it is undone.

    >>> @tl.reversible
    ... def fourth(y: tl.f64, x: tl.In[tl.f64]):
    ...     with tl.ancilla(0.0) as square:
    ...         square += x * x
    ...         y += square * square
    ...         square -= x * x
    >>> fourth(0.0, 2.0)
    (16.0, 2.0)
    """

def any(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Whether any element is true.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: none: the result is a bool.

    >>> tl.any(tl.array([True, False]))
    True
    """

def append(x: Any, values: Any, axis: Any = None) -> Any:
    """Values after x; without an axis, both flattened.

    Shapes: equal but for the axis.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.append(tl.array([1.0, 2.0]), 3.0)
    array([1., 2., 3.])
    """

def apply_along_axis(func1d: Any, axis: Any, x: Any, *arguments: Any) -> Any:
    """A function of every line of an array along an axis.

    Shapes: the axis becomes those of the result of the function.
    Derivative: that of the function.

    >>> tl.apply_along_axis(tl.sum, 1, tl.eye(2))
    array([1., 1.])
    """

def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Numbers from start, in steps, below stop.

    Shapes: (number of steps,).
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.arange(1.0, 2.0, 0.25)
    array([1.  , 1.25, 1.5 , 1.75])
    """

def argmax(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Index of the first largest element.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: none: the result is an integer.

    >>> tl.argmax(tl.array([3.0, 1.0, 2.0]))
    0
    """

def argmin(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Index of the first smallest element.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: none: the result is an integer.

    >>> tl.argmin(tl.array([3.0, 1.0, 2.0]))
    1
    """

def argsort(x: Any, axis: Any = -1) -> Any:
    """The stable permutation that sorts along an axis.

    Shapes: those of x.
    Derivative: none: the result is an integer.

    >>> tl.argsort(tl.array([3.0, 1.0, 2.0]))
    array([1, 2, 0])
    """

def argwhere(x: Any) -> Any:
    """The positions of elements that are not zero, one in each row.

    Shapes: (number of them, number of axes).
    Derivative: none: the result is an integer.

    >>> tl.argwhere(tl.array([0.0, 3.0]))
    array([[1]])
    """

def array(items: Any, dtype: Any = None) -> Any:
    """An array of numbers or arrays in nested lists.

    Shapes: as the lists are nested.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.array([[1.0, 2.0], [3.0, 4.0]])
    array([[1., 2.],
           [3., 4.]])
    """

def array_equal(x: Any, y: Any) -> Any:
    """Whether two arrays have one shape and equal elements.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.array_equal([1, 2], [1, 2])
    True
    """

def array_split(x: Any, sections: Any, axis: Any = 0) -> Any:
    """Parts whose sizes differ by at most one.

    Shapes: parts of one axis.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.array_split(tl.iota(3), 2)
    (array([0, 1]), array([2]))
    """

def asin(x: Any) -> Any:
    """Inverse sine.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / sqrt(1 - x ** 2).

    >>> tl.asin(0.5)
    0.5235987755982989
    """

def asinh(x: Any) -> Any:
    """Inverse hyperbolic sine.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / sqrt(x ** 2 + 1).

    >>> tl.asinh(0.5)
    0.48121182505960347
    """

def astype(x: Any, dtype: Any) -> Any:
    """The elements converted to another dtype.

    Shapes: those of x.
    Derivative: linear between floats, else none.

    >>> tl.astype(tl.array([1.7, -1.7]), tl.i64)
    array([ 1, -1])
    """

def atan(x: Any) -> Any:
    """Inverse tangent.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / (1 + x ** 2).

    >>> tl.atan(1.0)
    0.7853981633974483
    """

def atan2(x: Any, y: Any) -> Any:
    """The angle of the point (y, x): the first argument is its second coordinate.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: y / (x ** 2 + y ** 2), -x / (x ** 2 + y ** 2).

    >>> tl.atan2(1.0, -1.0)
    2.356194490192345
    """

def atanh(x: Any) -> Any:
    """Inverse hyperbolic tangent.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / (1 - x ** 2).

    >>> tl.atanh(0.5)
    0.5493061443340548
    """

def atleast_1d(*arrays: Any) -> Any:
    """Numbers as vectors; arrays stay as they are.

    Shapes: () to (1,).
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.atleast_1d(2.0)
    array([2.])
    """

def atleast_2d(*arrays: Any) -> Any:
    """Numbers and vectors as matrices of one row.

    Shapes: () to (1, 1), (n,) to (1, n).
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.atleast_2d(tl.array([1.0, 2.0]))
    array([[1., 2.]])
    """

def average(x: Any, axis: Any = None, weights: Any = None, *, keepdims: Any = False) -> Any:
    """Mean with weights.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: of a quotient.

    >>> tl.average(tl.array([1.0, 3.0]), weights=tl.array([3.0, 1.0]))
    1.5
    """

def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each integer occurs.

    Shapes: (largest + 1,), at least (minlength,).
    Derivative: linear in weights.

    >>> tl.bincount(tl.array([0, 2, 2]))
    array([1, 0, 2])
    """

def bitwise_and(x: Any, y: Any) -> Any:
    """x & y, of integers and bools.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is an integer.

    >>> tl.bitwise_and(6, 3)
    2
    """

def bitwise_or(x: Any, y: Any) -> Any:
    """x | y, of integers and bools.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is an integer.

    >>> tl.bitwise_or(6, 3)
    7
    """

def bitwise_xor(x: Any, y: Any) -> Any:
    """x ^ y, of integers and bools.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is an integer.

    >>> tl.bitwise_xor(6, 3)
    5
    """

def block(arrays: Any) -> Any:
    """Blocks in nested lists, joined along the last axes.

    Shapes: sums of the sizes along joined axes.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.block([[tl.eye(1), tl.zeros((1, 1))]])
    array([[1., 0.]])
    """

def bool(x: Any) -> Any:
    """Whether a number is not zero.

    Shapes: a number.
    Derivative: none: the result is a bool.

    >>> tl.bool(0.5)
    True
    """

def bounded(condition: Any, n: Any) -> Any:
    """A loop condition that holds at most n times.

    Shapes: a condition and an integer.
    Derivative: that of the loop, which may run at most n times.

    >>> @tl.function
    ... def halvings(x):
    ...     n = 0
    ...     while tl.bounded(x > 1.0, 100):
    ...         x, n = x / 2.0, n + 1
    ...     return n
    >>> halvings(10.0)
    4
    """

def broadcast_arrays(*arrays: Any) -> Any:
    """Arrays, repeated to the shape that they have together.

    Shapes: each the shape of all together.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.broadcast_arrays(tl.array([1.0, 2.0]), 3.0)[1]
    array([3., 3.])
    """

def broadcast_to(x: Any, shape: Any) -> Any:
    """An array, repeated to a shape.

    Shapes: `shape`.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.broadcast_to(tl.array([1.0, 2.0]), (2, 2))
    array([[1., 2.],
           [1., 2.]])
    """

def cbrt(x: Any) -> Any:
    """Cube root.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / (3 * cbrt(x) ** 2).

    >>> tl.cbrt(-8.0)
    -2.0
    """

def ceil(x: Any) -> Any:
    """The smallest whole number not below x.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 0: it is constant between its steps.

    >>> tl.ceil(-1.5)
    -1.0
    """

def clamp(x: Any, lo: Any, hi: Any) -> Any:
    """x limited to [lo, hi], elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: that of the one that is taken.

    >>> tl.clamp(2.5, 0.0, 1.0)
    1.0
    """

def clip(x: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> Any:
    """x limited to [a_min, a_max]; None is no limit.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: that of the one that is taken.

    >>> tl.clip(tl.array([-1.0, 0.5, 7.0]), 0.0, 1.0)
    array([0. , 0.5, 1. ])
    """

def column_stack(arrays: Any) -> Any:
    """Vectors, and the columns of matrices, side by side.

    Shapes: vectors of one size as columns.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.column_stack((tl.array([1.0, 2.0]), tl.array([3.0, 4.0])))
    array([[1., 3.],
           [2., 4.]])
    """

def concat(arrays: Any, axis: Any = 0) -> Any:
    """Arrays one after the other along an axis.

    Shapes: equal but for the axis.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.concat((tl.iota(2), tl.iota(3)))
    array([0, 1, 0, 1, 2])
    """

def cond(pre: Any, post: Any) -> Any:
    """A condition that holds before, and one that says so afterwards.

    Shapes: two conditions.
    Derivative: none: the result is a bool.

    >>> @tl.reversible
    ... def step(x: tl.f64):
    ...     if tl.cond(x > 0.0, x > 1.0):
    ...         x += 1.0
    >>> step(0.5), (~step)(1.5)
    ((1.5,), (0.5,))
    """

def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """The convolution of two vectors.

    Shapes: (n,) and (m,) to (n + m - 1,).
    Derivative: linear in each operand.

    >>> tl.convolve(tl.array([1.0, 2.0]), tl.array([1.0, 3.0]))
    array([1., 5., 6.])
    """

def copy(x: Any) -> Any:
    """x itself: arrays are values.

    Shapes: those of x.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.copy(tl.array([1.0, 2.0]))
    array([1., 2.])
    """

def copysign(x: Any, y: Any) -> Any:
    """The size of x with the sign of y.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: sign(x) or -sign(x) for x, 0 for y.

    >>> tl.copysign(2.0, -0.5)
    -2.0
    """

def corrcoef(m: Any, *, rowvar: Any = True) -> Any:
    """Correlations of the rows of a matrix.

    Shapes: (n, m) to (n, n).
    Derivative: of the quotient of covariances.

    >>> tl.corrcoef(tl.array([[1.0, 2.0], [2.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """

def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    """Sums of products of a vector with another that is moved.

    Shapes: (n,) and (m,) to (n - m + 1,), or as `mode` says.
    Derivative: linear in each operand.

    >>> tl.correlate(tl.array([1.0, 2.0, 3.0]), tl.array([1.0, 1.0]))
    array([3., 5.])
    """

def cos(x: Any) -> Any:
    """Cosine.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: -sin(x).

    >>> tl.cos(0.5)
    0.8775825618903728
    """

def cosh(x: Any) -> Any:
    """Hyperbolic cosine.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: sinh(x).

    >>> tl.cosh(0.5)
    1.1276259652063807
    """

def count_nonzero(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """How many elements are not zero.

    Shapes: without the axes.
    Derivative: 0.

    >>> tl.count_nonzero(tl.array([1.0, 0.0, 2.0]))
    2
    """

def cov(m: Any, *, rowvar: Any = True, ddof: Any = 1) -> Any:
    """Covariances of the rows of a matrix.

    Shapes: (n, m) to (n, n).
    Derivative: linear in each operand.

    >>> tl.cov(tl.array([[1.0, 2.0], [2.0, 0.0]]))
    array([[ 0.5, -1. ],
           [-1. ,  2. ]])
    """

def cross(x: Any, y: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Any:
    """The vector product along axes of size 3, by default the last.

    Shapes: last axes of size 3.
    Derivative: linear in each operand.

    >>> tl.cross(tl.array([1.0, 0.0, 0.0]), tl.array([0.0, 1.0, 0.0]))
    array([0., 0., 1.])
    """

def cumprod(x: Any, axis: Any = 0) -> Any:
    """Products of all prefixes along an axis.

    Shapes: those of x.
    Derivative: products of the others of each prefix.

    >>> tl.cumprod(tl.array([1.0, 2.0, 3.0]))
    array([1., 2., 6.])
    """

def cumsum(x: Any, axis: Any = 0) -> Any:
    """Sums of all prefixes along an axis.

    Shapes: those of x.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.cumsum(tl.array([1.0, 2.0, 3.0]))
    array([1., 3., 6.])
    """

def debug_print(text: Any, *values: Any, **named: Any) -> Any:
    """Prints a text with values in its braces, as `str.format` does.

    Shapes: any; it is a statement and gives nothing.
    Derivative: none: it prints once, going forward.

    >>> @tl.function
    ... def halved(x):
    ...     for i in range(2):
    ...         x = x / 2.0
    ...         tl.debug_print("{}: {}", i, x)
    ...     return x
    >>> halved(10.0)
    0: 5.0
    1: 2.5
    2.5
    """

def degrees(x: Any) -> Any:
    """An angle in degrees.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 180 / pi.

    >>> tl.degrees(tl.pi)
    180.0
    """

def diag(x: Any, k: Any = 0) -> Any:
    """The diagonal of a matrix, or the matrix with a diagonal.

    Shapes: (n,) to (n, n), and back.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.diag(tl.array([1.0, 2.0]))
    array([[1., 0.],
           [0., 2.]])
    """

def diag_indices(n: Any, ndim: Any = 2) -> Any:
    """The positions of the elements of a diagonal, for each axis.

    Shapes: `ndim` times (n,).
    Derivative: none: the result is an integer.

    >>> tl.diag_indices(2)
    (array([0, 1]), array([0, 1]))
    """

def diagonal(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """The diagonals of matrices.

    Shapes: (n, m) to (min(n, m),).
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.diagonal(tl.array([[1.0, 2.0], [3.0, 4.0]]))
    array([1., 4.])
    """

def diff(x: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours along an axis, n times.

    Shapes: one axis shorter by n.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.diff(tl.array([1.0, 4.0, 9.0]))
    array([3., 5.])
    """

def digamma(x: Any) -> Any:
    """Derivative of lgamma.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: trigamma(x).

    >>> tl.digamma(1.0)
    -0.5772156649015328
    """

def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    """In which of the bins between edges each number is.

    Shapes: those of x.
    Derivative: none: the result is an integer.

    >>> tl.digitize(tl.array([0.5, 2.5]), tl.array([0.0, 1.0, 2.0]))
    array([1, 3])
    """

def divide(x: Any, y: Any) -> Any:
    """x / y.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / y, -x / y ** 2.

    >>> tl.divide(3, 2)
    1.5
    """

def divmod(x: Any, y: Any) -> Any:
    """The pair x // y and x % y.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: that of x // y and that of x % y.

    >>> tl.divmod(-7.0, 3.0)
    (-3.0, 2.0)
    """

def dot(x: Any, y: Any) -> Any:
    """Product of vectors and matrices, as numpy's dot.

    Shapes: as numpy's dot, up to matrices.
    Derivative: linear in each operand.

    >>> tl.dot(tl.array([1.0, 2.0]), tl.array([3.0, 4.0]))
    11.0
    """

def dstack(arrays: Any) -> Any:
    """Arrays behind each other, along the third axis.

    Shapes: (n, m) each to (n, m, number of them).
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.dstack((tl.array([1.0, 2.0]), tl.array([3.0, 4.0])))
    array([[[1., 3.],
            [2., 4.]]])
    """

def einsum(subscripts: Any, *operands: Any) -> Any:
    """Sums of products by named indices: 'ij,jk->ik'.

    Shapes: as the subscripts say.
    Derivative: linear in each operand.

    >>> tl.einsum('ij,j->i', tl.ones((2, 3)), tl.iota(3))
    array([3., 3.])
    """

def equal(x: Any, y: Any) -> Any:
    """Whether two are equal, elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.equal(1.0, 2.0)
    False
    """

def erf(x: Any) -> Any:
    """Error function.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 2 / sqrt(pi) * exp(-(x ** 2)).

    >>> tl.erf(0.5)
    0.5204998778130465
    """

def erfc(x: Any) -> Any:
    """1 - erf(x), exact for large x.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: -2 / sqrt(pi) * exp(-(x ** 2)).

    >>> tl.erfc(0.5)
    0.4795001221869535
    """

def erfinv(x: Any) -> Any:
    """Inverse of the error function, for numbers between -1 and 1.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: sqrt(pi) / 2 * exp(erfinv(x) ** 2).

    >>> tl.erfinv(0.5)
    0.47693627620446977
    """

def exp(x: Any) -> Any:
    """e to the power x.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: exp(x).

    >>> tl.exp(1.0)
    2.718281828459045
    """

def exp2(x: Any) -> Any:
    """2 to the power x.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: exp2(x) * log(2).

    >>> tl.exp2(3.0)
    8.0
    """

def expand_dims(x: Any, axis: Any) -> Any:
    """A new axis of size 1.

    Shapes: one axis more.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.expand_dims(tl.array([1.0, 2.0]), 1)
    array([[1.],
           [2.]])
    """

def expm1(x: Any) -> Any:
    """exp(x) - 1, exact near 0.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: exp(x).

    >>> tl.expm1(1e-20)
    1e-20
    """

def eye(n: Any, m: Any = None, k: Any = 0, dtype: Any = ...) -> Any:
    """A matrix with ones in one diagonal.

    Shapes: (n, m).
    Derivative: none: it does not depend on numbers that have one.

    >>> tl.eye(2, 3, k=1)
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """

def fabs(x: Any) -> Any:
    """Absolute value, as a float.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: sign(x).

    >>> tl.fabs(-3)
    3.0
    """

def flatnonzero(x: Any) -> Any:
    """The places, in row-major order, of elements that are not zero.

    Shapes: one axis, of a size known at run time.
    Derivative: none: the result is an integer.

    >>> tl.flatnonzero(tl.array([0.0, 2.0, 0.0, 3.0]))
    array([1, 3])
    """

def flatten(x: Any, order: Any = "C") -> Any:
    """All elements, in row-major order, as a vector.

    Shapes: any, to a vector.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.flatten(tl.ones((2, 2)))
    array([1., 1., 1., 1.])
    """

def flip(x: Any, axis: Any = None) -> Any:
    """The elements in reverse order along axes, by default all.

    Shapes: those of x.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.flip(tl.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[4., 3.],
           [2., 1.]])
    """

def fliplr(x: Any) -> Any:
    """The second axis in reverse order.

    Shapes: those of x.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.fliplr(tl.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[2., 1.],
           [4., 3.]])
    """

def flipud(x: Any) -> Any:
    """The first axis in reverse order.

    Shapes: those of x.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.flipud(tl.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[3., 4.],
           [1., 2.]])
    """

def float(x: Any) -> Any:
    """A number as a float.

    Shapes: a number.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.float(3)
    3.0
    """

def floor(x: Any) -> Any:
    """The largest whole number not above x.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 0: it is constant between its steps.

    >>> tl.floor(-1.5)
    -2.0
    """

def floor_divide(x: Any, y: Any) -> Any:
    """x // y, rounded down.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 0: it is constant between its steps.

    >>> tl.floor_divide(-7.0, 3.0)
    -3.0
    """

def fma(x: Any, y: Any, z: Any) -> Any:
    """x * y + z, rounded once.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: y, x, 1.

    >>> tl.fma(2.0, 3.0, 4.0)
    10.0
    """

def fmax(x: Any, y: Any) -> Any:
    """The larger of two, elementwise; NaN only if both are.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: that of the one that is taken.

    >>> tl.fmax(tl.nan, 3.0)
    3.0
    """

def fmin(x: Any, y: Any) -> Any:
    """The smaller of two, elementwise; NaN only if both are.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: that of the one that is taken.

    >>> tl.fmin(tl.nan, 3.0)
    3.0
    """

def fmod(x: Any, y: Any) -> Any:
    """The rest of x / y with the sign of x.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 for x, minus the whole quotient for y.

    >>> tl.fmod(-7.0, 3.0)
    -1.0
    """

def full(shape: Any, value: Any, dtype: Any = None) -> Any:
    """An array filled with one value.

    Shapes: `shape`, an integer or a tuple of them.
    Derivative: the sum of the adjoints of all elements.

    >>> tl.full(3, 0.5)
    array([0.5, 0.5, 0.5])
    """

def full_like(x: Any, value: Any, dtype: Any = None) -> Any:
    """One value in the shape of x, and of its dtype.

    Shapes: those of x.
    Derivative: the sum of the adjoints of all elements.

    >>> tl.full_like(tl.array([1.0, 2.0]), 7.0)
    array([7., 7.])
    """

def geomspace(a: Any, b: Any, n: Any = 50, endpoint: Any = True) -> Any:
    """n numbers from a to b, in equal ratios.

    Shapes: (n,).
    Derivative: of the powers.

    >>> tl.geomspace(1.0, 4.0, 3)
    array([1., 2., 4.])
    """

def gradient(f: Any, *spacing: Any, axis: Any = None) -> Any:
    """Differences of neighbours along each axis.

    Shapes: those of f.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.gradient(tl.array([0.0, 1.0, 4.0]))
    array([1., 2., 3.])
    """

def greater(x: Any, y: Any) -> Any:
    """Whether x is larger than y, elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.greater(1.0, 2.0)
    False
    """

def greater_equal(x: Any, y: Any) -> Any:
    """Whether x is not smaller than y, elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.greater_equal(2.0, 2.0)
    True
    """

def hadamard(a: Any, b: Any) -> Any:
    """Replaces two cells by (a + b) / sqrt(2) and (a - b) / sqrt(2).

    Shapes: cells: parameters and ancillas of procedures.
    Derivative: that of the step, while it is undone.

    >>> @tl.reversible
    ... def mixed(a: tl.f64, b: tl.f64):
    ...     tl.hadamard(a, b)
    >>> np.round(mixed(1.0, 1.0), 6)
    array([1.414214, 0.      ])
    """

def heaviside(x: Any, y: Any) -> Any:
    """0 for negative x, 1 for positive x, y at 0.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 0: it is constant between its steps.

    >>> tl.heaviside(tl.array([-1.0, 0.0, 2.0]), 0.5)
    array([0. , 0.5, 1. ])
    """

def hist(op: Any, neutral: Any, dest: Any, keys: Any, values: Any) -> Any:
    """Values combined into the bins their keys name.

    Shapes: those of `dest`; keys and values have one length, and keys outside are ignored.
    Derivative: by that of op, also in outer values that op reads.

    >>> tl.hist(tl.add, 0.0, tl.zeros(3), tl.array([0, 2, 2, 9]), tl.array([1.0, 2.0, 3.0, 4.0]))
    array([1., 0., 5.])
    """

def histogram(x: Any, bins: Any = 10, range: Any = None, density: Any = False, weights: Any = None) -> Any:
    """How many numbers are in each bin, and the edges of the bins.

    Shapes: (bins,) and (bins + 1,).
    Derivative: linear in weights; edges are constants.

    >>> tl.histogram(tl.array([1.0, 2.0, 4.0]), bins=3)
    (array([1, 1, 1]), array([1., 2., 3., 4.]))
    """

def hsplit(x: Any, indices_or_sections: Any) -> Any:
    """Parts along the second axis, of vectors along their only one.

    Shapes: a tuple of parts of the second axis.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.hsplit(tl.array([1.0, 2.0]), 2)
    (array([1.]), array([2.]))
    """

def hstack(arrays: Any) -> Any:
    """Arrays side by side: along the second axis, vectors along their only one.

    Shapes: equal but for the second axis.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.hstack((tl.iota(2), tl.iota(2)))
    array([0, 1, 0, 1])
    """

def hypot(x: Any, y: Any) -> Any:
    """sqrt(x*x + y*y), without overflow.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: x / hypot(x, y), y / hypot(x, y).

    >>> tl.hypot(3.0, 4.0)
    5.0
    """

def identity(n: Any, dtype: Any = ...) -> Any:
    """The identity matrix.

    Shapes: (n, n).
    Derivative: none: it does not depend on numbers that have one.

    >>> tl.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """

def indices(dimensions: Any) -> Any:
    """For each axis of a grid, the positions along it.

    Shapes: (number of axes, *dimensions).
    Derivative: none: the result is an integer.

    >>> tl.indices((1, 2))
    array([[[0, 0]],

           [[0, 1]]])
    """

def inner(x: Any, y: Any) -> Any:
    """Sums of products along the last axes of vectors and matrices.

    Shapes: equal last axes.
    Derivative: linear in each operand.

    >>> tl.inner(tl.array([1.0, 2.0]), tl.array([3.0, 4.0]))
    11.0
    """

def int(x: Any) -> Any:
    """The whole part of a number, as an integer.

    Shapes: a number.
    Derivative: none: the result is an integer.

    >>> tl.int(-2.7)
    -2
    """

def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """Piecewise linear interpolation.

    Shapes: those of x.
    Derivative: slope of the piece; linear in fp.

    >>> tl.interp(0.5, tl.array([0.0, 1.0]), tl.array([2.0, 4.0]))
    3.0
    """

def invert(x: Any) -> Any:
    """~x, of integers and bools.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is an integer.

    >>> tl.invert(tl.array([True, False]))
    array([False,  True])
    """

def iota(n: Any) -> Any:
    """The integers 0, 1, ..., n - 1.

    Shapes: (n,).
    Derivative: none: the result is an integer.

    >>> tl.iota(4)
    array([0, 1, 2, 3])
    """

def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether numbers are nearly equal.

    Shapes: broadcast.
    Derivative: 0.

    >>> tl.isclose(1.0, 1.0 + 1e-9)
    True
    """

def isfinite(x: Any) -> Any:
    """Whether x is neither infinite nor NaN.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.isfinite(tl.array([1.0, tl.inf]))
    array([ True, False])
    """

def isin(x: Any, y: Any, *, invert: Any = False) -> Any:
    """Whether each element of x is one of y.

    Shapes: those of x.
    Derivative: none: the result is a bool.

    >>> tl.isin(tl.array([1, 2, 3]), [3, 1])
    array([ True, False,  True])
    """

def isinf(x: Any) -> Any:
    """Whether x is infinite.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.isinf(-tl.inf)
    True
    """

def isnan(x: Any) -> Any:
    """Whether x is not a number.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.isnan(tl.nan)
    True
    """

def ix_(*vectors: Any) -> Any:
    """Positions along axes as index arrays that select a grid.

    Shapes: each along an axis of its own.
    Derivative: none: the result is an integer.

    >>> tl.ix_([1, 0], [2])
    (array([[1],
           [0]]), array([[2]]))
    """

def kron(x: Any, y: Any) -> Any:
    """Every element of a times the whole of b.

    Shapes: products of the sizes.
    Derivative: linear in each operand.

    >>> tl.kron(tl.array([1.0, 2.0]), tl.array([1.0, 3.0]))
    array([1., 3., 2., 6.])
    """

def left_shift(x: Any, y: Any) -> Any:
    """x << y, of integers.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is an integer.

    >>> tl.left_shift(3, 2)
    12
    """

def len(x: Any) -> Any:
    """The size of the leading axis.

    Shapes: an array; the result is a number.
    Derivative: none: the result is an integer.

    >>> tl.len(tl.zeros((4, 2)))
    4
    """

def less(x: Any, y: Any) -> Any:
    """Whether x is smaller than y, elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.less(tl.array([1.0, 3.0]), 2.0)
    array([ True, False])
    """

def less_equal(x: Any, y: Any) -> Any:
    """Whether x is not larger than y, elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.less_equal(2.0, 2.0)
    True
    """

def lgamma(x: Any) -> Any:
    """Logarithm of the absolute value of the gamma function.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: digamma(x).

    >>> tl.lgamma(5.0)
    3.1780538303479458
    """

def linspace(a: Any, b: Any, n: Any = 50, endpoint: Any = True) -> Any:
    """n evenly spaced numbers from a to b, which is included.

    Shapes: (n,).
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.linspace(0.0, 1.0, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """

def log(x: Any) -> Any:
    """Natural logarithm.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / x.

    >>> tl.log(8.0)
    2.0794415416798357
    """

def log10(x: Any) -> Any:
    """Logarithm to base 10.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / (x * log(10)).

    >>> tl.log10(0.01)
    -2.0
    """

def log1p(x: Any) -> Any:
    """log(1 + x), exact near 0.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / (1 + x).

    >>> tl.log1p(1e-20)
    1e-20
    """

def log2(x: Any) -> Any:
    """Logarithm to base 2.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / (x * log(2)).

    >>> tl.log2(8.0)
    3.0
    """

def logaddexp(x: Any, y: Any) -> Any:
    """log(exp(x) + exp(y)), without overflow.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / (1 + exp(y - x)), 1 / (1 + exp(x - y)).

    >>> tl.logaddexp(1000.0, 1000.0)
    1000.6931471805599
    """

def logical_and(x: Any, y: Any) -> Any:
    """Whether both are true, elementwise; a number is true if it is not 0.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.logical_and(True, 0.0)
    False
    """

def logical_not(x: Any) -> Any:
    """Whether x is false, elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.logical_not(0.0)
    True
    """

def logical_or(x: Any, y: Any) -> Any:
    """Whether one or both are true, elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.logical_or(True, 0.0)
    True
    """

def logical_xor(x: Any, y: Any) -> Any:
    """Whether one alone is true, elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.logical_xor(True, True)
    False
    """

def logspace(a: Any, b: Any, n: Any = 50, endpoint: Any = True, base: Any = 10.0) -> Any:
    """n numbers from base**a to base**b, in equal ratios.

    Shapes: (n,).
    Derivative: log(base) y times that of the exponent.

    >>> tl.logspace(0.0, 2.0, 3)
    array([  1.,  10., 100.])
    """

def logsumexp(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """log(sum(exp(x))), without overflow.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: softmax(x).

    >>> tl.logsumexp(tl.array([1000.0, 1000.0]))
    1000.6931471805599
    """

def map(f: Any, *arrays: Any) -> Any:
    """f on corresponding elements of the leading axis.

    Shapes: equal leading axes; rows for arrays of more axes; a tuple of results gives a tuple of arrays.
    Derivative: by that of f, also in outer values that f reads.

    >>> tl.map(lambda a, b: a * b + 1.0, tl.array([1.0, 2.0]), tl.array([3.0, 4.0]))
    array([4., 9.])
    """

def matmul(x: Any, y: Any) -> Any:
    """Matrix product, as `x @ y`.

    Shapes: (n, k) and (k, m) to (n, m); axes before these broadcast.
    Derivative: linear in each operand.

    >>> tl.matmul(tl.ones((2, 3)), tl.ones((3, 1)))
    array([[3.],
           [3.]])
    """

def matrix_transpose(x: Any) -> Any:
    """The last two axes exchanged.

    Shapes: the last two sizes exchanged.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.matrix_transpose(tl.array([[1.0, 2.0]]))
    array([[1.],
           [2.]])
    """

def max(x: Any, *others: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Largest element; of several arguments, elementwise.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: that of the first largest element.

    >>> tl.max(tl.array([3.0, 1.0, 2.0]))
    3.0
    """

def maximum(x: Any, y: Any) -> Any:
    """The larger of two, elementwise; NaN if either is.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: that of the one that is taken; of equal ones, the first.

    >>> tl.maximum(tl.array([1.0, 5.0]), 3.0)
    array([3., 5.])
    """

def mean(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Mean of all elements, or along an axis.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.mean(tl.array([3.0, 1.0, 2.0]))
    2.0
    """

def median(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The element in the middle, or the mean of the two there.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: that of the middle element, or half of each of two.

    >>> tl.median(tl.array([3.0, 1.0, 2.0]))
    2.0
    """

def meshgrid(*arrays: Any, indexing: Any = "xy") -> Any:
    """The coordinates of a grid.

    Shapes: one array per vector, of all their sizes.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.meshgrid(tl.array([1.0, 2.0]), tl.array([3.0, 4.0]))
    (array([[1., 2.],
           [1., 2.]]), array([[3., 3.],
           [4., 4.]]))
    """

def min(x: Any, *others: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Smallest element; of several arguments, elementwise.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: that of the first smallest element.

    >>> tl.min(tl.array([3.0, 1.0, 2.0]))
    1.0
    """

def minimum(x: Any, y: Any) -> Any:
    """The smaller of two, elementwise; NaN if either is.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: that of the one that is taken; of equal ones, the first.

    >>> tl.minimum(tl.array([1.0, 5.0]), 3.0)
    array([1., 3.])
    """

def mod(x: Any, y: Any) -> Any:
    """x % y, with the sign of y.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1, -floor(x / y).

    >>> tl.mod(-7.0, 3.0)
    2.0
    """

def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """Axes moved to other places.

    Shapes: axes permuted.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.moveaxis(tl.array([[1.0, 2.0]]), 0, 1)
    array([[1.],
           [2.]])
    """

def multiply(x: Any, y: Any) -> Any:
    """x * y.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: y, x.

    >>> tl.multiply(2.0, 3.0)
    6.0
    """

def nan_to_num(x: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Numbers in place of NaN and infinities.

    Shapes: those of x.
    Derivative: 1 where nothing is replaced.

    >>> tl.nan_to_num(tl.array([1.0, tl.nan]))
    array([1., 0.])
    """

def nanmax(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Largest element that is not NaN.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: as without `nan`; 0 where there is NaN.

    >>> tl.nanmax(tl.array([4.0, tl.nan, 2.0]))
    4.0
    """

def nanmean(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Mean of all elements that are not NaN.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: as without `nan`; 0 where there is NaN.

    >>> tl.nanmean(tl.array([4.0, tl.nan, 2.0]))
    3.0
    """

def nanmin(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Smallest element that is not NaN.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: as without `nan`; 0 where there is NaN.

    >>> tl.nanmin(tl.array([4.0, tl.nan, 2.0]))
    2.0
    """

def nanprod(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Product of all elements that are not NaN.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: as without `nan`; 0 where there is NaN.

    >>> tl.nanprod(tl.array([4.0, tl.nan, 2.0]))
    8.0
    """

def nanstd(x: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """Standard deviation of all elements that are not NaN.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: as without `nan`; 0 where there is NaN.

    >>> tl.nanstd(tl.array([4.0, tl.nan, 2.0]))
    1.0
    """

def nansum(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Sum of all elements that are not NaN.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: as without `nan`; 0 where there is NaN.

    >>> tl.nansum(tl.array([1.0, tl.nan, 2.0]))
    3.0
    """

def nanvar(x: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """Variance of all elements that are not NaN.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: as without `nan`; 0 where there is NaN.

    >>> tl.nanvar(tl.array([4.0, tl.nan, 2.0]))
    1.0
    """

def ndim(x: Any) -> Any:
    """How many axes an array has.

    Shapes: a number.
    Derivative: none: the result is an integer.

    >>> tl.ndim(tl.zeros((2, 3)))
    2
    """

def negative(x: Any) -> Any:
    """-x.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: -1.

    >>> tl.negative(4.0)
    -4.0
    """

def new_stack(dtype: Any, capacity: Any) -> Any:
    """An empty stack, for `tl.ancilla`.

    Shapes: a dtype and a number of elements.
    Derivative: that of the step, while it is undone.

    >>> @tl.reversible
    ... def kept(y: tl.f64, x: tl.f64):
    ...     with tl.ancilla(tl.new_stack(tl.f64, 4)) as stack:
    ...         tl.push(stack, x)
    ...         y += 1.0
    ...         tl.pop(stack, x)
    >>> kept(0.0, 3.0)
    (1.0, 3.0)
    """

def nonzero(x: Any) -> Any:
    """For each axis, where the elements that are not zero are.

    Shapes: one array for each axis of x, of a size known at run time.
    Derivative: none: the result is an integer.

    >>> tl.nonzero(tl.array([[0.0, 2.0], [3.0, 0.0]]))
    (array([0, 1]), array([1, 0]))
    """

def norm(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Square root of the sum of squares.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: x / norm(x), which is no number at 0.

    >>> tl.norm(tl.array([3.0, 4.0]))
    5.0
    """

def not_equal(x: Any, y: Any) -> Any:
    """Whether two differ, elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.not_equal(1.0, 2.0)
    True
    """

def ones(shape: Any, dtype: Any = ...) -> Any:
    """An array of ones.

    Shapes: `shape`, an integer or a tuple of them.
    Derivative: none: it does not depend on numbers that have one.

    >>> tl.ones(3, dtype=tl.f32)
    array([1., 1., 1.], dtype=float32)
    """

def ones_like(x: Any, dtype: Any = None) -> Any:
    """Ones of the shape of x, and of its dtype.

    Shapes: those of x.
    Derivative: none: it does not depend on numbers that have one.

    >>> tl.ones_like(tl.array([1.0, 2.0]))
    array([1., 1.])
    """

def outer(x: Any, y: Any) -> Any:
    """All products of an element of x and one of y.

    Shapes: (n,) and (m,) to (n, m).
    Derivative: linear in each operand.

    >>> tl.outer(tl.array([1.0, 2.0]), tl.array([3.0, 4.0]))
    array([[3., 4.],
           [6., 8.]])
    """

def pad(x: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = 0) -> Any:
    """A border of one value, or of elements.

    Shapes: sizes plus those of the border.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.pad(tl.array([1.0, 2.0]), 1)
    array([0., 1., 2., 0.])
    """

def percentile(x: Any, q: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Where q percent of the elements are below.

    Shapes: without the axes.
    Derivative: of what lies beside it.

    >>> tl.percentile(tl.array([1.0, 2.0, 4.0]), 50.0)
    2.0
    """

def polyval(p: Any, x: Any) -> Any:
    """A polynomial, the coefficient of its highest power first.

    Shapes: those of x.
    Derivative: of the polynomial.

    >>> tl.polyval(tl.array([2.0, 0.0, 1.0]), 3.0)
    19.0
    """

def pop(stack: Any, x: Any) -> Any:
    """Moves the top of a stack to a scalar cell, which must be 0.

    Shapes: cells: parameters and ancillas of procedures.
    Derivative: that of the step, while it is undone.

    >>> @tl.reversible
    ... def exchanged(a: tl.f64, b: tl.f64):
    ...     with tl.ancilla(tl.new_stack(tl.f64, 4)) as stack:
    ...         tl.push(stack, a)
    ...         tl.push(stack, b)
    ...         tl.pop(stack, a)
    ...         tl.pop(stack, b)
    >>> exchanged(3.0, 5.0)
    (5.0, 3.0)
    """

def pow(x: Any, y: Any) -> Any:
    """x to the power y, as `x ** y`.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: y * x ** (y - 1), x ** y * log(x).

    >>> tl.pow(2.0, 0.5)
    1.4142135623730951
    """

def prod(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Product of all elements, or along an axis.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: the product of the others, also where one is 0.

    >>> tl.prod(tl.array([2.0, 3.0, 4.0]))
    24.0
    """

def ptp(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The largest element less the smallest.

    Shapes: without the axes.
    Derivative: of the extremes.

    >>> tl.ptp(tl.array([1.0, 5.0, 2.0]))
    4.0
    """

def push(stack: Any, x: Any) -> Any:
    """Moves a scalar cell to a stack and leaves 0 in it.

    Shapes: cells: parameters and ancillas of procedures.
    Derivative: that of the step, while it is undone.

    >>> @tl.reversible
    ... def moved(a: tl.f64, b: tl.f64):
    ...     with tl.ancilla(tl.new_stack(tl.f64, 4)) as stack:
    ...         tl.push(stack, a)
    ...         tl.pop(stack, a)
    ...         b += a
    >>> moved(3.0, 0.0)
    (3.0, 3.0)
    """

def quantile(x: Any, q: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Where a share q of the elements is below.

    Shapes: without the axes.
    Derivative: of what lies beside it.

    >>> tl.quantile(tl.array([1.0, 2.0, 4.0]), 0.75)
    3.0
    """

def radians(x: Any) -> Any:
    """An angle in radians.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: pi / 180.

    >>> tl.radians(180.0)
    3.141592653589793
    """

def range(*bounds: Any, stripmine: Any = None, budget: Any = None, true_dep: Any = (), unroll: Any = False) -> Any:
    """A range for loops, with hints for differentiation.

    Shapes: numbers.
    Derivative: that of the loop; `stripmine` and `budget` say how many states reverse mode stores.

    >>> @tl.function
    ... def power(x, n):
    ...     result = 1.0
    ...     for _ in tl.range(n, stripmine=2):
    ...         result *= x
    ...     return result
    >>> tl.grad(power)(2.0, 10)
    5120.0
    """

def ravel(x: Any, order: Any = "C") -> Any:
    """All elements, in row-major order, as a vector.

    Shapes: any, to a vector.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.ravel(tl.ones((2, 2)))
    array([1., 1., 1., 1.])
    """

def recip(x: Any) -> Any:
    """Replaces a cell by its reciprocal.

    Shapes: cells: parameters and ancillas of procedures.
    Derivative: that of the step, while it is undone.

    >>> @tl.reversible
    ... def turn(x: tl.ulog):
    ...     tl.recip(x)
    >>> float(turn(4.0)[0])
    0.25
    """

def reciprocal(x: Any) -> Any:
    """1 / x, of floats.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: -1 / x ** 2.

    >>> tl.reciprocal(4.0)
    0.25
    """

def reduce(op: Any, neutral: Any, *arrays: Any) -> Any:
    """All elements combined by an associative operator.

    Shapes: the leading axis goes; with k arrays, op takes 2 k arguments and `neutral` is a k-tuple.
    Derivative: by that of op, also in outer values that op reads.

    >>> tl.reduce(lambda a, b: a + b, 0.0, tl.array([1.0, 2.0, 3.0]))
    6.0
    """

def relu(x: Any) -> Any:
    """x, or 0 where it is negative; the derivative at 0 is 0.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 if x > 0 else 0.

    >>> tl.relu(-2.0)
    0.0
    """

def repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element, repeated.

    Shapes: one size times `repeats`.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.repeat(tl.array([1.0, 2.0]), 2)
    array([1., 1., 2., 2.])
    """

def reshape(x: Any, shape: Any) -> Any:
    """The same elements, in row-major order, in another shape.

    Shapes: any, to `shape` with as many elements.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.reshape(tl.iota(6), (2, 3))
    array([[0, 1, 2],
           [3, 4, 5]])
    """

def reverse(x: Any, axis: Any = 0) -> Any:
    """The elements of one axis in reverse order.

    Shapes: those of x.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.reverse(tl.iota(3))
    array([2, 1, 0])
    """

def right_shift(x: Any, y: Any) -> Any:
    """x >> y, of integers.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is an integer.

    >>> tl.right_shift(12, 2)
    3
    """

def roll(x: Any, shift: Any, axis: Any = None) -> Any:
    """Elements moved along an axis, around its end.

    Shapes: those of x.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.roll(tl.iota(4), 1)
    array([3, 0, 1, 2])
    """

def rot(a: Any, b: Any, theta: Any) -> Any:
    """Rotates two cells by an angle.

    Shapes: cells: parameters and ancillas of procedures.
    Derivative: that of the step, while it is undone.

    >>> @tl.reversible
    ... def quarter(a: tl.f64, b: tl.f64):
    ...     tl.rot(a, b, tl.pi / 2.0)
    >>> np.round(quarter(1.0, 0.0), 6)
    array([0., 1.])
    """

def rot90(x: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """Turned by k quarters, from the first axis to the second.

    Shapes: both sizes exchanged for odd k.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.rot90(tl.array([[1.0, 2.0]]))
    array([[2.],
           [1.]])
    """

def round(x: Any, decimals: Any = 0) -> Any:
    """The nearest number with so many decimals, ties to even.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 0: it is constant between its steps.

    >>> tl.round(2.5)
    2.0
    """

def routine() -> Any:
    """What a `with` block computes, to be undone by `~r`.

    Shapes: cells: parameters and ancillas of procedures.
    Derivative: that of the step, while it is undone.

    >>> @tl.reversible
    ... def eighth(y: tl.f64, x: tl.In[tl.f64]):
    ...     with tl.ancilla(0.0) as a, tl.ancilla(0.0) as b:
    ...         with tl.routine() as r:
    ...             a += x * x
    ...             b += a * a
    ...         y += b * b
    ...         ~r
    >>> eighth(0.0, 2.0)
    (256.0, 2.0)
    """

def rsqrt(x: Any) -> Any:
    """1 / sqrt(x).

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: -1 / (2 * x * sqrt(x)).

    >>> tl.rsqrt(4.0)
    0.5
    """

def scan(op: Any, neutral: Any, *arrays: Any, exclusive: Any = False, reverse: Any = False) -> Any:
    """All prefixes combined by an associative operator.

    Shapes: those of the arrays.
    Derivative: by that of op, also in outer values that op reads.

    >>> tl.scan(tl.maximum, -tl.inf, tl.array([1.0, 3.0, 2.0]))
    array([1., 3., 3.])
    """

def scatter(dest: Any, keys: Any, values: Any) -> Any:
    """dest with the values written at the keys.

    Shapes: those of `dest`; keys and values have one length, and keys outside are ignored.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.scatter(tl.zeros(3), tl.array([2, 0]), tl.array([5.0, 7.0]))
    array([7., 0., 5.])
    """

def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    """Where to insert v into a sorted vector.

    Shapes: those of v.
    Derivative: none: the result is an integer.

    >>> tl.searchsorted(tl.array([1.0, 2.0, 3.0]), 2.5)
    2
    """

def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """The first choice whose condition holds.

    Shapes: broadcast.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.select([tl.array([1.0, -2.0]) > 0.0], [tl.array([5.0, 6.0])])
    array([5., 0.])
    """

def shape(x: Any) -> Any:
    """The sizes of all axes.

    Shapes: as many numbers as axes.
    Derivative: none: the result is an integer.

    >>> tl.shape(tl.zeros((2, 3)))
    (2, 3)
    """

def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)).

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: sigmoid(x) * (1 - sigmoid(x)).

    >>> tl.sigmoid(0.0)
    0.5
    """

def sign(x: Any) -> Any:
    """-1, 0 or 1.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 0: it is constant between its steps.

    >>> tl.sign(-0.5)
    -1.0
    """

def signbit(x: Any) -> Any:
    """Whether x is negative, or the negative zero.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: none: the result is a bool.

    >>> tl.signbit(tl.array([-0.0, 2.0]))
    array([ True, False])
    """

def sin(x: Any) -> Any:
    """Sine.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: cos(x).

    >>> tl.sin(0.5)
    0.479425538604203
    """

def sinc(x: Any) -> Any:
    """sin(pi x) / (pi x).

    Shapes: those of x.
    Derivative: of the quotient, of its series near 0.

    >>> tl.sinc(0.5)
    0.6366197723675814
    """

def sinh(x: Any) -> Any:
    """Hyperbolic sine.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: cosh(x).

    >>> tl.sinh(0.5)
    0.5210953054937474
    """

def size(x: Any, axis: Any = None) -> Any:
    """How many elements there are, in all or along an axis.

    Shapes: a number.
    Derivative: none: the result is an integer.

    >>> tl.size(tl.zeros((2, 3)))
    6
    """

def sliding_window_view(x: Any, window_shape: Any, axis: Any = None) -> Any:
    """All windows of a size; positions in a window are axes at the end.

    Shapes: (n,) to (n - window + 1, window).
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.sliding_window_view(tl.array([1.0, 2.0, 3.0]), 2)
    array([[1., 2.],
           [2., 3.]])
    """

def softmax(x: Any, axis: Any = -1) -> Any:
    """exp(x) / sum(exp(x)), without overflow, along an axis.

    Shapes: those of x.
    Derivative: s (v - sum(s v)) along v, where s is the result.

    >>> tl.softmax(tl.array([0.0, 0.0]))
    array([0.5, 0.5])
    """

def softplus(x: Any) -> Any:
    """log(1 + exp(x)), without overflow.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: sigmoid(x).

    >>> tl.softplus(1000.0)
    1000.0
    """

def sort(x: Any, axis: Any = -1) -> Any:
    """Sorted along an axis, stably, NaN last.

    Shapes: those of x.
    Derivative: each element's adjoint goes where it came from.

    >>> tl.sort(tl.array([3.0, 1.0, 2.0]))
    array([1., 2., 3.])
    """

def split(x: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Equal parts, or those between some places.

    Shapes: equal parts of one axis.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.split(tl.iota(4), 2)
    (array([0, 1]), array([2, 3]))
    """

def sqrt(x: Any) -> Any:
    """Square root.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 / (2 * sqrt(x)).

    >>> tl.sqrt(2.0)
    1.4142135623730951
    """

def square(x: Any) -> Any:
    """x * x.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 2 * x.

    >>> tl.square(3.0)
    9.0
    """

def squeeze(x: Any, axis: Any = None) -> Any:
    """Without axes of size 1.

    Shapes: without axes of size 1, which must be known to be 1.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.squeeze(tl.ones((1, 3)))
    array([1., 1., 1.])
    """

def stack(arrays: Any, axis: Any = 0) -> Any:
    """Arrays of one shape, stacked along a new axis.

    Shapes: equal; one axis more.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.stack((tl.array([1.0, 2.0]), tl.array([3.0, 4.0])))
    array([[1., 2.],
           [3., 4.]])
    """

def std(x: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False, correction: Any = None) -> Any:
    """Standard deviation, the root of `var`.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: (x - mean(x)) / ((n - ddof) std(x)).

    >>> tl.std(tl.array([1.0, 3.0]))
    1.0
    """

def stop_gradient(x: Any) -> Any:
    """x, treated as a constant by differentiation.

    Shapes: any.
    Derivative: 0.

    >>> tl.grad(lambda x: x * tl.stop_gradient(x))(3.0)
    3.0
    """

def subtract(x: Any, y: Any) -> Any:
    """x - y.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1, -1.

    >>> tl.subtract(2.0, 3.0)
    -1.0
    """

def sum(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Sum of all elements, or along an axis.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.sum(tl.array([[1.0, 2.0], [3.0, 4.0]]), axis=0)
    array([4., 6.])
    """

def swapaxes(x: Any, axis1: Any, axis2: Any) -> Any:
    """Two axes exchanged.

    Shapes: two axes exchanged.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.swapaxes(tl.array([[1.0, 2.0]]), 0, 1)
    array([[1.],
           [2.]])
    """

def take(x: Any, indices: Any, axis: Any = None, mode: Any = "raise") -> Any:
    """The elements at some positions.

    Shapes: those of the indices in place of an axis.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.take(tl.array([5.0, 6.0, 7.0]), tl.array([2, 0]))
    array([7., 5.])
    """

def take_along_axis(x: Any, indices: Any, axis: Any = -1) -> Any:
    """Of each line along an axis the elements at positions of its own.

    Shapes: those of the positions; other axes of size 1 are repeated.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.take_along_axis(tl.array([[1.0, 2.0], [3.0, 4.0]]), tl.array([[1], [0]]), axis=1)
    array([[2.],
           [3.]])
    """

def tan(x: Any) -> Any:
    """Tangent.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 + tan(x) ** 2.

    >>> tl.tan(0.5)
    0.5463024898437905
    """

def tanh(x: Any) -> Any:
    """Hyperbolic tangent.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 1 - tanh(x) ** 2.

    >>> tl.tanh(0.5)
    0.46211715726000974
    """

def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Sums of products over axes of two arrays.

    Shapes: without the summed axes.
    Derivative: linear in each operand.

    >>> tl.tensordot(tl.ones((2, 3)), tl.ones(3), axes=1)
    array([3., 3.])
    """

def tile(x: Any, reps: Any) -> Any:
    """The whole array, repeated along axes.

    Shapes: sizes times `reps`.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.tile(tl.array([1.0, 2.0]), 2)
    array([1., 2., 1., 2.])
    """

def trace(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """The sum of the diagonal of a matrix.

    Shapes: (n, m) to a number.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.trace(tl.array([[1.0, 2.0], [3.0, 4.0]]))
    5.0
    """

def transpose(x: Any, axes: Any = None) -> Any:
    """Axes permuted, by default reversed.

    Shapes: axes permuted.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.transpose(tl.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 3.],
           [2., 4.]])
    """

def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """The integral by the rule of the trapezium.

    Shapes: without the axis.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.trapezoid(tl.array([0.0, 1.0, 4.0]))
    3.0
    """

def tri(n: Any, m: Any = None, k: Any = 0, dtype: Any = ...) -> Any:
    """A matrix with ones in a diagonal and below it.

    Shapes: (n, m).
    Derivative: none: it does not depend on numbers that have one.

    >>> tl.tri(2)
    array([[1., 0.],
           [1., 1.]])
    """

def tril(x: Any, k: Any = 0) -> Any:
    """The lower triangle, zeros above.

    Shapes: (n, m).
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.tril(tl.ones((2, 2)))
    array([[1., 0.],
           [1., 1.]])
    """

def tril_indices(n: Any, k: Any = 0, m: Any = None) -> Any:
    """Rows and columns of the elements of a lower triangle.

    Shapes: two vectors, or an index of a matrix.
    Derivative: none: the result is an integer.

    >>> tl.tril_indices(2)
    (array([0, 1, 1]), array([0, 0, 1]))
    """

def triu(x: Any, k: Any = 0) -> Any:
    """The upper triangle, zeros below.

    Shapes: (n, m).
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.triu(tl.ones((2, 2)))
    array([[1., 1.],
           [0., 1.]])
    """

def triu_indices(n: Any, k: Any = 0, m: Any = None) -> Any:
    """Rows and columns of the elements of an upper triangle.

    Shapes: two vectors, or an index of a matrix.
    Derivative: none: the result is an integer.

    >>> tl.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """

def trunc(x: Any) -> Any:
    """x without its fraction.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: 0: it is constant between its steps.

    >>> tl.trunc(-1.5)
    -1.0
    """

def unique(
    x: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: Any = True,
) -> Any:
    """The elements in order, each once.

    Shapes: (number of different elements,).
    Derivative: of the first ones.

    >>> tl.unique(tl.array([2.0, 1.0, 2.0]))
    array([1., 2.])
    """

def unravel_index(indices: Any, shape: Any) -> Any:
    """The positions along each axis of places in row-major order.

    Shapes: one array of positions per axis.
    Derivative: none: the result is an integer.

    >>> tl.unravel_index(5, (3, 4))
    (1, 1)
    """

def var(x: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False, correction: Any = None) -> Any:
    """Variance, with n - ddof as divisor.

    Shapes: all axes, or those of `axis`, which `keepdims=True` keeps with size 1.
    Derivative: 2 (x - mean(x)) / (n - ddof).

    >>> tl.var(tl.array([1.0, 2.0, 3.0]), ddof=1)
    1.0
    """

def vdot(x: Any, y: Any) -> Any:
    """The sum of the products of all elements.

    Shapes: equal numbers of elements.
    Derivative: linear in each operand.

    >>> tl.vdot(tl.ones((2, 2)), tl.ones((2, 2)))
    4.0
    """

def vecdot(x: Any, y: Any, axis: Any = -1) -> Any:
    """Sums of products along one axis.

    Shapes: without the axis, those before it broadcast.
    Derivative: linear in each operand.

    >>> tl.vecdot(tl.ones((2, 3)), tl.ones(3))
    array([3., 3.])
    """

def vsplit(x: Any, indices_or_sections: Any) -> Any:
    """Parts along the first axis.

    Shapes: a tuple of parts of the first axis.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.vsplit(tl.eye(2), 2)[0]
    array([[1., 0.]])
    """

def vstack(arrays: Any) -> Any:
    """Arrays on top of each other; a vector is a row.

    Shapes: equal but for the first axis.
    Derivative: linear: the tangent goes the same way, the adjoint back.

    >>> tl.vstack((tl.iota(2), tl.iota(2)))
    array([[0, 1],
           [0, 1]])
    """

def where(condition: Any, x: Any, y: Any) -> Any:
    """x where the condition holds, else y, elementwise.

    Shapes: elementwise; arrays broadcast as in numpy.
    Derivative: that of the one that is taken.

    >>> tl.where(tl.array([True, False]), 1.0, 2.0)
    array([1., 2.])
    """

def zeros(shape: Any, dtype: Any = ...) -> Any:
    """An array of zeros.

    Shapes: `shape`, an integer or a tuple of them.
    Derivative: none: it does not depend on numbers that have one.

    >>> tl.zeros((2, 2))
    array([[0., 0.],
           [0., 0.]])
    """

def zeros_like(x: Any, dtype: Any = None) -> Any:
    """Zeros of the shape of x, and of its dtype.

    Shapes: those of x.
    Derivative: none: it does not depend on numbers that have one.

    >>> tl.zeros_like(tl.array([1.0, 2.0]))
    array([0., 0.])
    """
