"""Kernels that are the same but for their name: of variants for several sizes, some come to the same code."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field

from tapeless._mlir import ir
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.launches.kernels.kernel import Kernel


@dataclass(frozen=True)
class Written:
    """A finished kernel, and its text without its name."""

    kernel: Kernel

    @computed_once
    def text(self) -> str:
        text = self.kernel.op.get_asm(print_generic_op_form=True, use_local_scope=True, assume_verified=True)
        return text.replace(f'"{self.kernel.name}"', "", 1)


@dataclass
class EqualKernels:
    """The finished kernels of a plan by a key that is quickly compared: their parameters, and how many operations
    begin.
    """

    _known: dict[tuple[int, tuple[ir.Type, ...]], list[Written]] = field(default_factory=lambda: defaultdict(list))

    def first(self, kernel: Kernel) -> Kernel:
        """The first kernel with the code of this one; another one than this is erased."""
        block = kernel.block
        alike = self._known[len(block.operations), tuple(argument.type for argument in block.arguments)]
        written = Written(kernel)
        for other in alike:
            if other.text == written.text:
                kernel.erase()
                return other.kernel
        alike.append(written)
        return kernel
