"""Functions that are refused, in every dtype that they take."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from unit.imports.lax.rows import FLOATS, Row


def refused(name, program, dtypes, message):
    return Row(name, program, dtypes, refused=dict.fromkeys(dtypes, message))


LAPACK = {
    "eigh": lambda x, y: list(lax.linalg.eigh(x @ x.T)),
    "qr": lambda x, y: list(lax.linalg.qr(x)),
    "svd": lambda x, y: list(lax.linalg.svd(x)),
    "hessenberg": lambda x, y: list(lax.linalg.hessenberg(x[:, :3])),
    "householder_product": lambda x, y: lax.linalg.householder_product(x.T, y[0, :3]),
    "schur": lambda x, y: list(lax.linalg.schur(x[:, :3])),
    "tridiagonal": lambda x, y: list(lax.linalg.tridiagonal(x[:, :3])),
    "eig": lambda x, y: jnp.abs(lax.linalg.eig(x[:, :3])[0]),
    "tridiagonal_solve": lambda x, y: lax.linalg.tridiagonal_solve(x[0], x[1], x[2], y[:1].T),
}

ROWS = [
    refused("complex", lambda x, y: lax.abs(lax.complex(x, y)), FLOATS, "complex"),
    refused("conj", lambda x, y: lax.real(lax.conj(lax.complex(x, y))), FLOATS, "complex"),
    refused("real", lambda x, y: lax.real(lax.complex(x, y)), FLOATS, "complex"),
    refused("imag", lambda x, y: lax.imag(lax.complex(x, y)), FLOATS, "complex"),
    refused("fft", lambda x, y: lax.real(lax.fft(x, lax.FftType.RFFT, (4,))), FLOATS, "stablehlo.fft"),
    refused("rng_uniform", lambda x, y: lax.rng_uniform(x[0, 0], 2 + y[0, 0], (3,)), FLOATS, "stablehlo.rng"),
    refused(
        "rng_bit_generator",
        lambda x, y: lax.rng_bit_generator(jnp.zeros(4, "uint32"), (3,), dtype="uint32")[1],
        ("u32",),
        "rng_bit_generator",
    ),
    *(refused(name, program, FLOATS, "lapack|complex") for name, program in LAPACK.items()),
]
