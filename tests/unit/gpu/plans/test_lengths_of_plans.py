"""Plans of programs with many sequential loops are read: their bounds and costs are written with few operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest

import tapeless as tl
from tapeless._mlir import ir
from tapeless.abi import PLAN_ATTRIBUTE
from tapeless.backend import targets
from tapeless.backend.codegen.ptx import gpu_machine
from tapeless.runtime.bounded_json import MOST_ITEMS

TYPES = (tl.f64[:, :], tl.f64[:, :], tl.f64[:, :])


def filtered(transition, observe, measurements):
    """A filter with an inverse and a determinant in each step."""
    covariance = tl.eye(transition.shape[0], dtype=transition.dtype)
    mean = tl.zeros(transition.shape[0], dtype=transition.dtype)
    likelihood = 0.0
    for t in range(len(measurements)):
        mean = transition @ mean
        covariance = transition @ covariance @ transition.T
        residual = measurements[t] - observe @ mean
        spread = observe @ covariance @ observe.T + 0.5 * tl.eye(observe.shape[0], dtype=transition.dtype)
        inverse = tl.linalg.inv(spread)
        gain = covariance @ observe.T @ inverse
        likelihood -= 0.5 * (tl.dot(residual, inverse @ residual) + tl.log(tl.linalg.det(spread)))
        mean += gain @ residual
        covariance -= gain @ observe @ covariance
    return likelihood


class Planned(BaseException):
    """Raised with the plan, of which no code is to be made."""


def items_of_plan(function: Callable[..., Any]) -> int:
    """What the reader of plans counts."""

    def generate(module: ir.Module, *_: object) -> None:
        raise Planned(ir.StringAttr(module.operation.attributes[PLAN_ATTRIBUTE]).value)

    cuda = replace(targets.CUDA, machine=lambda: gpu_machine("sm_90"), generate=generate)
    with (
        mock.patch.dict(targets.TARGETS, cuda=cuda),
        mock.patch("tapeless.backend.cache.load", lambda key: None),
        pytest.raises(Planned) as planned,
    ):
        tl.compile(function, TYPES, target="cuda")
    text = str(planned.value)
    return sum(text.count(mark) for mark in ",[{")


def test_steps_with_an_inverse() -> None:
    assert items_of_plan(tl.function(filtered)) < MOST_ITEMS / 3


@pytest.mark.thorough
def test_their_gradient() -> None:
    """There is room for a longer program."""
    assert items_of_plan(tl.value_and_grad(filtered)) < 0.8 * MOST_ITEMS
