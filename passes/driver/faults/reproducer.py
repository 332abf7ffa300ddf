"""Reproducers: a module and the pipeline that failed on it in one file, in the form mlir-opt uses."""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.diagnostics import Diagnostic
from tapeless.passes.driver.assembly import AssemblyStyle
from tapeless.passes.driver.options import print_step
from tapeless.passes.driver.steps import MODULE, Step

TRAILER = """
{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: {pipeline},
      disable_threading: true,
      verify_each: {verify_each}{generate_code}
    }}
  }}
#-}}
"""
RECORD = re.compile(r"\{-#.*?\bmlir_reproducer\s*:\s*\{.*", re.DOTALL)
ESCAPE = re.compile(r"\\(?P<hex>[0-9A-Fa-f]{2})|\\(?P<char>.)")
PIPELINE = re.compile(r'\bpipeline\s*:\s*"(?P<text>(?:[^"\\]|\\.)*)"')
GENERATE_CODE = ",\n      generate_code: true"
GENERATES_CODE = re.compile(r"\bgenerate_code\s*:\s*true\b")
VERIFY_EACH = re.compile(r"\bverify_each\s*:\s*(?P<value>true|false)")
UNKNOWN_RESOURCE = "ignoring unknown external resources for 'mlir_reproducer'"


@dataclass(frozen=True)
class Reproducer:
    """A reproducer: passes and, if the fault came after all of them, the code generator."""

    pipeline: str
    verify_each: bool = True
    generate_code: bool = False


def read_reproducer(source: str) -> Reproducer | None:
    """The reproducer at the end of a module's text, if there is one."""
    record = RECORD.search(source)
    pipeline = PIPELINE.search(record[0]) if record else None
    if not record or not pipeline:
        return None
    verify = VERIFY_EACH.search(record[0])
    verify_each = verify is None or verify["value"] == "true"
    return Reproducer(
        ESCAPE.sub(_unescaped, pipeline["text"]), verify_each, GENERATES_CODE.search(record[0]) is not None
    )


def _unescaped(escape: re.Match[str]) -> str:
    return chr(int(escape["hex"], 16)) if escape["hex"] else escape["char"]


def reproducer_text(module: ir.Module, reproducer: Reproducer) -> str:
    """The module with the reproducer appended."""
    quoted = '"' + reproducer.pipeline.replace("\\", "\\\\").replace('"', '\\"') + '"'
    verify_each = str(reproducer.verify_each).lower()
    generate_code = GENERATE_CODE if reproducer.generate_code else ""
    text = AssemblyStyle(debug_info=True, generic=True).text(module.operation)
    return text + TRAILER.format(pipeline=quoted, verify_each=verify_each, generate_code=generate_code)


@dataclass
class CrashReproducer:
    """Writes the file before passes run, so that it is there even if the process dies; a run that succeeds removes it.

    With `local`, the file holds the module as it was before the pass that failed, and only that pass.
    """

    path: Path
    reproducer: Reproducer
    local: bool = False
    failed_step: Step | None = field(default=None, init=False)

    def start(self, module: ir.Module) -> None:
        """Called before the first pass."""
        self.path.write_text(reproducer_text(module, self.reproducer))

    def finish(self) -> None:
        """Called after the last pass of a run that succeeded."""
        self.path.unlink()

    def note(self) -> Diagnostic:
        """Where the reproducer of a run that failed is."""
        failed = f" in pass '{self.failed_step.name}' on '{self.failed_step.anchor}'" if self.failed_step else ""
        return Diagnostic("note", f"the pipeline failed{failed}; reproducer generated at '{self.path}'")

    def before(self, step: Step, module: ir.Module) -> None:
        """Rewrites the file for this pass if it is to be local."""
        if self.local and not step.within:
            alone = Reproducer(f"{MODULE}({print_step(step)})", self.reproducer.verify_each)
            self.path.write_text(reproducer_text(module, alone))

    def after(self, step: Step, module: ir.Module) -> None:
        """Nothing to do: the file of the next pass replaces this one."""

    def failed(self, step: Step, module: ir.Module) -> None:
        """Remembers which pass failed."""
        self.failed_step = step
