"""Rules of elementwise operations: a scalar function of corresponding elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.passes.imports.emit import kinks, powers, scalars
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Lazy, Value, forced, in_memory, shape_of
from tapeless.passes.imports.stablehlo import bounds, halves, shape_values, unsigned
from tapeless.passes.imports.stablehlo.attributes import enumerated, integer
from tapeless.passes.imports.stablehlo.elements import core_element
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, refuse, truth

Values = Sequence[Value]
BITS = {"f64": (11, 52), "f32": (8, 23), "f16": (5, 10), "bf16": (8, 7)}
"""How many bits exponents and mantissas have."""

LONGEST_UNSIGNED = 32
"""The most bits of integers without a sign that floats are converted to."""


def by_function(emit: Callable[..., ir.Value]) -> Rule:
    """An operation that is one scalar function."""

    def translate(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
        own = unsigned.FUNCTIONS.get(op.name) if unsigned.is_unsigned(op.operands[0].type) else None
        return [elementwise(own or emit, core_element(op.results[0].type), *operands)]

    return Rule(translate, by_element=True)


def _compare(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    direction, kind = enumerated(op, "comparison_direction"), enumerated(op, "compare_type")
    answer = bounds.decided(direction, *(t.bounds_of(operand) for operand in op.operands))
    if answer is not None:
        return [truth(answer, shape_of(operands[0]))]
    if direction == "EQ":
        compared = shape_values.compared(op, [t.scope.sizes.get(operand) for operand in op.operands])
        if compared is not None:
            return [compared]
    total = kind == "TOTALORDER"

    has_sign = not unsigned.is_unsigned(op.operands[0].type)

    def emit(left: ir.Value, right: ir.Value) -> ir.Value:
        if not has_sign:
            return unsigned.compare(direction.lower(), left, right)
        return scalars.compare(direction.lower(), left, right, total=total)

    return [elementwise(emit, core_element(op.results[0].type), *operands)]


def _select(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """One of two arrays by element, or by one condition for all; the one that is known to be taken."""
    compared = t.producer(op.operands[0], "stablehlo.compare")
    if compared is not None:
        direction = enumerated(compared, "comparison_direction")
        answer = bounds.decided(direction, *(t.bounds_of(operand) for operand in compared.operands))
        if answer is not None:
            known = t.bounds_of(op.operands[1 if answer else 2])
            if known is not None:
                t.scope.bounds[op.results[0]] = known
            t.hand_on(op.operands[1 if answer else 2], op.results[0])
            return [operands[1 if answer else 2]]
    return [elementwise(scalars.select, core_element(op.results[0].type), *operands)]


def _convert(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    source, target = op.operands[0].type, op.results[0].type
    t.hand_on(op.operands[0], op.results[0])
    if source.element_type == target.element_type:
        return list(operands)
    element = core_element(target)
    emit = halves.nearest(target.element_type) if halves.is_half(target) else scalars.convert(element)
    if unsigned.is_unsigned(source) and halves.is_half(target):
        wide = unsigned.converted_from(ir.F64Type.get())
        return [elementwise(lambda value: emit(wide(value)), element, *operands)]
    if unsigned.is_unsigned(source):
        emit = unsigned.converted_from(element)
    elif unsigned.is_unsigned(target) and not isinstance(source.element_type, ir.IntegerType):
        if element.width > LONGEST_UNSIGNED:
            refuse(op, f"converts {source.element_type} to {target.element_type}; convert it to ui32 or i64")
        emit = unsigned.converted_to(element)
    return [elementwise(emit, element, *operands)]


def _bitcast(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    source, element = op.operands[0].type.element_type, op.results[0].type.element_type
    if source == element:
        return list(operands)
    if source.width != element.width or halves.is_half(source):
        refuse(op, f"changes {source} to {element}; only types of equal width are translated")
    element = core_element(op.results[0].type)
    return [elementwise(scalars.bitcast(element), element, *operands)]


def _map(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """A function that is written out, in memory at once since it may read values around it here."""

    def emit(*elements: ir.Value) -> ir.Value:
        return in_memory(t.region(op.regions[0], elements)[0])

    found = elementwise(emit, core_element(op.results[0].type), *operands)
    return [forced(found) if isinstance(found, Lazy) else found]


def _precision(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """Fewer bits are refused; all bits of the type change nothing."""
    element = str(op.results[0].type.element_type)
    bits = integer(op, "exponent_bits"), integer(op, "mantissa_bits")
    if bits[0] < BITS[element][0] or bits[1] < BITS[element][1]:
        refuse(op, f"keeps {bits[0]} bits of the exponent and {bits[1]} of the mantissa of {element}; keep all of them")
    return list(operands)


def _power(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return [elementwise(powers.power, core_element(op.results[0].type), *operands)]


RULES: dict[str, Rule] = {
    **{f"stablehlo.{name}": by_function(emit) for name, emit in scalars.FUNCTIONS.items()},
    "stablehlo.maximum": by_function(kinks.sharing(scalars.maximum)),
    "stablehlo.minimum": by_function(kinks.sharing(scalars.minimum)),
    "stablehlo.compare": Rule(_compare, by_element=True),
    "stablehlo.select": Rule(_select, by_element=True),
    "stablehlo.convert": Rule(_convert, by_element=True),
    "stablehlo.bitcast_convert": Rule(_bitcast, by_element=True),
    "stablehlo.map": Rule(_map),
    "stablehlo.reduce_precision": Rule(_precision),
    "stablehlo.power": Rule(_power, by_element=True),
}
