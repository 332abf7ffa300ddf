"""Kernels for GPUs as plain data: the text of their PTX, and the plan that launches them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tapeless.abi import Abi
from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.cuda.expressions import MalformedPlan
from tapeless.runtime.cuda.kernel_source import LAYOUT, KernelSource, Ptx, Unfinished
from tapeless.runtime.cuda.steps import code_of_text

ARCHITECTURE = re.compile(r"sm_([0-9]{1,3})([0-9])")


@dataclass(frozen=True)
class DeviceImage:
    """`kernels` are for an `architecture` (sm_90) and later ones, `plan` is the JSON of a launch plan."""

    kernels: KernelSource
    plan: str
    architecture: str

    @property
    def code(self) -> bytes:
        """The PTX of all kernels."""
        return self.kernels.whole()

    def identity(self) -> bytes:
        """Bytes that are others for other kernels."""
        return self.kernels.identity()

    def stored(self) -> DeviceImage:
        """Plain data that the kernel cache keeps."""
        return replace(self, kernels=self.kernels.stored())

    def links(self, entry: str) -> dict[str, Any]:
        """Everything but the code, as JSON keeps it."""
        extra = self.kernels.links if isinstance(self.kernels, Unfinished) else {}
        return {"plan": self.plan, "architecture": self.architecture, **extra}

    @staticmethod
    def from_links(links: Mapping[str, Any], code: bytes) -> DeviceImage:
        """The inverse of `links`."""
        kernels = Unfinished(code, links[LAYOUT]) if LAYOUT in links else Ptx(code)
        return DeviceImage(kernels, links["plan"], links["architecture"])

    def is_sound(self, abi: Abi) -> bool:
        """Whether the plan is one that can be carried out for this contract, and the code is text."""
        if ARCHITECTURE.fullmatch(self.architecture) is None:
            return False
        try:
            code_of_text(self.plan, tuple(bound_names(abi)), tuple(returned_ranks(abi)))
        except MalformedPlan:
            return False
        return self.kernels.stored().is_sound()

    @property
    def summary(self) -> str:
        """The number of kernels and their requirements on the machine."""
        return f"{len(json.loads(self.plan)['kernels'])} kernels in PTX for {self.architecture}"

    @property
    def capability(self) -> tuple[int, int]:
        """The oldest generation of GPUs that runs the code."""
        found = ARCHITECTURE.fullmatch(self.architecture)
        assert found is not None
        return int(found[1]), int(found[2])


def returned_ranks(abi: Abi) -> list[int]:
    """The ranks of the results of a plan, 0 for scalars."""
    return [len(result.dims) for result in abi.returned]


def bound_names(abi: Abi) -> list[str]:
    """The names that a plan finds bound: addresses and sizes of arrays, scalars, places of results, the status."""
    names = ["status"]
    for number, parameter in enumerate(abi.parameters):
        names.append(f"a{number}")
        names += [f"a{number}.{axis}" for axis in range(len(parameter.dims))]
    for number, out in enumerate(abi.outs):
        names.append(f"o{number}")
        names += [f"o{number}.{axis}" for axis in range(len(out.dims))]
    return names
