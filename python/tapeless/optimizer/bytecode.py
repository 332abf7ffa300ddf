"""Bytecode is read in a process of its own first: damaged bytecode can bring MLIR, and the process, down."""

from __future__ import annotations

import subprocess
import sys

from tapeless._mlir import ir
from tapeless.backend.reading.nesting import check_nesting
from tapeless.dialects.context import make_context
from tapeless.passes.diagnostics import Diagnosed, Diagnostic, Place


def check_bytecode(name: str, content: bytes) -> None:
    """Raises PipelineError if the bytecode cannot be read."""
    command = [sys.executable, "-m", "tapeless.optimizer.bytecode"]
    done = subprocess.run(command, input=content, capture_output=True, check=False)
    if done.returncode != 0:
        reason = done.stderr.decode(errors="replace").strip() if done.returncode > 0 else "MLIR crashed reading it"
        message = "the bytecode is damaged, invalid, or of another version; write it again"
        raise Diagnosed([Diagnostic("error", message, Place(name, 1, 1), (Diagnostic("note", reason),))])


def main() -> int:
    """Reads a module from standard input; 0 if it can be read, verified and printed."""
    context = make_context()
    context.allow_unregistered_dialects = True
    context.emit_error_diagnostics = True
    try:
        text = str(ir.Module.parse(sys.stdin.buffer.read(), context))
        check_nesting("<bytecode>", text)
    except (ir.MLIRError, RuntimeError, Diagnosed) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
