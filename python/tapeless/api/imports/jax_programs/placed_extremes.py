"""Extremes at places (`scatter-max`, `scatter-min`) with all places inside of the array.

JAX's rule for them divides by how many updates each place has, and supposes that it has some: for updates that are
dropped its derivatives would be NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend import core


def bind_inside(equation: core.JaxprEqn, operands: Sequence[Any]) -> list[Any]:
    """The results of an equation: updates that would be dropped change nothing, at the nearest place inside."""
    array, places, updates = operands
    parameters = dict(equation.params)
    if parameters["mode"] is not lax.GatherScatterMode.PROMISE_IN_BOUNDS:
        last = _last_places(array, places, updates, parameters["dimension_numbers"])
        inside = jnp.clip(places, 0, last)
        if parameters["mode"] is lax.GatherScatterMode.FILL_OR_DROP:
            windows = parameters["dimension_numbers"].update_window_dims
            axes = [axis for axis in range(updates.ndim) if axis not in windows]
            is_inside = lax.broadcast_in_dim(jnp.all(places == inside, axis=-1), updates.shape, axes)
            updates = jnp.where(is_inside, updates, -np.inf if equation.primitive.name == "scatter-max" else np.inf)
        places = inside
        parameters |= {
            "mode": lax.GatherScatterMode.PROMISE_IN_BOUNDS,
            "unique_indices": False,
            "indices_are_sorted": False,
        }
    return [equation.primitive.bind(array, places, updates, **parameters)]


def _last_places(array: Any, places: Any, updates: Any, axes: lax.ScatterDimensionNumbers) -> Any:
    """For each component of places the largest number for which a window is inside."""
    gone = {*axes.inserted_window_dims, *axes.operand_batching_dims}
    windows = iter(updates.shape[axis] for axis in axes.update_window_dims)
    sizes = [1 if axis in gone else next(windows) for axis in range(array.ndim)]
    room = [array.shape[axis] - sizes[axis] for axis in axes.scatter_dims_to_operand_dims]
    largest = jnp.iinfo(places.dtype).max
    return jnp.stack(
        [jnp.asarray(each if places.dtype.itemsize > 2 else min(each, largest), places.dtype) for each in room]
    )
