"""Functions that make, move, cut and join arrays, and that read and write at places."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from unit.imports.lax.rows import ALL, FLOATS, NUMBERS, Row

PLACES = jnp.array([[2], [0], [7], [-1], [2]])


def far_outside(x, y):
    """The largest number without a sign, which is found when running."""
    never = (x[1, 1] > y[1, 1]) & (x[1, 1] < y[1, 1])
    return lax.convert_element_type(never, "uint32") - jnp.uint32(1)


def gathered(x, mode, size=1):
    axes = lax.GatherDimensionNumbers((1,), (0,), (0,)) if size == 1 else lax.GatherDimensionNumbers((1, 2), (), (0,))
    return lax.gather(x, PLACES, axes, (size, 4), mode=mode)


AXES = lax.ScatterDimensionNumbers((1,), (0,), (0,))


def scattered(name, places=PLACES, **options):
    def program(x, y):
        updates = jnp.concatenate([y, y[:2]])[: len(places)]
        return getattr(lax, name)(x, places, updates, AXES, mode="drop", **options)

    return program


ROWS = [
    Row("broadcast", lambda x, y: lax.broadcast(x, (2,)), ALL),
    Row(
        "broadcast_in_dim",
        lambda x, y: lax.broadcast_in_dim(x, (4, 2, 3), (2, 0)),
        ALL,
        twin=lambda x, y: jnp.broadcast_to(x.T[:, None], (4, 2, 3)),
    ),
    Row("broadcast_to_rank", lambda x, y: lax.broadcast_to_rank(x, 3), ALL),
    Row("broadcasted_iota", lambda x, y: lax.broadcasted_iota(x.dtype, (2, 3), 1), NUMBERS, False),
    Row("iota", lambda x, y: lax.iota(x.dtype, 5), NUMBERS, False),
    Row("full", lambda x, y: lax.full((2, 3), 1, x.dtype), ALL, False),
    Row("full_like", lambda x, y: lax.full_like(x, 1), ALL, False),
    Row("collapse", lambda x, y: lax.collapse(x, 0, 2), ALL),
    Row("reshape", lambda x, y: lax.reshape(x, (2, 6)), ALL),
    Row("expand_dims", lambda x, y: lax.expand_dims(x, (1,)), ALL),
    Row("squeeze", lambda x, y: lax.squeeze(x[:1], (0,)), ALL),
    Row("transpose", lambda x, y: lax.transpose(x, (1, 0)), ALL),
    Row("rev", lambda x, y: lax.rev(x, (1,)), ALL),
    Row("slice", lambda x, y: lax.slice(x, (0, 1), (3, 4), (2, 2)), ALL),
    Row("slice_in_dim", lambda x, y: lax.slice_in_dim(x, 1, 3, axis=1), ALL),
    Row("index_in_dim", lambda x, y: lax.index_in_dim(x, -1), ALL),
    Row("index_take", lambda x, y: lax.index_take(x, (jnp.array([2, 0]),), (0,)), ALL),
    Row("concatenate", lambda x, y: lax.concatenate([x, y, x], 1), ALL),
    Row("split", lambda x, y: lax.split(x, [1, 3], axis=1), ALL),
    Row("tile", lambda x, y: lax.tile(x, (2, 1)), ALL),
    Row("stack", lambda x, y: lax.stack([x, y], axis=1), ALL),
    Row("unstack", lambda x, y: list(lax.unstack(x, axis=0)), ALL),
    Row("pad", lambda x, y: lax.pad(x, y[0, 0], [(1, 2, 1), (-1, 0, 0)]), ALL),
    Row(
        "dynamic_slice",
        lambda x, y: lax.dynamic_slice(x, (jnp.int32(y[0, 0] > x[1, 1]), jnp.int32(7)), (2, 2)),
        NUMBERS,
    ),
    Row("dynamic_slice", lambda x, y: lax.dynamic_slice(x, (2, -1), (2, 2)), ALL),
    Row("dynamic_slice_in_dim", lambda x, y: lax.dynamic_slice_in_dim(x, 1, 2, axis=1), ALL),
    Row("dynamic_index_in_dim", lambda x, y: lax.dynamic_index_in_dim(x, 2, axis=1), ALL),
    Row("dynamic_update_slice", lambda x, y: lax.dynamic_update_slice(x, y[:2, :2], (1, 3)), ALL),
    Row("dynamic_update_slice_in_dim", lambda x, y: lax.dynamic_update_slice_in_dim(x, y[:2], 1, axis=0), ALL),
    Row("dynamic_update_index_in_dim", lambda x, y: lax.dynamic_update_index_in_dim(x, y[0], 1, axis=0), ALL),
    Row("gather", lambda x, y: gathered(x, "clip"), ALL),
    Row("gather", lambda x, y: gathered(x, "fill"), ALL),
    Row("gather", lambda x, y: gathered(x, "clip", 2), ALL),
    Row("dynamic_slice", lambda x, y: lax.dynamic_slice(x, (far_outside(x, y), jnp.uint32(1)), (2, 2)), ALL),
    Row("gather", lambda x, y: x[lax.convert_element_type(PLACES[:2, 0], "uint32")], ALL),
    Row("scatter", scattered("scatter", PLACES[:3], unique_indices=True), ALL),
    Row("scatter_add", scattered("scatter_add"), NUMBERS),
    Row("scatter_sub", scattered("scatter_sub"), NUMBERS),
    Row("scatter_mul", scattered("scatter_mul", PLACES[:3], unique_indices=True), NUMBERS),
    Row("scatter_mul", scattered("scatter_mul"), NUMBERS, False),
    Row("scatter_min", scattered("scatter_min"), NUMBERS),
    Row("scatter_max", scattered("scatter_max"), NUMBERS),
    Row(
        "scatter_apply",
        lambda x, y: lax.scatter_apply(x, PLACES[:3], lambda v: v * v, AXES, update_shape=(3, 4), mode="drop"),
        NUMBERS,
        twin=lambda x, y: x.at[jnp.array([0, 2])].power(2),
    ),
    Row("empty", lambda x, y: lax.empty((2,), x.dtype).shape[0] * x, FLOATS),
]
