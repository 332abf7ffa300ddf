"""Runs a procedure of a text on cells: `Procedures(text).run("generated", cells)`."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reversible.interpreter.control import BLOCKS, with_routines
from reversible.interpreter.errors import NotUnderstood, Unclear
from reversible.interpreter.expressions import Evaluator, arguments_as_values
from reversible.interpreter.places import require_apart
from reversible.interpreter.scope import Array, Scope, Temporary
from reversible.interpreter.state import State
from reversible.interpreter.statements import accumulate, assign, expression, is_temporary

Values = tuple[Any, ...]
MOST_STATEMENTS = 20_000
STATEMENTS: dict[type[ast.stmt], Callable[[State, Any, Scope, bool], None]] = {
    ast.AugAssign: accumulate,
    ast.Assign: assign,
    ast.Expr: expression,
    ast.Pass: lambda state, node, scope, backwards: None,
    **BLOCKS,
}


@dataclass(frozen=True)
class Mode:
    """How cells are computed: with complex numbers, and with relative errors in functions that round."""

    is_complex: bool = False
    noise: float = 0.0


PLAIN = Mode()


class Procedures:
    """The procedures and pure functions of a text, in one mode."""

    def __init__(self, text: str, mode: Mode = PLAIN) -> None:
        tree = ast.parse(text)
        self.definitions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
        self.state = State(Evaluator(mode.noise), mode.is_complex, self.block, self.call)
        self.globals = Scope({})
        self.globals.names.update(
            {name: self._pure(each) for name, each in self.definitions.items() if not is_reversible(each)}
        )
        self.statements = 0

    def run(self, name: str, values: Sequence[Any], backwards: bool = False) -> Values:
        """The cells after a run; what is given stays as it is."""
        cells = [self.state.new_cell(each) for each in values]
        self.statements = 0
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.call(name, cells, backwards)
        return tuple(cells)

    def call(self, name: str, given: Sequence[Any], backwards: bool) -> None:
        """Runs a procedure on places of its caller; values stand for what is only read."""
        definition = self.definitions[name]
        parameters = definition.args.args
        if len(parameters) != len(given):
            raise NotUnderstood(f"{name} takes {len(parameters)} cells")
        for k, (parameter, one) in enumerate(zip(parameters, given, strict=True)):
            others = [each for j, each in enumerate(given) if j != k and isinstance(each, np.ndarray)]
            if not is_read_only(parameter):
                require_apart([one], others, definition)
        names = {each.arg: np.asarray(one) for each, one in zip(parameters, given, strict=True)}
        self.block(definition.body, self.globals.inner(**names), backwards)

    def block(self, statements: Sequence[ast.stmt], scope: Scope, backwards: bool) -> None:
        """Runs statements in order, or their inverses in reverse order."""
        inside = scope.inner(**{_name(each): Temporary(each.value) for each in statements if is_temporary(each)})
        paired = with_routines(statements)
        for node in reversed(paired) if backwards else paired:
            self.statements += 1
            if self.statements > MOST_STATEMENTS:
                raise Unclear("too many statements")
            self._statement(node)(self.state, node, inside, backwards)

    def _statement(self, node: ast.stmt) -> Callable[[State, Any, Scope, bool], None]:
        if type(node) not in STATEMENTS:
            raise NotUnderstood(ast.unparse(node))
        return STATEMENTS[type(node)]

    def _pure(self, definition: ast.FunctionDef) -> Callable[..., Any]:
        """A pure function: temporaries and a result."""
        names = [each.arg for each in definition.args.args]
        last = definition.body[-1]
        assert isinstance(last, ast.Return) and last.value is not None
        result = last.value

        def apply(*given: Any) -> Any:
            scope = self.globals.inner(**arguments_as_values(names, given))
            scope.names.update({_name(each): Temporary(each.value) for each in definition.body if is_temporary(each)})
            return self.state.value(result, scope)

        return apply


def is_reversible(definition: ast.FunctionDef) -> bool:
    return any(ast.unparse(each) == "tl.reversible" for each in definition.decorator_list)


def is_read_only(parameter: ast.arg) -> bool:
    return parameter.annotation is not None and ast.unparse(parameter.annotation).startswith("tl.In[")


def _name(node: Any) -> str:
    return str(node.targets[0].id)


def as_values(cells: Sequence[Array]) -> Values:
    """Scalars as numbers."""
    return tuple(each if each.ndim else each[()] for each in cells)
