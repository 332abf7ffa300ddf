"""Models of newer kinds: routed experts, rotary attention, state spaces, alignments, losses of order, drawn numbers."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from unit.imports.jax_programs import Program, labels, normal, uniform


def experts(params, x, y):
    """Two of four experts for each row, and a balance of their load."""
    scores = x @ params["gate"]
    top, chosen = lax.top_k(scores, 2)
    hidden = jax.nn.gelu(jnp.einsum("nd,edh->neh", x, params["up"]))
    out = jnp.einsum("neh,ehd->ned", hidden, params["down"])
    out = jnp.take_along_axis(out, chosen[..., None], axis=1) * jax.nn.softmax(top, axis=-1)[..., None]
    load = jnp.mean(jax.nn.one_hot(chosen[:, 0], 4), axis=0)
    return jnp.mean((jnp.sum(out, axis=1) - y) ** 2) + jnp.sum(load * jnp.mean(jax.nn.softmax(scores), axis=0))


def rotary_attention(params, x):
    """Causal, with positions as rotations, and keys that two heads share."""
    count = x.shape[0]

    def turned(z):
        half = z.shape[-1] // 2
        angle = jnp.arange(count)[:, None] / 100.0 ** (jnp.arange(half) / half)
        c, s = jnp.cos(angle)[:, None], jnp.sin(angle)[:, None]
        a, b = jnp.split(z, 2, axis=-1)
        return jnp.concatenate([a * c - b * s, a * s + b * c], axis=-1)

    q = turned((x @ params["q"]).reshape(count, 2, 4))
    k = jnp.repeat(turned((x @ params["k"]).reshape(count, 1, 4)), 2, axis=1)
    v = jnp.repeat((x @ params["v"]).reshape(count, 1, 4), 2, axis=1)
    scores = jnp.where(jnp.tril(jnp.ones((count, count), bool)), jnp.einsum("thd,shd->hts", q, k) / 2.0, -jnp.inf)
    out = jnp.einsum("hts,shd->thd", jax.nn.softmax(scores, axis=-1), v).reshape(count, 8)
    return jnp.mean((out[:-1] - x[1:]) ** 2)


def packed(params, x, lengths):
    """Sequences of several lengths: a state stays where its sequence has ended."""

    def step(h, given):
        inputs, goes_on = given
        a, b = inputs @ params["wx"] + params["b"], h @ params["wh"]
        r, z = jax.nn.sigmoid(a[:, :4] + b[:, :4]), jax.nn.sigmoid(a[:, 4:8] + b[:, 4:8])
        new = (1 - z) * jnp.tanh(a[:, 8:] + r * b[:, 8:]) + z * h
        h = jnp.where(goes_on[:, None], new, h)
        return h, jnp.where(goes_on[:, None], new, 0.0)

    mask = jnp.arange(x.shape[1])[:, None] < lengths
    h, ys = lax.scan(step, jnp.zeros((len(x), 4)), (x.swapaxes(0, 1), mask))
    return jnp.sum(h**2) + jnp.sum(ys.mean(0) ** 2)


def selective(params, x):
    """A state space whose steps depend on the input, as an associative scan."""
    steps = jax.nn.softplus(x * params["d"])
    decay = jnp.exp(-steps[..., None] * params["a"])
    inputs = steps[..., None] * (x @ params["b"])[:, None, :] * x[..., None]
    _, h = lax.associative_scan(
        lambda left, right: (left[0] * right[0], right[0] * left[1] + right[1]), (decay, inputs)
    )
    return jnp.mean((jnp.einsum("tds,ts->td", h, x @ params["c"]) - jnp.roll(x, -1, 0)) ** 2)


def beam(params, observed):
    """The best three paths at a time."""
    moves, seen = jax.nn.log_softmax(params["moves"], -1), jax.nn.log_softmax(params["seen"], -1)

    def step(carried, symbol):
        scores, states = carried
        every = scores[:, None] + moves[states] + seen[:, symbol][None]
        best, places = lax.top_k(every.reshape(-1), 3)
        return (best, places % 5), places // 5

    (scores, _), _ = lax.scan(step, tuple(lax.top_k(seen[:, observed[0]], 3)), observed[1:])
    return -jax.nn.logsumexp(scores)


def aligned(params, symbols):
    """The loss of connectionist temporal classification."""
    scores = jax.nn.log_softmax(params, -1)
    names = jnp.zeros(7, symbols.dtype).at[1::2].set(symbols)
    skips = jnp.concatenate([jnp.zeros(2, bool), (names[2:] != names[:-2]) & (names[2:] != 0)])
    never = jnp.full(2, -1e30)

    def step(a, row):
        one, two = jnp.concatenate([never[:1], a[:-1]]), jnp.concatenate([never, a[:-2]])
        return jnp.logaddexp(jnp.logaddexp(a, one), jnp.where(skips, two, -1e30)) + row[names], None

    start = jnp.full(7, -1e30).at[0].set(scores[0, 0]).at[1].set(scores[0, symbols[0]])
    last, _ = lax.scan(step, start, scores[1:])
    return -jnp.logaddexp(last[-1], last[-2])


def spectral_norm(params, x, u):
    """By power iteration, whose vector is a constant for derivatives."""

    def iteration(u, _):
        v = params @ u
        u = params.T @ (v / jnp.linalg.norm(v))
        return u / jnp.linalg.norm(u), None

    u = lax.stop_gradient(lax.scan(iteration, u, None, length=5)[0])
    return jnp.mean((x @ (params / jnp.linalg.norm(params @ u))) ** 4)


def adaptive(params):
    """Steps of a length that an estimate of the error decides, until a time is reached."""

    def more(state):
        return state[0] < 1.0

    def step(state):
        time, y, length = state
        length = jnp.minimum(length, 1.0 - time)
        first = jnp.tanh(params["a"] @ y)
        coarse, fine = y + length * first, y + length / 2 * (first + jnp.tanh(params["a"] @ (y + length * first)))
        error = jnp.max(jnp.abs(coarse - fine))
        is_good = error < 1e-2
        scale = lax.stop_gradient(jnp.clip(0.9 * jnp.sqrt(1e-2 / (error + 1e-12)), 0.2, 2.0))
        return jnp.where(is_good, time + length, time), jnp.where(is_good, fine, y), lax.stop_gradient(length) * scale

    return jnp.sum(lax.while_loop(more, step, (0.0, params["y"], 0.3))[1] ** 2)


def ordered(params, other, x, y):
    """Losses of sorted numbers, quantiles and ranks."""
    scores = x @ params["w"]
    places = jnp.argsort(-scores)
    gain = lax.stop_gradient(jnp.cumsum(y[places]) / (jnp.arange(len(y)) + 1))
    hinge = jnp.sort(jnp.maximum(1 - scores * (2 * y - 1), 0))[::-1]
    spread = jnp.quantile(scores, 0.3) + jnp.median(params["a"]) + jnp.ptp(scores)
    distance = jnp.mean(jnp.abs(jnp.sort(params["a"]) - jnp.sort(other)))
    return distance + jnp.sum(scores[places] * gain) + spread + jnp.sum(hinge * jnp.arange(float(len(y))))


def sampled(params, seed):
    """Numbers that are drawn inside, with JAX's bits."""
    one, two, three, four = jax.random.split(jax.random.PRNGKey(seed), 4)
    z = params["mean"] + jnp.exp(params["log"]) * jax.random.normal(one, (6, 3))
    kept = jnp.where(jax.random.bernoulli(two, 0.7, (6, 3)), z / 0.7, 0)[jax.random.permutation(three, 6)]
    soft = jax.nn.softmax((params["logits"] + jax.random.gumbel(four, (5, 4))) / 0.5, -1)
    return jnp.mean(kept**2) + jnp.sum(soft @ jnp.arange(4.0))


def drawn_triangles(params, target):
    """A picture of triangles with soft edges, one over the other."""
    ys, xs = jnp.meshgrid(jnp.linspace(-1, 1, 6), jnp.linspace(-1, 1, 6), indexing="ij")

    def covered(corners):
        edges = jnp.roll(corners, -1, 0) - corners
        beside = (xs[..., None] - corners[:, 0]) * edges[:, 1] - (ys[..., None] - corners[:, 1]) * edges[:, 0]
        return jax.nn.sigmoid(10 * jnp.min(beside / jnp.linalg.norm(edges, axis=1), axis=-1))

    def over(picture, layer):
        alpha, colour = layer
        return picture * (1 - alpha[..., None]) + alpha[..., None] * colour, None

    layers = jax.vmap(covered)(params["corners"]), params["colours"]
    return jnp.mean((lax.scan(over, jnp.zeros((6, 6, 3)), layers)[0] - target) ** 2)


PROGRAMS = {
    "experts": Program(
        experts,
        {"gate": normal(6, 4), "up": normal(4, 6, 8, scale=0.3), "down": normal(4, 8, 6, scale=0.3)},
        (normal(10, 6, seed=1), normal(10, 6, seed=2)),
    ),
    "rotary_attention": Program(
        rotary_attention,
        {name: normal(8, width, seed=k, scale=0.4) for k, (name, width) in enumerate((("q", 8), ("k", 4), ("v", 4)))},
        (normal(7, 8, seed=4),),
    ),
    "packed": Program(
        packed,
        {"wx": normal(3, 12, scale=0.4), "wh": normal(4, 12, scale=0.4), "b": normal(12, scale=0.1)},
        (normal(5, 6, 3), np.array([6, 3, 1, 4, 5])),
    ),
    "selective": Program(
        selective,
        {"a": uniform(4), "b": normal(3, 4, seed=1), "c": normal(3, 4, seed=2), "d": normal(3)},
        (normal(9, 3),),
    ),
    "beam": Program(beam, {"moves": normal(5, 5), "seen": normal(5, 7)}, (labels(6, 7),)),
    "aligned": Program(aligned, normal(7, 5), (np.array([1, 2, 2]),)),
    "spectral_norm": Program(spectral_norm, normal(5, 4), (normal(8, 5), normal(4))),
    "adaptive": Program(adaptive, {"a": np.array([[-0.5, 2.0], [-2.0, -0.5]]), "y": np.array([1.0, 0.5])}),
    "ordered": Program(ordered, {"a": normal(9), "w": normal(4)}, (normal(9, seed=3), normal(9, 4), labels(9, 2))),
    "sampled": Program(
        sampled, {"mean": normal(3), "log": normal(3, seed=1, scale=0.1), "logits": normal(4)}, (np.uint32(7),)
    ),
    "drawn_triangles": Program(
        drawn_triangles, {"corners": normal(3, 3, 2, scale=0.5), "colours": normal(3, 3)}, (normal(6, 6, 3),)
    ),
}
