"""The translation of one function: its position in the source and the operations made so far."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless._mlir import ir
from tapeless.errors import FrontendError, TapelessError, TypeMismatch
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.values import promotion
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.frame import Frame
from tapeless.frontend.values.value import (
    STRUCTURES,
    Array,
    Number,
    Opaque,
    Pending,
    Scalar,
    Tuple,
    Value,
    describe,
    structured,
)
from tapeless.lang import Operator
from tapeless.types import bool_

if TYPE_CHECKING:
    from tapeless.frontend.handlers import Handlers
    from tapeless.frontend.session import Session


class Translator:
    """Evaluates expressions and executes statements of a frame into operations."""

    def __init__(self, session: Session, builder: Builder, frame: Frame, handlers: Handlers | None = None) -> None:
        self.session = session
        self._handlers = handlers or session.handlers
        self.builder = builder
        self.frame = frame
        self.node: ast.AST = frame.source.node
        self.active: list[tuple[ast.AST, tuple[object, ...]]] = []

    def error(
        self, message: str, instead: str | None = None, kind: type[TapelessError] = FrontendError
    ) -> TapelessError:
        """An error about the node being translated."""
        return self.frame.source.error(self.node, message, instead, kind)

    @contextmanager
    def at(self, node: ast.AST) -> Iterator[None]:
        """Errors and operations inside belong to this node."""
        saved_node, saved_location = self.node, self.builder.location
        self.node = node
        self.builder.location = self.session.location(self.frame.source.file, node)
        try:
            yield
        finally:
            self.node, self.builder.location = saved_node, saved_location

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression, possibly still pending."""
        saved_node, saved_location = self.node, self.builder.location
        self.node = node
        self.builder.location = self.session.location(self.frame.source.file, node)
        value = self._handlers.expressions[type(node)](self, node)
        self.node, self.builder.location = saved_node, saved_location
        return value

    def execute(self, body: list[ast.stmt]) -> Value | None:
        """Runs statements; the value of the `return` that ends them, if one does."""
        for statement in body:
            with self.at(statement):
                result = self._execute(statement)
            if result is not None:
                return result
        return None

    def result_of_body(self) -> Value:
        """Runs the body of the function of this frame; gives its result."""
        result = self.execute(self.frame.prepared.body)
        if result is None:
            with self.at(self.frame.prepared.body[-1]):
                raise self.error("every path through the function raises, and none returns", "return a value on one")
        return result

    def _execute(self, statement: ast.stmt) -> Value | None:
        try:
            return self._handlers.statements[type(statement)](self, statement)
        except promotion.LiteralTooLarge as problem:
            raise self.too_large(problem) from None

    def too_large(self, problem: promotion.LiteralTooLarge) -> TapelessError:
        """An error about a number that is known when compiling and that its type cannot hold."""
        return self.error(str(problem), "use a smaller number, or write it as a float", TypeMismatch)

    def call(self, function: Value, arguments: Sequence[Value], keywords: Mapping[str, Value] | None = None) -> Value:
        """The result of a function value; only operators of the language take arguments that are still pending."""
        named = keywords or {}
        if not isinstance(function, Operator):
            arguments = [self.held(argument) for argument in arguments]
            named = {name: self.held(value) for name, value in named.items()}
        caller = self._handlers.callers.get(type(function))
        if caller is None:
            raise self.error(
                f"{describe(function)} cannot be called",
                "call a tl.function, a nested function or a tl operator",
                TypeMismatch,
            )
        return caller(self, function, arguments, named)

    def held(self, value: Value) -> Value:
        """A value with nothing pending in it, fit to be given a name."""
        if isinstance(value, STRUCTURES):
            return structured(value.node, [self.held(item) for item in value.items])
        return force(self, value) if isinstance(value, Pending) else value

    def number(self, value: Value, role: str = "this operand") -> Number:
        """The value, which must be a number or an array; a list of numbers is an array for operators, as in numpy."""
        if isinstance(value, Tuple) and value.items:
            value = self.call(lang.array, [value])
        if isinstance(value, (Scalar, Array, Pending)):
            return value
        raise self.error(f"{role} is {describe(value)}", "use a number or an array here", TypeMismatch)

    def scalar(self, value: Value, role: str) -> Scalar:
        """The value, which must be a scalar."""
        if isinstance(value, Scalar):
            return value
        raise self.error(f"{role} is {describe(value)}", "use a scalar here", TypeMismatch)

    def integer(self, value: Value, role: str) -> Scalar:
        """The value, which must be an integer scalar."""
        scalar = self.scalar(value, role)
        if scalar.dtype.is_float or scalar.dtype.is_bool:
            raise self.error(f"{role} is {describe(scalar)}", "use an integer, for example int(x)", TypeMismatch)
        promotion.check_literals(scalar)
        return scalar

    def array(self, value: Value, role: str = "this operand") -> Array:
        """The value, which must be an array, computed; a list of numbers is one for operators, as in numpy."""
        if isinstance(value, Tuple) and value.items:
            value = self.call(lang.array, [value])
        if isinstance(value, (Array, Pending)):
            return force(self, value)
        raise self.error(f"{role} is {describe(value)}", "use an array here", TypeMismatch)

    def constant(self, value: Value, role: str) -> int:
        """The value, which must be an integer known when compiling."""
        number = self.integer(value, role).literal
        if number is None:
            raise self.error(f"{role} is not known when compiling", "write a constant here")
        return number

    def flag(self, value: Value, name: str) -> bool:
        """The value of an option, which must be known when compiling."""
        known = self.scalar(value, f"'{name}'").literal
        if known is None:
            raise self.error(f"'{name}' is not known when compiling", "write True or False")
        return bool(known)

    def truth(self, value: Value) -> ir.Value | bool:
        """A scalar as a condition: a constant, or an `i1`."""
        if isinstance(value, (Array, Pending)):
            raise self.error(
                "an array has no truth value",
                "use tl.any(...) or tl.all(...), or '&' and '|' for each element",
                TypeMismatch,
            )
        if isinstance(value, Opaque) and isinstance(value.value, (str, type(None))):
            return bool(value.value)
        scalar = self.scalar(value, "the condition")
        return bool(scalar.literal) if scalar.literal is not None else promotion.ssa(self.builder, scalar, bool_)
