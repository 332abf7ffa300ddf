"""Bytecode of strangers, read in a process of its own first: damaged bytecode can bring MLIR, and the process, down."""

from __future__ import annotations

import resource
import subprocess
import sys

from tapeless._mlir import ir
from tapeless.backend.reading.nesting import check_nesting
from tapeless.dialects.context import make_context
from tapeless.dialects.foreign import is_artifact, load_mentioned, read_artifact
from tapeless.passes.diagnostics import Diagnosed, Diagnostic, Place

BYTECODE = b"ML\xefR"
"""What bytecode of MLIR begins with."""

MOST_MEMORY = 16 << 30
"""How much memory reading may take: sizes in damaged bytecode can be any number."""

MOST_SECONDS = 600
"""How much processor time reading may take: loops over such sizes need not end."""

KINDS = {
    True: "the artifact of StableHLO is damaged, or of a version that cannot be read; export it again",
    False: "the bytecode is damaged, invalid, or of another version; write it again",
}
"""What is said of artifacts, and of other bytecode."""


def check_bytecode(name: str, content: bytes) -> None:
    """Refuses bytecode, and portable artifacts of StableHLO, that cannot be read, verified and printed."""
    command = [sys.executable, "-m", "tapeless.backend.reading.bytecode"]
    done = subprocess.run(command, input=content, capture_output=True, check=False)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        reason = said[0] if said and done.returncode > 0 else "MLIR crashed reading it"
        raise damaged(name, content, reason)


def damaged(name: str, content: bytes, reason: str) -> Diagnosed:
    """The error of bytecode that cannot be read."""
    notes = (Diagnostic("note", reason),)
    return Diagnosed([Diagnostic("error", KINDS[is_artifact(content)], Place(name, 1, 1), notes)])


def main() -> int:
    """Reads a module from standard input; 0 if it can be read, verified and printed."""
    for limit, most in ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_CPU, MOST_SECONDS)):
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    context = make_context()
    context.allow_unregistered_dialects = True
    context.emit_error_diagnostics = True
    content = sys.stdin.buffer.read()
    try:
        text = str(_module(content, context))
        check_nesting("<bytecode>", text)
    except (ir.MLIRError, RuntimeError, ValueError, MemoryError, Diagnosed) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _module(content: bytes, context: ir.Context) -> ir.Module:
    if is_artifact(content):
        return read_artifact(content, context)
    load_mentioned(content, context)
    return ir.Module.parse(content, context)


if __name__ == "__main__":
    sys.exit(main())
