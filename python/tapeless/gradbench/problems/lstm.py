"""lstm: the loss of a recurrent network with diagonal weights that predicts the next character of a text."""

from typing import Any

import numpy as np

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task, floats


@tl.function
def objective(main: tl.f64[:, :, :], extra: tl.f64[3, :], state: tl.f64[:, :], sequence: tl.f64[:, :]) -> tl.f64:
    """The weights and the biases of a layer are two neighbours in `main`, its hidden state and cell in `state`."""
    steps, b = len(sequence) - 1, sequence.shape[1]
    hidden, cell = state[::2], state[1::2]
    total = 0.0
    for t in range(steps):
        a = sequence[t] * extra[0]
        for layer in range(len(hidden)):
            w, bias = main[2 * layer], main[2 * layer + 1]
            forget = tl.sigmoid(a * w[0] + bias[0])
            ingate = tl.sigmoid(hidden[layer] * w[1] + bias[1])
            outgate = tl.sigmoid(a * w[2] + bias[2])
            change = tl.tanh(hidden[layer] * w[3] + bias[3])
            cell[layer] = cell[layer] * forget + ingate * change
            hidden[layer] = outgate * tl.tanh(cell[layer])
            a = hidden[layer]
        y = a * extra[1] + extra[2]
        total += tl.sum(sequence[t + 1] * (y - tl.log(2.0 + tl.sum(tl.exp(y)))))
    return -total / (steps * b)


def arguments(given: dict[str, Any]) -> tuple[np.ndarray, ...]:
    main = floats(given["main_params"])
    parts = main.reshape(len(main), 4, -1)
    return parts, floats(given["extra_params"]), floats(given["state"]), floats(given["sequence"])


def output(gradient: tuple[np.ndarray, np.ndarray]) -> list[float]:
    return [value for part in gradient for value in part.ravel().tolist()]


PROBLEM: Problem = {
    "objective": Task(objective, arguments),
    "jacobian": Task(tl.grad(objective, argnums=("main", "extra")), arguments, output),
}
