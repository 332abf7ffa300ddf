"""The examples of docs/structures.md run and mean what the page says."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[3] / "docs" / "structures.md"


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)
    example = tmp_path_factory.mktemp("documentation") / "structures.py"
    example.write_text("\n".join(blocks))
    return runpy.run_path(str(example))


def test_gradients_and_steps(names):
    params, gradient = names["params"], names["gradient"]
    h = np.tanh(names["x"] @ params["layers"][0]["w"])
    d = 2.0 / 4.0 * (h @ np.ones(2))[:, None] * (1.0 - h * h)
    np.testing.assert_allclose(gradient["layers"][0]["w"], names["x"].T @ d)
    np.testing.assert_allclose(gradient["layers"][0]["b"], np.sum(d, axis=0))
    moved = names["moved"]["layers"][0]["w"]
    np.testing.assert_allclose(moved, np.ones((3, 2)) - 0.1 * gradient["layers"][0]["w"])
    np.testing.assert_array_equal(params["layers"][0]["w"], np.ones((3, 2)))


def test_arguments_that_choose_code(names):
    assert names["a"] == 3.0
    np.testing.assert_allclose(names["b"], 1.0 - np.tanh(np.ones(3)) ** 2)


def test_registered_classes(names):
    slope = names["slope"]
    assert type(slope) is names["Gaussian"] and slope.name == "prior"
    assert slope.mean == pytest.approx(0.5) and slope.spread == pytest.approx(0.0)


def test_annotations_that_fix_a_structure(names):
    layer, x = names["layer"], np.ones(3)
    np.testing.assert_allclose(names["w_bar"], 1.0 - np.tanh(layer.w * x + layer.b) ** 2)
    activity = np.sum(np.tanh(layer.w * x + layer.b))
    np.testing.assert_allclose(names["whole"], 4.0 + activity)
    np.testing.assert_allclose(names["kernel"](layer, x), activity)
