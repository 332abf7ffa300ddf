"""The examples of docs/transformations.md run and mean what the page says."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl

PAGE = Path(__file__).parents[3] / "docs" / "transformations.md"


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)
    example = tmp_path_factory.mktemp("documentation") / "example.py"
    example.write_text("import tapeless as tl\n\n" + "\n".join(blocks))
    return runpy.run_path(str(example))


def test_newton(names):
    newton = names["newton"]
    assert newton(1.0, 2.0) == pytest.approx(np.sqrt(2.0), rel=1e-12)
    assert tl.grad(newton, argnums=1)(1.0, 2.0) == pytest.approx(0.5 / np.sqrt(2.0), rel=1e-10)


def test_a_rule(names):
    softplus = names["softplus"]
    assert softplus(0.3) == pytest.approx(np.log1p(np.exp(0.3)))
    assert tl.grad(softplus)(0.3) == pytest.approx(1.0 / (1.0 + np.exp(-0.3)))
    tl.check_grads(softplus, 0.3)


def test_the_table_lists_every_transformation():
    listed = set(re.findall(r"`tl\.(\w+)\(", PAGE.read_text()))
    assert {"grad", "value_and_grad", "jvp", "vjp", "jacfwd", "jacrev", "hessian", "hvp", "vmap"} <= listed
