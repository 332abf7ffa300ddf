"""Networks: perceptrons, convolutions, attention, normalisation, embeddings."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from unit.imports.jax_programs import Program, labels, normal, uniform


def _dense(inputs, outputs, seed):
    return {"w": normal(inputs, outputs, seed=seed, scale=0.5), "b": normal(outputs, seed=seed, scale=0.1)}


def _apply(layer, x):
    return x @ layer["w"] + layer["b"]


def perceptron(params, x, y):
    for layer in params[:-1]:
        x = jax.nn.relu(_apply(layer, x))
    logits = jax.nn.log_softmax(_apply(params[-1], x))
    return -jnp.mean(jnp.take_along_axis(logits, y[:, None], axis=1))


def regression(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2) + 0.01 * jnp.sum(params["w"] ** 2)


def logistic(params, x, y):
    logits = x @ params["w"] + params["b"]
    return jnp.mean(jnp.logaddexp(0.0, logits) - y * logits)


def gelu_layers(params, x):
    for layer in params:
        x = x + jax.nn.gelu(_apply(layer, x))
    return jnp.mean(jnp.tanh(x))


def layer_norm(params, x, y):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    normed = (x - mean) * lax.rsqrt(variance + 1e-5) * params["scale"] + params["shift"]
    return jnp.mean((normed - y) ** 2)


def batch_norm(params, x):
    mean, variance = jnp.mean(x, axis=0), jnp.var(x, axis=0)
    out = params["scale"] * (x - mean) / jnp.sqrt(variance + 1e-3) + params["shift"]
    return jnp.sum(jax.nn.softplus(out))


def convolution(params, images, y):
    x = lax.conv_general_dilated(images, params["k"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    x = jax.nn.relu(x + params["c"])
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = x.reshape(x.shape[0], -1) @ params["w"]
    return -jnp.mean(jax.nn.log_softmax(x)[jnp.arange(len(y)), y])


def strided_convolution(params, signal):
    x = lax.conv_general_dilated(signal, params["k"], (2,), "VALID", dimension_numbers=("NCH", "OIH", "NCH"))
    return jnp.sum(jnp.sin(x) ** 2)


def average_pool(params, image):
    x = jnp.tanh(image * params["gain"])
    pooled = lax.reduce_window(x, 0.0, lax.add, (2, 2), (2, 2), "VALID") / 4.0
    return jnp.sum(pooled**2)


def attention(params, x, y):
    q, k, v = (x @ params[name] for name in ("q", "k", "v"))
    weights = jax.nn.softmax(q @ k.T / jnp.sqrt(q.shape[-1]), axis=-1)
    return jnp.mean((x + (weights @ v) @ params["o"] - y) ** 2)


def transformer(params, x):
    heads, width = 2, x.shape[-1]

    def normed(z, layer):
        mean = z.mean(-1, keepdims=True)
        return layer["s"] * (z - mean) / jnp.sqrt(z.var(-1, keepdims=True) + 1e-5) + layer["b"]

    z = normed(x, params["n1"])
    q, k, v = jnp.split(z @ params["qkv"], 3, axis=-1)
    q, k, v = (each.reshape(-1, heads, width // heads).transpose(1, 0, 2) for each in (q, k, v))
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / jnp.sqrt(width // heads)
    mask = jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9))
    x = x + jnp.einsum("hqk,hkd->hqd", weights, v).transpose(1, 0, 2).reshape(x.shape) @ params["out"]
    hidden = jax.nn.silu(normed(x, params["n2"]) @ params["up"])
    return jnp.mean((x + hidden @ params["down"]) ** 2)


def embedding(params, tokens, y):
    x = params["table"][tokens].mean(axis=1)
    return -jnp.mean(jnp.sum(jax.nn.one_hot(y, 4) * jax.nn.log_softmax(x @ params["w"]), axis=-1))


def autoencoder(params, x):
    code = jax.nn.sigmoid(_apply(params["encode"], x))
    return jnp.mean((jax.nn.elu(_apply(params["decode"], code)) - x) ** 2)


def vmapped(params, x):
    def one(row):
        return jnp.dot(params["w"], jax.nn.leaky_relu(params["v"] @ row))

    return jnp.sum(jax.vmap(one)(x) ** 2)


def _norm(width):
    return {"s": uniform(width), "b": normal(width)}


PROGRAMS = {
    "perceptron": Program(
        perceptron, [_dense(5, 6, 1), _dense(6, 6, 2), _dense(6, 3, 3)], (normal(7, 5), labels(7, 3)), 0.1
    ),
    "regression": Program(regression, {"w": normal(4), "b": 0.5}, (normal(9, 4), normal(9))),
    "logistic": Program(logistic, {"w": normal(4), "b": 0.1}, (normal(9, 4), labels(9, 2).astype(float))),
    "gelu_layers": Program(gelu_layers, (_dense(4, 4, 1), _dense(4, 4, 2)), (normal(3, 4),)),
    "layer_norm": Program(layer_norm, {"scale": uniform(6), "shift": normal(6)}, (normal(4, 6), normal(4, 6, seed=1))),
    "batch_norm": Program(batch_norm, {"scale": uniform(3), "shift": normal(3)}, (normal(8, 3),)),
    "convolution": Program(
        convolution,
        {"k": normal(3, 3, 2, 4, scale=0.3), "c": normal(4), "w": normal(36, 3, scale=0.2)},
        (normal(2, 6, 6, 2), labels(2, 3)),
    ),
    "strided_convolution": Program(strided_convolution, {"k": normal(3, 2, 3)}, (normal(2, 2, 9),)),
    "average_pool": Program(average_pool, {"gain": normal(6, 6)}, (normal(6, 6, seed=1),)),
    "attention": Program(
        attention, {k: normal(4, 4, seed=ord(k), scale=0.5) for k in "qkvo"}, (normal(5, 4), normal(5, 4, seed=2))
    ),
    "transformer": Program(
        transformer,
        {
            "n1": _norm(4),
            "n2": _norm(4),
            "qkv": normal(4, 12, scale=0.5),
            "out": normal(4, 4, seed=1, scale=0.5),
            "up": normal(4, 8, scale=0.5),
            "down": normal(8, 4, scale=0.5),
        },
        (normal(5, 4),),
    ),
    "embedding": Program(
        embedding, {"table": normal(10, 3), "w": normal(3, 4)}, (labels(12, 10).reshape(4, 3), labels(4, 4))
    ),
    "autoencoder": Program(autoencoder, {"encode": _dense(6, 2, 1), "decode": _dense(2, 6, 2)}, (normal(5, 6),)),
    "vmapped": Program(vmapped, {"w": normal(3), "v": normal(3, 4)}, (normal(5, 4),)),
}
