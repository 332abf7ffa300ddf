"""The Bessel function J by its series of log numbers, run backwards to clean up, and two derivatives of it."""

# pyright: reportUnusedExpression=false, reportAbstractUsage=false
# `~r` is a statement of procedures, and types of numbers make numbers.

from __future__ import annotations

import numpy as np

import tapeless as tl

# J, J' and J'' of order 2.
KNOWN = {1.0: (0.1149034849, 0.2102436159, 0.1344668389), 3.0: (0.4860912606, 0.0149981181, -0.2750500730)}


@tl.reversible
def bessel(y: tl.f64, z: tl.In[tl.f64], order: tl.In[tl.i64]) -> None:
    """Adds J(z) to y: terms are products, so each comes from the one before by `*=`, and goes again by `/=`."""
    with (
        tl.ancilla(tl.ulog(1.0)) as half,
        tl.ancilla(tl.ulog(1.0)) as term,
        tl.ancilla(0.0) as total,
        tl.ancilla(0) as k,
    ):
        with tl.routine() as series:
            half *= 0.5 * z
            for i in range(order):
                term *= half / (i + 1)
            total += term
            while tl.cond(term > 1e-25, k > 0):
                k += 1
                term *= half * half / (k * (k + order))
                total += (1 - 2 * (k % 2)) * term
        y += total
        ~series


def main() -> None:
    first = tl.grad(bessel, loss="y", argnums="z")
    second = tl.hessian(bessel, loss="y", argnums="z")
    for z, known in KNOWN.items():
        y, _, _ = bessel(0.0, z, 2)
        found = (y, first(0.0, z, 2), second(0.0, z, 2))
        print(f"J2({z:g}) = {found[0]:.10f}, J2' = {found[1]:.10f}, J2'' = {found[2]:.10f}")
        assert np.allclose(found, known, rtol=0.0, atol=1e-9)
    back, _, _ = (~bessel)(*bessel(0.0, 3.0, 2))
    print(f"there and back: {back:.1e}")


if __name__ == "__main__":
    main()
