"""A program that is being written: its random choices, its lines, and what is in scope."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from fuzz.scope import Scope, Variable
from fuzz.sizes import Size, constant, is_constant
from fuzz.types import Type
from fuzz.writing import Writing


@dataclass
class Draft(Writing):
    """The state of the generator; `helpers` are functions that the program calls."""

    sets: int
    scope: Scope = field(default_factory=Scope)
    helpers: list[str] = field(default_factory=list)
    may_leave: bool = False
    is_nested: bool = False
    is_flat: bool = False
    in_transformation: bool = False
    has_transformation: bool = False
    has_stop: bool = False
    is_deriving: bool = False

    def mark(self) -> tuple[int, list[str], bool]:
        return len(self.lines), list(self.helpers), self.has_transformation

    def undo(self, mark: tuple[int, list[str], bool]) -> None:
        super().undo(mark[0])
        self.helpers, self.has_transformation = mark[1], mark[2]

    def constant_size(self, value: int) -> Size:
        return constant(value, self.sets)

    def size(self, smallest: int = 0) -> Size:
        """The size of some axis in scope."""
        return self.pick([size for size in self.scope.sizes() if min(size) >= smallest])

    def size_text(self, size: Size) -> str:
        """An expression for a size."""
        if is_constant(size) and self.chance(0.5):
            return str(size[0])
        return self.pick(self.scope.size_text(size) or ([str(size[0])] if is_constant(size) else []))

    def shape_text(self, sizes: Sequence[Size]) -> str:
        texts = [self.size_text(size) for size in sizes]
        return texts[0] if len(texts) == 1 and self.chance(0.7) else f"({', '.join(texts)},)"

    def number(self) -> str:
        """A small number that no computation hits by chance."""
        return repr(self.rng.choice((0.37, -0.83, 0.5, 1.5, -0.25, 0.6180339887, 1.0, 0.0)))

    def assign_new(self, stem: str, type_: Type, text: str) -> Variable:
        """A line that gives a value to a new variable."""
        variable = Variable(self.fresh(stem), type_)
        self.add(f"{variable.name} = {text}")
        self.scope.variables.append(variable)
        return variable

    @contextmanager
    def block(self, *added: Variable, may_leave: bool | None = None, is_nested: bool = False) -> Iterator[None]:
        """One level deeper; what gets its first value inside is forgotten outside."""
        outer = self.scope, self.may_leave, self.is_nested
        self.scope = self.scope.inner(*added)
        self.may_leave = self.may_leave if may_leave is None else may_leave
        self.is_nested = self.is_nested or is_nested
        try:
            with self.indented():
                yield
        finally:
            self.scope, self.may_leave, self.is_nested = outer

    @contextmanager
    def lambda_of(self, *added: Variable) -> Iterator[None]:
        """Inside a lambda's body."""
        outer = self.scope
        self.scope = outer.inner(*added)
        try:
            yield
        finally:
            self.scope = outer
