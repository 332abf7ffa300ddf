"""The loss of a logistic regression, whose gradient the C and C++ programs beside this file call."""

import tapeless as tl


@tl.function
def loss(w: tl.f64[:], x: tl.f64[:, :], y: tl.f64[:]) -> tl.f64:
    """The mean logistic loss of weights w for rows of x with labels y, which are -1 or 1."""
    total = 0.0
    for i in range(x.shape[0]):
        total += tl.log1p(tl.exp(-y[i] * tl.sum(x[i] * w)))
    return total / x.shape[0]
