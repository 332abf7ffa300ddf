"""Modules of PyTorch exported, with what PyTorch cannot follow in other words; the rest is refused with a remedy."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from tapeless.errors import ArgumentError


def _gaussian_loss(
    mean: torch.Tensor,
    target: torch.Tensor,
    variance: Any,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> torch.Tensor:
    """`gaussian_nll_loss`, which asks whether a variance is negative; one below `eps` has the derivative at `eps`."""
    spread = torch.as_tensor(variance, dtype=mean.dtype, device=mean.device)
    if spread.shape != mean.shape and spread.shape == mean.shape[:-1]:
        spread = spread.unsqueeze(-1)
    spread = spread + (spread.clamp(min=eps) - spread).detach()
    loss = 0.5 * (torch.log(spread) + (mean - target) ** 2 / spread)
    if full:
        loss = loss + 0.5 * torch.log(torch.as_tensor(2 * torch.pi, dtype=mean.dtype))
    return {"none": lambda: loss, "mean": loss.mean, "sum": loss.sum}[reduction]()


DATA = torch.Tensor.data
IN_OTHER_WORDS: Mapping[Any, Callable[..., Any]] = {
    DATA.__get__: lambda tensor, *_: tensor.detach(),
    torch.nn.functional.gaussian_nll_loss: _gaussian_loss,
}
"""Functions that PyTorch calls and does not export, and what means the same."""

INSIDE = (
    "derivatives inside of it (torch.autograd.grad, torch.func) are in no graph; leave them out, and differentiate the "
    "imported function by tl.grad"
)
REMEDIES = {
    "fake tensor in the exported program": INSIDE,
    "functorch tensor": INSIDE,
    "no attribute 'constant'": INSIDE,
}
"""What to do, by what PyTorch says."""

GIVEN_DATA = (
    "the module gives a tensor other .data, which derivatives go past; compute a new tensor, with .detach() for what "
    "is a constant for derivatives"
)
OF_VALUES = "write this part so that neither branches nor sizes depend on values of tensors"


def exported_form(module: torch.nn.Module, examples: tuple[Any, ...]) -> torch.export.ExportedProgram:
    """The exported form of a module; refuses what PyTorch cannot export, with its reason."""
    logger = logging.getLogger("torch")
    level = logger.level
    try:
        logger.setLevel(logging.CRITICAL)  # it prints graphs and lists of what else to try
        with redirect_stderr(io.StringIO()), _distributions_as_given(), _Words():
            exported = torch.export.export(module, examples, strict=False)
        if any(map(_is_of_tracing, exported.constants.values())):
            raise RuntimeError("there is a functorch tensor, or a fake tensor in the exported program")
        return exported
    except ArgumentError:
        raise
    except Exception as error:  # of any kind: that of the module's own code, too
        reason = next(iter(str(error).strip().splitlines()), "")
        line = next((each.strip() for each in str(error).splitlines() if each.startswith("Caused by:")), "")
        remedy = next((what for said, what in REMEDIES.items() if said in reason), OF_VALUES)
        raise ArgumentError(
            f"torch.export does not take the module: {type(error).__name__}: {reason}{line and '; '}{line}; {remedy}"
        ) from error
    finally:
        logger.setLevel(level)


def _is_of_tracing(constant: Any) -> bool:
    """Whether a tensor stands for values that only the export had."""
    if not torch.is_tensor(constant):
        return False
    is_fake = isinstance(constant, torch._subclasses.FakeTensor)
    return is_fake or torch._C._functorch.is_functorch_wrapped_tensor(constant)


class _Words(TorchFunctionMode):
    """Calls of functions that are not exported, in other words."""

    def __torch_function__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        if func == DATA.__set__:
            raise ArgumentError(GIVEN_DATA)
        return IN_OTHER_WORDS.get(func, func)(*args, **(kwargs or {}))


@contextmanager
def _distributions_as_given() -> Iterator[None]:
    """Distributions do not ask whether their parameters are valid, as they do by values that no export has."""
    distribution = torch.distributions.Distribution
    before = distribution._validate_args
    distribution.set_default_validate_args(False)
    try:
        yield
    finally:
        distribution.set_default_validate_args(before)
