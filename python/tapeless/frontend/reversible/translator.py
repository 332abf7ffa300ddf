"""The translation of one procedure: its cells and temporaries, and the reads and writes of its statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import NotReversible, TapelessError
from tapeless.frontend.reversible import reading
from tapeless.frontend.reversible.cells import sizes
from tapeless.frontend.reversible.cells.cells import Access, Cell, Effects, Named, Place, Temporary
from tapeless.frontend.reversible.cells.overlaps import Overlap, overlap, text
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.translator import Translator
from tapeless.frontend.values import promotion
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.frame import Frame
from tapeless.frontend.values.value import Value
from tapeless.lang import Operator

if TYPE_CHECKING:
    from tapeless.frontend.reversible.specialisations import Made, Type
    from tapeless.frontend.session import Session

EXPRESSIONS = {
    ast.Name: reading.name,
    ast.Subscript: reading.subscript,
    ast.Attribute: sizes.attribute,
    ast.Call: sizes.call,
}


@dataclass(frozen=True)
class Rules:
    """The tables of a translator: statements by kind, operators that are statements, procedures by their types.

    `grouped` makes one statement of those that belong together.
    """

    grouped: Callable[[ProcedureTranslator, list[ast.stmt]], list[ast.stmt]]
    statements: Mapping[type[ast.stmt], Callable[..., None]]
    operators: Mapping[Operator, Callable[..., None]]
    procedure_for: Callable[[Session, Source, tuple[Type, ...]], Made]


class ProcedureTranslator(Translator):
    """Evaluates right-hand sides, in which cells are read, and translates statements by a table."""

    def __init__(self, session: Session, builder: Builder, frame: Frame, rules: Rules) -> None:
        expressions = {**session.handlers.expressions, **EXPRESSIONS}
        super().__init__(session, builder, frame, replace(session.handlers, expressions=expressions))
        self.home = frame
        self.rules = rules
        self.named: dict[str, Named] = {}
        self.effects = Effects()
        self.changes: list[Access] = []
        self.index_reads: list[Access] = []
        self.pure_block: ir.Block | None = None
        self.recomputing: ast.AST | None = None
        self.recomputed: dict[Temporary, Value] = {}

    @property
    def source(self) -> Source:
        return self.home.source

    def run(self, body: list[ast.stmt]) -> None:
        """Translates the statements of a block."""
        for statement in self.rules.grouped(self, body):
            with self.at(statement):
                self._run(statement)

    def _run(self, statement: ast.stmt) -> None:
        self.index_reads = []
        try:
            self.rules.statements[type(statement)](self, statement)
        except promotion.LiteralTooLarge as problem:
            raise self.too_large(problem) from None

    def refusal(self, node: ast.AST, message: str, instead: str) -> TapelessError:
        """An error about a statement that has no inverse."""
        return self.source.error(node, message, instead, NotReversible)

    def cell(self, name: str) -> Cell | None:
        """The live cell of a name."""
        found = self.named.get(name)
        return found if isinstance(found, Cell) else None

    def has_read(self, place: Place, node: ast.AST) -> None:
        self.effects.reads.append(Access(place, self.recomputing or node))

    def has_written(self, place: Place, node: ast.AST) -> None:
        """Takes note of a change; parameters that are only read are none."""
        if place.cell.is_read_only:
            raise self.refusal(
                node,
                f"'{place.cell.name}' is changed here, and its annotation tl.In says that it is only read",
                f"annotate it without tl.In, or change another cell instead of '{place.cell.name}'",
            )
        for read in self.index_reads:
            if overlap(self.builder, place, read.place) is not Overlap.NEVER:
                raise self.refusal(
                    node,
                    f"'{text(node)}' is changed by a statement whose indices read '{text(read.node)}'",
                    "read the index from a cell that the statement leaves alone",
                )
        self.effects.writes.append(Access(place, node))
        self.changes.append(Access(place, node))

    @contextmanager
    def watched(self) -> Iterator[Effects]:
        """Gives the effects inside, which count for the surroundings, too."""
        saved, self.effects = self.effects, Effects()
        try:
            yield self.effects
        finally:
            saved.include(self.effects)
            self.effects = saved

    @contextmanager
    def unwatched(self) -> Iterator[Effects]:
        """Gives the effects inside, which count for nothing around."""
        saved, self.effects = self.effects, Effects()
        try:
            yield self.effects
        finally:
            self.effects = saved

    @contextmanager
    def pure(self) -> Iterator[ir.Block]:
        """A pure region being built."""
        saved = self.pure_block, self.recomputed
        self.recomputed = {}
        try:
            with self.builder.region() as self.pure_block:
                yield self.pure_block
        finally:
            self.pure_block, self.recomputed = saved

    @property
    def is_inside_operator(self) -> bool:
        """Whether the insertion point is in an operator of a pure region, not in the region itself."""
        return self.pure_block is not None and self.builder.position.block != self.pure_block
