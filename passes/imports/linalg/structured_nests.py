"""Maps around bodies: one for each dimension of results, with reductions or loops over the other dimensions inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tapeless._mlir import ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.imports.emit.regions import counted
from tapeless.passes.imports.linalg.arrays import as_value
from tapeless.passes.imports.linalg.bodies import Body, Combination
from tapeless.passes.imports.linalg.rebuild import Rebuild
from tapeless.passes.imports.linalg.space import Operand, Space
from tapeless.passes.ir.build import index, map_, reduce_

Rows = dict[ir.Value, Operand]
Indices = Mapping[int, ir.Value]
Inside = Callable[[Rows, Indices], list[ir.Value]]


@dataclass(frozen=True)
class StructuredNest:
    """A structured operation on its way: its operands by the arguments of its body that stand for their elements."""

    rebuild: Rebuild
    body: Body
    space: Space
    operands: Rows

    def over(self, dims: Sequence[int], rows: Rows, indices: Indices, inside: Inside) -> list[ir.Value]:
        """Arrays along dimensions of the results of `inside(rows, indices)`."""
        if not dims:
            return inside(rows, indices)
        first = dims[0]
        along = [each for each, operand in rows.items() if operand.dims[:1] == (first,)]

        def body(position: ir.Value, elements: Sequence[ir.Value], _: object) -> tuple[list[ir.Value], list]:
            parts = zip(along, elements, strict=True)
            smaller = {each: Operand(element, rows[each].dims[1:]) for each, element in parts}
            return self.over(dims[1:], rows | smaller, {**indices, first: position}, inside), []

        return map_(as_value(self.space.sizes[first]), [rows[each].value for each in along], [], body)[0]

    def evaluated(self, elements: Mapping[ir.Value, ir.Value], indices: Indices) -> list[ir.Value]:
        """The results of the body for elements; arguments that nothing reads stand for themselves."""
        outer, self.rebuild.indices = self.rebuild.indices, indices
        try:
            arguments = [elements.get(each, each) for each in self.body.block.arguments]
            return self.rebuild.block(self.body.block, arguments)
        finally:
            self.rebuild.indices = outer

    def each(self, order: Sequence[int]) -> list[ir.Value]:
        """Results without reductions."""
        rows = {each: operand.arranged(order) for each, operand in self.operands.items()}
        return self.over(order, rows, {}, lambda found, indices: self.evaluated(_elements(found), indices))

    def reduced(self, order: Sequence[int], combinations: Sequence[Combination]) -> list[ir.Value]:
        """Results that operators combine, without their initial values."""
        rows = {
            each: operand.arranged([*order, *self.space.reduced])
            for each, operand in self.operands.items()
            if each not in self.body.outs
        }
        return self.over(
            order, rows, {}, lambda found, indices: self._combined(self.space.reduced, found, indices, combinations)
        )

    def _combined(
        self, dims: Sequence[int], rows: Rows, indices: Indices, combinations: Sequence[Combination]
    ) -> list[ir.Value]:
        if not dims:
            return self._terms(rows, indices, combinations)
        width = as_value(self.space.sizes[dims[0]])
        terms = [rows[each.term] for each in combinations if each.term in rows]
        if [each.dims for each in terms] == [tuple(dims)] * len(combinations) and len(dims) == 1:
            arrays = [each.value for each in terms]
        else:
            arrays = self.over(
                dims[:1], rows, indices, lambda found, inner: self._combined(dims[1:], found, inner, combinations)
            )
        return [
            reduce_(width, [array], [each.operator.neutral()], _operator(each))[0]
            for array, each in zip(arrays, combinations, strict=True)
        ]

    def _terms(self, rows: Rows, indices: Indices, combinations: Sequence[Combination]) -> list[ir.Value]:
        """The terms of a reduction: the results of the body without the operators."""
        rebuild, elements = self.rebuild, _elements(rows)
        made = [each.made for each in combinations]
        outer, rebuild.indices, values = rebuild.indices, indices, rebuild.values
        rebuild.values = values.new_child()
        try:
            rebuild.values.update(elements)
            for op in self.body.operations():
                if not any(result in made for result in op.results):
                    rebuild.operation(op)
            return [rebuild.values[each.term] for each in combinations]
        finally:
            rebuild.values, rebuild.indices = values, outer

    def looped(self, order: Sequence[int]) -> list[ir.Value]:
        """Results of bodies that are no operators: one iteration after the other."""
        rows = {each: operand.arranged([*order, *self.space.reduced]) for each, operand in self.operands.items()}

        def inside(found: Rows, indices: Indices) -> list[ir.Value]:
            start = [found[each].value for each in self.body.outs]
            inputs = {each: operand for each, operand in found.items() if each not in self.body.outs}
            return self._loop(self.space.reduced, inputs, indices, start)

        return self.over(order, rows, {}, inside)

    def _loop(self, dims: Sequence[int], rows: Rows, indices: Indices, carried: list[ir.Value]) -> list[ir.Value]:
        if not dims:
            elements = {each: _element(operand, indices) for each, operand in rows.items()}
            return self.evaluated({**elements, **dict(zip(self.body.outs, carried, strict=True))}, indices)

        def step(position: ir.Value, state: Sequence[ir.Value]) -> list[ir.Value]:
            return self._loop(dims[1:], rows, {**indices, dims[0]: position}, list(state))

        return counted(index(0), as_value(self.space.sizes[dims[0]]), index(1), carried, step)


def _elements(rows: Rows) -> dict[ir.Value, ir.Value]:
    return {each: operand.value for each, operand in rows.items()}


def _element(operand: Operand, indices: Indices) -> ir.Value:
    if not operand.dims:
        return operand.value
    return tensor.ExtractOp(operand.value, [indices[each] for each in operand.dims]).result


def _operator(combination: Combination) -> Callable[..., list[ir.Value]]:
    return lambda left, right: [combination.operator.combined(left[0], right[0])]
