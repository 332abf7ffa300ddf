"""Names that Python allows and C, LLVM or PTX does not: kernels of such functions are saved, loaded and assembled."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tapeless as tl

NAMES = ("größe", "μ", "add.accumulate", "<lambda>", "two words", 'a"b', "back\\slash", "π2", "9")


def squares(name):
    def function(x):
        return tl.sum(x * x)

    function.__name__ = name
    return tl.function(function)


@pytest.mark.parametrize("name", NAMES)
def test_saved_kernels_of_any_name_run(name, tmp_path):
    x = np.arange(3.0)
    tl.compile(tl.grad(squares(name)), (x,)).save(tmp_path / "kernel.tlk")
    np.testing.assert_array_equal(tl.load(tmp_path / "kernel.tlk")(x), 2.0 * x)


@pytest.mark.parametrize("name", NAMES)
def test_kernels_for_gpus_have_names_of_ptx(name):
    text = tl.compile(squares(name), (np.ones(300),), target="cuda:sm_90").ptx()
    entries = re.findall(r"\.entry\s+([^(\s]*)", text)
    assert entries
    assert all(re.fullmatch(r"[A-Za-z_$%][A-Za-z0-9_$]*", entry) for entry in entries), entries
    assert text.isascii()
