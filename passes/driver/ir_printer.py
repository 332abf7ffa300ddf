"""Printing the IR between passes, on a stream or into a tree of files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from itertools import zip_longest
from pathlib import Path
from typing import TextIO

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.assembly import PLAIN, AssemblyStyle
from tapeless.passes.driver.steps import Step

FINGERPRINT = AssemblyStyle(debug_info=True, generic=True)


@dataclass(frozen=True)
class Selection:
    """Some passes, by name, or all of them."""

    names: frozenset[str] = frozenset()
    everything: bool = False

    def __contains__(self, name: object) -> bool:
        return self.everything or name in self.names

    def __bool__(self) -> bool:
        return self.everything or bool(self.names)


NOTHING = Selection()


@dataclass
class IRPrinter:
    """Prints the IR of the selected passes, before and after them."""

    stream: TextIO
    before_passes: Selection = NOTHING
    after_passes: Selection = NOTHING
    only_on_change: bool = False
    only_on_failure: bool = False
    module_scope: bool = False
    tree: Path | None = None
    style: AssemblyStyle = PLAIN
    _fingerprints: list[list[str]] = field(default_factory=list, init=False)
    _count: int = field(default=0, init=False)

    def before(self, step: Step, module: ir.Module) -> None:
        """Prints before a pass, and remembers the IR if changes are asked for."""
        if step.name in self.before_passes:
            self._print(f"Before {step.name}", step, self._shown(step, module))
        if self.only_on_change:
            self._fingerprints.append(list(map(FINGERPRINT.text, step.targets(module))))

    def after(self, step: Step, module: ir.Module) -> None:
        """Prints after a pass that succeeded."""
        before = self._fingerprints.pop() if self.only_on_change else None
        if step.name in self.after_passes and not self.only_on_failure:
            self._print(f"After {step.name}", step, self._changed(step, module, before))
        self._count += 1

    def failed(self, step: Step, module: ir.Module) -> None:
        """Prints after a pass that failed."""
        self._fingerprints.clear()
        if step.name in self.after_passes or self.only_on_failure:
            self._print(f"After {step.name} Failed", step, self._shown(step, module))
        self._count += 1

    def _shown(self, step: Step, module: ir.Module) -> list[ir.Operation]:
        return [module.operation] if self.module_scope else step.targets(module)

    def _changed(self, step: Step, module: ir.Module, before: list[str] | None) -> list[ir.Operation]:
        if before is None:
            return self._shown(step, module)
        pairs = zip_longest(before, step.targets(module))
        changed = [op for text, op in pairs if op is not None and text != FINGERPRINT.text(op)]
        return self._shown(step, module) if self.module_scope and changed else changed

    def _print(self, event: str, step: Step, ops: list[ir.Operation]) -> None:
        for op in ops:
            banner = f"// -----// IR Dump {event}{_subject(op) if step.anchors or step.target else ''} //----- //\n"
            if self.tree is None:
                self.stream.write(f"{banner}{self.style.text(op)}\n")
            else:
                self._write_file(event, step, op, banner)
        self.stream.flush()

    def _write_file(self, event: str, step: Step, op: ir.Operation, banner: str) -> None:
        assert self.tree is not None
        folder = self.tree.joinpath(*reversed(list(_folders(op))))
        folder.mkdir(parents=True, exist_ok=True)
        suffix = event.removeprefix(f"After {step.name}").replace(f"Before {step.name}", "-before").replace(" ", "-")
        (folder / f"{self._count}_{step.name}{suffix.lower()}.mlir").write_text(banner + self.style.text(op))


def _symbol(op: ir.Operation) -> str | None:
    return ir.StringAttr(op.attributes["sym_name"]).value if "sym_name" in op.attributes else None


def _subject(op: ir.Operation) -> str:
    symbol = _symbol(op)
    return f": '{op.name}' operation" + (f": @{symbol}" if symbol else "")


def _folders(op: ir.Operation | None) -> Iterator[str]:
    """Folder names from the operation outwards: `func_func_f`, `builtin_module_no-symbol-name`."""
    while op is not None:
        name = f"{op.name}_{_symbol(op) or 'no-symbol-name'}"
        yield re.sub(r"[^\w-]", "_", name)
        op = op.parent.operation if op.parent is not None else None
