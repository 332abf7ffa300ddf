"""A Fourier transform in place, by rotations and Hadamard steps: it runs backwards, so its gradient needs no tape."""

from __future__ import annotations

import math

import numpy as np

import tapeless as tl


@tl.function
def bit_reversed(i: tl.i64, bits: tl.i64) -> tl.i64:
    j = 0
    for _ in range(bits):
        j = 2 * j + i % 2
        i = i // 2
    return j


@tl.reversible
def fft(re: tl.f64[:], im: tl.f64[:], bits: tl.In[tl.i64]) -> None:
    """The unitary transform of 2 ** bits complex numbers."""
    for i in range(len(re)):
        j = bit_reversed(i, bits)
        if i < j:
            re[i], re[j] = re[j], re[i]
            im[i], im[j] = im[j], im[i]
    for stage in range(bits):
        half = 2**stage
        for block in range(len(re) // (2 * half)):
            for k in range(half):
                low = 2 * half * block + k
                high = low + half
                tl.rot(re[high], im[high], -math.pi * k / half)
                tl.hadamard(re[low], re[high])
                tl.hadamard(im[low], im[high])


def main() -> None:
    bits = 6
    n = 2**bits
    signal = np.random.default_rng(0).normal(size=(2, n))
    re, im, _ = fft(signal[0], signal[1], bits)
    expected = np.fft.fft(signal[0] + 1j * signal[1]) / math.sqrt(n)
    print(f"largest difference from numpy     {np.abs(re + 1j * im - expected).max():.1e}")

    restored = (~fft)(re, im, bits)[:2]
    print(f"there and back again              {np.abs(np.array(restored) - signal).max():.1e}")

    seed = np.zeros(n)
    seed[0] = 1.0
    _, pullback = tl.vjp(fft, signal[0], signal[1], bits)
    re_bar, *_ = pullback((seed, np.zeros(n), 0))
    print(
        f"derivative of output 0 in input k {re_bar.min():.6f} to {re_bar.max():.6f}, expected {1 / math.sqrt(n):.6f}"
    )
    assert np.abs(re + 1j * im - expected).max() < 1e-13
    assert np.allclose(re_bar, 1 / math.sqrt(n), atol=1e-14)


if __name__ == "__main__":
    main()
