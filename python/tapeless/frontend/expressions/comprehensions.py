"""Comprehensions: lists whose length is known when compiling, or arrays that a map makes.

`[f(v) for v in x]` is a list, written out one element after the other, where its length is known; operators such as
`np.array` and `sum` take it as an array, of any length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.frontend.control import iterables, ranges, unpacking
from tapeless.frontend.control.iterables import MOST_UNROLLED, Iteration
from tapeless.frontend.operators import mapping
from tapeless.frontend.structures.entries import constant_key, dict_of
from tapeless.frontend.syntax.comprehensions import Comprehension
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Scalar, Tuple, Value, integer, literal
from tapeless.trees import LIST_NODE

if TYPE_CHECKING:
    import ast

    from tapeless.frontend.translator import Translator

AROUND = "put np.array(...) around it, which makes it an array"


def comprehension(t: Translator, node: Comprehension) -> Value:
    """A dict, a list, a part of an array, or a part of a sum."""
    if node.is_dict and not node.is_inner:
        pairs = [pair.items for pair in _listed(t, node).items if isinstance(pair, Tuple)]
        return dict_of({constant_key(t, key, node.written.key): value for key, value in pairs})
    if node in t.session.summed:
        return added(t, node)
    return as_array(t, node) if node in t.session.arrays else _listed(t, node)


def _listed(t: Translator, node: Comprehension) -> Tuple:
    """The elements one by one."""
    found = iterables.iteration(t, node.iterable)
    items: list[Value] = []
    for value in _values(t, found):
        if _is_in(t, node, value):
            item = _result(t, node, node.element, value)
            items += item.items if node.is_nest and isinstance(item, Tuple) else [item]
    return Tuple(tuple(t.held(item) for item in items), LIST_NODE)


def _values(t: Translator, found: Iteration) -> list[Value]:
    count = found.count(t)
    if not count.is_constant:
        raise t.error("a list whose length is known only when running", AROUND)
    if count.constant > MOST_UNROLLED:
        raise t.error(f"a list of {count.constant}, and at most {MOST_UNROLLED} elements are written out", AROUND)
    return [found.at(Affine(position)) for position in range(count.constant)]


def _is_in(t: Translator, node: Comprehension, value: Value) -> bool:
    for condition in node.conditions:
        truth = t.truth(_result(t, node, condition, value))
        if not isinstance(truth, bool):
            raise t.error("whether an element is in this list is known only when running", AROUND)
        if not truth:
            return False
    return True


def _result(t: Translator, node: Comprehension, function: ast.Lambda, value: Value) -> Value:
    parts = [find(value) for _, find in unpacking.names(t, node.target)]
    return t.call(t.evaluate(function), parts)


def as_array(t: Translator, node: Comprehension) -> Array | Tuple:
    """The elements as an array; as a list where they are of a tuple, whose values may differ in kind."""
    found = iterables.iteration(t, node.iterable)
    if found.range is None:
        return _listed(t, node)
    places = _array(t, t.call(lang.iota, [integer(found.count(t))]))
    for condition in node.conditions:
        holds = mapping.map_rows(t, [places], lambda row, each=condition: _at(t, node, each, found, row[0]))
        chosen = _array(t, t.call(lang.flatnonzero, [holds]))
        places = chosen if condition is node.conditions[0] else _array(t, t.call(lang.take, [places, chosen]))
    inner = node.element.body
    t.session.arrays.add(inner)
    result = t.array(mapping.map_rows(t, [places], lambda row: _element(t, node, found, row[0])), "an element")
    t.session.arrays.discard(inner)
    is_flat = not node.is_nest or inner in t.session.summed
    return result if is_flat else _array(t, t.call(lang.reshape, [result, _merged(result)]))


def added(t: Translator, node: Comprehension) -> Value:
    """The sum of the elements, which may be arrays; of a nest that of the sums of its parts, of whatever sizes."""
    inner = node.element.body
    if node.is_nest:
        t.session.summed.add(inner)
    elements = as_array(t, node)
    t.session.summed.discard(inner)
    if isinstance(elements, Tuple):
        return t.call(lang.PYTHON["sum"], [elements])
    return t.call(lang.sum, [elements], {"axis": literal(0)})


def _array(t: Translator, value: Value) -> Array:
    return t.array(value)


def _element(t: Translator, node: Comprehension, found: Iteration, place: Value) -> Value:
    """An element that a map gives: a list is an array there."""
    value = _at(t, node, node.element, found, place)
    return t.call(lang.array, [value]) if isinstance(value, Tuple) and value.is_list else value


def _at(t: Translator, node: Comprehension, function: ast.Lambda, found: Iteration, place: Value) -> Value:
    """The result of a function for the value at a place, which is known to be one."""
    assert isinstance(place, Scalar)
    position = ranges.as_affine(t, place)
    integers.assume(t.builder, position)
    integers.assume(t.builder, found.count(t) - 1 - position)
    return _result(t, node, function, found.at(position))


def _merged(array: Array) -> Tuple:
    """The sizes with the first two axes as one."""
    return Tuple((literal(-1), *(integer(size) for size in array.dims[2:])))
