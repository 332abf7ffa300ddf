"""Input files and the pieces that `// -----` splits them into."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tapeless._mlir import ir
from tapeless.backend.reading.bytecode import BYTECODE, check_bytecode
from tapeless.backend.reading.crashes import check_crashes
from tapeless.backend.reading.nesting import check_nesting
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.foreign import is_artifact, load_mentioned, read_artifact
from tapeless.errors import PipelineError
from tapeless.passes.diagnostics import Diagnosed, Diagnostic, Place, reporting_to

STDIN = "-"
TEXT_BUFFER = "-"
DEFAULT_MARKER = "// -----"


@dataclass(frozen=True)
class Source:
    """The text that was read, and from where."""

    name: str
    content: bytes

    @staticmethod
    def read(name: str) -> Source:
        """Reads a file, or standard input for `-`; raises PipelineError if it cannot be read."""
        try:
            content = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
        except OSError as error:
            raise PipelineError(f"cannot open input file '{name}': {error.strerror}") from error
        return Source("<stdin>" if name == STDIN else name, content)

    @property
    def is_bytecode(self) -> bool:
        """Whether the content is MLIR bytecode."""
        return self.content.startswith(BYTECODE)

    def text(self) -> str:
        """The content as text; raises PipelineError if it is neither text nor empty."""
        try:
            text = self.content.decode()
        except UnicodeDecodeError as error:
            line = self.content.count(b"\n", 0, error.start) + 1
            message = "not UTF-8 text and not MLIR bytecode; give a .mlir or .mlirbc file"
            raise Diagnosed([Diagnostic("error", message, Place(self.name, line, 1))]) from error
        if not text.strip():
            raise Diagnosed([Diagnostic("error", "the input is empty; give a module", Place(self.name, 1, 1))])
        return text

    def pieces(self, marker: str | None) -> list[Piece]:
        """The parts to process one by one: all of it, or the text between the marker lines."""
        if self.is_bytecode:
            return [Piece(self.name, self.content)]
        text = self.text()
        if marker is None:
            return [Piece(self.name, text, 1, Path(self.name).is_file())]
        marker_line = re.compile(rf"^{re.escape(marker)}[ \t\r]*(?:\n|\Z)", re.MULTILINE)
        cuts = [0, *(match.end() for match in marker_line.finditer(text))]
        ends = [*cuts[1:], len(text)]
        return [
            Piece(self.name, text[start:end], text.count("\n", 0, start) + 1)
            for start, end in zip(cuts, ends, strict=True)
        ]


@dataclass(frozen=True)
class Piece:
    """A part of a source that is one module."""

    name: str
    content: str | bytes
    first_line: int = 1
    is_whole_file: bool = False

    def parse(self, context: ir.Context, *, implicit_module: bool = True) -> ir.Module:
        """The module; line numbers in its locations are those of the whole source.

        Without `implicit_module`, the source itself has to be one.
        """
        module = self._parsed(context)
        if implicit_module or self._has_own_module(context):
            return module
        names = [each.operation.name for each in module.body.operations]
        found = f"found '{names[0]}'" if len(names) == 1 else f"found {len(names)} operations"
        message = f"the source is no module, {found}; write 'module {{ ... }}' or leave out --no-implicit-module"
        raise Diagnosed([Diagnostic("error", message, Place(self.name, self.first_line, 1))])

    def _has_own_module(self, context: ir.Context) -> bool:
        """Whether the only operation at the top is a module."""
        try:
            with reporting_to(lambda diagnostic: True, context):
                return ir.Operation.parse(self.content, context=context).name == "builtin.module"
        except ir.MLIRError:
            return False

    def _parsed(self, context: ir.Context) -> ir.Module:
        if isinstance(self.content, bytes):
            check_bytecode(self.name, self.content)
            if is_artifact(self.content):
                return read_artifact(self.content, context)
            return ir.Module.parse(self.content, context)
        load_mentioned(self.content, context)
        text = "\n" * (self.first_line - 1) + self.content
        check_nesting(self.name, text)
        check_crashes(self.name, text)
        return ir.Module.parseFile(self.name, context) if self.is_whole_file else ir.Module.parse(text, context)

    def mentions(self, name: str) -> bool:
        """Whether a name stands anywhere in the text or bytecode."""
        return name in self.content if isinstance(self.content, str) else name.encode() in self.content

    def lines(self) -> list[str]:
        """The lines of the whole source up to the end of this part; lines before it are left blank."""
        if isinstance(self.content, bytes):
            return []
        return [""] * (self.first_line - 1) + self.content.split("\n")
