"""Whether IR that is printed, as text and as bytecode, parses to the same IR again."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.diagnostics import Diagnosed, Diagnostic
from tapeless.passes.driver.assembly import AssemblyStyle, bytecode

# Everything that IR holds, in a form without abbreviations.
COMPLETE = AssemblyStyle(debug_info=True, generic=True, local_scope=True)
READABLE = AssemblyStyle(debug_info=True)


def verify_roundtrip(module: ir.Module) -> None:
    """Raises an error that names the form in which something was lost."""
    operation, context = module.operation, module.context
    forms: dict[str, str | bytes] = {"text": READABLE.text(operation), "bytecode": bytecode(operation)}
    for form, content in forms.items():
        again = ir.Module.parse(content, context).operation
        if COMPLETE.text(again) != COMPLETE.text(operation):
            message = f"the module changes when it is written as {form} and parsed again; leave out --verify-roundtrip"
            raise Diagnosed([Diagnostic("error", message, None)])
