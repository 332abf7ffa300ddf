"""A recurrent network with long short-term memory, in single precision."""

from __future__ import annotations

import tapeless as tl
from on_gpu.programs.kernel import Kernel


@tl.function
def lstm(x: tl.f32[:, :, :], from_input: tl.f32[:, :], from_hidden: tl.f32[:, :], bias: tl.f32[:]) -> tl.f32:
    """The sum of all hidden states; x by step, sequence and feature, gates in the order of PyTorch."""
    size = len(from_hidden)
    hidden = tl.zeros((x.shape[1], size), tl.f32)
    cell = tl.zeros((x.shape[1], size), tl.f32)
    total = tl.zeros((x.shape[1], size), tl.f32)
    for t in range(len(x)):
        gates = x[t] @ from_input + hidden @ from_hidden + bias
        ingate, forget = tl.sigmoid(gates[:, :size]), tl.sigmoid(gates[:, size : 2 * size])
        change, outgate = tl.tanh(gates[:, 2 * size : 3 * size]), tl.sigmoid(gates[:, 3 * size :])
        cell = forget * cell + ingate * change
        hidden = outgate * tl.tanh(cell)
        total = total + hidden
    return tl.sum(total)


LSTM = (tl.f32[:, :, :], tl.f32[:, :], tl.f32[:, :], tl.f32[:])
KERNELS = {
    "lstm": Kernel(lstm, LSTM),
    "lstm gradient": Kernel(tl.grad(lstm, argnums=(1, 2, 3)), LSTM),
}
