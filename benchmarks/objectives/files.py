"""Reads the files of ADBench, and what its hand-written derivatives give for some of them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Arguments = tuple[Any, ...]
VARIABLE = "TAPELESS_ADBENCH"
BESIDE = Path(__file__).parents[3] / "shared" / "adbench"


def folder(given: Path | None) -> Path | None:
    """Where the files are: what the command line says, else the environment, else beside the repository."""
    chosen = given or (Path(os.environ[VARIABLE]) if VARIABLE in os.environ else BESIDE)
    if given is not None and not chosen.is_dir():
        raise SystemExit(f"there is no folder {chosen}; give --data the folder with gmm, ba, hand and lstm")
    return chosen if chosen.is_dir() else None


class Golden(NamedTuple):
    """The value, or the norm of the errors; how many derivatives there are, their norm, sum and largest magnitude."""

    value: float
    count: int
    norm: float
    total: float
    largest: float


LINE = re.compile(
    r"^\| (\w+) \| \d+ \| (-?[\d.e+-]+) \| (\d+) \| ([\d.e+-]+) \| (-?[\d.e+-]+) \| ([\d.e+-]+) \|$", re.M
)


def golden(data: Path) -> dict[str, Golden]:
    """By case, from the table in the notes that lie beside the data, if there are any."""
    notes = data / "README.md"
    found = LINE.findall(notes.read_text()) if notes.is_file() else []
    return {case: Golden(float(value), int(count), *map(float, rest)) for case, value, count, *rest in found}


def bundle(path: Path) -> Arguments:
    """One camera, point, weight and feature, repeated for all observations."""
    numbers = np.array(path.read_text().split(), dtype=float)
    sizes = [int(number) for number in numbers[:3]]
    camera, point, weight, feature = np.split(numbers[3:], [11, 14, 15])
    return repeated_bundle(sizes, camera, point, weight, feature)


def repeated_bundle(
    sizes: list[int], camera: np.ndarray, point: np.ndarray, weight: np.ndarray, feature: np.ndarray
) -> Arguments:
    """Observation i is by camera i and of point i, modulo how many there are."""
    cameras, points, count = sizes
    indices = np.arange(count)
    repeated = np.tile(camera, (cameras, 1)), np.tile(point, (points, 1)), np.repeat(weight, count)
    return *repeated, np.tile(feature, (count, 1)), indices % cameras, indices % points


class Hand(NamedTuple):
    """The model of a hand: its bones, and its vertices with their shares in bones."""

    parents: np.ndarray
    relatives: np.ndarray
    inverses: np.ndarray
    vertices: np.ndarray
    shares: np.ndarray
    triangles: np.ndarray


def hand_model(data: Path) -> Hand:
    """The model that lies beside an instance."""
    bones = [line.split(":") for line in (data / "bones.txt").read_text().split()]
    matrices = np.array([line[2:34] for line in bones], dtype=float).reshape(-1, 2, 4, 4)
    lines = [line.split(":") for line in (data / "vertices.txt").read_text().split()]
    shares = np.zeros((len(lines), len(bones)))
    for row, line in zip(shares, lines, strict=True):
        for bone, weight in zip(line[9::2], line[10::2], strict=True):
            row[int(bone)] = float(weight)
    vertices = np.array([[*line[:3], 1.0] for line in lines], dtype=float)
    triangles = np.array([line.split(":") for line in (data / "triangles.txt").read_text().split()], dtype=int)
    parents = np.array([int(line[1]) for line in bones])
    return Hand(parents, matrices[:, 0].copy(), matrices[:, 1].copy(), vertices, shares, triangles)


def hand(path: Path, in_triangles: bool) -> Arguments:
    """The arguments of `hand`, or of `hand_in_triangles`."""
    numbers = np.array(path.read_text().split(), dtype=float)
    count = int(numbers[0])
    rows, rest = numbers[2 : 2 + 4 * count].reshape(count, 4), numbers[2 + 4 * count :]
    model, chosen, seen = hand_model(path.parent / "model"), rows[:, 0].astype(int), rows[:, 1:].copy()
    if not in_triangles:
        return rest, *model[:-1], seen, chosen
    return rest[2 * count :], rest[: 2 * count].reshape(count, 2), *model[:-1], seen, model.triangles, chosen
