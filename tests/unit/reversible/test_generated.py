"""Random procedures compute what plain Python does, and run back to where they began."""

import linecache

import numpy as np
import pytest
from tests.unit.reversible.generated import SIZE, Writer, reference

import tapeless as tl


def procedure(seed):
    """The random procedure of a seed, and its text."""
    text = Writer(seed).text()
    name = f"<random procedure {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names = {"tl": tl}
    exec(compile(text, name, "exec"), names)
    return tl.reversible(names["f"]), text


@pytest.mark.parametrize("seed", range(20))
def test_random_procedures(seed):
    made, text = procedure(seed)
    generator = np.random.default_rng(seed)
    a, b, x = generator.normal(size=(3, SIZE))
    arguments = (a, b, generator.integers(-5, 5, 4), x, generator.permutation(SIZE))
    results = made(*arguments)
    for found, wanted in zip(results, reference(text, arguments), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9, err_msg=text)
    for found, wanted in zip((~made)(*results), arguments, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-8, err_msg=text)
