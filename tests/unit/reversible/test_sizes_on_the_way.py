"""What comes back is judged by how large it was: rounding is accepted at every scale, what was forgotten is refused.

Each procedure gives an ancilla or a parameter numbers whose sums round, and takes them away in another order. `kept` is
1, or 0.5 for a program that forgets half of what it should take away.
"""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text

SCALES = {"f64": (1e-300, 1e-17, 1.0, 1e17, 1e300), "f32": (1e-30, 1e-17, 1.0, 1e17, 1e30)}
X = np.array([1.0, 0.1, 0.7])
W = np.array([0.3, 1.7, -0.9])

PROCEDURES = {
    "a_number": """
def a_number(s: tl.T, x: tl.In[tl.T[3]], w: tl.In[tl.T[3]], kept: tl.In[tl.T]):
    with tl.ancilla(0.0, dtype=tl.T) as z:
        z += x[0]
        z += x[1] * w[1]
        z += x[2]
        s += z * w[0]
        z -= x[0]
        z -= x[1] * w[1]
        z -= x[2] * kept
""",
    "elements": """
def elements(s: tl.T, x: tl.In[tl.T[3]], w: tl.In[tl.T[3]], kept: tl.In[tl.T]):
    with tl.ancilla(tl.zeros(3, tl.T)) as z:
        for i in range(3):
            z[i] += x[i]
            z[i] += w[i] * x[2 - i]
        s += tl.sum(z * w)
        for i in range(3):
            z[i] -= x[i]
            z[i] -= kept * w[i] * x[2 - i]
""",
    "whole_arrays": """
def whole_arrays(s: tl.T, x: tl.In[tl.T[3]], w: tl.In[tl.T[3]], kept: tl.In[tl.T]):
    with tl.ancilla(tl.zeros(3, tl.T)) as z:
        z += x
        z += w * x
        s += tl.sum(z)
        z -= x
        z -= kept * (w * x)
""",
    "independent_iterations": """
def independent_iterations(s: tl.T, x: tl.In[tl.T[:]], w: tl.In[tl.T[:]], kept: tl.In[tl.T]):
    with tl.ancilla(tl.zeros(len(x), tl.T)) as z:
        for i in range(len(x)):
            z[i] += x[i]
            z[i] += w[i] * x[0]
        s += tl.sum(z)
        for i in range(len(x)):
            z[i] -= x[i]
            z[i] -= kept * w[i] * x[0]
""",
    "inside_of_a_loop": """
def inside_of_a_loop(s: tl.T, x: tl.In[tl.T[3]], w: tl.In[tl.T[3]], kept: tl.In[tl.T]):
    with tl.ancilla(0.0, dtype=tl.T) as z:
        for i in range(3):
            z += x[i]
            z += x[2] * w[i]
            if w[i] > 0:
                s += z
            z -= x[i]
            z -= kept * x[2] * w[i]
""",
    "rotations": """
def rotations(s: tl.T, x: tl.In[tl.T[3]], w: tl.In[tl.T[3]], kept: tl.In[tl.T]):
    with tl.ancilla(0.0, dtype=tl.T) as a, tl.ancilla(0.0, dtype=tl.T) as b:
        a += x[0]
        b += x[1]
        tl.rot(a, b, w[0])
        tl.rot(a, b, w[1])
        s += a * w[2]
        tl.rot(a, b, -(w[0] + w[1]))
        a -= x[0] * kept
        b -= x[1]
""",
    "in_a_call": """
def in_a_call(s: tl.T, x: tl.In[tl.T[3]], w: tl.In[tl.T[3]], kept: tl.In[tl.T]):
    with tl.ancilla(0.0, dtype=tl.T) as z:
        inner(s, z, x, w, kept)
""",
    "in_calls_of_itself": """
def in_calls_of_itself(s: tl.T, x: tl.In[tl.T[3]], w: tl.In[tl.T[3]], kept: tl.In[tl.T]):
    with tl.ancilla(tl.zeros(2, tl.T)) as z:
        recursive(s, z[0], x, w, kept, 3)
""",
    "emptied_for_an_entry": """
def emptied_for_an_entry(s: tl.T, x: tl.In[tl.T[3]], w: tl.In[tl.T[3]], kept: tl.In[tl.T]):
    with tl.ancilla(tl.new_stack(tl.T, 1)) as stack, tl.ancilla(0.0, dtype=tl.T) as z, tl.ancilla(0.0, dtype=tl.T) as y:
        y += x[2]
        tl.push(stack, y)
        z += x[0]
        z += x[1] * w[1]
        s += z * w[0]
        z -= x[0]
        z -= x[1] * w[1] * kept
        tl.pop(stack, z)
        z -= x[2]
""",
}
INNER = """
def inner(s: tl.T, z: tl.T, x: tl.In[tl.T[3]], w: tl.In[tl.T[3]], kept: tl.In[tl.T]):
    z += x[0]
    z += x[1] * w[1]
    s += z * w[0]
    z -= x[0]
    z -= kept * x[1] * w[1]
"""
RECURSIVE = """
def recursive(s: tl.T, z: tl.T, x: tl.In[tl.T[3]], w: tl.In[tl.T[3]], kept: tl.In[tl.T], n: tl.In[tl.i64]):
    z += x[0] * w[n - 1]
    z += x[1]
    if n > 1:
        recursive(s, z, x, w, kept, n - 1)
    else:
        s += z
    z -= x[0] * w[n - 1]
    z -= kept * x[1]
"""
VALUES = {
    "a_number": lambda x: (x[0] + x[1] * W[1] + x[2]) * W[0],
    "elements": lambda x: (x + W * x[::-1]) @ W,
    "whole_arrays": lambda x: (x + W * x).sum(),
    "independent_iterations": lambda x: (x + W * x[0]).sum(),
    "inside_of_a_loop": lambda x: x[0] + x[2] * W[0] + x[1] + x[2] * W[1],
    "rotations": lambda x: (x[0] * np.cos(W[0] + W[1]) - x[1] * np.sin(W[0] + W[1])) * W[2],
    "in_a_call": lambda x: (x[0] + x[1] * W[1]) * W[0],
    "in_calls_of_itself": lambda x: x[0] * W.sum() + 3 * x[1],
    "emptied_for_an_entry": lambda x: (x[0] + x[1] * W[1]) * W[0],
}


def procedure(name: str, dtype: str):
    """A procedure of numbers of a type."""
    text = "".join(f"@tl.reversible{each}" for each in (INNER, RECURSIVE, PROCEDURES[name]))
    return function_from_text(text.replace("tl.T", f"tl.{dtype}"), name)


def arguments(dtype, scale, kept):
    number = np.dtype({"f64": "float64", "f32": "float32"}[dtype]).type
    return number(0), (X * scale).astype(number), W.astype(number), number(kept)


@pytest.mark.one_in(14)
@pytest.mark.parametrize("dtype", SCALES)
@pytest.mark.parametrize("name", PROCEDURES)
def test_rounding_is_accepted_and_what_was_forgotten_is_not(name, dtype):
    run, tolerance, absolute = procedure(name, dtype), *((1e-13, 1e-8) if dtype == "f64" else (1e-5, 1e-4))
    both = tl.compile(tl.value_and_grad(run, loss="s", argnums="x"), arguments(dtype, 1.0, 1.0))
    wanted, slope = VALUES[name](X), [VALUES[name](row) for row in np.eye(3)]
    for scale in SCALES[dtype]:
        value, gradient = both(*arguments(dtype, scale, 1.0))
        assert value == pytest.approx(wanted * scale, rel=tolerance)
        np.testing.assert_allclose(gradient, slope, rtol=tolerance, atol=tolerance)
        assert run(*arguments(dtype, scale, 1.0))[0] == pytest.approx(wanted * scale, rel=tolerance)
        with pytest.raises(tl.InvertibilityError, match="does not hold"):
            both(*arguments(dtype, scale, 0.5))
        if scale > absolute:
            with pytest.raises(tl.InvertibilityError, match="does not hold"):
                run(*arguments(dtype, scale, 0.5))
        else:
            run(*arguments(dtype, scale, 0.5))  # what is left is below the absolute tolerance of plain calls


@tl.reversible
def orthogonal(q: tl.f64[:, :], r: tl.f64[:, :], a: tl.In[tl.f64[:, :]]):
    """Gram and Schmidt's columns of an array, and how they are made up."""
    for j in range(a.shape[1]):
        q[:, j] += a[:, j]
        for k in range(j):
            r[k, j] += tl.sum(q[:, k] * a[:, j]) / tl.sum(q[:, k] * q[:, k])
            q[:, j] -= r[k, j] * q[:, k]


@tl.reversible
def of_parameters(s, q: tl.f64[:, :], r: tl.f64[:, :], a: tl.In[tl.f64[:, :]]):
    orthogonal(q, r, a)
    s += tl.sum(q * q * q) + tl.sum(r)
    (~orthogonal)(q, r, a)


@tl.reversible
def of_ancillas(s, a: tl.In[tl.f64[:, :]]):
    with tl.ancilla(tl.zeros(a.shape)) as q, tl.ancilla(tl.zeros((a.shape[1], a.shape[1]))) as r:
        orthogonal(q, r, a)
        s += tl.sum(q * q * q) + tl.sum(r)
        (~orthogonal)(q, r, a)


@tl.function
def as_function(a):
    q, r = tl.zeros(a.shape), tl.zeros((a.shape[1], a.shape[1]))
    for j in range(a.shape[1]):
        q[:, j] = a[:, j]
        for k in range(j):
            r[k, j] = tl.sum(q[:, k] * a[:, j]) / tl.sum(q[:, k] * q[:, k])
            q[:, j] -= r[k, j] * q[:, k]
    return tl.sum(q * q * q) + tl.sum(r)


A = np.random.default_rng(0).normal(size=(5, 4))


@pytest.mark.thorough
def test_an_orthogonalisation_that_is_summed_and_taken_back():
    nothing = np.zeros((5, 4)), np.zeros((4, 4))
    wanted = tl.value_and_grad(as_function)(A)
    gradient = tl.compile(tl.value_and_grad(of_parameters, loss="s", argnums="a"), (0.0, *nothing, A))
    found = gradient(0.0, *nothing, A)
    assert found[0] == pytest.approx(wanted[0])
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-10, atol=1e-10)
    assert "found 'q' off by at most" in str(gradient.explain())
    assert "the check fails: 0 times" in str(gradient.explain())


@pytest.mark.thorough
def test_an_orthogonalisation_in_ancillas():
    found = tl.grad(of_ancillas, loss="s", argnums="a")(0.0, A)
    np.testing.assert_allclose(found, tl.grad(as_function)(A), rtol=1e-10, atol=1e-10)


@tl.reversible
def lost_on_the_way(s: tl.f64, t: tl.f64, x: tl.In[tl.f64]):
    """What t began with is read, and lost in a sum that is far larger."""
    s += t * x
    t += 1e18 * x
    t -= 1e18 * x


def test_what_a_parameter_began_with_must_not_be_lost():
    """How large a parameter was excuses nothing where it began with something: derivatives may depend on that."""
    gradient = tl.compile(tl.grad(lost_on_the_way, loss="s", argnums="x"), (0.0, 0.0, 1.0))
    for scale in SCALES["f64"][:4]:
        assert gradient(0.0, 0.0, scale) == 0.0
        with pytest.raises(tl.InvertibilityError, match=r"found 't' again off by 1\.0 of its size"):
            gradient(0.0, scale, scale)


def test_what_is_not_finite_excuses_nothing():
    @tl.reversible
    def turned(x: tl.In[tl.f64], left: tl.In[tl.f64]):
        with tl.ancilla(0.0) as z:
            tl.recip(z)
            tl.recip(z)
            z += x
            z -= x
            z += left

    assert turned(1.0, 0.0) == (1.0, 0.0)
    with pytest.raises(tl.InvertibilityError, match=r"is 0\.5 and not 0\.0"):
        turned(1.0, 0.5)
    with pytest.raises(tl.InvertibilityError, match="is nan and not"):
        turned(np.inf, 0.0)
