"""sigmoid and softplus, from exp(-|x|) so that neither tail loses accuracy, and sign."""

from __future__ import annotations

from tapeless.passes.lower.math.elementary.exponential import exp
from tapeless.passes.lower.math.elementary.logarithm import log1p
from tapeless.passes.lower.math.lanes import Lanes


def sigmoid(x: Lanes) -> Lanes:
    decay = exp(-x.abs())
    return decay.replace(x.compare("oge", 0.0), 1.0) / (decay + 1.0)


def softplus(x: Lanes) -> Lanes:
    return x.at_least(0.0) + log1p(exp(-x.abs()))


def sign(x: Lanes) -> Lanes:
    """-1, 1 or +0; NaN stays NaN (adding 0 turns -0 into +0)."""
    return (x + 0.0).replace(x.compare("ogt", 0.0), 1.0).replace(x.compare("olt", 0.0), -1.0)
