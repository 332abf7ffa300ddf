"""The textual grammar of pass pipelines: `builtin.module(a{x=1 y=foo},func.func(b,c{z=1,2}),d)`.

element  ::=  name options?  |  anchor `(` (element (`,` element)*)? `)`
options  ::=  `{` (name (`=` value)?)* `}`
value    ::=  `'...'` | `"..."` | `{...}` | text without blanks outside of balanced brackets and quotes
"""

from __future__ import annotations

from typing import NoReturn

from tapeless.passes.driver.renamed import current_name
from tapeless.passes.driver.text.brackets import BLANKS, balanced_end, fail_at, unwrap
from tapeless.passes.driver.text.syntax import ElementText, NestedText, Option, PassText

MAX_DEPTH = 50
NAME_END = "{}(),= \t\n"


class _Reader:
    """A position in the text, moved forward by each method that reads something."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0

    def skip_blanks(self) -> None:
        while self.position < len(self.text) and self.text[self.position] in BLANKS:
            self.position += 1

    def at(self, char: str) -> bool:
        self.skip_blanks()
        return self.text.startswith(char, self.position)

    def take(self, char: str) -> bool:
        found = self.at(char)
        self.position += len(char) if found else 0
        return found

    def done(self) -> bool:
        self.skip_blanks()
        return self.position == len(self.text)

    def fail(self, message: str) -> NoReturn:
        fail_at(self.text, self.position, message)

    def name(self, what: str) -> str:
        self.skip_blanks()
        start = self.position
        while self.position < len(self.text) and self.text[self.position] not in NAME_END:
            self.position += 1
        if start == self.position:
            self.fail(f"expected {what}")
        return self.text[start : self.position]

    def element(self) -> ElementText:
        self.skip_blanks()
        column = self.position
        name = self.name("the name of a pass, a pipeline or an operation")
        if self.take("("):
            return NestedText(name, self.nested(column), column)
        return PassText(current_name(name), self.options(), column)

    def nested(self, anchor_at: int) -> tuple[ElementText, ...]:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            fail_at(self.text, anchor_at, f"pipelines are nested more than {MAX_DEPTH} deep")
        found = [] if self.at(")") else [self.element()]
        while self.take(","):
            found.append(self.element())
        if not self.take(")"):
            if self.done():
                fail_at(self.text, anchor_at, "the pipeline of this anchor is never closed; add ')'")
            self.fail("expected ',' or ')'")
        self.depth -= 1
        return tuple(found)

    def options(self) -> tuple[Option, ...]:
        column = self.position
        if not self.take("{"):
            return ()
        found = []
        while not self.take("}"):
            if self.done():
                fail_at(self.text, column, "'{' is never closed; add '}'")
            found.append(self.option())
        return tuple(found)

    def option(self) -> Option:
        self.skip_blanks()
        column = self.position
        name = self.name("the name of an option")
        if not self.text.startswith("=", self.position):
            return Option(name, None, column)
        start = self.position + 1
        self.position = balanced_end(self.text, start, BLANKS + "}")
        return Option(name, unwrap(self.text[start : self.position]), column)

    def end(self) -> None:
        if not self.done():
            self.fail("expected the end of the pipeline")


def parse_pipeline(text: str) -> NestedText:
    """Reads a whole pipeline, which must name the operation it runs on."""
    reader = _Reader(text)
    element = reader.element()
    if isinstance(element, PassText):
        fail_at(text, element.column, "a pipeline names the operation it runs on; write 'builtin.module(...)'")
    reader.end()
    return element


def parse_element(text: str) -> ElementText:
    """Reads one element, such as `cse` or `func.func(cse)`."""
    reader = _Reader(text)
    element = reader.element()
    reader.end()
    return element
