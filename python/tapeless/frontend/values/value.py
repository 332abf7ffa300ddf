"""The kinds of values of expressions while a function is translated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.syntax.imported import Imported
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.values.affine import Affine
from tapeless.lang import Operator
from tapeless.methods import AS_COMPILED, MethodChoice
from tapeless.trees import LIST, TUPLE_NODE, Node, Unusable, words
from tapeless.types import ArrayType, ScalarType, Type, bool_, f64, i64

if TYPE_CHECKING:
    from tapeless.frontend.syntax.source import Source
    from tapeless.frontend.transforms.outline import Outlined
    from tapeless.frontend.values.frame import Frame


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number: a constant, an affine integer (every `i64`), or an SSA value.

    A weak number, like a literal, takes the type of what it meets. For a condition, each of `implies` is not negative
    when it holds, each of `denies` when it does not.
    """

    dtype: ScalarType
    ssa: ir.Value | None = None
    affine: Affine | None = None
    constant: float | bool | None = None
    weak: bool = False
    implies: tuple[Affine, ...] = ()
    denies: tuple[Affine, ...] = ()

    @property
    def literal(self) -> int | float | bool | None:
        """The number, when it is known now."""
        if self.affine is not None:
            return self.affine.constant if self.affine.is_constant else None
        return self.constant


@dataclass(frozen=True, slots=True)
class Array:
    """An array held in an SSA tensor; sizes that are constant are static in its type."""

    dtype: ScalarType
    dims: tuple[Affine, ...]
    ssa: ir.Value

    @property
    def rank(self) -> int:
        return len(self.dims)


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array that a pending elementwise expression reads: axis k of it runs along axis `axes[k]` of the result."""

    ssa: ir.Value
    axes: tuple[int, ...]


Build = Callable[[Mapping[Leaf, ir.Value]], ir.Value]


@dataclass(frozen=True, slots=True)
class Pending:
    """An elementwise expression not yet computed: `build` makes one element from one element of every leaf."""

    dtype: ScalarType
    dims: tuple[Affine, ...]
    leaves: tuple[Leaf, ...]
    build: Build

    @property
    def rank(self) -> int:
        return len(self.dims)


@dataclass(frozen=True, slots=True)
class Tuple:
    """Several values in order: a tuple, a list or a named tuple, as `node` says."""

    items: tuple[Value, ...]
    node: Node = TUPLE_NODE

    @property
    def is_list(self) -> bool:
        """Whether it is a list, which as an index names elements as an array does."""
        return self.node.kind == LIST


def is_list(value: object) -> bool:
    """Whether something is a list."""
    return isinstance(value, Tuple) and value.is_list


@dataclass(frozen=True, slots=True)
class Record:
    """Several values by name: a dict, a dataclass, an object of a registered class."""

    items: tuple[Value, ...]
    node: Node


@dataclass(frozen=True, slots=True)
class Rows:
    """A list whose length is known when running: its items are the rows, or elements, of an array."""

    array: Array


@dataclass(frozen=True, slots=True)
class Growing:
    """Such a list in an iteration that gives it one item, at a place that is known."""

    array: Array
    place: Affine


@dataclass(eq=False, slots=True)
class Probe:
    """Such a list while the types of its items are unknown; `items` are those that translations of the loop found."""

    items: list[Value]


def structured(node: Node, items: Iterable[Value]) -> Tuple | Record:
    """A structure with these parts."""
    return (Tuple if node.is_sequence else Record)(tuple(items), node)


@dataclass(frozen=True, slots=True)
class Closure:
    """A nested function; it sees the names of the frame it was defined in as they are when it is called."""

    node: ast.FunctionDef | ast.Lambda
    frame: Frame
    defaults: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Decorated:
    """Another `tl.function`; `given` is the Python object that an argument was."""

    source: Source
    given: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Checkpointed:
    """A function that reverse differentiation re-executes as a whole."""

    function: Closure | Decorated | Checkpointed | Transform | Pullback | Operator


@dataclass(frozen=True, slots=True)
class Component:
    """One of the parameters that a procedure gives back, as a function."""

    procedure: Procedure
    position: int


@dataclass(frozen=True, slots=True)
class Transform:
    """A function made from another by differentiating or batching it; axes are trees, whose leaves are ints or None."""

    kind: str
    function: Value
    argnums: int | str | tuple[int | str, ...] = 0
    has_aux: bool = False
    method: MethodChoice = AS_COMPILED
    in_axes: Any = 0
    out_axes: Any = 0


@dataclass(frozen=True, slots=True)
class Pullback:
    """The second result of `tl.vjp` beside `out`: a function from a cotangent to adjoints of the primals."""

    function: Outlined
    moving: tuple[Scalar | Array, ...]
    primals: tuple[Value, ...]
    out: Value
    method: MethodChoice
    scope: int


@dataclass(frozen=True, slots=True)
class Method:
    """A method of an array that is yet to be called."""

    operator: Operator
    array: Value


@dataclass(frozen=True, slots=True)
class Opaque:
    """A Python object that only some operators take: a type, None, a module, a string, a foreign function."""

    value: Any


Value = (
    Scalar
    | Array
    | Pending
    | Tuple
    | Record
    | Rows
    | Growing
    | Probe
    | Closure
    | Decorated
    | Imported
    | Checkpointed
    | Transform
    | Pullback
    | Procedure
    | Component
    | Method
    | Operator
    | Opaque
)
Number = Scalar | Array | Pending
Structured = Tuple | Record
STRUCTURES = (Tuple, Record)
KEPT = (Opaque, Decorated, Operator)
"""What belongs to the structure of a result: it is known when compiling."""
FUNCTIONS = (Closure, Decorated, Checkpointed, Transform, Pullback, Procedure, Component, Operator)


def integer(affine: Affine, *, weak: bool = True) -> Scalar:
    """An `i64`; weak by default, as Python's own integers are."""
    return Scalar(i64, affine=affine, weak=weak)


def literal(value: int | float | bool) -> Scalar:
    """A number as written in the source."""
    if isinstance(value, bool):
        return Scalar(bool_, constant=value, weak=True)
    if isinstance(value, int):
        return integer(Affine(value))
    return Scalar(f64, constant=value, weak=True)


def type_of(value: Number) -> Type:
    """The type of a number or an array."""
    if isinstance(value, Scalar):
        return value.dtype
    return ArrayType(value.dtype, tuple(size.constant if size.is_constant else None for size in value.dims))


def describe(value: Value) -> str:
    """A value in the words of an error message."""
    if isinstance(value, (Array, Pending)):
        return f"an array of type {type_of(value)!r}"
    if isinstance(value, Scalar):
        return f"a scalar of type {value.dtype!r}"
    if isinstance(value, (Tuple, Record)):
        return words(value.node, len(value.items))
    if isinstance(value, (Rows, Growing, Probe)):
        return "a list whose length is known only when running"
    if isinstance(value, Opaque):
        if isinstance(value.value, str):
            return f"the string {value.value!r}"
        if isinstance(value.value, Unusable):
            return value.value.description
        return "None" if value.value is None else f"a Python {type(value.value).__name__}"
    return "a function"
