"""A reference interpreter of core IR in numpy: one small function per operation, no sharing with the compiler.

`run(module, name, *arguments)` evaluates a function and returns the list of its results. Scalars are numpy scalars,
arrays are fresh numpy arrays; a failed `soac.assert` raises the error class it names.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from tapeless import errors
from tapeless._mlir import ir

DTYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "i1": np.bool_, "index": np.int64}
Environment = dict[ir.Value, Any]


def run(module: ir.Module, name: str, *arguments: Any) -> list[Any]:
    """The results of a function of the module."""
    functions = {ir.StringAttr(op.operation.attributes["sym_name"]).value: op.operation for op in module.body}
    with np.errstate(all="ignore"):
        return Interpreter(functions).call(name, [_input(argument) for argument in arguments])


def _input(argument: Any) -> Any:
    return np.array(argument) if isinstance(argument, np.ndarray) and argument.ndim else np.asarray(argument)[()]


def dtype_of(kind: ir.Type) -> Any:
    """The numpy dtype of an MLIR scalar or tensor type."""
    return DTYPES[str(getattr(kind, "element_type", kind))]


def is_tensor(kind: ir.Type) -> bool:
    return isinstance(kind, ir.RankedTensorType)


class Interpreter:
    """Evaluates the functions of one module."""

    def __init__(self, functions: dict[str, ir.Operation]) -> None:
        self.functions = functions

    def call(self, name: str, arguments: Sequence[Any]) -> list[Any]:
        return self.block(self.functions[name].regions[0].blocks[0], arguments, {})

    def block(self, block: ir.Block, arguments: Sequence[Any], outer: Environment) -> list[Any]:
        """Runs a block; the operands of its terminator."""
        values = dict(outer)
        values.update(zip(block.arguments, arguments, strict=True))
        for view in block.operations:
            op = view.operation
            operands = [values[operand] for operand in op.operands]
            if op.name in TERMINATORS:
                return operands
            results = self.operation(op, operands, values)
            for result, value in zip(op.results, results, strict=True):
                _check_type(op, result.type, value)
                values[result] = value
        raise AssertionError("a block without terminator")

    def operation(self, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
        if op.name in STRUCTURED:
            return STRUCTURED[op.name](self, op, operands, values)
        result = OPERATIONS[op.name](op, *operands)
        return [] if result is None else [_as(result, op.results[0].type)]


def _as(value: Any, kind: ir.Type) -> Any:
    return np.array(value, dtype_of(kind)) if is_tensor(kind) else dtype_of(kind)(value)


def _check_type(op: ir.Operation, kind: ir.Type, value: Any) -> None:
    if not is_tensor(kind):
        return
    sizes = [value.shape[axis] if kind.is_dynamic_dim(axis) else kind.shape[axis] for axis in range(kind.rank)]
    assert list(value.shape) == sizes, f"{op.name} gives shape {value.shape}, its type says {kind} ({op.location})"


TERMINATORS = {"func.return", "scf.yield", "scf.condition", "soac.yield", "ad.yield"}


def _for(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    lower, upper, step, *state = operands
    for index in range(int(lower), int(upper), int(step)):
        state = run.block(op.regions[0].blocks[0], [np.int64(index), *state], values)
    return state


def _while(run: Interpreter, op: ir.Operation, state: list[Any], values: Environment) -> list[Any]:
    while True:
        condition, *state = run.block(op.regions[0].blocks[0], state, values)
        if not condition:
            return state
        state = run.block(op.regions[1].blocks[0], state, values)


def _retrace(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    [lower], [trips], [stride], state, carried = groups(op, operands)
    indices = [np.int64(lower + k * stride) for k in range(int(trips))]
    states = []
    for index in indices:
        states.append(state)
        state = run.block(op.regions[0].blocks[0], [index, *state], values)
    for index, state in zip(reversed(indices), reversed(states), strict=True):
        carried = run.block(op.regions[1].blocks[0], [index, *state, *carried], values)
    return carried


def _if(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    region = op.regions[0 if operands[0] else 1]
    return run.block(region.blocks[0], [], values) if len(region.blocks) else []


def _call(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    return run.call(ir.FlatSymbolRefAttr(op.attributes["callee"]).value, operands)


def _inline(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    return run.block(op.regions[0].blocks[0], [], values)


def groups(op: ir.Operation, operands: list[Any]) -> list[list[Any]]:
    """Operands split by their segment sizes."""
    parts, start = [], 0
    for size in ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]):
        parts.append(operands[start : start + size])
        start += size
    return parts


def _least_shape(kind: ir.Type) -> tuple[int, ...]:
    return tuple(0 if kind.is_dynamic_dim(axis) else kind.shape[axis] for axis in range(1, kind.rank))


def _map(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    [width], inputs, _ = groups(op, operands)
    _check_width(op, width, inputs)
    block = op.regions[0].blocks[0]
    rows = [run.block(block, [np.int64(i), *(array[i] for array in inputs)], values) for i in range(width)]
    if not rows:
        return _empty_rows(run, op, inputs, values)
    return [np.stack([np.asarray(row[k]) for row in rows]) for k in range(len(op.results))]


def _empty_rows(run: Interpreter, op: ir.Operation, inputs: list[np.ndarray], values: Environment) -> list[Any]:
    """The results of no iterations; the sizes of rows are found by running the body once on zeros, if that works."""
    zeros = [np.zeros(array.shape[1:], array.dtype)[()] for array in inputs]
    try:
        shapes = [np.shape(row) for row in run.block(op.regions[0].blocks[0], [np.int64(0), *zeros], values)]
    except (errors.TapelessError, AssertionError):
        shapes = [_least_shape(result.type) for result in op.results]
    return [np.zeros((0, *shape), dtype_of(result.type)) for result, shape in zip(op.results, shapes, strict=True)]


def _check_width(op: ir.Operation, width: int, arrays: list[np.ndarray]) -> None:
    for array in arrays:
        assert len(array) == width, f"{op.name} of width {width} over an array of {len(array)} ({op.location})"


def _reduce(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    [width], inputs, state = groups(op, operands)
    _check_width(op, width, inputs)
    for i in range(width):
        state = run.block(op.regions[0].blocks[0], [*state, *(array[i] for array in inputs)], values)
    return state


def _scan(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    [width], inputs, state = groups(op, operands)
    _check_width(op, width, inputs)
    exclusive, reverse = (ir.BoolAttr(op.attributes[name]).value for name in ("exclusive", "reverse"))
    results = [np.empty_like(array) for array in inputs]
    order = list(reversed(range(width))) if reverse else list(range(width))
    for i in order:
        element = [array[i] for array in inputs]
        operands_in_order = [*element, *state] if reverse else [*state, *element]
        is_plain = i == order[0] and not exclusive
        after = element if is_plain else run.block(op.regions[0].blocks[0], operands_in_order, values)
        for result, value in zip(results, state if exclusive else after, strict=True):
            result[i] = value
        state = after
    return results


def _hist(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    [width], [keys], dests, contributions, _ = groups(op, operands)
    _check_width(op, width, [keys, *contributions])
    results = [dest.copy() for dest in dests]
    for i, key in enumerate(keys):
        if 0 <= key < len(results[0]):
            old = [result[key] for result in results]
            new = run.block(op.regions[0].blocks[0], [*old, *(array[i] for array in contributions)], values)
            for result, value in zip(results, new, strict=True):
                result[key] = value
    return results


def _fused_hist(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    [width], inputs, dests, _ = groups(op, operands)
    _check_width(op, width, inputs)
    results = [dest.copy() for dest in dests]
    lift, combine = (region.blocks[0] for region in op.regions)
    for i in range(width):
        key, *new = run.block(lift, [i, *(array[i] for array in inputs)], values)
        if 0 <= key < len(results[0]):
            for result, value in zip(
                results, run.block(combine, [*(r[key] for r in results), *new], values), strict=True
            ):
                result[key] = value
    return results


STRUCTURED = {
    "scf.for": _for,
    "scf.while": _while,
    "rev.retrace": _retrace,
    "scf.if": _if,
    "func.call": _call,
    "ad.checkpoint": _inline,
    "soac.map": _map,
    "soac.reduce": _reduce,
    "soac.scan": _scan,
    "soac.hist": _hist,
    "soac.fused_hist": _fused_hist,
}


def _constant(op: ir.Operation) -> Any:
    attribute = op.attributes["value"]
    if not is_tensor(op.results[0].type):
        return attribute.value
    elements = ir.DenseElementsAttr(attribute)
    shape = op.results[0].type.shape
    if elements.is_splat:
        return np.full(shape, elements.get_splat_value().value)
    values = ir.DenseIntElementsAttr(attribute) if dtype_of(elements.type) is np.bool_ else np.array(elements)
    return np.array(list(values) if isinstance(values, ir.Attribute) else values).reshape(shape)


def _integer_compare(op: ir.Operation, a: Any, b: Any) -> Any:
    predicate = ir.IntegerAttr(op.attributes["predicate"]).value
    if predicate >= 6:
        a, b = (int(value) % 2**64 for value in (a, b))
    compare = {0: "eq", 1: "ne", 2: "lt", 3: "le", 4: "gt", 5: "ge", 6: "lt", 7: "le", 8: "gt", 9: "ge"}[predicate]
    return getattr(np.asarray(int(a)), f"__{compare}__")(int(b))


def _float_compare(op: ir.Operation, a: Any, b: Any) -> Any:
    predicate = ir.IntegerAttr(op.attributes["predicate"]).value
    ordered = {1: a == b, 2: a > b, 3: a >= b, 4: a < b, 5: a <= b, 6: a < b or a > b, 7: a == a and b == b}
    unordered = {8: 1, 9: 2, 10: 3, 11: 4, 12: 5}
    if predicate in (13, 14):
        return a != b if predicate == 13 else a != a or b != b
    return ordered[predicate] if predicate in ordered else a != a or b != b or ordered[unordered[predicate]]


def _truncated_quotient(op: ir.Operation, a: Any, b: Any) -> int:
    quotient = abs(int(a)) // abs(int(b))
    return quotient if (a < 0) == (b < 0) else -quotient


def _extremum(choose: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda op, a, b: math.nan if a != a or b != b else choose(a, b)


def _slice(op: ir.Operation, leading: int, operands: list[Any]) -> tuple[slice, ...]:
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    rest = iter(operands)
    static = [list(ir.DenseI64ArrayAttr(op.attributes[f"static_{name}"])) for name in ("offsets", "sizes", "strides")]
    chosen = [[int(next(rest)) if each == dynamic else each for each in group] for group in static]
    return tuple(slice(o, o + (n - 1) * s + 1 if n else o, s) for o, n, s in zip(*chosen, strict=True))


def _extract_slice(op: ir.Operation, array: np.ndarray, *operands: Any) -> np.ndarray:
    part = array[_slice(op, 1, list(operands))]
    return part.reshape(_reduced_shape(part.shape, op.results[0].type))


def _reduced_shape(shape: tuple[int, ...], kind: ir.Type) -> tuple[int, ...]:
    """A shape without the unit axes that a rank-reduced type leaves out, of several the last ones."""
    wanted = [None if kind.is_dynamic_dim(axis) else kind.shape[axis] for axis in range(kind.rank)]
    for kept in itertools.combinations(range(len(shape)), kind.rank):
        sizes = tuple(shape[axis] for axis in kept)
        are_units = all(size == 1 for axis, size in enumerate(shape) if axis not in kept)
        if are_units and all(given in (None, size) for given, size in zip(wanted, sizes, strict=True)):
            return sizes
    return shape


def _insert_slice(op: ir.Operation, part: np.ndarray, array: np.ndarray, *operands: Any) -> np.ndarray:
    result, where = array.copy(), _slice(op, 2, list(operands))
    result[where] = part.reshape(result[where].shape)
    return result


def _insert(op: ir.Operation, value: Any, array: np.ndarray, *indices: Any) -> np.ndarray:
    _check_indices(op, array, indices)
    result = array.copy()
    result[tuple(indices)] = value
    return result


def _extract(op: ir.Operation, array: np.ndarray, *indices: Any) -> Any:
    _check_indices(op, array, indices)
    return array[tuple(indices)]


def _check_indices(op: ir.Operation, array: np.ndarray, indices: Sequence[Any]) -> None:
    inside = all(0 <= index < size for index, size in zip(indices, array.shape, strict=True))
    assert inside, f"{op.name} at {indices} of shape {array.shape} ({op.location})"


def _sizes(op: ir.Operation, dynamic: Sequence[Any]) -> tuple[int, ...]:
    rest, kind = iter(dynamic), op.results[0].type
    return tuple(int(next(rest)) if kind.is_dynamic_dim(axis) else kind.shape[axis] for axis in range(kind.rank))


def _arg_hist(op: ir.Operation, keys: Any, values: Any, dest: Any, best: Any) -> Any:
    first = np.full(len(best), np.iinfo(np.int64).max)
    for place, (key, value) in enumerate(zip(keys, values, strict=True)):
        if 0 <= key < len(best) and value == best[key] and dest[key] != best[key]:
            first[key] = min(first[key], place)
    return first


def _argsort(op: ir.Operation, array: np.ndarray) -> np.ndarray:
    return np.argsort(array, kind="stable")


def _scatter(op: ir.Operation, width: Any, dest: np.ndarray, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    _check_width(op, width, [keys, values])
    result = dest.copy()
    for key, value in zip(keys, values, strict=True):
        if 0 <= key < len(result):
            result[key] = value
    return result


def _digamma(x: float) -> float:
    shift = 0.0
    while x < 10:
        shift -= 1 / x
        x += 1
    return shift + math.log(x) - 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4) - 1 / (252 * x**6) + 1 / (240 * x**8)


NAMED_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softplus": lambda x: np.logaddexp(0, x),
    "sign": np.sign,
    "lgamma": lambda x: math.lgamma(x),
    "digamma": _digamma,
    "erfinv": lambda x: NormalDist().inv_cdf((1 + x) / 2) / math.sqrt(2),
    "hypot": np.hypot,
}


def _fn(op: ir.Operation, *operands: Any) -> Any:
    return NAMED_FUNCTIONS[ir.StringAttr(op.attributes["function"]).value](*operands)


def _assert(op: ir.Operation, condition: Any, *values: Any) -> None:
    if not condition:
        kind = ir.StringAttr(op.attributes["kind"]).value
        raise getattr(errors, kind)(ir.StringAttr(op.attributes["message"]).value.format(*values))


def _guard(op: ir.Operation, *tested: Any) -> bool:
    bits = [isinstance(each.type, ir.IntegerType) for each in op.operands]
    return all(bool(value if is_bit else np.isfinite(value)) for value, is_bit in zip(tested, bits, strict=True))


def _bits(type_: ir.Type) -> int:
    dtype = dtype_of(type_)
    return 1 if dtype is np.bool_ else 8 * dtype(0).itemsize


def _wrapped(number: int, type_: ir.Type) -> Any:
    bits = _bits(type_)
    return bool(number & 1) if bits == 1 else (number + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def _integers(name: str) -> Callable[..., Any]:
    def evaluate(op: ir.Operation, a: Any, b: Any) -> Any:
        return _wrapped(getattr(int, f"__{name}__")(int(a), int(b)), op.results[0].type)

    return evaluate


def _without_sign(op: ir.Operation, a: Any) -> int:
    """The number that the bits of the operand are without a sign."""
    return int(a) % 2 ** _bits(op.operands[0].type)


def _unsigned(function: Callable[[int, int], int]) -> Callable[..., Any]:
    """A function of integers without a sign."""

    def evaluate(op: ir.Operation, a: Any, b: Any) -> Any:
        return _wrapped(function(_without_sign(op, a), _without_sign(op, b)), op.results[0].type)

    return evaluate


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda op, *operands: function(*operands)


_UNARY = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "floor",
    "ceil",
    "trunc",
    "isnan",
    "isfinite",
]

OPERATIONS: dict[str, Callable[..., Any]] = {
    "arith.constant": _constant,
    "arith.cmpi": _integer_compare,
    "arith.cmpf": _float_compare,
    "arith.select": lambda op, c, a, b: a if c else b,
    **{f"arith.{name}i": _integers(name) for name in ("add", "sub", "mul", "and", "or", "xor")},
    "arith.shli": _integers("lshift"),
    "arith.shrsi": _integers("rshift"),
    "arith.divsi": _truncated_quotient,
    "arith.ceildivsi": lambda op, a, b: -(-int(a) // int(b)),
    "arith.remsi": lambda op, a, b: (
        int(math.fmod(a, b)) if abs(a) < 2**52 else int(a) - int(b) * _truncated_quotient(op, a, b)
    ),
    "arith.divui": _unsigned(lambda a, b: a // b),
    "arith.remui": _unsigned(lambda a, b: a % b),
    "arith.shrui": _unsigned(lambda a, b: a >> b),
    "arith.minui": _unsigned(min),
    "arith.maxui": _unsigned(max),
    "arith.minsi": _plain(min),
    "arith.maxsi": _plain(max),
    "arith.addf": _plain(lambda a, b: a + b),
    "arith.subf": _plain(lambda a, b: a - b),
    "arith.mulf": _plain(lambda a, b: a * b),
    "arith.divf": _plain(lambda a, b: a / b),
    "arith.remf": _plain(np.fmod),
    "arith.maxnumf": _plain(np.fmax),
    "arith.minnumf": _plain(np.fmin),
    "arith.negf": _plain(lambda a: -a),
    "arith.minimumf": _extremum(min),
    "arith.maximumf": _extremum(max),
    **{f"arith.{name}": _plain(lambda a: a) for name in ("sitofp", "extf", "truncf", "index_cast", "extsi")},
    "arith.uitofp": _without_sign,
    "arith.extui": _without_sign,
    "arith.trunci": lambda op, a: _wrapped(int(a), op.results[0].type),
    "arith.fptosi": _plain(lambda a: int(a)),
    **{f"math.{name}": _plain(getattr(np, name)) for name in _UNARY},
    **{
        f"math.{name}": _plain(getattr(np, f"arc{name[1:]}"))
        for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2")
    },
    "math.rsqrt": _plain(lambda a: 1 / np.sqrt(a)),
    "math.erf": _plain(math.erf),
    "math.erfc": _plain(math.erfc),
    "math.powf": _plain(np.power),
    "math.fma": _plain(lambda a, b, c: a * b + c),
    "math.absf": _plain(abs),
    "math.absi": _plain(abs),
    "math.ctlz": lambda op, value: op.results[0].type.width - int(value).bit_length(),
    "math.copysign": _plain(np.copysign),
    "math.roundeven": _plain(np.round),
    "math.round": _plain(lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)),
    "soac.fn": _fn,
    "soac.assert": _assert,
    "soac.report": lambda op, condition, error: condition,
    "soac.guard": _guard,
    "soac.transpose": lambda op, x: np.transpose(
        x, [each.value for each in ir.ArrayAttr(op.attributes["permutation"])]
    ),
    "soac.reverse": lambda op, x: np.flip(x, ir.IntegerAttr(op.attributes["axis"]).value),
    "soac.arg_hist": _arg_hist,
    "soac.argsort": _argsort,
    "soac.scatter": _scatter,
    "ad.stop_gradient": _plain(lambda a: a),
    "tensor.dim": _plain(lambda x, axis: x.shape[axis]),
    "tensor.extract": _extract,
    "tensor.insert": _insert,
    "tensor.extract_slice": _extract_slice,
    "tensor.insert_slice": _insert_slice,
    "tensor.splat": lambda op, value, *sizes: np.full(_sizes(op, sizes), value),
    "tensor.empty": lambda op, *sizes: np.full(_sizes(op, sizes), -77, dtype_of(op.results[0].type)),
    "tensor.from_elements": lambda op, *elements: np.array(elements).reshape(op.results[0].type.shape),
    "tensor.concat": lambda op, *parts: np.concatenate(parts, ir.IntegerAttr(op.attributes["dim"]).value),
    "tensor.reshape": lambda op, x, shape: x.reshape(tuple(shape)),
    "tensor.cast": _plain(lambda x: x),
    "soac.widen": _plain(lambda x: x),
}
