"""Entry points: the contract of a function with callers, and arrays of 16-bit floats on their way in and out.

Inside, a half float is an `f32` that has been rounded. At an entry point arrays of them are `i16`, the bits, which a
map widens before the function is called; results are rounded and packed behind it. Neither derivatives nor other
passes ever see a float of 16 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.abi import HALF_ATTRIBUTE, UNSIGNED_ATTRIBUTE
from tapeless.errors import TypeMismatch
from tapeless.frontend.control import joins
from tapeless.frontend.elementwise.nests import nest
from tapeless.frontend.session import Session
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.builder import HALF_BITS, Builder
from tapeless.frontend.values.value import Leaf, Pending
from tapeless.types import ArrayType, ScalarType, Type, f32

INSTEAD_OF_HALF = "use tl.f32 for numbers; arrays may have floats of 16 bits"
Convert = Callable[[Builder, ir.Value, ScalarType], ir.Value]

SIGN_OF_HALF, REST_OF_HALF = 0x8000, 0x7FFF
INFINITY, REST = 0x7F800000, 0x7FFFFFFF
# The digits that a float of 32 bits has more than one of 16, and how far apart their exponents are.
MORE_DIGITS, SMALLER_EXPONENT = 13, 112


def entry_point(session: Session, source: Source, name: str, takes: Sequence[Type], form: joins.Form) -> str:
    """The name of the public function: the one of that name, with marks, or one that converts and calls it."""
    for place, type_ in enumerate(takes):
        if isinstance(type_, ScalarType) and type_.is_half:
            names = [each.name for each in source.parameters]
            which = f"'{names[place]}'" if len(names) == len(takes) else "a parameter"
            raise source.error(source.node, f"{which} is a number of type {type_!r}", INSTEAD_OF_HALF, TypeMismatch)
    given = [leaf.dtype for leaf in joins.form_leaves(form)]
    function = _function(session, name)
    results = list(ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value).results)
    are_arrays = [isinstance(type_, ir.RankedTensorType) for type_ in results]
    packs = [dtype.is_half and is_array for dtype, is_array in zip(given, are_arrays, strict=True)]
    widens = [isinstance(type_, ArrayType) and type_.dtype.is_half for type_ in takes]
    dtypes = [type_.dtype if isinstance(type_, ArrayType) else type_ for type_ in takes]
    public = name
    if any(dtype.is_half for dtype in (*dtypes, *given)):
        public = _converting(session, source, function, dtypes, widens, given, packs)
    _mark(_function(session, public), "arg_attrs", dtypes, widens)
    _mark(_function(session, public), "res_attrs", given, packs)
    return public


def _function(session: Session, name: str) -> ir.Operation:
    return next(
        each.operation
        for each in session.module.body.operations
        if each.operation.name == "func.func" and ir.StringAttr(each.operation.attributes["sym_name"]).value == name
    )


def _mark(operation: ir.Operation, name: str, dtypes: Sequence[ScalarType], are_bits: Sequence[bool]) -> None:
    """Marks types that core IR does not have: integers without a sign, and those that are the bits of floats."""
    facts = []
    for dtype, is_bits in zip(dtypes, are_bits, strict=True):
        marks: dict[str, ir.Attribute] = {UNSIGNED_ATTRIBUTE: ir.UnitAttr.get()} if dtype.is_unsigned else {}
        facts.append({HALF_ATTRIBUTE: ir.StringAttr.get(dtype.name)} if is_bits else marks)
    if any(facts):
        operation.attributes[name] = ir.ArrayAttr.get([ir.DictAttr.get(each) for each in facts])


def _converting(
    session: Session,
    source: Source,
    function: ir.Operation,
    takes: Sequence[ScalarType],
    widens: Sequence[bool],
    given: Sequence[ScalarType],
    packs: Sequence[bool],
) -> str:
    """A public function around another one, which becomes private."""
    location = session.location(source.file, source.node)
    signature = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    types = [_of_bits(session, type_) if bits else type_ for type_, bits in zip(signature.inputs, widens, strict=True)]
    name = session.fresh_name(source.name)
    inner = ir.StringAttr(function.attributes["sym_name"]).value
    function.attributes["sym_visibility"] = ir.StringAttr.get("private")
    attributes = {"sym_name": ir.StringAttr.get(name), "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, []))}
    position = ir.InsertionPoint(session.module.body)
    made = ir.Operation.create("func.func", [], [], attributes, regions=1, loc=location, ip=position)
    entry = made.regions[0].blocks.append(*types, arg_locs=[location] * len(types))
    builder = Builder(session.types, entry, location)
    arguments = [
        _mapped(builder, value, dtype, f32, widened) if bits else value
        for value, dtype, bits in zip(entry.arguments, takes, widens, strict=True)
    ]
    callee = {"callee": ir.FlatSymbolRefAttr.get(inner)}
    results = builder.operation("func.call", list(signature.results), arguments, callee).results
    returned = [
        _mapped(builder, value, dtype, None, packed) if bits else _rounded(builder, value, dtype)
        for value, dtype, bits in zip(results, given, packs, strict=True)
    ]
    builder.operation("func.return", [], returned)
    made.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, [each.type for each in returned]))
    return name


def _rounded(builder: Builder, value: ir.Value, dtype: ScalarType) -> ir.Value:
    """A number; one of 16 bits is handed over as an `f32`."""
    return promotion.convert(builder, value, f32, dtype) if dtype.is_half else value


def _of_bits(session: Session, type_: ir.Type) -> ir.Type:
    return ir.RankedTensorType.get(type_.shape, session.types.bits_of_half, loc=session.types.unknown)


def _mapped(
    builder: Builder, array: ir.Value, dtype: ScalarType, result: ScalarType | None, convert: Convert
) -> ir.Value:
    """An array converted element by element, to a type or, without one, to bits."""
    dims = tuple(integers.size_of(builder, array, axis) for axis in range(array.type.rank))
    leaf = Leaf(array, tuple(range(len(dims))))
    pending = Pending(result or HALF_BITS, dims, (leaf,), lambda elements: convert(builder, elements[leaf], dtype))
    return nest(builder, pending)


def widened(builder: Builder, half: ir.Value, dtype: ScalarType) -> ir.Value:
    """The `f32` whose value a float of 16 bits, given by its bits, has."""
    words = _Words(builder)
    bits = builder.value("arith.extui", words.word, [half])
    if dtype.name == "bf16":
        return words.as_float(words.make("shli", bits, 16))
    rest = words.make("shli", words.make("andi", bits, REST_OF_HALF), MORE_DIGITS)
    finite = words.scaled(words.as_float(rest), 2.0**SMALLER_EXPONENT)
    is_finite = words.compare("ult", rest, (REST_OF_HALF - (1 << 10) + 1) << MORE_DIGITS)
    sized = words.choose(is_finite, words.as_bits(finite), words.make("ori", rest, INFINITY))
    sign = words.make("shli", words.make("andi", bits, SIGN_OF_HALF), 16)
    return words.as_float(words.make("ori", sized, sign))


def packed(builder: Builder, value: ir.Value, dtype: ScalarType) -> ir.Value:
    """The bits of the float of 16 bits that is nearest to an `f32`."""
    words = _Words(builder)
    bits = words.as_bits(promotion.convert(builder, value, f32, dtype))
    if dtype.name == "bf16":
        return words.narrowed(words.make("shrui", bits, 16))
    rest = words.make("andi", bits, REST)
    finite = words.as_bits(words.scaled(words.as_float(rest), 2.0**-SMALLER_EXPONENT))
    sized = words.choose(words.compare("ult", rest, INFINITY), finite, rest)
    shifted = words.make("andi", words.make("shrui", sized, MORE_DIGITS), REST_OF_HALF)
    sign = words.make("andi", words.make("shrui", bits, 16), SIGN_OF_HALF)
    return words.narrowed(words.make("ori", shifted, sign))


class _Words:
    """Operations on words of 32 bits with constants."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.word, self.single = ir.IntegerType.get_signless(32), ir.F32Type.get()

    def make(self, name: str, left: ir.Value, right: ir.Value | int) -> ir.Value:
        other = self.builder.constant(right, self.word) if isinstance(right, int) else right
        return self.builder.value(f"arith.{name}", self.word, [left, other])

    def compare(self, predicate: str, left: ir.Value, right: int) -> ir.Value:
        return integers.compare(self.builder, predicate, left, self.builder.constant(right, self.word))

    def choose(self, condition: ir.Value, yes: ir.Value, no: ir.Value) -> ir.Value:
        return self.builder.value("arith.select", yes.type, [condition, yes, no])

    def scaled(self, value: ir.Value, factor: float) -> ir.Value:
        """An exact product, without fast-math flags."""
        return self.builder.value("arith.mulf", self.single, [value, self.builder.constant(factor, self.single)])

    def as_float(self, value: ir.Value) -> ir.Value:
        return self.builder.value("arith.bitcast", self.single, [value])

    def as_bits(self, value: ir.Value) -> ir.Value:
        return self.builder.value("arith.bitcast", self.word, [value])

    def narrowed(self, value: ir.Value) -> ir.Value:
        return self.builder.value("arith.trunci", self.builder.types.bits_of_half, [value])
