"""Kernels for GPUs as plain data: the text of their PTX, and the plan that launches them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tapeless.abi import Abi
from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.cuda.expressions import MalformedPlan
from tapeless.runtime.cuda.steps import code_of_text

ARCHITECTURE = re.compile(r"sm_([0-9]{1,3})([0-9])")


@dataclass(frozen=True)
class DeviceImage:
    """`code` is PTX for an `architecture` (sm_90) and later ones, `plan` the JSON of a launch plan."""

    code: bytes
    plan: str
    architecture: str

    def links(self, entry: str) -> dict[str, Any]:
        """Everything but the code, as JSON keeps it."""
        return {"plan": self.plan, "architecture": self.architecture}

    @staticmethod
    def from_links(links: Mapping[str, Any], code: bytes) -> DeviceImage:
        """The inverse of `links`."""
        return DeviceImage(code, links["plan"], links["architecture"])

    def is_sound(self, abi: Abi) -> bool:
        """Whether the plan is one that can be carried out for this contract, and the code is text."""
        if ARCHITECTURE.fullmatch(self.architecture) is None:
            return False
        try:
            self.code.decode()
            code_of_text(self.plan, tuple(bound_names(abi)), tuple(returned_ranks(abi)))
        except (MalformedPlan, UnicodeDecodeError):
            return False
        return True

    @property
    def summary(self) -> str:
        """The size of the code and its requirements on the machine."""
        return f"{len(self.code)} bytes of PTX, {len(json.loads(self.plan)['kernels'])} kernels for {self.architecture}"

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
