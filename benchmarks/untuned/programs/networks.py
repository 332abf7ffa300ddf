"""Small neural networks: layers, convolution and attention, with loops, maps and operators with `axis=`."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


def mlp_data(size, dtype, rng):
    samples, inputs, hidden, outputs = size
    return (
        (rng.normal(size=(inputs, hidden)) / np.sqrt(inputs)).astype(dtype),
        rng.normal(size=hidden).astype(dtype),
        (rng.normal(size=(hidden, outputs)) / np.sqrt(hidden)).astype(dtype),
        rng.normal(size=outputs).astype(dtype),
        rng.normal(size=(samples, inputs)).astype(dtype),
        rng.normal(size=(samples, outputs)).astype(dtype),
    )


def mlp_loops(w1, b1, w2, b2, x, y):
    loss = 0.0
    for n in range(x.shape[0]):
        hidden = np.zeros_like(b1)
        for j in range(len(b1)):
            total = b1[j]
            for i in range(x.shape[1]):
                total += x[n, i] * w1[i, j]
            hidden[j] = np.tanh(total)
        for k in range(len(b2)):
            out = b2[k]
            for j in range(len(b1)):
                out += hidden[j] * w2[j, k]
            loss += (out - y[n, k]) ** 2
    return loss / (y.shape[0] * y.shape[1])


def mlp_maps(w1, b1, w2, b2, x, y):
    def error(row, target):
        hidden = tl.tanh(row @ w1 + b1)
        return tl.mean((hidden @ w2 + b2 - target) ** 2)

    return tl.mean(tl.map(error, x, y))


def mlp_axis(w1, b1, w2, b2, x, y):
    hidden = np.tanh(x @ w1 + b1)
    return np.mean((hidden @ w2 + b2 - y) ** 2)


def mlp_jax(jnp):
    def loss(w1, b1, w2, b2, x, y):
        return jnp.mean((jnp.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2)

    return loss


def mlp_torch(torch):
    def loss(w1, b1, w2, b2, x, y):
        return torch.mean((torch.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2)

    return loss


def mlp_numpy(w1, b1, w2, b2, x, y):
    hidden = np.tanh(x @ w1 + b1)
    error = hidden @ w2 + b2 - y
    error_bar = 2.0 * error / error.size
    before_bar = (error_bar @ w2.T) * (1.0 - hidden * hidden)
    gradient = (x.T @ before_bar, before_bar.sum(axis=0), hidden.T @ error_bar, error_bar.sum(axis=0))
    return np.mean(error * error), gradient


def convolution_data(size, dtype, rng):
    images, width, channels, classes = size
    return (
        (rng.normal(size=(channels, 3, 3)) / 3.0).astype(dtype),
        rng.normal(size=(channels, classes)).astype(dtype),
        rng.normal(size=(images, width, width)).astype(dtype),
        rng.normal(size=(images, classes)).astype(dtype),
    )


def convolution_loops(kernels, dense, images, targets):
    count, height, width = images.shape
    channels, classes = dense.shape
    loss = 0.0
    for n in range(count):
        pooled = np.zeros_like(dense[:, 0])
        for c in range(channels):
            for i in range(height - 2):
                for j in range(width - 2):
                    value = 0.0
                    for di in range(3):
                        for dj in range(3):
                            value += kernels[c, di, dj] * images[n, i + di, j + dj]
                    pooled[c] += max(value, 0.0)
        for k in range(classes):
            score = 0.0
            for c in range(channels):
                score += pooled[c] / ((height - 2) * (width - 2)) * dense[c, k]
            loss += (score - targets[n, k]) ** 2
    return loss / count


def convolution_maps(kernels, dense, images, targets):
    height, width = images.shape[1], images.shape[2]

    def error(image, target):
        def channel(kernel):
            value = np.zeros_like(image[2:, 2:])
            for di in range(3):
                for dj in range(3):
                    value += kernel[di, dj] * image[di : height - 2 + di, dj : width - 2 + dj]
            return np.mean(np.maximum(value, 0.0))

        return np.sum((tl.map(channel, kernels) @ dense - target) ** 2)

    return np.mean(tl.map(error, images, targets))


def convolution_im2col(kernels, dense, images, targets):
    count, height, width = images.shape
    rows, columns = height - 2, width - 2
    patches = np.stack(
        [images[:, di : di + rows, dj : dj + columns] for di in range(3) for dj in range(3)], axis=3
    ).reshape((count * rows * columns, 9))
    responses = np.maximum(patches @ kernels.reshape((len(kernels), 9)).T, 0.0)
    pooled = np.mean(responses.reshape((count, rows * columns, len(kernels))), axis=1)
    return np.sum((pooled @ dense - targets) ** 2) / count


def convolution_jax(jnp):
    from jax import lax

    def loss(kernels, dense, images, targets):
        responses = lax.conv(images[:, None], kernels[:, None], (1, 1), "VALID")
        pooled = jnp.mean(jnp.maximum(responses, 0.0), axis=(2, 3))
        return jnp.sum((pooled @ dense - targets) ** 2) / len(images)

    return loss


def convolution_torch(torch):
    def loss(kernels, dense, images, targets):
        responses = torch.nn.functional.conv2d(images[:, None], kernels[:, None])
        pooled = torch.relu(responses).mean(dim=(2, 3))
        return torch.sum((pooled @ dense - targets) ** 2) / len(images)

    return loss


def attention_data(size, dtype, rng):
    tokens, width, head = size
    weights = tuple((rng.normal(size=(width, head)) / np.sqrt(width)).astype(dtype) for _ in range(3))
    return (
        *weights,
        rng.normal(size=(tokens, width)).astype(dtype),
        rng.normal(size=(tokens, head)).astype(dtype),
    )


def attention_loops(wq, wk, wv, x, y):
    queries, keys, values = x @ wq, x @ wk, x @ wv
    n, head = queries.shape
    loss = 0.0
    for i in range(n):
        scores = np.zeros_like(x[:, 0])
        for j in range(n):
            scores[j] = np.dot(queries[i], keys[j]) / np.sqrt(head)
        top = np.max(scores)
        total = 0.0
        out = np.zeros_like(queries[0])
        for j in range(n):
            weight = np.exp(scores[j] - top)
            total += weight
            for k in range(head):
                out[k] += weight * values[j, k]
        for k in range(head):
            loss += (out[k] / total - y[i, k]) ** 2
    return loss / (n * head)


def attention_maps(wq, wk, wv, x, y):
    keys, values = x @ wk, x @ wv
    scale = np.sqrt(wq.shape[1])

    def error(token, target):
        query = token @ wq
        weights = tl.softmax(tl.map(lambda key: np.dot(query, key) / scale, keys))
        return np.mean((weights @ values - target) ** 2)

    return np.mean(tl.map(error, x, y))


def attention_axis(wq, wk, wv, x, y):
    scores = (x @ wq) @ (x @ wk).T / np.sqrt(wq.shape[1])
    return np.mean((tl.softmax(scores, axis=1) @ (x @ wv) - y) ** 2)


def attention_jax(jnp):
    import jax

    def loss(wq, wk, wv, x, y):
        scores = (x @ wq) @ (x @ wk).T / np.sqrt(wq.shape[1])
        return jnp.mean((jax.nn.softmax(scores, axis=1) @ (x @ wv) - y) ** 2)

    return loss


def attention_torch(torch):
    def loss(wq, wk, wv, x, y):
        out = torch.nn.functional.scaled_dot_product_attention((x @ wq)[None], (x @ wk)[None], (x @ wv)[None])[0]
        return torch.mean((out - y) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="multilayer perceptron",
        field="machine learning",
        sizes={"small": (8, 16, 16, 4), "middle": (256, 64, 64, 10), "large": (2048, 256, 256, 10)},
        data=mlp_data,
        spellings={"loops": mlp_loops, "maps": mlp_maps, "axis": mlp_axis},
        jax=mlp_jax,
        torch=mlp_torch,
        numpy=mlp_numpy,
        wrt=(0, 1, 2, 3),
    ),
    Program(
        name="convolutional network",
        field="machine learning",
        sizes={"small": (2, 8, 4, 3), "middle": (16, 28, 8, 10), "large": (256, 28, 16, 10)},
        data=convolution_data,
        spellings={"loops": convolution_loops, "maps": convolution_maps, "im2col": convolution_im2col},
        jax=convolution_jax,
        torch=convolution_torch,
        wrt=(0, 1),
    ),
    Program(
        name="attention head",
        field="machine learning",
        sizes={"small": (12, 16, 8), "middle": (128, 64, 32), "large": (1024, 128, 64)},
        data=attention_data,
        spellings={"loops": attention_loops, "maps": attention_maps, "axis": attention_axis},
        jax=attention_jax,
        torch=attention_torch,
        wrt=(0, 1, 2),
    ),
)
