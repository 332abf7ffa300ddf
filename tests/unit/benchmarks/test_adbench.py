"""The objectives of `benchmarks/adbench.py` on small data: by all methods, by hand, by differences, and by peers."""

from __future__ import annotations

import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

from objectives import files, in_c
from objectives.cases import CASES, OBJECTIVES, QUICK, blocks_of, deviation, index_arrays, parts, stored, summary

# What is compiled is small, and is run once.
pytestmark = pytest.mark.unoptimised
LIMIT = 1e-8


@cache
def arguments(objective: str) -> files.Arguments:
    return OBJECTIVES[objective].made()


@cache
def derivative(objective: str, method: str = "redundant") -> Any:
    given = arguments(objective)
    return tl.compile(OBJECTIVES[objective].derivative, given, method=method)(*given)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    return in_c.compiled(tmp_path_factory.mktemp("derivatives"))


@pytest.mark.one_in(15)
@pytest.mark.parametrize("method", IMPLEMENTED)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_methods_agree_with_the_derivative_by_hand(objective: str, method: str, library: Any) -> None:
    by_hand = in_c.contestant(library, objective, arguments(objective))()
    assert deviation(derivative(objective, method), by_hand) < LIMIT


# The arguments that are moved, and where their derivatives are, as a function of derivative and change.
ALONG = {
    "gmm": ((0, 1, 2), lambda found, moved: sum(np.sum(g * m) for g, m in zip(found[1], moved, strict=True))),
    "lstm": ((0, 1), lambda found, moved: sum(np.sum(g * m) for g, m in zip(found[1], moved, strict=True))),
    "ba": ((0, 1, 2), lambda found, moved: _along_blocks(found, *moved)),
    "hand": ((0,), lambda found, moved: found @ moved[0]),
    "hand_in_triangles": (
        (0, 1),
        lambda found, moved: np.einsum("nik,nk->ni", found[:, :, :2], moved[1]) + found[:, :, 2:] @ moved[0],
    ),
}


def _along_blocks(found: Any, cameras: np.ndarray, points: np.ndarray, weights: np.ndarray) -> Any:
    of_camera, of_point = arguments("ba")[4:]
    change = np.concatenate((cameras[of_camera], points[of_point], weights[:, None]), axis=1)
    return np.einsum("oij,oj->oi", found[0], change), found[1] * weights


@pytest.mark.one_in(5)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_derivatives_are_quotients_of_differences(objective: str) -> None:
    positions, along = ALONG[objective]
    given, random, step = arguments(objective), np.random.default_rng(3), 1e-6
    moved = [random.normal(size=given[position].shape) for position in positions]
    if objective == "ba":
        moved[0][1, :3] = 0.0  # the camera that is not turned has a formula of its own there
    ends = []
    for sign in (1.0, -1.0):
        changed = list(given)
        for position, change in zip(positions, moved, strict=True):
            changed[position] = given[position] + sign * step * change
        ends.append(parts(OBJECTIVES[objective].value(*changed)))
    expected = [(ahead - behind) / (2.0 * step) for ahead, behind in zip(*ends, strict=True)]
    for found, quotient in zip(parts(along(derivative(objective), moved)), expected, strict=True):
        assert np.allclose(found, quotient, rtol=1e-6, atol=1e-6)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("objective", [name for name, each in OBJECTIVES.items() if each.sparse])
def test_sparse_jacobians_have_the_same_entries(objective: str) -> None:
    pytest.importorskip("scipy")
    program = OBJECTIVES[objective]
    matrix = tl.sparse_jacobian(program.value, wrt=program.sparse)(*arguments(objective))
    expected = derivative(objective)
    assert deviation(blocks_of(objective, matrix), stored(objective, expected)) < LIMIT
    if objective == "ba":
        indices, indptr, shape = index_arrays(arguments(objective))
        entries = np.concatenate([part.reshape(-1) for part in parts(expected)])
        assert np.allclose(type(matrix)((entries, indices, indptr), shape=shape).toarray(), matrix.toarray(), 1e-12)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_jax_agrees(objective: str) -> None:
    pytest.importorskip("jax")
    from objectives import in_jax

    found = in_jax.contestant(in_jax.DERIVATIVES, objective, arguments(objective))()
    assert deviation(found, derivative(objective)) < LIMIT


@pytest.mark.parametrize("objective", ["gmm", "ba"])
def test_torch_agrees(objective: str) -> None:
    pytest.importorskip("torch")
    from objectives import in_torch

    found = in_torch.contestant(in_torch.DERIVATIVES, objective, arguments(objective))()
    assert deviation(found, derivative(objective)) < LIMIT


BONE = ":".join(["{}", "{}", *map(str, np.arange(32) / 8)])


def test_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "bundle.txt").write_text("2 3 4\n" + " ".join(map(str, range(1, 12))) + "\n1 2 3\n0.5\n7 8\n")
    cameras, points, weights, features, camera_of, point_of = files.bundle(tmp_path / "bundle.txt")
    assert cameras.shape == (2, 11) and points.shape == (3, 3) and features.tolist() == [[7.0, 8.0]] * 4
    assert weights.tolist() == [0.5] * 4 and camera_of.tolist() == [0, 1, 0, 1] and point_of.tolist() == [0, 1, 2, 0]
    model = tmp_path / "model"
    model.mkdir()
    (model / "bones.txt").write_text("\n".join([BONE.format("wrist", -1), BONE.format("thumb1", 0)]))
    (model / "vertices.txt").write_text("1:2:3:0:0:0:0:0:1:1:0.5\n4:5:6:0:0:0:0:0:2:0:0.25:1:0.75\n")
    (model / "triangles.txt").write_text("0:1:0\n")
    angles = " ".join(map(str, range(26)))
    (tmp_path / "simple.txt").write_text(f"1 26\n1 0.1 0.2 0.3\n{angles}\n")
    theta, parents, relatives, inverses, vertices, shares, seen, chosen = files.hand(tmp_path / "simple.txt", False)
    assert theta.tolist() == list(range(26)) and parents.tolist() == [-1, 0] and chosen.tolist() == [1]
    assert relatives[1, 0, 1] == 0.125 and inverses[0, 0, 0] == 2.0 and vertices[1].tolist() == [4.0, 5.0, 6.0, 1.0]
    assert shares.tolist() == [[0.0, 0.5], [0.25, 0.75]] and seen.tolist() == [[0.1, 0.2, 0.3]]
    (tmp_path / "complicated.txt").write_text(f"1 26\n0 0.1 0.2 0.3\n0.4 0.6\n{angles}\n")
    theta, places, *_, triangles, chosen = files.hand(tmp_path / "complicated.txt", True)
    assert theta[25] == 25.0 and places.tolist() == [[0.4, 0.6]] and triangles.tolist() == [[0, 1, 0]]


def test_golden_values_are_read_from_the_notes(tmp_path: Path) -> None:
    assert files.golden(tmp_path) == {}
    line = "| ba1 | 95529 | 1.5e+02 | 987133 | 4.7e+05 | -9.6e+07 | 2.1e+03 |"
    (tmp_path / "README.md").write_text(f"# Notes\n\n| case | F |\n|---|---|\n{line}\n")
    assert files.golden(tmp_path) == {"ba1": files.Golden(150.0, 987133, 4.7e5, -9.6e7, 2.1e3)}
    found = summary("lstm", 2.0, (2.0, (np.array([3.0, -4.0]), np.zeros(1))))
    assert found == files.Golden(2.0, 3, 5.0, -1.0, 4.0)


def test_the_folder_of_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(files.VARIABLE, str(tmp_path))
    assert files.folder(None) == tmp_path
    monkeypatch.setenv(files.VARIABLE, str(tmp_path / "none"))
    assert files.folder(None) is None
    with pytest.raises(SystemExit, match="there is no folder"):
        files.folder(tmp_path / "none")


def test_every_case_has_an_objective() -> None:
    assert {objective for objective, _ in CASES.values()} == set(OBJECTIVES)
    assert set(QUICK) <= set(CASES)
    assert all(objective.made() for objective in OBJECTIVES.values())
