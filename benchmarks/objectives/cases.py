"""The cases: an objective, its derivative as users ask for it, a file of ADBench, and small data of our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import redundant_data
import redundant_programs

import tapeless as tl
from objectives import files, made, programs
from objectives.files import Arguments


@dataclass(frozen=True)
class Objective:
    """`sparse` names the arguments that `tl.sparse_jacobian` of the value differentiates by, if it gives the same."""

    value: Callable[..., Any]
    derivative: Callable[..., Any]
    read: Callable[[Path], Arguments]
    made: Callable[[], Arguments]
    sparse: tuple[str, ...] = ()


OBJECTIVES = {
    "gmm": Objective(
        redundant_programs.gmm,
        tl.value_and_grad(redundant_programs.gmm, argnums=(0, 1, 2)),
        redundant_data.gmm_file,
        made.gmm,
    ),
    "ba": Objective(programs.ba, programs.ba_blocks, files.bundle, made.bundle, ("cameras", "points", "weights")),
    "hand": Objective(
        programs.hand,
        tl.jacfwd(programs.hand),
        partial(files.hand, in_triangles=False),
        partial(made.hand, in_triangles=False),
        ("theta",),
    ),
    "hand_in_triangles": Objective(
        programs.hand_in_triangles,
        programs.hand_in_triangles_jacobian,
        partial(files.hand, in_triangles=True),
        partial(made.hand, in_triangles=True),
        ("places", "theta"),
    ),
    "lstm": Objective(
        redundant_programs.lstm,
        tl.value_and_grad(redundant_programs.lstm, argnums=(0, 1)),
        redundant_data.lstm_file,
        made.lstm,
    ),
}

# The objective and the file of each case; names are those that the notes beside the data have.
CASES = {
    "gmm_1k_d10_K25": ("gmm", "gmm/1k/gmm_d10_K25.txt"),
    "gmm_1k_d64_K50": ("gmm", "gmm/1k/gmm_d64_K50.txt"),
    "gmm_10k_d10_K25": ("gmm", "gmm/10k/gmm_d10_K25.txt"),
    "gmm_10k_d32_K25": ("gmm", "gmm/10k/gmm_d32_K25.txt"),
    "ba1": ("ba", "ba/ba1_n49_m7776_p31843.txt"),
    "ba5": ("ba", "ba/ba5_n257_m65132_p225911.txt"),
    "hand1": ("hand", "hand/simple_small/hand1_t26_c100.txt"),
    "hand4": ("hand", "hand/simple_small/hand4_t26_c400.txt"),
    "handc1": ("hand_in_triangles", "hand/complicated_small/hand1_t26_c100.txt"),
    "handc4": ("hand_in_triangles", "hand/complicated_small/hand4_t26_c400.txt"),
    "lstm_l2_c1024": ("lstm", "lstm/lstm_l2_c1024.txt"),
    "lstm_l4_c4096": ("lstm", "lstm/lstm_l4_c4096.txt"),
}
QUICK = ("gmm_1k_d10_K25", "ba1", "hand1", "handc1", "lstm_l2_c1024")


def deviation(found: Any, expected: Any) -> float:
    """ADBench's measure of how far numbers are from each other, the largest one."""
    pairs = zip(parts(found), parts(expected), strict=True)
    return max((float(np.max(_deviations(*pair), initial=0.0)) for pair in pairs), default=0.0)


def _deviations(found: np.ndarray, expected: np.ndarray) -> np.ndarray:
    if found.shape != expected.shape:
        raise AssertionError(f"shapes {found.shape} and {expected.shape}")
    return np.abs(found - expected) / np.maximum(1.0, np.abs(found) + np.abs(expected))


def parts(value: Any) -> list[np.ndarray]:
    """The numbers and arrays in nested tuples."""
    if isinstance(value, tuple):
        return [part for item in value for part in parts(item)]
    return [np.asarray(value)]


def summary(objective: str, value: Any, derivative: Any) -> files.Golden:
    """The figures that the notes beside the data give for a case, of our own results."""
    is_loss = objective in ("gmm", "lstm")
    entries = np.concatenate([part.reshape(-1) for part in parts(derivative[1] if is_loss else derivative)])
    errors = np.concatenate([part.reshape(-1) for part in parts(value)])
    scalar = float(errors[0]) if is_loss else float(np.linalg.norm(errors))
    total, largest = float(np.sum(entries)), float(np.max(np.abs(entries)))
    return files.Golden(scalar, entries.size, float(np.linalg.norm(entries)), total, largest)


def blocks_of(objective: str, matrix: Any) -> np.ndarray:
    """The entries of a matrix of `tl.sparse_jacobian` in the order that the derivative has them."""
    if objective == "ba":
        return matrix.data
    dense = matrix.toarray().reshape(matrix.shape[0] // 3, 3, matrix.shape[1])
    if objective == "hand":
        return dense
    count = len(dense)
    own = dense[:, :, : 2 * count].reshape(count, 3, count, 2)[np.arange(count), :, np.arange(count)]
    return np.concatenate((own, dense[:, :, 2 * count :]), axis=2)


def stored(objective: str, derivative: Any) -> np.ndarray:
    """The entries of a derivative that `tl.sparse_jacobian` stores, in its order."""
    if objective != "ba":
        return derivative
    blocks, by_weight = derivative
    is_stored = np.ones(blocks.shape, bool)
    # Each coordinate of a principal point moves one coordinate of an error.
    is_stored[:, 0, 8] = is_stored[:, 1, 7] = False
    return np.concatenate((blocks[is_stored], by_weight))


def index_arrays(arguments: Arguments) -> tuple[np.ndarray, np.ndarray, tuple[int, int]]:
    """Columns, starts of rows and shape of the matrix that has all blocks of bundle adjustment."""
    cameras, points, weights, _, camera_of, point_of = arguments
    count, first_point, first_weight = len(weights), cameras.size, cameras.size + points.size
    own = np.concatenate(
        (
            11 * camera_of[:, None] + np.arange(11),
            first_point + 3 * point_of[:, None] + np.arange(3),
            first_weight + np.arange(count)[:, None],
        ),
        axis=1,
    )
    indices = np.concatenate((np.repeat(own, 2, axis=0).reshape(-1), first_weight + np.arange(count)))
    indptr = np.concatenate((15 * np.arange(2 * count), 30 * count + np.arange(count + 1)))
    return indices.astype(np.int32), indptr.astype(np.int32), (3 * count, first_weight + count)
